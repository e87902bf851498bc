#!/usr/bin/env python3
"""cmake/check_recipes.py: what it calls stale in a small tree of its own."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

check = pathlib.Path(__file__).resolve().parents[2] / "cmake/check_recipes.py"


class Recipes(unittest.TestCase):
    def told(self, recipe):
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            for name, text in {"engine/a/b.cpp": "int first_sum();", "tests/unit/t_test.cpp": "TEST(Sums, AreSums) {}",
                               "docs/add-a-thing.md": recipe}.items():
                (top / name).parent.mkdir(parents=True, exist_ok=True)
                (top / name).write_text(text, encoding="utf-8")
            ran = subprocess.run([sys.executable, check, top], text=True, capture_output=True)
            self.assertEqual(ran.returncode, 1 if ran.stdout else 0, ran.stderr)
            return ran.stdout

    def test_what_exists(self):
        self.assertEqual(self.told("`engine/a/b.cpp`, `engine/*/b.cpp`, `first_sum()`, engine/a/NAME_b.cpp\n--gtest_filter='Sum*:*ums'"), "")
        self.assertEqual(self.told("```cpp\nreturn first_sum();\n```\n"), "")

    def test_a_path(self):
        self.assertIn("there is no engine/a/c.cpp", self.told("see `engine/a/c.cpp`"))

    def test_a_filter(self):
        self.assertIn("no suite of tests is named Products*", self.told("--gtest_filter='Sums*:Products*'"))

    def test_a_name(self):
        self.assertIn("nothing is named last_sum", self.told("`last_sum()` tells"))
        self.assertIn("nothing is named last_sum", self.told("```cpp\nreturn last_sum();\n```\n"))


unittest.main()
