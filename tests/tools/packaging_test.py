#!/usr/bin/env python3
"""The scripts of packaging, called wrongly: each says what is wrong in a line, and none counts nothing at all as a success."""
import importlib.machinery
import importlib.util
import pathlib
import re
import shutil
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


class WhatIsPacked(unittest.TestCase):
    """What belongs to Lanescope, and not what lies beside it, such as an author's lesson or an editor's copy."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name) / "tree"
        (self.tree / "packaging").mkdir(parents=True)
        shutil.copy(PACKAGING / "wheel", self.tree / "packaging")
        for name in ("lessons/stride/lesson.toml", "lessons/stride/lesson.toml~", "lessons/mine/lesson.toml"):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / name).write_text(name)
        loader = importlib.machinery.SourceFileLoader("wheel_of_a_tree", str(self.tree / "packaging/wheel"))
        self.wheel = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(self.wheel)

    def packed(self, *names):
        out = self.tree.parent / "out"
        self.wheel.copy_own(names, out)
        return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())

    @unittest.skipUnless(shutil.which("git"), "git is not here")
    def test_of_a_checkout_what_git_tracks(self):
        for command in (["init", "-q"], ["add", "lessons/stride/lesson.toml"]):
            subprocess.run(["git", "-C", self.tree, *command], check=True)
        self.assertEqual(self.packed("lessons"), ["lessons/stride/lesson.toml"])
        with self.assertRaisesRegex(self.wheel.Failure, "no file of Lanescope below lessons/mine"):
            self.packed("lessons/mine")

    def test_of_a_source_archive_what_it_lists(self):
        with self.assertRaisesRegex(self.wheel.Failure, "neither a git checkout nor an archive"):
            self.packed("lessons")
        (self.tree / "third_party/enclosed").mkdir(parents=True)
        (self.tree / "third_party/enclosed/FILES").write_text("lessons/stride/lesson.toml\npackaging/wheel\n")
        self.assertEqual(self.packed("lessons", "packaging/wheel"), ["lessons/stride/lesson.toml", "packaging/wheel"])


if __name__ == "__main__":
    unittest.main()
