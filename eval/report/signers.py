"""What verifies and signs with RSA keys of the sizes in use: designs, and the processor."""

from collections.abc import Iterator
from dataclasses import dataclass

from eval.catalog.processor import SYSTEM
from eval.report.overview import commands
from eval.report.pareto import View
from eval.study.results import PointResult, StudyResult
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.marks import marked
from eval.tasks.rsa import Rsa

LEAST_BITS = 512
VERIFY, SIGN = "e", "d"


@dataclass(frozen=True)
class Signer:
    """What verifies and signs: cycles and energies in nJ of the workloads that were measured, the
    minimum period, the clock asked for, and the commands."""

    name: str
    constant_time: bool
    cycles: dict[str, float]
    area_um2: float | None
    reached_ns: float | None
    clock_ns: float
    energies: dict[str, float]
    commands: tuple[str, ...]

    def time_us(self, workload: str) -> float | None:
        """Return the time of a workload, if cycles and period are known."""
        cycles = self.cycles.get(workload)
        if cycles is None or self.reached_ns is None:
            return None
        return cycles * max(self.clock_ns, self.reached_ns) / 1000

    @property
    def sign_ms(self) -> float | None:
        """The time of a signature."""
        return per(self.time_us(SIGN), 1000)

    @property
    def sign_uj(self) -> float | None:
        """The energy of a signature."""
        return per(self.energies.get(SIGN), 1000)


def per(value: float | None, other: float | None) -> float | None:
    """Divide, if both are known."""
    return None if value is None or other is None else value / other


def times(value: float | None, other: float | None) -> float | None:
    """Multiply, if both are known."""
    return None if value is None or other is None else value * other


def key_widths(found: StudyResult) -> list[int]:
    """List the widths of keys in use at which the time of a signature is known of two designs."""
    signing = [p.point.nbits for p in found.points if p.get(f"time_{SIGN}_us") is not None]
    return sorted({n for n in signing if n >= LEAST_BITS and signing.count(n) > 1})


def points_of(found: StudyResult, nbits: int) -> list[PointResult]:
    """List the points of a width that sign."""
    has = f"xcel_cycles_{SIGN}"
    return [p for p in found.points if p.point.nbits == nbits and p.get(has) is not None]


def points_in(found: StudyResult, nbits: int, view: View) -> list[PointResult]:
    """List those that have a place in a view of signatures."""
    return [p for p in points_of(found, nbits) if view.spots(found, p, SIGN)]


def signers(found: StudyResult, nbits: int) -> list[Signer]:
    """List what signs with keys of a width: the designs, the quickest first, then the processor."""
    designs = [_design(found, p) for p in points_of(found, nbits)]
    late = float("inf")
    return [
        *sorted(designs, key=lambda s: late if s.sign_ms is None else s.sign_ms),
        *_processors(found, nbits),
    ]


def _design(found: StudyResult, p: PointResult) -> Signer:
    def of_workloads(metric: str) -> dict[str, float]:
        values = {w: p.get(metric.format(w)) for w in (VERIFY, SIGN)}
        return {workload: value for workload, value in values.items() if value is not None}

    return Signer(
        *(found.name_of(p), p.point.entry.constant_time, of_workloads("xcel_cycles_{}")),
        *(p.get("area_um2"), p.get("period_reached_ns"), found.study.clock_ns),
        *(of_workloads("energy_glitches_{}_nj"), commands(found, p)),
    )


def _processors(found: StudyResult, nbits: int) -> Iterator[Signer]:
    """Go through the ways of the processor to sign; verifications stand beside what signs mod n, or
    where nothing does, as it takes hours, beside what signs by p and q."""
    done = {
        task: result for task, result in found.of(Rsa).items() if task.nbits == nbits and result
    }
    for task in done:
        if task.operation == VERIFY:
            continue
        own, how = {SIGN: task}, "p and q" if task.operation == "crt" else "mod n"
        verifying = Rsa(nbits, VERIFY, task.design)
        signs_mod_n = Rsa(nbits, SIGN, task.design) in done
        if verifying in done and (task.operation == SIGN or not signs_mod_n):
            own[VERIFY] = verifying
        cycles = {workload: done[other].cycles for workload, other in own.items()}
        run = FlowRun(task.point, SYSTEM, found.study.clock_ns)
        mapped = found.results.get(run)
        metrics = mapped.metrics if mapped else {}
        name = f"{task.accelerator or 'software'}, {how}"
        yield Signer(
            *(marked(task.point, metrics.get("setup_slack_ns"), name), task.constant_time, cycles),
            *(metrics.get("area_um2"), metrics.get("period_reached_ns"), found.study.clock_ns, {}),
            (*(t.command for t in own.values()), *([run.command] if mapped else [])),
        )
