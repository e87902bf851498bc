#!/usr/bin/env python3
"""check_twins.py accepts what compiles together, and fails on each kind of fault, in small made-up trees."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
from check_twins import faults  # noqa: E402


def run_on(files):
    with tempfile.TemporaryDirectory() as top:
        for path, text in files.items():
            file = pathlib.Path(top, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return list(faults(pathlib.Path(top)))


def local(text, scope="lanescope::sim"):
    return f"namespace {scope} {{\nnamespace {{\n{text}\n}}  // namespace\n}}\n"


def in_header(text, scope="lanescope::sim"):
    return f"#pragma once\nnamespace {scope} {{\n{text}\n}}\n"


class Twins(unittest.TestCase):
    def accepts(self, files):
        self.assertEqual(run_on(files), [], files)

    def refuses(self, files, name):
        told = run_on(files)
        self.assertTrue(any(name in line for line in told), (files, told))

    def test_refuses_two_files_with_one_local_name(self):
        for text in ["struct Kept { int a; };", "constexpr int Kept = 3;", "const std::map<int, std::string> Kept{{1, \"a;{\"}};",
                     "enum { first, Kept };", "int Kept(const std::string& a, int b = 2) {\n  return b;\n}", "static int Kept;",
                     "template <typename T>\nstd::vector<T> Kept(T a) {\n  return {a};\n}", "[[nodiscard]] int Kept() { return a[b[0]]; }",
                     "enum class Kept : int { a };", "using Kept = int;\nusing Mine = int;"]:
            other = text.replace("using Kept = int", "using Kept = long")
            self.refuses({"engine/sim/a.cpp": local(text), "engine/sim/b.cpp": local(other)}, "Kept")

    def test_a_shorter_call_and_a_text_mean_both(self):
        for one, other in [("int f(int a, int b = 1) { return a; }", "int f(int c) { return c; }"),
                           ("int f(const std::string& a) { return 1; }", "int f(std::string_view a) { return 1; }"),
                           ("int f(std::vector<int> a) { return 1; }", "int f(const std::vector<std::map<int, int>>& a) { return 1; }")]:
            self.refuses({"engine/sim/a.cpp": local(one), "engine/sim/b.cpp": local(other)}, "f(")

    def test_refuses_a_local_name_that_hides_one_of_a_header(self):
        for text in ["int joined(int a) {\n  return a;\n}", "constexpr char joined = '}';", "struct joined {};", "auto joined() -> int { return 1; }",
                     "// a comment {\nint joined(int a) noexcept {\n  return a;\n}", 'const char* joined = R"x(})x";']:
            for header, scope in [("int joined(const Part& a, const Part& b);", "lanescope::sim"), ("std::string joined(Parts parts);", "lanescope"),
                                  ("inline constexpr int joined = 2;", "lanescope"), ("struct joined {\n  int a[2] = {1, 2};\n};", "lanescope::sim"),
                                  ("#define A(x) \\\n  {\ntemplate <typename T>\nbool joined(std::vector<std::pair<T, int>> a = {});", "lanescope")]:
                self.refuses({"engine/sim/a.cpp": local(text), "engine/core/a.h": in_header(header, scope)}, "a.cpp: its local joined hides")

    def test_the_window_and_tests_may_hide_none_of_the_engine(self):
        for path in ("app/gui/kit/a.cpp", "app/cli/a.cpp", "tests/unit/a.cpp", "tests/gui/a.cpp"):
            self.refuses({path: local("int joined() { return 1; }", "lanescope::gui"), "engine/core/a.h": in_header("int joined(int);", "lanescope")}, path)

    def test_accepts_what_does_not_meet(self):
        header = in_header("struct Plan {\n  int joined() const;\n};\nint Plan::joined() const { return 1; }", "lanescope")
        for text in ["int joined() { return 1; }", "using Bytes = std::vector<int>;", "bool operator==(const A& a, const A& b) { return true; }",
                     "template <typename V, ConstOr<A> T>\nvoid joined(V& v, T& t) {}", "namespace fs = std::filesystem;", "struct Later;",
                     "TEST(Suite, Name) { int joined; }"]:
            self.accepts({"engine/sim/a.cpp": local(text), "engine/core/a.h": header, "engine/job/a.cpp": local("int joined() { return 1; }", "lanescope::job")})
        self.accepts({"engine/job/a.cpp": in_header("static void joined(Run& run) { run.end(); }"), "engine/job/a.h": in_header("int joined(int);")})
        self.refuses({"engine/sim/a.cpp": in_header("static void joined(Run& run) { run.end(); }"), "engine/core/a.h": in_header("int joined(int);", "lanescope")}, "joined")
        bytes_ = "using Bytes = std::span<const std::byte>;"
        self.accepts({"engine/sim/a.cpp": local(bytes_), "engine/sim/b.cpp": local(bytes_), "engine/core/a.h": in_header(bytes_)})
        self.accepts({"engine/sim/a.cpp": local("int f(int) { return 1; }"), "engine/sim/b.cpp": local("int f(Part) { return 1; }")})
        self.accepts({"engine/sim/alu/alu_a.cpp": local("int joined() { return 1; }"), "engine/core/a.h": in_header("int joined();")})
        self.accepts({"engine/sim/a.cpp": local("int joined() { return 1; }"), "engine/job/a.h": in_header("int joined();", "lanescope::job")})
        self.accepts({"engine/sim/a.cpp": in_header("int joined() {\n  return 1;\n}"), "engine/sim/a.h": in_header("int joined();")})


if __name__ == "__main__":
    unittest.main()
