#!/usr/bin/env python3
"""Fails if anything outside engine/core/os/SYSTEM/ depends on the operating system.   check_systems.py SOURCE_FOLDER

It looks for headers of one system, conditions on the system, paths below /proc, std::getenv (whose encoding is the system's), and
paths as text with the separators of one system. Other code uses the headers of engine/core/os/. EXCEPTIONS lists what stays on one system, and why.
A test that includes what Windows lacks must be called *_linux_test.cpp or be named in tests/not_for_windows.txt.
"""
import pathlib
import re
import sys

SYSTEMS = ("linux", "windows")
FOLDERS = ("engine", "app", "bench")
EXCEPTIONS = {
    "engine/device/api/": "libraries that stand in the place of NVIDIA's for a program on Linux; built there only",
}
POSIX = ("unistd", "fcntl", "dlfcn", "link", "elf", "spawn", "poll", "pthread", "sched", "signal", "csignal", "termios", "pwd", "grp", "glob",
         "ftw", "dirent", "netdb", "ucontext", "semaphore", "langinfo", "wordexp", "syslog", "libgen", "strings", "mqueue", "aio", "utime")
WINDOWS = ("windows", "winbase", "io", "direct", "process", "psapi", "shlobj", "shellapi", "tlhelp32", "winsock2", "conio", "crtdbg", "dbghelp")
HEADER = re.compile(r'^\s*#\s*include\s*[<"]((?:sys|linux|arpa|netinet|net|asm)/[\w/]+\.h|(?:' + "|".join(POSIX + WINDOWS) + r')(?:\.h)?)[>"]', re.IGNORECASE)
CONDITION = re.compile(r"^\s*#\s*(?:el)?if\w*\b.*\b(_WIN32|_WIN64|WIN32|__MINGW\w*|_MSC_VER|__CYGWIN__|__linux(?:__)?|__unix(?:__)?|__APPLE__|__gnu_linux__|"
                       r"__GLIBC__|_POSIX_VERSION)\b")
GETENV = re.compile(r"\bgetenv\(")
PROC = re.compile(r'"/proc/')
NATIVE = re.compile(r"(?:\)|\b\w+|\])\.string\(\)")
# Headers that mingw-w64 lacks.
NOT_ON_WINDOWS = re.compile(r'^\s*#\s*include\s*<(dlfcn|elf|link|spawn|poll|pwd|grp|glob|ftw|netdb|termios|ucontext|sys/(?:wait|mman|socket|resource|ioctl|un|prctl))\.h>',
                            re.MULTILINE)
OWN_HEADER = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def tests_that_windows_cannot_compile(top):
    tests = top / "tests"
    listed = tests / "not_for_windows.txt"
    left_out = set(listed.read_text().split()) if listed.exists() else set()
    lacking = {path.name for path in tests.rglob("*.h") if NOT_ON_WINDOWS.search(path.read_text())}
    for path in sorted((tests / "unit").rglob("*.cpp")):
        name = path.relative_to(tests).with_suffix("").as_posix()
        if name in left_out or path.stem.endswith(("_linux", "_linux_test")):
            continue
        text = path.read_text()
        own = [header for header in OWN_HEADER.findall(text) if pathlib.PurePosixPath(header).name in lacking]
        found = [f"<{one}.h>" for one in NOT_ON_WINDOWS.findall(text)] + own
        if found:
            yield f"tests/{name}.cpp: {found[0]} does not compile for Windows: name the test in tests/not_for_windows.txt"


def faults(top):
    yield from tests_that_windows_cannot_compile(top)
    for folder in FOLDERS:
        for path in sorted(p for p in (top / folder).rglob("*") if p.suffix in (".h", ".cpp", ".inc", ".inl", ".def")):
            name = path.relative_to(top).as_posix()
            if any(name.startswith(f"engine/core/os/{system}/") for system in SYSTEMS) or any(name.startswith(one) for one in EXCEPTIONS):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if found := HEADER.match(line):
                    yield f"{name}:{number}: <{found[1]}> is one system's: ask through a header of engine/core/os/"
                elif found := CONDITION.match(line):
                    yield f"{name}:{number}: a condition on {found[1]}: give engine/core/os/ a function with a file for each system"
                elif GETENV.search(line):
                    yield f"{name}:{number}: getenv() has the system's encoding: use value_of_variable() of core/os/environment.h"
                elif PROC.search(line):
                    yield f"{name}:{number}: /proc is Linux's: ask through a header of engine/core/os/"
                elif NATIVE.search(line):
                    yield f"{name}:{number}: .string() of a path has a backslash on Windows: use generic_string()"


if __name__ == "__main__":
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "only engine/core/os/ knows the operating system")
    sys.exit(1 if found else 0)
