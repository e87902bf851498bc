#!/usr/bin/env python3
"""Holds the recipes, docs/add-a*.md, to the tree, so that they can be followed to the letter: every path exists, every filter
finds a suite of tests, and every name in code is one of the tree.

    check_recipes.py [TOP]     prints what is stale; exits with 1 if anything is

What the reader makes is named below.
"""
import fnmatch
import pathlib
import re
import sys

folders = "app|assets|bench|cmake|docs|engine|kernels|lessons|packaging|tests|third_party"
made = {  # by following the recipe
    "add-a-diagram.md": "warp_steps_title longest_warp warp_steps warp_steps_modulo tests/cases/diagram/warp.txt",
    "add-a-lesson.md": "lessons/10_mine assets/recordings/mine.json",
    "add-a-metric.md": "lanes_per_request",
    "add-an-opcode.md": "third_party/.fetched/cuda/bin/ptxas",
}
sources = {".cpp", ".h", ".inl", ".def", ".py", ".cmake", ".toml", ".cu", ".ptx", ".txt"}


def suites(top):
    """The names of the test suites in the sources."""
    names = set()
    for source in [*top.glob("tests/unit/**/*.cpp"), *top.glob("tests/gui/**/*.cpp")]:
        names.update(re.findall(r"^\s*TEST(?:_F|_P)?\(\s*(\w+)", source.read_text(encoding="utf-8"), re.M))
    return names


def words(top):
    """All names in code, and the names of files."""
    found = set()
    for folder in ["engine", "app", "tests/unit", "tests/gui", "tests/cases/sim", "lessons", "cmake"]:
        for source in top.glob(f"{folder}/**/*"):
            if source.suffix in sources and source.is_file() and source.name != "check_recipes.py":
                found.update(re.findall(r"\w+", source.read_text(encoding="utf-8", errors="replace")))
                found.add(source.stem)
    return found


def stale_paths(top, text, own):
    for path in sorted(set(re.findall(rf"(?<![\w./])((?:{folders})/[\w./*-]+)", text))):
        path = path.rstrip(".")
        if path not in own and "NAME" not in path and not any(top.glob(path)):
            yield f"there is no {path}"


def stale_filters(names, text):
    for written in re.findall(r"--gtest_filter='([^']*)'", text):
        for pattern in written.split(":"):
            suite = pattern.lstrip("-").split(".")[0]
            if suite != "Name*" and not any(fnmatch.fnmatchcase(name, suite) or fnmatch.fnmatchcase(f"x/{name}", suite) for name in names):
                yield f"no suite of tests is named {suite}"


def stale_names(known, text, own):
    """In C++ blocks, and in code within a paragraph that no block explains."""
    blocks = " ".join(re.findall(r"```(?:cpp)?\n.*?```", text, re.S))
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    used = set(re.findall(r"[A-Za-z_]\w*_\w+", " ".join(re.findall(r"```cpp\n.*?```", text, re.S))))
    for code in re.findall(r"`([^`\n]+)`", prose):
        used.update(word for word in re.findall(r"[A-Za-z]\w*_\w+|\b\w+(?=\(\))", code) if word not in blocks)
    for word in sorted(used):
        if word not in known and word not in own:
            yield f"nothing is named {word}"


def main(top):
    names, known, bad = suites(top), words(top), 0
    for recipe in sorted(top.glob("docs/add-a*.md")):
        text, own = recipe.read_text(encoding="utf-8"), made.get(recipe.name, "").split()
        for stale in [*stale_paths(top, text, own), *stale_filters(names, text), *stale_names(known, text, own)]:
            print(f"{recipe.relative_to(top)}: {stale}")
            bad += 1
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve())
