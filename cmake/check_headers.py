#!/usr/bin/env python3
"""Fails when a header does not compile alone.   check_headers.py SOURCE_FOLDER FOLDER[,FOLDER]… COMPILER [FLAG]…

FOLDERs are those to look at: engine, app, app/cli. A header that some .cpp there includes before anything else is proved by the build; only the others are compiled here.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys


def first_include(source):
    found = re.search(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', source.read_text(), re.MULTILINE)
    return found[1] if found else None


def compile_alone(header, root, command):
    text = f'#include "{header.relative_to(root).as_posix()}"\n'
    done = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=text, stderr=subprocess.PIPE, text=True)
    return None if done.returncode == 0 else f"{header} does not compile alone:\n{done.stderr}"


def main(source, folders, command):
    folders = [pathlib.Path(source, folder) for folder in folders.split(",")]
    headers = [(header, pathlib.Path(source, header.relative_to(source).parts[0]))
               for folder in folders for header in sorted(folder.rglob("*.h"))]
    proved = {first_include(path) for folder in folders for path in folder.rglob("*.cpp")}
    left = [(header, root) for header, root in headers if header.relative_to(root).as_posix() not in proved]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(lambda item: compile_alone(*item, command), left) if fault]
    print("\n".join(faults) or f"{len(headers)} headers compile alone ({len(left)} compiled here)")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
