"""What documents print of the processor's systems, by the systems' titles."""

from dataclasses import dataclass
from functools import cache

from eval.documents.document import stated
from eval.tasks.systems import ALL_SYSTEMS, AS_PRINTED, System


@dataclass(frozen=True)
class Call:
    """A call of the exponentiation on a system, and the energy of the dummy call before it."""

    cycles: int
    power_mw: float
    energy_nj: float
    dummy_nj: float


@dataclass(frozen=True)
class PrintedSystem:
    """What the processor computes with, the area of both, and the calls by workload."""

    title: str
    area_um2: float
    calls: dict[str, Call]


@cache
def printed_systems() -> dict[str, PrintedSystem]:
    """Collect the systems, SYSTEMS of each document that has such."""
    return {one.title: one for systems in stated("figures", "SYSTEMS") for one in systems}


def printed(system: System) -> PrintedSystem | None:
    """Find what is printed of a system; None if nothing is."""
    return printed_systems().get(system.title.removesuffix(AS_PRINTED))


def printed_call(system: System | None, workload: str) -> Call | None:
    """Find what is printed of a call on a system."""
    found = printed(system) if system else None
    return found.calls[workload] if found else None


@cache
def printed_areas() -> dict[str, float]:
    """Collect the printed areas of the processor by what is attached to it."""
    return {s.attached: found.area_um2 for s in ALL_SYSTEMS if (found := printed(s))}
