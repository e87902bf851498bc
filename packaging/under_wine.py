"""Debian's wine for windows_trial and windows_tests, with files of its own: not the user's, whose end would end the programs here."""
import contextlib
import os
import pathlib
import shutil
import subprocess

WINE = shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"
FILES = pathlib.Path(__file__).resolve().parent.parent / "build/windows/wine"


def environment():
    """Without a display, and without what this user set for Lanescope."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LANESCOPE_") and name != "DISPLAY"}
    return dict(kept, WINEDEBUG="-all", LC_ALL="C.UTF-8", WINEPREFIX=str(FILES))


@contextlib.contextmanager
def stays():
    """wine's server stays between two programs: it takes seconds to start."""
    server = shutil.which("wineserver", path=os.environ["PATH"] + ":/usr/lib/wine")
    if server is None or not pathlib.Path(WINE).exists():
        raise OSError("wine is not installed: apt install wine wine64")
    FILES.mkdir(parents=True, exist_ok=True)
    if subprocess.run([server, "-p"], env=environment()).returncode != 0:  # before any program: beside a running server it does nothing
        raise OSError(f"wine already runs in {FILES}, or cannot start there")
    try:
        subprocess.run([WINE, "wineboot", "--init"], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield
    finally:
        subprocess.run([server, "-k"], env=environment())
