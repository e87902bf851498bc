#!/usr/bin/env python3
"""What packaging/trial knows of arithmetic: its sums are those of exact arithmetic, and a program that is wrong is found.   arithmetic_test.py PROGRAM"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
ARITHMETIC = TOP / "packaging/arithmetic"
CHECK = ARITHMETIC / "check"
PROGRAM = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 and not sys.argv[-1].startswith("-") else None

# Gives what PROGRAM gives, but with one bit of the second result of one kernel inverted.
WRONG = """#!/bin/bash
"%s" "$@"
rc=$?
for one in "$@"; do
  case $one in 0=*/%s.bin) printf '%%b' "\\\\x$(printf %%02x $((0x$(od -An -tx1 -j8 -N1 "${one#0=}" | tr -d ' ') ^ 1)))" | dd of="${one#0=}" bs=1 seek=8 conv=notrunc 2>/dev/null ;; esac
done
exit $rc
"""


def check(*arguments):
    done = subprocess.run([str(CHECK), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    return done.returncode, done.stdout


class Sums(unittest.TestCase):
    def test_are_those_of_exact_arithmetic(self):
        done = subprocess.run([sys.executable, "-B", ARITHMETIC / "expected.py"], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout.splitlines(), (ARITHMETIC / "sums.txt").read_text().splitlines())
        self.assertGreater(len(done.stdout.splitlines()), 190)


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, text):
        path = self.folder / "program"
        path.write_text(text)
        path.chmod(0o755)
        return path

    def test_called_wrongly(self):
        self.assertEqual(check()[0], 2)
        self.assertEqual(check("/bin/true", "--compare")[0], 2)

    def test_a_program_that_does_nothing(self):
        for arguments in (["/bin/true"], ["/bin/false"], ["/bin/true", "--compare", self.folder], ["/bin/true", "--write", self.folder / "a"],
                          ["/bin/false", "--write", self.folder / "a"]):
            code, said = check(*arguments)
            self.assertEqual(code, 1, said)
        self.assertFalse((self.folder / "a").exists())

    def test_this_program_is_right(self):
        code, said = check(PROGRAM)
        self.assertEqual((code, said), (0, "arithmetic: 200 forms, 0 wrong\n"))

    def test_a_wrong_bit_is_found_and_named(self):
        code, said = check(self.program(WRONG % (PROGRAM, "floats")))
        self.assertEqual((code, said), (1, "wrong: floats add.rz.f32\narithmetic: 200 forms, 1 wrong\n"))

    def test_a_wrong_number_is_found(self):
        numbers, few = self.folder / "numbers", self.folder / "few"
        code, said = check(PROGRAM, "--write", numbers)
        self.assertEqual(code, 0, said)
        self.assertGreater(len(list(numbers.iterdir())), 60)
        few.mkdir()
        for name in ("transpose.tiled.json", "halves.json", "cooperative_groups.full_grid_too_many.json"):
            shutil.copy(numbers / name, few)
        self.assertEqual(check(PROGRAM, "--compare", few), (0, "arithmetic: the numbers of 3 runs are the same, 0 are not\n"))
        one = few / "transpose.tiled.json"
        text = one.read_text()
        self.assertIn("exit code 0", text)
        self.assertNotRegex(text, r'compile_seconds": [0-9]')
        one.write_text(text.replace('"value": 1', '"value": 2', 1))
        self.assertNotEqual(one.read_text(), text)
        code, said = check(PROGRAM, "--compare", few)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r'^differs: transpose\.tiled\n')
        self.assertIn("of 2 runs are the same, 1 are not", said)


if __name__ == "__main__":
    unittest.main()
