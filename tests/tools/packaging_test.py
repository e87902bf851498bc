#!/usr/bin/env python3
"""The scripts of packaging, called wrongly: each says what is wrong in a line, and none counts nothing at all as a success."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGING = TOP / "packaging"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PACKAGING))
from whole_file import replacing  # noqa: E402


def load(script):
    loader = importlib.machinery.SourceFileLoader(f"script_{script.name}", str(script))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def program(path, lines):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)


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

    def test_a_trial_that_needs_another(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            # `python3 -m venv v`, whose pip installs a program that prints what `counts` looks for
            program(folder / "bin/python3", 'mkdir -p v/bin && cp "$(dirname "$0")/pip" v/bin/pip')
            program(folder / "bin/pip", """printf '#!/bin/sh\\necho "\\"version\\": \\"13.0.88\\""\\n' >v/bin/lanescope && chmod +x v/bin/lanescope""")
            done = subprocess.run([PACKAGING / "trial", "here", folder, "readonly", "moved"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  env={"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": name})
        self.assertEqual((done.stdout.splitlines(), done.returncode),
                         (["ok      readonly: what it needs first: venv", "ok      readonly: run in a read-only environment",
                           "ok      moved: a moved environment goes on", "trial: 3 tried, 0 failed"], 0))

    def test_each_trial_says_what_it_needs(self):
        text = (PACKAGING / "trial").read_text()
        bodies = dict(re.findall(r"^trial_(\w+)\(\) \{(.*?)(?=\n\w|\Z)", text, re.MULTILINE | re.DOTALL))
        needing = {name for name, body in bodies.items() if re.search(r"\bv/|\(site\)|\bmv v\b", body)} - {"venv"}
        said = re.search(r"^needs\(\) \{.*?^\}", text, re.MULTILINE | re.DOTALL)[0]
        self.assertLess(10, len(needing))
        self.assertEqual(needing, set(re.findall(r"[a-z_]+(?=[|)])", said.replace("needs()", ""))))

    def test_a_system_without_its_tools(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "git").symlink_to("/bin/true")
            for script in ("wheel", "sdist", "windows"):
                done = subprocess.run([sys.executable, PACKAGING / script], env={"PATH": folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertRegex(done.stdout, f"^packaging/{script}: it needs packages that are missing: apt install cmake ninja-build dpkg apt")
        self.assertIn("mingw-w64", done.stdout)


RECIPES = """
rule builds
  command = echo warning of $out; touch $out
  description = Building $out
rule fails
  command = echo wrong; exit 3
build a: builds
build b: builds a
build c: fails
rule waits
  command = for i in $$(seq 100); do if grep -q 'Building d' said; then exit 0; fi; sleep 0.05; done; exit 1
  description = Building $out
build d: waits
"""


@unittest.skipUnless(shutil.which("ninja"), "ninja is not here")
class Progress(unittest.TestCase):
    """A build of half an hour says what it begins, of how much, also where its output is a file."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "build.ninja").write_text(RECIPES)
        self.wheel = load(PACKAGING / "wheel")

    def said(self, *targets):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                self.wheel.compile_targets("wheel", self.folder, 1, *targets)
            except self.wheel.Failure as failure:
                print(failure)
        return re.sub(r"\d+ s;", "0 s;", out.getvalue()).splitlines()[1:]  # without ninja's "Entering directory"

    def test_each_object_that_is_begun(self):
        self.assertEqual(self.said("b"), ["wheel: 0 of 2 done after 0 s; begins: Building a", "warning of a",
                                          "wheel: 1 of 2 done after 0 s; begins: Building b", "warning of b"])

    def test_an_error(self):
        said = self.said("c")
        self.assertEqual([said[0], said[-1]], ["wheel: 0 of 1 done after 0 s; begins: echo wrong; exit 3", "ninja ended with 1"])
        self.assertIn("wrong", said)

    def test_an_object_is_named_while_it_is_built(self):
        with (self.folder / "said").open("w") as out, contextlib.redirect_stdout(out):
            self.wheel.compile_targets("wheel", self.folder, 1, "d")

    def test_steps(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            last = self.wheel.take_steps("sdist", ("the tools", lambda: 1), ("packing", lambda: 2))
        self.assertEqual((out.getvalue(), last), ("sdist: step 1 of 2, the tools\nsdist: step 2 of 2, packing\n", 2))


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
        self.wheel = load(self.tree / "packaging/wheel")

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


def without_comments(text):
    return re.sub(r"(?m)^\s*(//|#(?!include)).*$", "", text)


class Documents(unittest.TestCase):
    """A message leads to a file that the user has: a document that the program names is in the packages."""

    def setUp(self):
        self.data = load(PACKAGING / "wheel").DATA
        self.named = {}
        for folder in ("engine", "app", "packaging/python"):
            for path in sorted((TOP / folder).rglob("*")):
                if path.suffix in (".cpp", ".h", ".def", ".inl", ".py"):
                    for name in re.findall(r"[\w./-]+/[\w-]+\.md\b", without_comments(path.read_text())):
                        self.named.setdefault(name, []).append(path)

    def is_packed(self, name):
        return any(name == packed or name.startswith(packed + "/") for packed in self.data)

    def test_each_that_is_named_is_there_and_packed(self):
        self.assertIn("docs/environment.md", self.named)
        self.assertIn("docs/add-a-lesson.md", self.named)
        for name, paths in self.named.items():
            self.assertTrue((TOP / name).is_file(), f"{name}, which {paths[0]} names")
            self.assertTrue(self.is_packed(name), f"{name}, which {paths[0]} names, is not in DATA of packaging/wheel")

    def test_each_is_named_by_the_path_where_it_lies(self):
        for name, paths in self.named.items():
            for path in paths:
                left = without_comments(path.read_text()).replace(f'document("{name}")', "")
                self.assertNotIn(name, left, f"{path} does not use document()")

    def test_what_a_packed_one_links_to_is_packed(self):
        packed = {name for name in self.data if name.endswith(".md")}
        self.assertIn("docs/install.md", packed)
        for name in packed.union(self.named):
            for link in re.findall(r"\]\(([\w./-]+\.md)[)#]", (TOP / name).read_text()):
                self.assertTrue(self.is_packed((TOP / name).parent.joinpath(link).resolve().relative_to(TOP).as_posix()), f"{link} of {name}")


class WhatIsReadMeanwhile(unittest.TestCase):
    """Who installs the wheel or unpacks the archive of dist/ while it is made anew gets the old one whole, or the new one."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dist = pathlib.Path(folder.name) / "dist"
        self.dist.mkdir()
        self.seen = []

    def write(self, path):
        path.write_text("half of the new")
        self.seen.append([file.read_text() for file in sorted(self.dist.iterdir()) if file.is_file()])
        path.write_text("new")

    def names(self):
        return sorted(path.name for path in self.dist.iterdir())

    def test_an_error_leaves_the_old_one(self):
        (self.dist / "a.zip").write_text("old")
        with self.assertRaises(OSError), replacing(self.dist / "a.zip") as new:
            self.write(new)
            raise OSError("the disk is full")
        self.assertEqual((self.names(), (self.dist / "a.zip").read_text(), self.seen), (["a.zip"], "old", [["old"]]))

    def test_the_archive(self):
        tarball = load(PACKAGING / "tarball")
        wheel, archive = self.dist / "lanescope-1-py3-none-manylinux_2_28_x86_64.whl", self.dist / "lanescope-1-linux-x86_64.tar.gz"
        wheel.write_text("wheel")
        archive.write_text("old")
        tarball.TOP, tarball.DIST, tarball.WORK = self.dist.parent, self.dist, self.dist.parent / "work"
        tarball.install = lambda wheel, prefix: (prefix / "share/lanescope").mkdir(parents=True)
        tarball.pack = lambda folder, path: self.write(path)
        with contextlib.redirect_stdout(io.StringIO()):
            tarball.main()
        self.assertEqual((self.names(), archive.read_text(), self.seen), ([archive.name, wheel.name], "new", [["old", "wheel"]]))

    def test_the_wheel(self):
        script = load(PACKAGING / "wheel")
        older, made = (self.dist / f"lanescope-{version}-py3-none-{script.PLATFORM}.whl" for version in ("0.0.1", script.version()))
        older.write_text("old")
        made.write_text("old")
        script.run = lambda *command, **more: self.write(pathlib.Path(command[-1]) / made.name)
        numbers = script.version()
        script.TOP, script.version = self.dist.parent, lambda: numbers
        self.assertEqual(script.pack(), made)
        self.assertEqual((self.names(), made.read_text(), self.seen), ([made.name], "new", [["old", "old"]]))


if __name__ == "__main__":
    unittest.main()
