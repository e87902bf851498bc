#!/usr/bin/env python3
"""The Python side of the wheel: it finds the program, returns its answers, and raises its errors.

  package_test.py PROGRAM    with the program of a build; exit 77 (skipped) if its compiler is missing
  package_test.py            with the installed package
"""
import dataclasses
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
if len(sys.argv) > 1:
    os.environ["LANESCOPE_PROGRAM"] = sys.argv.pop(1)
    sys.path.insert(0, str(TOP / "packaging/python"))
elif importlib.util.find_spec("lanescope") is None:
    print("SKIPPED: the package lanescope is not installed here, and no program was named")
    sys.exit(77)

import lanescope  # noqa: E402

DOUBLES = "__global__ void twice(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= 2; }\n"


class Results(unittest.TestCase):
    def test_a_lesson_counts_what_arithmetic_says(self):
        run = lanescope.run("coalescing", "stride", set={"stride": 8, "n": 4096})
        self.assertEqual((run.lesson, run.variant, run.controls["stride"], run.origin), ("coalescing", "stride", 8, "interpreted"))
        self.assertEqual(run["global_load.sectors_per_request"].value, 32)  # 8 floats apart: one sector per lane
        self.assertEqual(run["global_load.requests"].value, 4096 / 32)
        self.assertTrue(run.passed)
        self.assertRaises(KeyError, run.__getitem__, "no such number")
        self.assertEqual(run.json["lesson"], "coalescing")

    def test_pictures_are_svg_and_gone_from_the_disk(self):
        with tempfile.TemporaryDirectory() as folder:
            tempfile.tempdir = folder
            run = lanescope.run("coalescing")
            tempfile.tempdir = None
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])
        self.assertGreater(len(run.pictures), 2)
        for picture in run.pictures:
            self.assertTrue(xml.etree.ElementTree.fromstring(picture._repr_svg_()).tag.endswith("svg"))
        shown = run._repr_html_()
        self.assertEqual(shown.count("<svg"), len(run.pictures))
        self.assertIn("global_load.sectors", shown)
        self.assertEqual(lanescope.run("coalescing", pictures=False).pictures, ())

    def test_chinese_pictures(self):
        english, chinese = (lanescope.run("coalescing", language=one).pictures[0].svg for one in ("en", "zh-CN"))
        self.assertIsNone(re.search("[\u4e00-\u9fff]", english))
        self.assertIsNotNone(re.search("[\u4e00-\u9fff]", chinese))

    def test_two_variants(self):
        both = lanescope.compare("coalescing", "stride", "packed4", set={"n": 4096})
        self.assertEqual((both.a.variant, both.b.variant), ("stride", "packed4"))
        requests = [one["global_load.requests"].value for one in (both.a, both.b)]
        self.assertEqual(requests, [4096 / 32, 4096 / 4 / 32])
        self.assertEqual(both.ratio("global_load.requests"), requests[1] / requests[0])
        self.assertIn("packed4", both._repr_html_())

    def test_code_of_ones_own(self):
        run = lanescope.trace(code=DOUBLES, grid=2, block=(64, 1), args=["f32[100]=iota", "i32=100"])
        self.assertEqual((run.kernel, run.launch.grid, run.launch.block), ("twice", (2, 1, 1), (64, 1, 1)))
        self.assertEqual(run.buffers[0].sum, 2 * sum(range(100)))
        self.assertEqual(max(site.line for site in run.sites), 1)

    def test_results_are_typed(self):
        run = lanescope.run("coalescing", pictures=False)
        for kind, rows in ((lanescope.Number, run.numbers), (lanescope.Site, run.sites), (lanescope.Buffer, run.buffers), (lanescope.Check, run.checks)):
            self.assertTrue(rows)
            for row in rows:
                self.assertIsInstance(row, kind)
                for field in dataclasses.fields(row):
                    if "None" not in str(field.type):
                        self.assertIsNotNone(getattr(row, field.name), f"the program's JSON lacks {kind.__name__}.{field.name}")


class Errors(unittest.TestCase):
    def refused(self, call, *arguments, **more):
        with self.assertRaises(lanescope.LanescopeError) as caught:
            call(*arguments, **more)
        return caught.exception

    def test_a_kernel_that_does_not_compile_names_its_line(self):
        error = self.refused(lanescope.trace, code=DOUBLES.replace("*= 2", "*= two"), grid=1, block=32, args=["f32[100]", "i32=100"])
        self.assertEqual((error.code, error.diagnostics[0].line), ("compile.error", 1))
        self.assertIn("two", str(error))
        self.assertIn("cure:", str(error))

    def test_names_that_do_not_exist(self):
        self.assertEqual(self.refused(lanescope.run, "coalescin").code, "lesson.no_such")
        self.assertEqual(self.refused(lanescope.run, "coalescing", "nope").code, "lesson.no_such_variant")
        self.assertTrue(self.refused(lanescope.compare, "coalescing", "stride", "nope").code)
        self.assertRaises(TypeError, lanescope.trace, "a.cu", code=DOUBLES)

    def test_a_wrong_result_is_an_answer(self):
        ones = "__global__ void stride_copy(const float*, float* out, int n, int) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 1; }"
        run = lanescope.run("coalescing", "stride", code=ones)
        self.assertFalse(run.passed)
        self.assertFalse(run.checks[0].holds)

    def test_time_that_is_up(self):
        endless = "__global__ void k(int* a) { while (true) a[0] += 1; }\n"
        error = self.refused(lanescope.trace, code=endless, grid=1, block=32, args=["i32[4]"], timeout=1.0, options=["--max-steps", "1000000000000000"])
        self.assertEqual(error.code, "python.too_slow")

    def test_another_program(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "lanescope"
            before = os.environ.get("LANESCOPE_PROGRAM")
            try:
                os.environ["LANESCOPE_PROGRAM"] = str(other)
                self.assertEqual(self.refused(lanescope.run, "coalescing").code, "python.not_started")
                self.assertEqual(self.refused(lanescope.version).code, "python.not_started")
                for answer, code in (('{"lanescope": {"version": "9", "schema": 2}}', "python.other_schema"), ("hello", "python.no_answer")):
                    other.write_text(f"#!/bin/sh\necho '{answer}'\n")
                    other.chmod(0o755)
                    self.assertEqual(self.refused(lanescope.run, "coalescing").code, code)
                other.write_text("#!/bin/sh\necho 'a library is missing' >&2\nexit 127\n")
                error = self.refused(lanescope.version)
                self.assertEqual((error.code, str(error)), ("python.no_answer", "a library is missing"))
            finally:
                if before is None:
                    del os.environ["LANESCOPE_PROGRAM"]
                else:
                    os.environ["LANESCOPE_PROGRAM"] = before


class Program(unittest.TestCase):
    def test_the_module_becomes_the_program(self):
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
        done = subprocess.run([sys.executable, "-m", "lanescope", "--version"], stdout=subprocess.PIPE, env=environment, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.split()[:2], ["lanescope", lanescope.version()])

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed here")
    def test_a_type_checker_accepts_the_package(self):
        package = pathlib.Path(lanescope.__file__).parent
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-incremental", package], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    try:
        lanescope.run("coalescing", pictures=False)
    except lanescope.LanescopeError as error:
        if error.code.startswith("toolchain."):
            print(f"SKIPPED: {error}")
            sys.exit(77)
    unittest.main()
