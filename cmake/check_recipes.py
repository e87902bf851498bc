#!/usr/bin/env python3
"""Holds the recipes, docs/add-a*.md, to the tree: every path that they name exists, and every test filter finds a test.

    check_recipes.py [TOP]     prints what is stale; exits with 1 if anything is

A path with an upper-case word (NAME_panel.h) is one that the reader makes, and so is one after "new: ".
"""
import fnmatch
import pathlib
import re
import sys

folders = "app|assets|bench|cmake|docs|engine|kernels|lessons|packaging|tests|third_party"


def suites(top):
    """The names of the test suites in the sources, as a filter sees them."""
    names = set()
    for source in [*top.glob("tests/unit/**/*.cpp"), *top.glob("tests/gui/**/*.cpp")]:
        text = source.read_text(encoding="utf-8")
        names.update(re.findall(r"^\s*TEST(?:_F|_P)?\(\s*(\w+)", text, re.M))
    return names


def stale_paths(top, text):
    for path in sorted(set(re.findall(rf"(?<![\w./])((?:{folders})/[\w./*-]+)", text))):
        path = path.rstrip(".")
        if re.search(r"[A-Z]{2}", path.replace("README", "")) or re.search(rf"new: {re.escape(path)}", text):
            continue
        if not any(top.glob(path)):
            yield f"there is no {path}"


def stale_filters(names, text):
    for written in re.findall(r"--gtest_filter='([^']*)'", text):
        for pattern in written.split(":"):
            suite = pattern.lstrip("-").split(".")[0]
            if re.match("Name", suite):
                continue
            if not any(fnmatch.fnmatchcase(name, suite) or fnmatch.fnmatchcase(f"x/{name}", suite) for name in names):
                yield f"no suite of tests is named {suite}"


def main(top):
    names, bad = suites(top), 0
    for recipe in sorted(top.glob("docs/add-a*.md")):
        text = recipe.read_text(encoding="utf-8")
        for stale in [*stale_paths(top, text), *stale_filters(names, text)]:
            print(f"{recipe.relative_to(top)}: {stale}")
            bad += 1
    sys.exit(1 if bad else 0)


main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve())
