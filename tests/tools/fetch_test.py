#!/usr/bin/env python3
"""third_party/fetch without network: refuses content that is not the pinned one, names what is missing, fetches nothing twice."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

FETCH = pathlib.Path(__file__).resolve().parents[2] / "third_party" / "fetch"


def fetch(folder, *arguments, packages=None):
    """Runs fetch into folder without an index; only the files in `packages` can be found."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    environment.update(LANESCOPE_DEPS=str(folder), PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
    if packages:
        environment["PIP_FIND_LINKS"] = str(packages)
    return subprocess.run([sys.executable, FETCH, *arguments], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


class Fetch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_refuses_content_that_is_not_pinned(self):
        packages = self.folder / "packages"
        packages.mkdir()
        with zipfile.ZipFile(packages / "glad2-2.0.8-py3-none-any.whl", "w") as wheel:
            wheel.writestr("glad2-2.0.8.dist-info/METADATA", "Metadata-Version: 2.1\nName: glad2\nVersion: 2.0.8\n")
            wheel.writestr("glad2-2.0.8.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr("glad2-2.0.8.dist-info/RECORD", "")
        done = fetch(self.folder / "deps", "gui", packages=packages)
        self.assertEqual(done.returncode, 3)
        self.assertIn("glad2==2.0.8: what was downloaded is not what pins.txt names", done.stdout)
        self.assertFalse((self.folder / "deps" / "gui").exists())

    def test_without_network_says_what_could_not_be_fetched(self):
        done = fetch(self.folder / "deps", "gpu")
        self.assertEqual(done.returncode, 3)
        self.assertIn("nvidia-cuda-cupti==13.0.85 could not be fetched", done.stdout)

    def test_check_fetches_nothing_and_names_what_is_missing(self):
        done = fetch(self.folder / "deps", "--check", "gui")
        self.assertEqual(done.returncode, 3)
        self.assertIn("missing: imgui-bundle 1.93.0, glad2 2.0.8", done.stdout)
        self.assertFalse((self.folder / "deps").exists())

    def test_every_group_of_the_pins_can_be_asked_for(self):
        pins = [line.split()[0] for line in (FETCH.parent / "pins.txt").read_text().splitlines() if line.strip() and line[0] != "#"]
        for group in sorted(set(pins)):
            done = fetch(self.folder / "deps", "--check", group)
            self.assertEqual((done.returncode, done.stdout[:9]), (3, "missing: "), group)

    @unittest.skipUnless(os.environ.get("LANESCOPE_FETCHED"), "LANESCOPE_FETCHED does not name a complete folder")
    def test_what_is_there_is_not_fetched_again(self):
        done = fetch(os.environ["LANESCOPE_FETCHED"], "cuda", "gui")
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
