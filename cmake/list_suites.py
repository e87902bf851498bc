#!/usr/bin/env python3
"""Writes a CTest file with one test for each suite of a GoogleTest program.   list_suites.py PROGRAM FILE [PROPERTY VALUE]…

One process per suite, not per case: then the compiler, and what the cases compile, are loaded once. Suites on a GPU run
one at a time: one program can have its counters.
"""
import pathlib
import subprocess
import sys


def suites(program):
    listed = subprocess.run([program, "--gtest_list_tests"], check=True, stdout=subprocess.PIPE, text=True).stdout
    # Suites stand at the beginning of a line and end in a dot:  Sim/AluOpcode.  # TypeParam = …
    return [line.split()[0] for line in listed.splitlines() if line[:1].strip() and line.split()[0].endswith(".")]


def main(program, file, *properties):
    lines = []
    for suite in suites(program):
        lines.append(f'add_test([=[{suite[:-1]}]=] [=[{program}]=] [=[--gtest_filter={suite}*]=])')
        more = ("RESOURCE_LOCK", "gpu") if "OnGpu" in suite else ()
        set_all = " ".join(f"[=[{p}]=]" for p in (*properties, *more))
        lines.append(f"set_tests_properties([=[{suite[:-1]}]=] PROPERTIES {set_all})")
    pathlib.Path(file).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
