#!/usr/bin/env python3
"""The scripts of packaging, called wrongly: each says what is wrong in a line, and none counts nothing at all as a success."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGING = TOP / "packaging"


class CalledWrongly(unittest.TestCase):
    def says(self, wanted, *command):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([str(part).replace("FOLDER", folder) for part in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, text=True, timeout=120)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, wanted)
        self.assertNotIn("Traceback", done.stdout)
        self.assertNotIn("0 failed", done.stdout)

    def test_a_trial_that_does_not_exist(self):
        self.says('there is no trial "windwo"; there are: archive venv', PACKAGING / "trial", "bookworm", "venv", "windwo")
        self.says('there is no trial "windwo"', PACKAGING / "trial", "here", "FOLDER", "windwo")

    def test_a_trial_without_a_name(self):
        self.says("packaging/trial SUITE", PACKAGING / "trial")
        self.says("packaging/trial here FOLDER NAME", PACKAGING / "trial", "here", "FOLDER")

    def test_an_option_that_does_not_exist(self):
        self.says("there is no option --oflline", PACKAGING / "bare-machine", "--oflline", "bookworm", "true")

    def test_a_program_that_does_not_exist(self):
        self.says("there is no .*/lanescope.exe", sys.executable, PACKAGING / "windows_trial", "FOLDER/lanescope.exe", "/bin/true")
        self.says("nothing is not a program", sys.executable, TOP / "tests/tools/try_installed", "FOLDER", "FOLDER/nothing")

    def test_each_trial_of_the_list_is_written(self):
        text = (PACKAGING / "trial").read_text()
        listed = re.search(r"^all=\((.*)\)$", text, re.MULTILINE)[1].split()
        self.assertEqual(sorted(listed), sorted(re.findall(r"^trial_(\w+)\(\)", text, re.MULTILINE)))


if __name__ == "__main__":
    unittest.main()
