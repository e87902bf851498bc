#!/usr/bin/env python3
"""check_systems.py accepts what it should, and fails on each kind of fault, in a small made-up tree."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "check_systems.py"


def run_on(path, text):
    with tempfile.TemporaryDirectory() as top:
        file = pathlib.Path(top, path)
        file.parent.mkdir(parents=True)
        file.write_text(text)
        done = subprocess.run([sys.executable, CHECK, top], stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout


class Systems(unittest.TestCase):
    def test_accepts_a_system_in_its_folder_and_the_exceptions(self):
        for path, text in [("engine/core/os/linux/a.cpp", "#include <unistd.h>\n"), ("engine/core/os/windows/a.cpp", "#include <windows.h>\n"),
                           ("engine/device/api/a.cpp", "#include <pthread.h>\n"), ("engine/sim/a.cpp", '#include <vector>\n#include "core/os/files.h"\n'),
                           ("engine/compile/a.cpp", 'const char* text = "#ifdef _WIN32";\n// #include <unistd.h>\n')]:
            self.assertEqual(run_on(path, text)[0], 0, (path, text))

    def test_refuses_a_system_anywhere_else(self):
        for path, text in [("engine/core/os/a.cpp", "#include <unistd.h>\n"), ("engine/trace/a.h", "#  include <sys/mman.h>\n"), ("app/gui/a.cpp", "#include <Windows.h>\n"),
                           ("bench/a.cpp", "#include <csignal>\n"), ("app/cli/a.cpp", "#ifdef _WIN32\n#endif\n"), ("engine/gpu/a.cpp", "#if defined(__linux__) && X\n#endif\n"),
                           ("engine/gpu/a.cpp", "#if X\n#elif __APPLE__\n#endif\n"), ("engine/job/a.cpp", 'open("/proc/self/exe");\n'),
                           ("engine/job/a.cpp", "return path.filename().string();\n"), ("engine/gpu/a.cpp", 'if (std::getenv("HOME"))\n')]:
            code, output = run_on(path, text)
            self.assertEqual(code, 1, (path, text))
            self.assertIn(path, output)

    def test_a_test_that_windows_cannot_compile_is_named(self):
        for text in ("#include <dlfcn.h>\n", '#include "exec_libraries.h"\n'):
            with tempfile.TemporaryDirectory() as top:
                folder = pathlib.Path(top, "tests/unit/device")
                folder.mkdir(parents=True)
                (folder / "exec_libraries.h").write_text("#include <dlfcn.h>\n")
                (folder / "words_test.cpp").write_text(text)
                (folder / "own_linux_test.cpp").write_text(text)
                listed = pathlib.Path(top, "tests/not_for_windows.txt")
                listed.write_text("it needs them: unit/device/others_test\n")
                done = subprocess.run([sys.executable, CHECK, top], stdout=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 1, text)
                self.assertIn("words_test.cpp", done.stdout)
                self.assertNotIn("own_linux_test", done.stdout)
                listed.write_text("it needs them: unit/device/others_test unit/device/words_test\n")
                self.assertEqual(subprocess.run([sys.executable, CHECK, top], stdout=subprocess.DEVNULL).returncode, 0)


if __name__ == "__main__":
    unittest.main()
