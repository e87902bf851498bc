#!/usr/bin/env python3
"""Fails if two files that may be compiled together have the same local name, or if a file's local name is also the name of a
type in a header.   check_twins.py SOURCE_FOLDER

It checks what begins a line in an anonymous namespace: types, constants, unscoped enumerators, functions with the same
parameters or with the name of something else, and type aliases, which may be equal if they mean the same type.
"""
import collections
import pathlib
import re
import sys

# Files of one target: any of them may be compiled together.
TARGETS = (["engine/**/*.cpp"], ["app/*.cpp", "app/cli/**/*.cpp", "bench/*.cpp"], ["app/gui/**/*.cpp"],
           ["tests/unit/**/*.cpp", "tests/gpu/*.cpp"], ["tests/gui/**/*.cpp"])
ANOTHER_SYSTEM = re.compile(r"engine/core/os/windows/")  # each of its files is compiled by itself
ALONE = re.compile(r"engine/sim/alu/(alu.*|.*_avx.*)\.cpp")  # with their own options: see engine/sim/build.cmake
PRIVATE = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)[^;\n]*[{:]", re.MULTILINE)
ENUMERATION = re.compile(r"^enum (?!class|struct)(\w+)?[^{;]*\{([^}]*)\}", re.MULTILINE)
ALIAS = re.compile(r"^using (\w+) = ([^;]+);", re.MULTILINE)
CONSTANT = re.compile(r"^(?:constexpr|const) [^=(\n]*?\b(\w+)(?:\[\w*\])?(?: =\s|\{)", re.MULTILINE)
FUNCTION = re.compile(r"^(?!template|struct|class|enum|using|return|__)[\w:][^(){};=]*?[ &*](\w+)\(([^;{}]*)\) (?:noexcept )?\{", re.MULTILINE)


def names(text, file):
    """A file's local names, with the named namespace around them, and what distinguishes each from another of that name."""
    for block in PRIVATE.finditer(text):
        around = re.findall(r"^namespace ([\w:]+) \{", text[:block.start()], re.MULTILINE)
        for pattern in (TYPE, CONSTANT):
            for found in pattern.finditer(block[1]):
                yield f"{'::'.join(around)}::{found[1]}", file
        for found in ENUMERATION.finditer(block[1]):
            for name in filter(None, [found[1], *re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", found[2].strip())]):
                yield f"{'::'.join(around)}::{name}", file
        for found in ALIAS.finditer(block[1]):
            yield f"{'::'.join(around)}::{found[1]}", found[2]
        for found in FUNCTION.finditer(block[1]):
            yield f"{'::'.join(around)}::{found[1]}", "a function"  # others may have it with other parameters
            parameters = re.split(r",(?![^<]*>)", found[2])
            most = len(parameters)
            least = next((i for i, p in enumerate(parameters) if "=" in p), most)
            types = [re.sub(r"\s*=.*", "", p).strip() for p in parameters]
            types = [re.sub(r"(?<=[\s&*])\w+$", "", p).strip() for p in types]
            types = [re.sub(r"\b\w+::", "", p) for p in types]  # as either file spells it
            types = [re.sub(r"^(const )?vector<.*>&?$", "vector", p) for p in types]  # a call with {…} would match both
            types = [re.sub(r"^(const )?string(_view)?&?$|^const char\*$", "text", p) for p in types]  # a literal is any of them
            for count in range(least, most + 1):  # with default arguments it can be called like a shorter one
                yield f"{'::'.join(around)}::{found[1]}({', '.join(types[:count])})", file


def types_of_header(text):
    for found in TYPE.finditer(text):
        around = re.findall(r"^namespace ([\w:]+) \{", text[:found.start()], re.MULTILINE)
        yield f"{'::'.join(around[-1:])}::{found[1]}"


def twins(top):
    for patterns in TARGETS:
        owners = collections.defaultdict(dict)  # by name: files, each with what distinguishes its own from another's
        for path in sorted(p for pattern in patterns for p in top.glob(pattern) if not ANOTHER_SYSTEM.search(p.as_posix())):
            file = path.relative_to(top).as_posix()
            for name, meaning in () if ALONE.fullmatch(file) else names(path.read_text(), file):
                owners[name][file] = meaning
        for path in sorted(p for pattern in patterns for p in top.glob(pattern.removesuffix(".cpp") + ".h")):
            for name in types_of_header(path.read_text()):
                if name in owners:
                    owners[name][path.relative_to(top).as_posix()] = path
        yield from (f"{name}: {', '.join(files)}" for name, files in sorted(owners.items()) if len(set(files.values())) > 1)


if __name__ == "__main__":
    found = list(twins(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "no two files that may be compiled as one keep the same name")
    sys.exit(1 if found else 0)
