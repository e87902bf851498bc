"""Lays wheels out in a folder as pip lays them out in an environment on Windows: there is no Python for Windows under wine here.

What goes where is sysconfig's scheme `nt_venv`: scripts in Scripts, packages in Lib\\site-packages, data in the folder itself;
RECORD names each file relative to Lib\\site-packages.
"""
import base64
import csv
import hashlib
import io
import pathlib
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SITE = pathlib.PurePosixPath("Lib/site-packages")


def nvidia_wheels(folder):
    """NVIDIA's packages for Windows, by version and content of pins.txt, fetched into `folder` unless they are there."""
    pins = [line.split() for line in (HERE / "pins.txt").read_text().splitlines() if line.startswith("windows ")]
    wheels = []
    for _, name, version, sha in pins:
        found = list(folder.glob(f"{name.replace('-', '_')}-{version}-*win_amd64.whl"))
        if not found:
            folder.mkdir(parents=True, exist_ok=True)
            wanted = folder / "requirements.txt"
            wanted.write_text(f"{name}=={version} --hash=sha256:{sha}\n")
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--disable-pip-version-check",
                            "--platform", "win_amd64", "--only-binary", ":all:", "--dest", str(folder), "-r", str(wanted)], check=True)
            found = list(folder.glob(f"{name.replace('-', '_')}-{version}-*win_amd64.whl"))
        if hashlib.sha256(found[0].read_bytes()).hexdigest() != sha:
            raise OSError(f"{found[0].name} is not what packaging/pins.txt names")
        wheels.append(found[0])
    return wheels


def place(name):
    """Where a file of a wheel goes, below the environment's folder; nothing for RECORD, which is written anew."""
    first, _, rest = name.partition("/")
    if first.endswith(".dist-info") and rest == "RECORD":
        return None
    if not first.endswith(".data"):
        return SITE / name
    kind, _, rest = rest.partition("/")
    return {"scripts": pathlib.PurePosixPath("Scripts"), "data": pathlib.PurePosixPath(), "purelib": SITE, "platlib": SITE}[kind] / rest


def install(wheel, prefix):
    rows = []
    with zipfile.ZipFile(wheel) as archive:
        info = next(name.split("/")[0] for name in archive.namelist() if name.split("/")[0].endswith(".dist-info"))
        members = [(place(name), archive.read(name)) for name in archive.namelist() if not name.endswith("/") and place(name)]
    for path, content in members + [(SITE / info / "INSTALLER", b"pip\n")]:
        target = prefix / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        named = path.relative_to(SITE) if path.is_relative_to(SITE) else pathlib.PurePosixPath("../..") / path
        rows.append((str(named), f"sha256={digest}", len(content)))
    rows.append((f"{info}/RECORD", "", ""))
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    (prefix / SITE / info / "RECORD").write_text(text.getvalue(), newline="")


def make_environment(wheels, prefix):
    """A venv with these wheels, but for its Python."""
    prefix.mkdir(parents=True)
    (prefix / "pyvenv.cfg").write_text("home = C:\\Python313\r\ninclude-system-site-packages = false\r\nversion = 3.13.0\r\n", newline="")
    for wheel in wheels:
        install(wheel, prefix)
    return prefix / "Scripts/lanescope.exe"
