#!/usr/bin/env python3
"""Fails if a room of engine/, app/cli/ or app/gui/ includes one that it may not, or has too many
files or a file of too many lines.

  check_layering.py ENGINE_FOLDER [APP_FOLDER [OTHER_FOLDER]…]      in the others, only files and lines are counted
"""
import pathlib
import re
import sys

# What each room may include besides itself and the system, in the order of docs/architecture.md. A room is a folder
# without its rooms, or a single header that other rooms may include separately from its folder. Access to a folder
# includes access to its rooms.
ENGINE = {
    "core": [],
    "core/os": ["core"],
    "core/os/linux": ["core"],
    "core/os/linux/program": ["core"],
    "core/os/windows": ["core"],
    "ptx": ["core"],
    "cfg": ["core", "ptx"],
    "trace": ["core"],
    "metrics": ["core", "trace"],
    "sim/alu": ["core", "ptx"],
    "sim/tensor/fragment.h": ["core"],
    "sim/tensor": ["core", "ptx", "sim/alu", "sim/tensor/fragment.h"],
    "sim/memory/texture.h": ["core"],
    "sim/memory/texture_fields.h": ["core", "sim/memory/texture.h"],
    "sim/memory": ["core", "sim/memory/texture.h", "ptx", "sim/alu"],
    "sim/decode": ["core", "ptx", "cfg", "trace", "sim/alu", "sim/tensor", "sim/memory"],
    "sim/launch_request.h": ["core", "trace"],
    "sim/races": ["core", "ptx", "cfg", "trace", "sim/memory", "sim/decode"],
    "sim/warp": ["core", "ptx", "cfg", "trace", "metrics", "sim/launch_request.h", "sim/alu", "sim/tensor", "sim/memory", "sim/decode",
                 "sim/races"],
    "instrument": ["core", "ptx", "cfg", "trace", "sim/tensor/fragment.h"],
    "compile/source.h": ["core"],
    "compile/compiler_log.h": ["core"],
    "compile/host": ["core", "compile/source.h", "compile/compiler_log.h"],
    "compile/compiler.h": ["core", "compile/source.h"],
    "compile/machine_code": ["core", "compile/source.h", "compile/compiler.h"],
    "compile": ["core", "compile/source.h", "compile/compiler_log.h", "compile/host", "compile/compiler.h", "compile/machine_code"],
    "compile/nvcc": ["core", "compile"],
    "gpu": ["core", "ptx", "cfg", "trace", "metrics", "instrument", "sim/memory/texture.h", "sim/memory/texture_fields.h"],
    "words": ["core"],
    "diagram": ["core", "words", "trace", "metrics"],
    "lesson": ["core"],
}
ENGINE["sim"] = ["core", "ptx", "cfg", "trace", "metrics", "sim"]
ENGINE["device"] = [*ENGINE["sim"], "compile/machine_code"]
ENGINE["device/api"] = [*ENGINE["device"], "device"]
ENGINE["device/api/driver"] = ENGINE["device/api/runtime"] = [*ENGINE["device/api"], "device/api"]
ENGINE["device/api/inside"] = []
ENGINE["job/values"] = ["core", "ptx", "lesson", "sim/launch_request.h", "sim/memory/texture.h"]
STAGES = [room for room in ENGINE if "/" not in room]  # joined by:
ENGINE["job/run"] = [*STAGES, "job/values"]
ENGINE["job/request"] = [*STAGES, "job/values", "job/run"]
ENGINE["job/replay"] = [*STAGES, "job/values", "job/run"]
ENGINE["job/report"] = [*STAGES, "job/values", "job/run"]
ENGINE["job/sass"] = STAGES
ENGINE["job/witness"] = [*STAGES, "job/values", "job/run", "job/report", "job/sass"]
ENGINE["job/lesson"] = [*STAGES, "job/values", "job/run", "job/report", "job/witness"]
WINDOW = re.compile(r"^(imgui|implot|GLFW/|glad/|GL/|TextEditor|TextDiff|app/|gui/|cli/)")
CUDA = re.compile(r"^(cuda(_runtime.*)?|cupti.*|nvperf.*)\.h$")

# The same for app/gui. What is not named here is the window itself, which joins the rooms.
WIDGETS = re.compile(r"^(imgui|implot|GLFW/|glad/|GL/|TextEditor|TextDiff)")
# Per room: other rooms, folders of engine/, and whether it may use Dear ImGui.
GUI = {
    "gui/window.h": ([], {"core"}, False),
    "gui/kit": (["gui/window.h"], {"core", "words", "diagram"}, True),
    "gui/state": ([], {"core", "job"}, False),
    "gui/forms": ([], None, False),
    "gui/programs": ([], None, False),
    "gui/session": (["gui/window.h", "gui/state", "gui/forms", "gui/programs"], None, False),
}
GUI["gui/parts"] = ([*GUI], None, True)
for panel in ("gui/numbers", "gui/warp", "gui/lesson", "gui/time"):
    GUI[panel] = ([*GUI["gui/parts"][0], "gui/parts"], None, True)
GUI["gui/code"] = ([*GUI["gui/parts"][0], "gui/parts", "gui/numbers"], None, True)
GUI["gui/find"] = ([*GUI["gui/code"][0], "gui/code", "gui/lesson"], None, True)
GUI["gui/palette"] = ([*GUI["gui/parts"][0], "gui/parts"], None, True)
GUI["gui/compare"] = ([*GUI["gui/parts"][0], "gui/parts", "gui/numbers", "gui/time"], None, True)

# The same for app/cli; command_line and command_words, which join the rooms, are not named. Only one header of the
# window may be included.
CLI = {"cli/output": [], "cli/input": ["cli/output"], "cli/commands": ["cli/output", "cli/input"]}


def room_of(path, rooms):
    """The innermost room of a path like sim/alu/alu.cpp; None if its folder is unknown."""
    return max((room for room in rooms if path == room or path.startswith(room + "/")), key=len, default=None)


def may_include(room, target, rooms):
    return target == room or any(target == one or target.startswith(one + "/") for one in rooms[room])


def shown(room):
    return room if room.endswith(".h") else room + "/"


def includes_of(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if found := re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line):
            yield number, found[1]


def sources_of(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cpp", ".def", ".inc", ".inl"))


def faults_of_engine(engine):
    for path in sources_of(engine):
        inner = path.relative_to(engine).as_posix()
        room = room_of(inner, ENGINE)
        if room is None:
            yield f"{path}: the folder {inner.split('/')[0]}/ is not known to cmake/check_layering.py"
            continue
        if path.parent != engine / (room.rpartition("/")[0] if room.endswith(".h") else room):
            yield f"{path}: the folder {path.parent.relative_to(engine)}/ is not known to cmake/check_layering.py"
        for number, target in includes_of(path):
            other = room_of(target, ENGINE)
            if WINDOW.match(target) or target.startswith(".."):
                yield f"{path}:{number}: engine/ may not include {target}"
            elif CUDA.match(target) and room not in ("gpu", "device/api/driver", "device/api/runtime"):
                yield f"{path}:{number}: only engine/gpu/ and engine/device/api/ may include {target}"
            elif other is not None and not may_include(room, other, ENGINE):
                yield f"{path}:{number}: {shown(room)} may not include {shown(other)} ({target})"


def faults_of_window(app):
    for path in sources_of(app / "gui"):
        room = room_of(path.relative_to(app).as_posix(), GUI)
        if room is None:
            if path.parent != app / "gui":
                yield f"{path}: the folder {path.parent.relative_to(app).as_posix()}/ is not known to cmake/check_layering.py"
            continue
        may, engine, widgets = GUI[room]
        for number, target in includes_of(path):
            if WIDGETS.match(target) and not widgets:
                yield f"{path}:{number}: {room}/ may not include {target}"
            elif target.startswith("cli/") or target.startswith("gui/") and room_of(target, GUI) not in [room, *may]:
                yield f"{path}:{number}: {room}/ may not include {target}"
            elif engine is not None and room_of(target, ENGINE) is not None and target.split("/")[0] not in engine:
                yield f"{path}:{number}: {room}/ may not include {target}"


def faults_of_command_line(app):
    for path in sources_of(app / "cli"):
        room = room_of(path.relative_to(app).as_posix(), CLI)
        if path.parent != app / (room or "cli"):
            yield f"{path}: the folder {path.parent.relative_to(app).as_posix()}/ is not known to cmake/check_layering.py"
        for number, target in includes_of(path):
            of_rooms = room is not None and target.startswith("cli/") and room_of(target, CLI) not in [room, *CLI[room]]
            if of_rooms or WIDGETS.match(target) or target.startswith("gui/") and target != "gui/window.h":
                yield f"{path}:{number}: {room or 'cli'}/ may not include {target}"


MOST_FILES = 40


def crowded(*folders):
    for folder in folders:
        for room in [folder, *(p for p in sorted(folder.rglob("*")) if p.is_dir())]:
            count = sum(p.is_file() for p in room.iterdir())
            if count > MOST_FILES:
                yield f"{room}: {count} files, of which a room has {MOST_FILES} at most: give some a room of their own"


MOST_LINES = 500

# Longer files, and the one subject of each.
LONG = {
    "engine/words/messages.def": "the table of every sentence",
    "engine/words/file_messages.def": "the table of sentences about files",
    "app/gui/kit/labels.def": "the table of the window's labels",
    "engine/lesson/formula_parser.cpp": "one grammar",
    "engine/sim/warp/worker.h": "one class; its functions are in twenty files",
    "tests/unit/job/witness/verify_test.cpp": "verify()",
    "tests/unit/sim/exchange_test.cpp": "exchange between lanes",
    "tests/unit/sim/tensor/tensor_copy_test.cpp": "copies by tensor map",
}


def too_long(*folders):
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".cpp", ".h", ".def")):
            lines = sum(1 for _ in open(path, encoding="utf-8"))
            if lines > MOST_LINES and not any(path.as_posix().endswith(name) for name in LONG):
                yield f"{path}: {lines} lines, of which a file has {MOST_LINES} at most: part it by subject"
        for name in LONG:
            if name.startswith((f"{folder.name}/", f"tests/{folder.name}/")) and not any(p.as_posix().endswith(name) for p in folder.rglob("*")):
                yield f"cmake/check_layering.py: {name} is not there"


if __name__ == "__main__":
    found = list(faults_of_engine(pathlib.Path(sys.argv[1])))
    if len(sys.argv) > 2:
        found += faults_of_command_line(pathlib.Path(sys.argv[2]))
        found += faults_of_window(pathlib.Path(sys.argv[2]))
    found += crowded(*map(pathlib.Path, sys.argv[1:]))
    found += too_long(*map(pathlib.Path, sys.argv[1:]))
    print("\n".join(found) or "every room includes only what it may")
    sys.exit(1 if found else 0)
