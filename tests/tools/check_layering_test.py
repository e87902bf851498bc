#!/usr/bin/env python3
"""check_layering.py accepts what it should, and fails on each kind of fault (in a tree made for it)."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "check_layering.py"


def run_on(path, text):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, path)
        file.parent.mkdir(parents=True)
        file.write_text(text)
        done = subprocess.run([sys.executable, CHECK, folder], stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout


class Layering(unittest.TestCase):
    def test_accepts_what_stands_below_and_the_system(self):
        for path, text in [("ptx/a.h", '#include "core/result.h"\n'), ("sim/a.cpp", '#include "metrics/report.h"\n'),
                           ("core/a.h", "#include <vector>\n"), ("gpu/a.cpp", "#include <cuda.h>\n"),
                           ("job/a.cpp", '#include "sim/launch.h"\n'), ("ptx/a.h", '// #include "sim/launch.h"\n')]:
            self.assertEqual(run_on(path, text)[0], 0, (path, text))

    def test_refuses_what_it_must(self):
        for path, text in [("core/a.h", '#include "ptx/module.h"\n'), ("ptx/a.cpp", "\n#  include <sim/launch.h>\n"),
                           ("metrics/a.cpp", '#include "sim/launch.h"\n'), ("gpu/a.cpp", '#include "sim/launch.h"\n'),
                           ("sim/a.cpp", '#include "gpu/device.h"\n'), ("diagram/a.cpp", '#include "imgui.h"\n'),
                           ("job/a.cpp", '#include "gui/window.h"\n'), ("compile/a.cpp", "#include <cuda.h>\n"),
                           ("lesson/a.cpp", '#include "../sim/launch.h"\n'), ("newcomer/a.h", "\n")]:
            code, output = run_on(path, text)
            self.assertEqual(code, 1, (path, text))
            self.assertIn(path, output)

    def test_names_the_line(self):
        self.assertIn("ptx/a.h:3: ptx/ may not include sim/", run_on("ptx/a.h", '\n\n#include "sim/launch.h"\n')[1])


if __name__ == "__main__":
    unittest.main()
