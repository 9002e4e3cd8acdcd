"""What document 001 prints of its four systems, at 32 bits and 3 ns, and how it came by it.

Cycles are those of table 1, areas of table 2b, power and energy of table 3: all of a call less the
same call returning a constant, the dummy call.
"""

from dataclasses import dataclass

from eval.printed.published import Published

TOOLS = (
    "the document's synthesis is Synopsys's with its DesignWare library; it does not name its "
    "cells, which are taken to be the NanGate 45 nm ones"
)
STAGE = "the document's areas are those of its layouts (its figure 15), with clock tree and buffers"
CLOCK = "the document constrains the clock to 3 ns and does not say by how much it is met"


@dataclass(frozen=True)
class Call:
    """A call of the exponentiation on a system, and the energy of the dummy call before it."""

    cycles: int
    power_mw: float
    energy_nj: float
    dummy_nj: float


@dataclass(frozen=True)
class System:
    """What the processor computes with, the area of both, and the calls by workload."""

    title: str
    area_um2: float
    calls: dict[str, Call]


SYSTEMS = (
    System(
        "naive C",
        21434.8,
        {"e": Call(3523, 3.46, 35.50, 4.78), "d": Call(8148, 3.38, 81.37, 4.81)},
    ),
    System(
        "Montgomery C",
        21434.8,
        {"e": Call(3581, 5.33, 58.09, 4.78), "d": Call(5135, 5.71, 89.22, 4.81)},
    ),
    System(
        "naive accelerator",
        38658.0,
        {"e": Call(1062, 4.55, 11.53, 7.78), "d": Call(1840, 4.20, 19.82, 7.80)},
    ),
    System(
        "Montgomery accelerator",
        96138.0,
        {"e": Call(169, 6.93, 2.86, 7.99), "d": Call(234, 7.08, 4.46, 8.01)},
    ),
)

NBITS = 32


def _published(system: System, area_um2: float, unit: str, unit_area_um2: float) -> tuple:
    """What is printed of an accelerator, of the multiplier in it, and of its system's cycles."""
    return (
        Published("area_um2", "accelerator", NBITS, area_um2, "001, table 2a"),
        Published("area_um2", unit, NBITS, unit_area_um2, "001, section 5.2"),
        *(
            Published(f"cycles_{w}", "system", NBITS, call.cycles, "001, table 1", "normalised")
            for w, call in system.calls.items()
        ),
    )


NAIVE = _published(SYSTEMS[2], 17512.4, "MulRem", 7776.4)
MONTGOMERY = _published(SYSTEMS[3], 75283.6, "MontMulRem", 13846.7)
