#!/usr/bin/env python3
"""check_layering.py accepts what it should, and fails on each kind of fault, in a small made-up tree."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "check_layering.py"


def run_on(path, text, window=False):
    with tempfile.TemporaryDirectory() as engine, tempfile.TemporaryDirectory() as app:
        file = pathlib.Path(app if window else engine, path)
        file.parent.mkdir(parents=True)
        file.write_text(text)
        done = subprocess.run([sys.executable, CHECK, engine, app], stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout


class Layering(unittest.TestCase):
    def test_accepts_what_stands_below_and_the_system(self):
        for path, text in [("ptx/a.h", '#include "core/result.h"\n'), ("sim/a.cpp", '#include "metrics/report.h"\n'),
                           ("core/a.h", "#include <vector>\n"), ("gpu/a.cpp", "#include <cuda.h>\n"),
                           ("job/run/a.cpp", '#include "sim/launch.h"\n'), ("ptx/a.h", '// #include "sim/launch.h"\n')]:
            self.assertEqual(run_on(path, text)[0], 0, (path, text))

    def test_refuses_what_it_must(self):
        for path, text in [("core/a.h", '#include "ptx/module.h"\n'), ("ptx/a.cpp", "\n#  include <sim/launch.h>\n"),
                           ("metrics/a.cpp", '#include "sim/launch.h"\n'), ("gpu/a.cpp", '#include "sim/launch.h"\n'),
                           ("sim/a.cpp", '#include "gpu/device.h"\n'), ("diagram/a.cpp", '#include "imgui.h"\n'),
                           ("job/run/a.cpp", '#include "gui/window.h"\n'), ("compile/a.cpp", "#include <cuda.h>\n"),
                           ("lesson/a.cpp", '#include "../sim/launch.h"\n'), ("newcomer/a.h", "\n")]:
            code, output = run_on(path, text)
            self.assertEqual(code, 1, (path, text))
            self.assertIn(path, output)

    def test_counts_the_files_of_a_room(self):
        with tempfile.TemporaryDirectory() as engine:
            room = pathlib.Path(engine, "sim/alu")
            room.mkdir(parents=True)
            for count, code in ((40, 0), (41, 1)):
                for number in range(count):
                    (room / f"a{number}.h").write_text("\n")
                done = subprocess.run([sys.executable, CHECK, engine], stdout=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, code, done.stdout)
            self.assertIn(f"{room}: 41 files", done.stdout)

    def test_knows_rooms(self):
        for path, text in [("sim/alu/a.cpp", '#include "ptx/opcode.h"\n'), ("sim/decode/a.h", '#include "sim/alu/half.h"\n'),
                           ("sim/launch.cpp", '#include "sim/warp/worker.h"\n'), ("ptx/a.h", '#include "core/os/cores.h"\n'),
                           ("job/witness/a.cpp", '#include "job/run/job.h"\n'), ("sim/warp/a.h", '#include "sim/launch_request.h"\n')]:
            self.assertEqual(run_on(path, text)[0], 0, (path, text))
        for path, text in [("sim/alu/a.cpp", '#include "sim/decode/decode.h"\n'), ("sim/races/a.h", '#include "sim/warp/worker.h"\n'),
                           ("sim/warp/a.h", '#include "sim/launch.h"\n'), ("core/a.h", '#include "core/os/cores.h"\n'),
                           ("job/run/a.cpp", '#include "job/lesson/questions.h"\n'), ("compile/host/a.h", '#include "compile/compiler.h"\n'),
                           ("sim/newcomer/a.h", "\n"), ("job/run/deeper/a.h", "\n")]:
            code, output = run_on(path, text)
            self.assertEqual(code, 1, (path, text))
            self.assertIn(path, output)

    def test_knows_rooms_of_the_window(self):
        for path, text in [("gui/kit/a.h", '#include "imgui.h"\n'), ("gui/session/a.h", '#include "job/run/job.h"\n'),
                           ("gui/compare/a.cpp", '#include "gui/time/time_lines.h"\n'), ("gui/a.cpp", '#include "gui/code/code_panel.h"\n')]:
            self.assertEqual(run_on(path, text, window=True)[0], 0, (path, text))
        for path, text in [("gui/kit/a.h", '#include "lesson/lesson.h"\n'), ("gui/session/a.h", '#include "imgui.h"\n'),
                           ("gui/session/a.cpp", '#include "gui/kit/look.h"\n'), ("gui/warp/a.cpp", '#include "gui/main_window.h"\n'),
                           ("gui/time/a.cpp", '#include "gui/code/code_panel.h"\n'), ("gui/newcomer/a.h", "\n")]:
            code, output = run_on(path, text, window=True)
            self.assertEqual(code, 1, (path, text))
            self.assertIn(path, output)

    def test_knows_rooms_of_the_command_line(self):
        for path, text in [("cli/input/a.h", '#include "cli/output/output.h"\n'), ("cli/a.cpp", '#include "cli/commands/commands.h"\n'),
                           ("cli/commands/a.cpp", '#include "gui/window.h"\n'), ("cli/output/a.h", '#include "job/run/job.h"\n')]:
            self.assertEqual(run_on(path, text, window=True)[0], 0, (path, text))
        for path, text in [("cli/output/a.h", '#include "cli/input/options.h"\n'), ("cli/input/a.cpp", '#include "cli/commands/runner.h"\n'),
                           ("cli/commands/a.cpp", '#include "cli/command_words.h"\n'), ("cli/commands/a.cpp", '#include "gui/session/session.h"\n'),
                           ("cli/a.cpp", '#include "imgui.h"\n'), ("gui/session/a.cpp", '#include "cli/output/output.h"\n'),
                           ("cli/newcomer/a.h", "\n")]:
            code, output = run_on(path, text, window=True)
            self.assertEqual(code, 1, (path, text))
            self.assertIn(path, output)

    def test_names_the_line(self):
        self.assertIn("ptx/a.h:3: ptx/ may not include sim/", run_on("ptx/a.h", '\n\n#include "sim/launch.h"\n')[1])


if __name__ == "__main__":
    unittest.main()
