#!/usr/bin/env python3
"""Fails if a header does not compile alone.   check_headers.py SOURCE_FOLDER FOLDER[,FOLDER]… COMPILER [FLAG]…

FOLDERs are those to check: engine, app, app/cli. Many headers are already proved by a build that compiles each file by itself (preset
dev, or a compiler cache): those that some .cpp of these folders, of the engine's tests or of bench includes first, and those that such a
header includes first. Only the others are compiled here. To keep them few, let a .cpp include its header first.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

also_built = ["tests/unit", "tests/gpu", "bench"]


def first_include(source):
    """None also if anything but comments and #pragma once comes before the first include: the header might need it."""
    found = re.match(r'(?:\s+|//[^\n]*|/\*.*?\*/|#\s*pragma\s+once\b)*#\s*include\s*[<"]([^>"]+)[>"]', source.read_text(), re.DOTALL)
    return found[1] if found else None


def proved_by_the_build(headers, sources):
    left = [first_include(source) for source in sources]
    proved = set()
    while left:
        name = left.pop()
        if name in headers and name not in proved:
            proved.add(name)
            left.append(first_include(headers[name]))
    return proved


def compile_alone(name, header, command):
    done = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=f'#include "{name}"\n', stderr=subprocess.PIPE, text=True)
    return None if done.returncode == 0 else f"{header} does not compile alone:\n{done.stderr}"


def main(source, folders, command):
    folders = [pathlib.Path(source, folder) for folder in folders.split(",")]
    root_of = {header: pathlib.Path(source, header.relative_to(source).parts[0]) for folder in folders for header in folder.rglob("*.h")}
    headers = {header.relative_to(root).as_posix(): header for header, root in sorted(root_of.items())}
    sources = [path for folder in [*folders, *(pathlib.Path(source, name) for name in also_built)] for path in folder.rglob("*.cpp")]
    proved = proved_by_the_build(headers, sources)
    left = [(name, header) for name, header in headers.items() if name not in proved]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(lambda item: compile_alone(*item, command), left) if fault]
    print("\n".join(faults) or f"{len(headers)} headers compile alone (compiled here: {', '.join(name for name, _ in left)})")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
