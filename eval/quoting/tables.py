"""Tables of pages that are made whole, from the catalog and from stored outputs."""

from collections.abc import Callable, Iterator, Sequence

from cl.xcel import xcel_cycles
from eval.catalog import DESIGNS
from eval.catalog.workloads import WORKLOADS
from eval.quoting.source import Source

NBITS = 32  # of the table of the catalog
GATE_UM2 = 0.798  # of a NAND2 in NanGate 45
RSA = "report rsa --tables"
SIGNERS = {
    "array-16": "linear systolic array, radix 2^16",
    "array-8-window-4": "radix 2^8, fixed 4-bit windows",
    "array-8": "linear systolic array, radix 2^8",
    "array-4": "linear systolic array, radix 2^4",
    "ssmm-small": "shift-and-subtract, one adder",
    "serial-pz-32": "digit-serial, 32-bit datapath",
}


def catalog(source: Source) -> str:
    """Return the designs of the catalog with cycles, area and slack."""

    def lines() -> Iterator[Sequence[str]]:
        for design in DESIGNS.values():
            if design.widths[0] > NBITS:
                continue
            asked = [load.request(NBITS, design.moduli.key) for load in WORKLOADS.values()]
            cycles = [
                str(xcel_cycles(NBITS, design.cycles(NBITS, one.base, one.exp, one.mod)))
                for one in asked
            ]
            run = f"flow {design.name} --nbits {NBITS}"
            yield (
                *(f"`{design.name}`", design.title, " / ".join(cycles)),
                source.figure(run, "metrics.area_um2", ".0f"),
                source.figure(run, "metrics.setup_slack_ns", "+.2f"),
            )

    return _table(("design", "what it is", "cycles e / d", "area um2", "slack ns"), lines())


def signers(source: Source) -> str:
    """Return some Pareto-optimal netlists for signatures of 1024 bits."""

    def lines() -> Iterator[Sequence[str]]:
        times = source.rows(RSA, "RSA of 1024 bits: time")
        others = source.rows(RSA, "RSA of 1024 bits: cycles, area x time and energy")
        for time, other in zip(times, others, strict=False):  # the last may have no period
            name, _, constant, period, area, _, latency, *_ = time
            if name in SIGNERS and (energy := other[5]) != "-":
                gates = f"{float(area) / GATE_UM2 * 1000:.0f}"
                yield f"`{name}`: {SIGNERS[name]}", constant, area, gates, period, latency, energy

    heads = ("design", "constant-time", "area, mm2", "kGE", "T_min, ns", "latency, ms")
    return _table((*heads, "energy, uJ"), lines())


def _table(heads: Sequence[str], lines: Iterator[Sequence[str]]) -> str:
    shown = [heads, ["---"] * len(heads), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in shown).replace(" --- ", "---")


TABLES: dict[str, Callable[[Source], str]] = {"catalog": catalog, "signers": signers}
