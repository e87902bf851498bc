"""Finding the program and talking to it."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib import metadata
from typing import Any, Sequence

SCHEMA = 1  # of the program's JSON
# A notebook has no console on Windows: without this, one would open for each call.
NO_WINDOW: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class LanescopeError(RuntimeError):
    """The program could not do what was asked. `diagnostics` says why and what to do; `code` is the first one's
    ("compile.error"); `output` is the program's JSON, if there is any."""

    def __init__(self, message: str, code: str = "", diagnostics: Sequence[Any] = (), output: dict[str, Any] | None = None):
        super().__init__(message)
        self.code = code
        self.diagnostics = tuple(diagnostics)
        self.output = output or {}


def program_path() -> str:
    """The program of this package: LANESCOPE_PROGRAM if it is set; otherwise the file that pip installed with it; otherwise the
    `lanescope` on PATH."""
    chosen = os.environ.get("LANESCOPE_PROGRAM")
    if chosen:
        return chosen
    try:
        files = metadata.files("lanescope") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name in ("lanescope", "lanescope.exe") and file.parent.name in ("bin", "Scripts"):
            path = os.path.abspath(str(file.locate()))
            if os.access(path, os.X_OK):
                return path
    found = shutil.which("lanescope")
    if found:
        return found
    command = f"{sys.executable} -m pip install --force-reinstall --no-deps lanescope"
    raise LanescopeError(f"The program lanescope is not where pip put it. Run `{command}`, or set LANESCOPE_PROGRAM to its path.",
                         "python.no_program")


def version() -> str:
    """The program's version."""
    program = program_path()
    done = _call([program, "--version"], None)
    words = done.stdout.split()
    if done.returncode != 0 or len(words) < 2:
        raise _no_answer(program, done)
    return words[1]


def ask(arguments: Sequence[str], timeout: float | None) -> dict[str, Any]:
    """The JSON of one call. A failed check is an answer; if the program could not answer, it raises a LanescopeError."""
    program = program_path()
    done = _call([program, *arguments, "--json"], timeout)
    try:
        output: dict[str, Any] = json.loads(done.stdout)
        schema = output["lanescope"]["schema"]
    except (ValueError, KeyError, TypeError):
        raise _no_answer(program, done) from None
    if schema != SCHEMA:
        raise LanescopeError(f"{program} writes JSON of version {schema}; this package reads version {SCHEMA}. Install both from one "
                             "wheel: pip install --force-reinstall --no-deps lanescope.", "python.other_schema", (), output)
    return output


def _call(command: Sequence[str], timeout: float | None) -> subprocess.CompletedProcess[str]:
    program = command[0]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                              encoding="utf-8", errors="replace", creationflags=NO_WINDOW)
    except subprocess.TimeoutExpired as late:
        raise LanescopeError(f"{program} did not finish within {timeout:g} s. Give it more time: timeout=….", "python.too_slow") from late
    except OSError as error:
        raise LanescopeError(f"{program} could not be started: {error.strerror}.", "python.not_started") from error


def _no_answer(program: str, done: subprocess.CompletedProcess[str]) -> LanescopeError:
    return LanescopeError(done.stderr.strip() or f"{program} ended with {done.returncode} and said nothing.", "python.no_answer")
