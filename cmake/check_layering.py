#!/usr/bin/env python3
"""Fails when a folder of engine/ includes one that it may not.   check_layering.py ENGINE_FOLDER"""
import pathlib
import re
import sys

# What each folder may include besides itself and the system; the order is the one of docs/architecture.md.
MAY_INCLUDE = {
    "core": [],
    "ptx": ["core"],
    "cfg": ["core", "ptx"],
    "trace": ["core"],
    "metrics": ["core", "trace"],
    "sim": ["core", "ptx", "cfg", "trace", "metrics"],
    "instrument": ["core", "ptx", "cfg", "trace"],
    "compile": ["core"],
    "gpu": ["core", "ptx", "cfg", "trace", "metrics", "instrument"],
    "diagram": ["core", "trace", "metrics"],
    "lesson": ["core"],
}
MAY_INCLUDE["job"] = list(MAY_INCLUDE)  # joins the stages
WINDOW = re.compile(r"^(imgui|implot|GLFW/|glad/|GL/|TextEditor|TextDiff|app/|gui/|cli/)")
CUDA = re.compile(r"^(cuda(_runtime.*)?|cupti.*|nvperf.*)\.h$")


def faults(engine):
    for path in sorted(p for p in engine.rglob("*") if p.suffix in (".h", ".cpp", ".def", ".inc")):
        folder = path.relative_to(engine).parts[0]
        if folder not in MAY_INCLUDE:
            yield f"{path}: the folder {folder}/ is not known to cmake/check_layering.py"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            if not found:
                continue
            target = found[1]
            first = target.split("/")[0]
            if WINDOW.match(target) or target.startswith(".."):
                yield f"{path}:{number}: engine/ may not include {target}"
            elif CUDA.match(target) and folder != "gpu":
                yield f"{path}:{number}: only engine/gpu/ may include {target}"
            elif first in MAY_INCLUDE and "/" in target and first != folder and first not in MAY_INCLUDE[folder]:
                yield f"{path}:{number}: {folder}/ may not include {first}/ ({target})"


if __name__ == "__main__":
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every folder of engine/ includes only what it may")
    sys.exit(1 if found else 0)
