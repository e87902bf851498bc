#!/usr/bin/env python3
"""Fails if files that are compiled together could not be: two of them have the same local name, or one has a local name that a
header declares, too.   check_twins.py SOURCE_FOLDER

Local is what an anonymous namespace holds, and what is static: types, aliases, enumerators of unscoped enumerations, constants,
functions. Functions may have the same name if their parameters differ, and aliases if they mean the same type. A header's name
counts if it is declared in the same namespace or in one around it: the local name would hide it from every file that is
compiled with this one, or make a call ambiguous. A static function in the namespace itself only overloads the header's.
"""
import collections
import pathlib
import re
import sys

from cpp_declarations import declarations

# Files of one target: any of them may be compiled together. Then the headers that they may include.
TARGETS = ((["engine/**/*.cpp"], ["engine/**/*.h"]),
           (["app/*.cpp", "app/cli/**/*.cpp", "bench/*.cpp"], ["engine/**/*.h", "app/*.h", "app/cli/**/*.h", "bench/*.h"]),
           (["app/gui/**/*.cpp"], ["engine/**/*.h", "app/gui/**/*.h"]),
           (["tests/unit/**/*.cpp", "tests/gpu/*.cpp"], ["engine/**/*.h", "app/cli/**/*.h", "tests/unit/**/*.h"]),
           (["tests/gui/**/*.cpp"], ["engine/**/*.h", "app/gui/**/*.h", "tests/unit/**/*.h", "tests/gui/**/*.h"]))
ANOTHER_SYSTEM = re.compile(r"engine/core/os/windows/")  # each of its files is compiled by itself
ALONE = re.compile(r"engine/sim/alu/(alu.*|.*_avx.*)\.cpp")  # with their own options: see engine/sim/build.cmake


def parameter_lists(parameters):
    """What a function can be called with, as far as another one's call could mean it."""
    types = [re.sub(r"^(const )?vector<.*>&?$", "vector", kind) for kind, _ in parameters]  # a call with {…} would match both
    types = [re.sub(r"^(const )?string(_view)?&?$|^const char\*$", "text", kind) for kind in types]  # a literal is any of them
    least = next((i for i, (_, default) in enumerate(parameters) if default), len(types))
    return [f"({', '.join(types[:count])})" for count in range(least, len(types) + 1)]


def names(found, file):
    """A local declaration's names, with what distinguishes each from another of that name."""
    name = f"{found.scope}::{found.name}"
    if found.kind == "function":
        yield name, "a function"  # others may have it with other parameters
        for parameters in parameter_lists(found.detail):
            yield name + parameters, file
    else:
        yield name, found.detail if found.kind == "alias" else file


def hidden(found, by_name):
    """The declaration of a header that this local one would hide, and its header."""
    scope = found.scope
    while scope:
        for header, other in by_name.get(f"{scope}::{found.name}", ()):
            same_alias = found.kind == other.kind == "alias" and found.detail == other.detail
            overload = found.local == "static" and found.kind == other.kind == "function" and found.scope == scope
            if not same_alias and not overload:
                return header, f"{scope}::{found.name}"
        scope = scope.rpartition("::")[0]
    return None


def faults(top):
    read = {}

    def declared_in(patterns):
        for path in sorted({p for pattern in patterns for p in top.glob(pattern)}):
            file = path.relative_to(top).as_posix()
            if not ANOTHER_SYSTEM.search(file):
                if file not in read:
                    read[file] = list(declarations(path.read_text(encoding="utf-8")))
                yield file, read[file]

    for sources, headers in TARGETS:
        owners = collections.defaultdict(dict)  # by name: files, each with what distinguishes its own from another's
        by_name = collections.defaultdict(list)
        for header, all_of_it in declared_in(headers):
            for other in all_of_it:
                by_name[f"{other.scope}::{other.name}"].append((header, other))
        for file, all_of_it in declared_in(sources):
            told = set()
            for found in () if ALONE.fullmatch(file) else filter(lambda one: one.local, all_of_it):
                for name, meaning in names(found, file):
                    owners[name][file] = meaning
                other = hidden(found, by_name)
                if other and other not in told:
                    told.add(other)
                    yield f"{file}: its local {found.name} hides {other[1]} of {other[0]}"
        for name, files in sorted(owners.items()):
            if len(set(files.values())) > 1:
                yield f"{name}: {', '.join(files)}"


if __name__ == "__main__":
    told = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(told) or "files that may be compiled as one share no local name and hide no header's")
    sys.exit(1 if told else 0)
