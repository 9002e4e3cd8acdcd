"""What verifies and signs with RSA keys of the sizes in use: designs, and the processor."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eval.catalog.processor import SYSTEM
from eval.report.overview import commands
from eval.report.pareto import SIGN, VERIFY, View
from eval.study.netlists import Netlist
from eval.study.results import PointResult, StudyResult
from eval.table.marks import COMPOSED
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.marks import marked
from eval.tasks.rsa import Rsa

UNCHECKED = "none"
WAYS = {"crt": "p and q", "private": "p and q in hardware"}  # of other operations mod n


@dataclass(frozen=True, eq=False)
class Signer:
    """What verifies and signs, at the shortest period at which it works: cycles and energies in nJ
    of the workloads that were measured; in what it is the least of its design's netlists, if there
    are several; and whether the flow made its netlist, or it is composed of modules."""

    name: str
    least: str | None
    constant_time: bool
    cycles: Mapping[str, float]
    area_um2: float | None
    period_ns: float | None
    energies: Mapping[str, float]
    commands: tuple[str, ...]
    composed: bool = False

    @property
    def marked(self) -> str:
        """The name, marked if the netlist is composed."""
        return self.name + COMPOSED * self.composed

    def time_us(self, workload: str) -> float | None:
        """Return the time of a workload, if cycles and period are known."""
        return per(times(self.cycles.get(workload), self.period_ns), 1000)

    @property
    def sign_ms(self) -> float | None:
        """The time of a signature."""
        return per(self.time_us(SIGN), 1000)

    @property
    def sign_uj(self) -> float | None:
        """The energy of a signature."""
        return per(self.energies.get(SIGN), 1000)

    @property
    def area_mm2(self) -> float | None:
        """The area in mm2."""
        return per(self.area_um2, 1e6)


def per(value: float | None, other: float | None) -> float | None:
    """Divide, if both are known."""
    return None if value is None or other is None else value / other


def times(value: float | None, other: float | None) -> float | None:
    """Multiply, if both are known."""
    return None if value is None or other is None else value * other


def points_of(found: StudyResult, nbits: int) -> list[PointResult]:
    """List the points of a width that sign."""
    has = f"xcel_cycles_{SIGN}"
    return [p for p in found.points if p.point.nbits == nbits and p.get(has) is not None]


def points_in(found: StudyResult, nbits: int, view: View) -> list[PointResult]:
    """List those that have a place in a view of signatures."""
    return [p for p in points_of(found, nbits) if view.spots(found, p, SIGN)]


def signers(found: StudyResult, nbits: int) -> list[Signer]:
    """List what signs with keys of a width: the designs, the quickest first, each by its netlists
    that are the least in something, then the processor."""
    late = float("inf")
    designs = [list(_design(found, p)) for p in points_of(found, nbits)]
    in_order = sorted(designs, key=lambda rows: rows[0].sign_ms or late)
    return [*(row for rows in in_order for row in rows), *_processors(found, nbits)]


def _design(found: StudyResult, p: PointResult) -> Iterator[Signer]:
    """Go through the netlists of a point that are its least in something, the quickest first."""
    netlists = found.with_composed.get(p.point, [])
    if not netlists:
        whose = (found.called(p), None, p.point.entry.constant_time, p.cycles)
        yield Signer(*whose, None, None, {}, commands(found, p))
        return
    by_quantity = leasts(netlists)
    for netlist in sorted(dict.fromkeys(by_quantity.values()), key=lambda n: n.period_ns):
        of = [quantity for quantity, least in by_quantity.items() if least is netlist]
        told = "all" if len(of) > 1 and len(of) == len(by_quantity) else ", ".join(of)
        yield signer(found, p, netlist, told if len(netlists) > 1 else None)


def signer(
    found: StudyResult, p: PointResult, netlist: Netlist, least: str | None = None
) -> Signer:
    """Say what one netlist of a point does."""
    return Signer(
        *(found.called(p), least, p.point.entry.constant_time, p.cycles),
        *(netlist.area_um2, netlist.period_ns, netlist.figures.energies_nj),
        commands(found, p, netlist.command),
        netlist.composed is not None,
    )


def leasts(netlists: Sequence[Netlist]) -> dict[str, Netlist]:
    """Choose the netlist of the least time of a signature, of the least area x time, and of the
    least energy if that was measured; of several that are as good the smaller."""
    found = {
        "time": min(netlists, key=lambda n: (n.period_ns, n.area_um2)),
        "a x t": min(netlists, key=lambda n: (n.area_um2 * n.period_ns, n.area_um2)),
    }
    if energies := {n: nj for n in netlists if (nj := n.energy_nj(SIGN)) is not None}:
        found["energy"] = min(energies, key=lambda n: (energies[n], n.area_um2))
    return found


def _processors(found: StudyResult, nbits: int) -> Iterator[Signer]:
    """Go through the ways of the processor to sign; verifications stand beside what signs mod n, or
    where nothing does, as it takes hours, beside what signs by p and q."""
    done = {
        task: result for task, result in found.of(Rsa).items() if task.nbits == nbits and result
    }
    for task in done:
        if task.operation == VERIFY:
            continue
        own, how = {SIGN: task}, WAYS.get(task.operation, "mod n")
        verifying = Rsa(nbits, VERIFY, task.design)
        signs_mod_n = Rsa(nbits, SIGN, task.design) in done
        if verifying in done and (task.operation == SIGN or not signs_mod_n):
            own[VERIFY] = verifying
        cycles = {workload: done[other].cycles for workload, other in own.items()}
        run = FlowRun(task.point, SYSTEM, found.study.clock_ns)
        mapped = found.results.get(run)
        metrics = mapped.metrics if mapped else {}
        checked = ", checked" if task.check != UNCHECKED else ""
        name = f"{task.accelerator or 'software'}, {how}{checked}"
        yield Signer(
            *(marked(task.point, None, name), None, task.constant_time, cycles),
            *(metrics.get("area_um2"), metrics.get("period_ns"), {}),
            (*(t.command for t in own.values()), *([run.command] if mapped else [])),
        )
