"""The program's answers, as dataclasses. `json` of a result is the complete answer, as from `lanescope run --json`."""
from __future__ import annotations

import html
import pathlib
from dataclasses import dataclass, field
from typing import Any, Mapping


@dataclass(frozen=True)
class Diagnostic:
    """An error, warning or note: what, where, and what to do about it. `line` counts from 1; 0 means no line."""
    severity: str
    code: str
    message: str
    cure: str
    file: str
    line: int
    column: int

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file and self.line else ""
        return f"{place}{self.severity}: {self.message}" + (f"\n  cure: {self.cure}" if self.cure else "")


@dataclass(frozen=True)
class Launch:
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    cooperative: bool


@dataclass(frozen=True)
class Number:
    """One metric. `value` is None if it does not apply; `nsight` is Nsight Compute's name for it, or empty."""
    name: str
    value: float | None
    unit: str
    ideal: float | None
    nsight: str


@dataclass(frozen=True)
class Site:
    """One observed instruction of the kernel, with its counts."""
    id: int
    file: str
    line: int
    op: str
    kind: str
    space: str
    executions: int
    executed_lanes: int
    requests: int
    sectors: int
    ideal_sectors: int
    wavefronts: int
    ideal_wavefronts: int
    bank_conflicts: int


@dataclass(frozen=True)
class Buffer:
    """A buffer after the run; `hash` identifies its contents."""
    arg: int
    name: str
    type: str
    count: int
    sum: float | None
    hash: str


@dataclass(frozen=True)
class Check:
    """A rule of the lesson, whether it holds, and the first wrong element, if any."""
    rule: str
    holds: bool
    detail: str
    wrong: Mapping[str, Any] | None


@dataclass(frozen=True)
class Picture:
    """A diagram. A notebook shows it."""
    name: str
    svg: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | pathlib.Path) -> None:
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")


@dataclass(frozen=True)
class Run:
    """A kernel's run. `origin` says who counted: "interpreted", or a GPU. run["global_load.sectors"] is the number of that name."""
    lesson: str
    variant: str
    kernel: str
    controls: Mapping[str, int]
    origin: str
    device: str
    launch: Launch
    numbers: tuple[Number, ...] = field(repr=False)
    sites: tuple[Site, ...] = field(repr=False)
    buffers: tuple[Buffer, ...] = field(repr=False)
    checks: tuple[Check, ...]
    diagnostics: tuple[Diagnostic, ...]
    printf: str = field(repr=False)
    pictures: tuple[Picture, ...] = field(repr=False)
    json: Mapping[str, Any] = field(repr=False, compare=False)

    def __getitem__(self, name: str) -> Number:
        for number in self.numbers:
            if number.name == name:
                return number
        raise KeyError(f"{name}: the numbers are {', '.join(number.name for number in self.numbers)}")

    @property
    def passed(self) -> bool:
        """True if every check of the lesson holds and no data race was found."""
        return all(check.holds for check in self.checks) and not self.json["races"]["accused"]

    def _repr_html_(self) -> str:
        head = " · ".join(part for part in (self.lesson, self.variant or self.kernel, *(f"{k} = {v}" for k, v in self.controls.items())) if part)
        said = "".join(f"<pre>{html.escape(str(one))}</pre>" for one in self.diagnostics)
        failed = "".join(f"<p>✗ {html.escape(check.rule)} {html.escape(check.detail)}</p>" for check in self.checks if not check.holds)
        rows = "".join(f"<tr><td>{html.escape(n.name)}</td><td>{_shown(n.value)}</td><td>{html.escape(n.unit)}</td><td>{_shown(n.ideal)}</td></tr>"
                       for n in self.numbers if n.value)
        pictures = "".join(f"<div>{picture.svg[picture.svg.index('<svg'):]}</div>" for picture in self.pictures)
        return (f"<h4>{html.escape(head)}</h4>{said}{failed}<p>{html.escape(self.origin)}</p>{pictures}"
                f"<table><tr><th>number</th><th>value</th><th>unit</th><th>ideal</th></tr>{rows}</table>")


@dataclass(frozen=True)
class Ratio:
    """One number of both variants; `ratio` is b ÷ a, or None if that has no meaning."""
    name: str
    a: float | None
    b: float | None
    ratio: float | None


@dataclass(frozen=True)
class Comparison:
    """Two variants side by side. `recorded` has their times on the recordings' GPU, if there are any."""
    a: Run
    b: Run
    ratios: tuple[Ratio, ...] = field(repr=False)
    recorded: Mapping[str, Any] | None
    json: Mapping[str, Any] = field(repr=False, compare=False)

    def ratio(self, name: str) -> float | None:
        for one in self.ratios:
            if one.name == name:
                return one.ratio
        raise KeyError(name)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(r.name)}</td><td>{_shown(r.a)}</td><td>{_shown(r.b)}</td><td>{_shown(r.ratio)}</td></tr>"
                       for r in self.ratios if r.a or r.b)
        names = (html.escape(one.variant) for one in (self.a, self.b))
        return "<table><tr><th>number</th>{}<th>ratio</th></tr>{}</table>".format("".join(f"<th>{n}</th>" for n in names), rows)


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"


def _taken(kind: Any, row: Mapping[str, Any]) -> Any:
    return kind(**{name: row.get(name) for name in kind.__dataclass_fields__})


def diagnostics_of(output: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    return tuple(_taken(Diagnostic, one) for one in output.get("diagnostics", []))


def run_of(output: Mapping[str, Any], pictures: tuple[Picture, ...] = ()) -> Run:
    launch = output["launch"]
    return Run(lesson=output["lesson"], variant=output["variant"], kernel=output["kernel"], controls=output["controls"],
               origin=output["origin"], device=output["device"],
               launch=Launch(tuple(launch["grid"]), tuple(launch["block"]), launch["shared_bytes"], launch["cooperative"]),
               numbers=tuple(_taken(Number, one) for one in output["numbers"]),
               sites=tuple(_taken(Site, one) for one in output["sites"]),
               buffers=tuple(_taken(Buffer, one) for one in output["buffers"]),
               checks=tuple(_taken(Check, one) for one in output["checks"]),
               diagnostics=diagnostics_of(output), printf=output["printf"], pictures=pictures, json=output)


def comparison_of(output: Mapping[str, Any]) -> Comparison:
    return Comparison(a=run_of(output["a"]), b=run_of(output["b"]), ratios=tuple(_taken(Ratio, one) for one in output["ratios"]),
                      recorded=output.get("recorded"), json=output)
