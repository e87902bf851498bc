"""What pip calls to build Lanescope from source (PEP 517): CMake with the system's compiler, packed as packaging/wheel packs.

A source archive (`packaging/sdist`) holds the window's sources and its fonts; a checkout fetches the sources, and the window
takes the system's fonts. NVIDIA's headers come as build requirements, in the versions of third_party/pins.txt, unless
third_party/fetch brought them. The rest are the system's packages: the groups `build` of third_party/packages.txt.
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import sys
import sysconfig
import tarfile

from whole_file import replacing

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
WORK = TOP / "build/pip"
FETCHED = pathlib.Path(os.environ.get("LANESCOPE_DEPS") or TOP / "third_party/.fetched")
ENCLOSED = TOP / "third_party/enclosed"  # only in a source archive: gui/ as third_party/fetch makes it, fonts/
PLATFORM = "linux_x86_64"
HEADERS = ("nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cupti")


def load_wheel_script():
    loader = importlib.machinery.SourceFileLoader("lanescope_wheel", str(HERE / "wheel"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("lanescope_wheel", loader))
    loader.exec_module(module)
    return module


wheel_script = load_wheel_script()


def pinned(name, pins):
    return next(f"{row[1]}=={row[2]}" for row in wheel_script.rows(pins) if row[1] == name)


def all_requirements():
    """What a build may need from PyPI, in parts: whether it does depends on what the system has."""
    packers = [pinned("wheel", HERE / "pins.txt"), pinned("packaging", HERE / "pins.txt")]
    headers = [pinned(name, TOP / "third_party/pins.txt") for name in HEADERS]
    return packers, headers, [pinned("cmake", TOP / "third_party/pins.txt")], ["ninja"]


def get_requires_for_build_wheel(config_settings=None):
    packers, headers, cmake, ninja = all_requirements()
    wanted = list(packers)
    if not (FETCHED / "cuda/include/cupti.h").exists():
        wanted += headers
    if shutil.which("cmake") is None:
        wanted += cmake
    if shutil.which("ninja") is None:
        wanted += ninja
    return wanted


def get_requires_for_build_sdist(config_settings=None):
    return []


def window_sources():
    if (ENCLOSED / "gui").is_dir():
        return ENCLOSED / "gui"
    if not (FETCHED / "gui/imgui/imgui.h").exists():
        wheel_script.run(sys.executable, TOP / "third_party/fetch", "gui")
    return FETCHED / "gui"


def nvidia_headers():
    """The folders with NVIDIA's headers: what third_party/fetch brought, or the build requirements."""
    if (FETCHED / "cuda/include/cupti.h").exists():
        return FETCHED / "cuda/include"
    for folder in sys.path + [sysconfig.get_paths()["purelib"]]:
        include = pathlib.Path(folder) / "nvidia/cu13/include"
        if (include / "cuda.h").exists() and (include / "cupti.h").exists():
            return include
    raise wheel_script.Failure("NVIDIA's headers are not there: " + ", ".join(get_requires_for_build_wheel()) +
                               " must be installed for a build without isolation")


def dependencies():
    """A folder like the one that third_party/fetch makes, of links."""
    folder = WORK / "dependencies"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "cuda").mkdir(parents=True)
    (folder / "gui").symlink_to(window_sources().resolve())
    (folder / "cuda/include").symlink_to(nvidia_headers().resolve())
    return folder


def compile_program():
    program = WORK / "program"
    settings = {**wheel_script.AS_INSTALLED, "LANESCOPE_DEPS": dependencies()}
    wheel_script.run("cmake", "-S", TOP, "-B", program, "-G", "Ninja", *[f"-D{name}={value}" for name, value in settings.items()])
    wheel_script.run("ninja", "-C", program, "-j", str(os.cpu_count() or 1), "lanescope", "lanescope_exec")
    return program / "lanescope"


def copy_fonts(folder):
    if (ENCLOSED / "fonts").is_dir():
        shutil.copytree(ENCLOSED / "fonts", folder)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it pip would build the whole wheel only to read its name, and call that "preparing metadata"."""
    return wheel_script.write_info(pathlib.Path(metadata_directory), PLATFORM, {})


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    stage = WORK / "stage"
    wheel_script.stage(compile_program(), stage, PLATFORM, copy_fonts, {})
    wheel_script.run(sys.executable, "-m", "wheel", "pack", stage, "--dest-dir", wheel_directory)
    return f"lanescope-{wheel_script.version()}-py3-none-{PLATFORM}.whl"


def build_sdist(sdist_directory, config_settings=None):
    name = f"lanescope-{wheel_script.version()}"
    sources = wheel_script.files_of_the_tree()
    gui = window_sources()
    WORK.mkdir(parents=True, exist_ok=True)
    facts = {"PKG-INFO": wheel_script.metadata(["LICENSE", "third_party/NOTICES.md"]),
             # pip download does not keep them; docs/install.md uses this list.
             "build-requirements.txt": "".join(f"{one}\n" for part in all_requirements() for one in part),
             "third_party/enclosed/FILES": "".join(f"{path.relative_to(TOP)}\n" for path in sources)}
    with replacing(pathlib.Path(sdist_directory) / f"{name}.tar.gz") as new, \
            tarfile.open(new, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in sources:
            archive.add(path, f"{name}/{path.relative_to(TOP)}", recursive=False)
        archive.add(gui, f"{name}/third_party/enclosed/gui")
        fonts = next((folder for folder in (ENCLOSED / "fonts", WORK / "fonts") if folder.is_dir()), None)
        if fonts is not None:
            archive.add(fonts, f"{name}/third_party/enclosed/fonts")
        for where, text in facts.items():
            file = WORK / pathlib.Path(where).name
            file.write_text(text)
            archive.add(file, f"{name}/{where}")
    return f"{name}.tar.gz"
