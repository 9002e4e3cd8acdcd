"""Studies: which points and workloads are measured together, at which clock."""

from dataclasses import dataclass

from eval.catalog import DESIGNS
from eval.points import Point
from eval.systems import HARDENED, SYSTEMS, Processor, System
from sim.errors import UserError


@dataclass(frozen=True)
class Study:
    """Named points, measured under the same workloads and hardened for the same clock; systems,
    run with either divider; processors, hardened for that clock."""

    name: str
    title: str
    points: tuple[Point, ...]
    workloads: tuple[str, ...] = ("e", "d")
    clock_ns: float = 3.0
    systems: tuple[System, ...] = ()
    processors: tuple[Processor, ...] = ()


def every_design(*widths: int) -> tuple[Point, ...]:
    """All designs of the catalog at those of the widths that they have."""
    return tuple(
        Point(name, nbits)
        for name, design in DESIGNS.items()
        for nbits in widths
        if design.widths[0] <= nbits <= design.widths[1]
    )


STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        Study(
            "default",
            "every design at 8, 16, 32 and 64 bits, and the processor's systems, 3 ns",
            every_design(8, 16, 32, 64),
            systems=SYSTEMS,
            processors=HARDENED,
        ),
        Study(
            "quick", "the naive design at 8 bits, 3 ns: to try the tools", (Point("mul-rem", 8),)
        ),
        Study(
            "systems",
            "document 001's systems: the processor alone and with accelerators, 3 ns",
            (),
            systems=SYSTEMS,
            processors=HARDENED,
        ),
    )
}


def find_study(name: str) -> Study:
    """The study of that name; UserError with those that there are."""
    if name not in STUDIES:
        raise UserError(f"study: no study named {name!r}; choose from {', '.join(sorted(STUDIES))}")
    return STUDIES[name]
