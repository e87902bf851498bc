"""One function for each command that answers with JSON."""
from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any, Mapping, Sequence, Union

from ._program import LanescopeError, ask
from ._results import Comparison, Picture, Run, comparison_of, diagnostics_of, run_of

Extent = Union[int, Sequence[int]]
Path = Union[str, "os.PathLike[str]"]


def run(lesson: str, variant: str | None = None, *, set: Mapping[str, int] | None = None, source: Path | None = None,
        code: str | None = None, task: str | None = None, full: bool = False, device: str = "cpu", races: bool = False,
        pictures: bool = True, language: str = "en", options: Sequence[str] = (), timeout: float | None = None) -> Run:
    """Runs a lesson's kernel: run("coalescing", "stride", set={"stride": 8}).

    `code` (or the file `source`) replaces the lesson's own kernel; `task` takes a task's kernel instead of a variant's. `full` uses the
    sizes that were measured on a GPU. `options` are further ones of `lanescope run`. A kernel that does not compile or does not finish
    raises LanescopeError; a wrong result does not: see Run.passed and Run.checks.
    """
    arguments = ["run", lesson]
    arguments += ["--variant", variant] if variant else []
    arguments += ["--task", task] if task else []
    for name, value in (set or {}).items():
        arguments += ["--set", f"{name}={value}"]
    arguments += ["--full"] if full else []
    arguments += ["--races"] if races else []
    return _run(arguments, ["--source"], source, code, device, pictures, language, options, timeout)


def trace(file: Path | None = None, *, code: str | None = None, kernel: str | None = None, grid: Extent | None = None,
          block: Extent | None = None, args: Sequence[str] = (), shared: int | None = None, arch: str | None = None,
          device: str = "cpu", races: bool = False, pictures: bool = True, language: str = "en", options: Sequence[str] = (),
          timeout: float | None = None) -> Run:
    """Runs a kernel of your own, from a file or from `code`. `args` has one text per parameter, as `lanescope trace --help` lists
    them: ["f32[100]=iota", "i32=100"]. Omitted values come from the file's own launch. Raises like run()."""
    arguments = ["trace"]
    arguments += ["--kernel", kernel] if kernel else []
    arguments += ["--grid", _extent(grid)] if grid is not None else []
    arguments += ["--block", _extent(block)] if block is not None else []
    arguments += ["--shared", str(shared)] if shared is not None else []
    arguments += ["--arch", arch] if arch else []
    for one in args:
        arguments += ["--arg", one]
    arguments += ["--races"] if races else []
    return _run(arguments, [], file, code, device, pictures, language, options, timeout)


def compare(lesson: str, a: str, b: str, *, set: Mapping[str, int] | None = None, full: bool = False, device: str = "cpu",
            options: Sequence[str] = (), timeout: float | None = None) -> Comparison:
    """Two variants of a lesson side by side: compare("coalescing", "stride", "packed4")."""
    arguments = ["compare", lesson, a, b]
    for name, value in (set or {}).items():
        arguments += ["--set", f"{name}={value}"]
    arguments += ["--full"] if full else []
    output = ask([*arguments, "--device", device, *options], timeout)
    for side in (output, output.get("a", {}), output.get("b", {})):
        _refuse(side)
    return comparison_of(output)


def _run(arguments: list[str], before_file: list[str], file: Path | None, code: str | None, device: str, pictures: bool, language: str,
         options: Sequence[str], timeout: float | None) -> Run:
    if file is not None and code is not None:
        raise TypeError("give the kernel as a file or as code, not both")
    with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
        if code is not None:
            file = pathlib.Path(folder) / "kernel.cu"
            file.write_text(code, encoding="utf-8")
        if file is not None:
            arguments = [*arguments, *before_file, os.fspath(file)]
        if pictures:
            arguments = [*arguments, "--svg", os.path.join(folder, "pictures")]
        output = ask([*arguments, "--language", language, "--device", device, *options], timeout)
        _refuse(output)
        return run_of(output, _pictures(output))


def _pictures(output: Mapping[str, Any]) -> tuple[Picture, ...]:
    told = output.get("pictures") or {"folder": "", "files": []}
    return tuple(Picture(name[:-len(".svg")], (pathlib.Path(told["folder"]) / name).read_text(encoding="utf-8")) for name in told["files"])


def _refuse(output: Mapping[str, Any]) -> None:
    """A run that did not complete has no valid numbers, so it raises."""
    errors = [one for one in diagnostics_of(output) if one.severity == "error"]
    if errors and not output.get("completed", False):
        raise LanescopeError("\n".join(str(one) for one in errors), errors[0].code, diagnostics_of(output), dict(output))


def _extent(value: Extent) -> str:
    return str(value) if isinstance(value, int) else ",".join(str(one) for one in value)
