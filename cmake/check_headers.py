#!/usr/bin/env python3
"""Fails when a header of engine/ or app/ does not compile alone.   check_headers.py SOURCE_FOLDER COMPILER [FLAG]…

A header whose own .cpp includes it before anything else is proved by the build; only the others are compiled here.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys


def proved_by_the_build(header, root):
    own = header.with_suffix(".cpp")
    if not own.exists():
        return False
    first = re.search(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', own.read_text(), re.MULTILINE)
    return first is not None and first[1] == header.relative_to(root).as_posix()


def compile_alone(header, root, command):
    text = f'#include "{header.relative_to(root).as_posix()}"\n'
    done = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=text, stderr=subprocess.PIPE, text=True)
    return None if done.returncode == 0 else f"{header} does not compile alone:\n{done.stderr}"


def main(source, command):
    roots = [pathlib.Path(source, "engine"), pathlib.Path(source, "app")]
    headers = [(header, root) for root in roots for header in sorted(root.rglob("*.h"))]
    left = [(header, root) for header, root in headers if not proved_by_the_build(header, root)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(lambda item: compile_alone(*item, command), left) if fault]
    print("\n".join(faults) or f"{len(headers)} headers compile alone ({len(left)} compiled here)")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
