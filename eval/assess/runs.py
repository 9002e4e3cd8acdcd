"""Two independent runs of fixed against random operands, as in ISO/IEC 17825: a cycle leaks if |t|
passes the threshold in both, with the same sign.

The runs draw other operands, and go through other states of the device's source of random bits. The
threshold is that of all the cycles that are tested (eval/tasks/leakage/chance.py). Noise is that of
a measurement: independent, normal, of the same standard deviation in every cycle.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from eval.catalog.point import Point
from eval.tasks.leakage.chance import in_any, least_effect, threshold_of
from eval.tasks.leakage.levels import AT_ONCE, RTL
from eval.tasks.leakage.operations import Operations, pushes_of
from eval.tasks.leakage.task import source_of
from eval.tasks.leakage.welch import ORDERS, Moments, welch
from sim.errors import UserError

RUNS = 2
MOST_CYCLES = 1 << 16  # recorded of an operation
SAVED_BYTES = 1 << 30  # of traces at most
Say = Callable[[str, int], None]


@dataclass(frozen=True)
class Compared:
    """What the runs say of one order, from cycle `begin` on: t of each run by cycle, and the effect
    of both together: the difference of means by the standard deviation."""

    order: int
    begin: int
    t: np.ndarray  # by run and cycle
    effects: np.ndarray

    @property
    def cycles(self) -> int:
        """Count the cycles that are tested."""
        return self.t.shape[1] - self.begin

    @property
    def threshold(self) -> float:
        """Return the threshold of so many cycles."""
        return threshold_of(self.cycles, RUNS)

    @property
    def most(self) -> tuple[float, ...]:
        """Return the largest |t| of each run."""
        return tuple(float(t) for t in np.abs(self.t[:, self.begin :]).max(axis=1))

    @property
    def leaking(self) -> np.ndarray:
        """Return in which cycles there is a leak."""
        return self.above(self.threshold)

    def above(self, threshold: float) -> np.ndarray:
        """Return the cycles in which all runs pass a threshold with one sign."""
        passed = (np.abs(self.t) > threshold).all(axis=0)
        found = np.flatnonzero(passed & (np.ptp(np.sign(self.t), axis=0) == 0))
        return found[found >= self.begin]

    @property
    def largest(self) -> float:
        """Return the largest effect in any tested cycle."""
        return float(np.abs(self.effects[self.begin :]).max())


@dataclass(frozen=True)
class Assessment:
    """Says what was compared on a point, by how many traces of each run."""

    point: Point
    against: str
    level: str
    traces: int
    noise: float
    orders: tuple[Compared, ...]

    @property
    def sees(self) -> float:
        """Return the least effect that so many traces see."""
        return least_effect(self.traces, self.orders[0].threshold, RUNS)

    def false(self, threshold: float, runs: int = RUNS) -> float:
        """Return with what probability chance passes a threshold in any cycle."""
        return in_any(threshold, self.orders[0].cycles, runs)


def effects_of(fixed: Moments, drawn: Moments, order: int) -> np.ndarray:
    """Return the difference of means by the standard deviation, that of both groups alike; 0 where
    nothing varies."""
    (mean_a, var_a), (mean_b, var_b) = fixed.sample(order), drawn.sample(order)
    deviation = np.sqrt((var_a + var_b) / 2)
    return np.divide(mean_a - mean_b, deviation, out=np.zeros(len(deviation)), where=deviation > 0)


def assess(
    point: Point,
    against: str,
    traces: int,
    level: str = RTL,
    noise: float = 0.0,
    save: Path | None = None,
    say: Say = lambda text, done: None,
) -> Assessment:
    """Make the runs; RunError if an answer is wrong."""
    operations = Operations(point)
    cycles = operations.cycles(against)
    if cycles > MOST_CYCLES:
        raise UserError(f"--nbits: an operation takes {cycles} cycles; at most {MOST_CYCLES}")
    if save and 4 * RUNS * traces * cycles > SAVED_BYTES:
        most = SAVED_BYTES // (4 * RUNS * cycles)
        raise UserError(f"--traces: so many of {cycles} cycles are not saved; at most {most}")
    source = source_of(point, level, cycles, lambda text: say(text, 0), by_part=False)
    rng = np.random.default_rng(1)
    runs: list[tuple[Moments, Moments]] = []
    kept: dict[str, list[np.ndarray]] = {"traces": [], "groups": [], "runs": []}
    try:
        for run in range(RUNS):
            drawn = operations.draw(against, traces, 1 + run)
            shift = None
            for done in range(0, traces, AT_ONCE[level]):
                say(f"{against}, run {run + 1}", run * traces + done)
                rows, groups = source.measure(islice(drawn, AT_ONCE[level]))
                rows = rows.astype(float)
                if noise:
                    rows += rng.normal(0, noise, rows.shape)
                if shift is None:
                    shift = rows.mean(axis=0)
                    runs.append((Moments(shift), Moments(shift)))
                for group, moments in enumerate(runs[run]):
                    moments.add(rows[groups == group])
                if save:
                    kept["traces"].append(rows.astype(np.float32))
                    kept["groups"].append(groups.astype(np.uint8))
                    kept["runs"].append(np.full(len(groups), run + 1, np.uint8))
    finally:
        source.close()
    if save:
        with save.open("wb") as file:
            whole = {name: np.concatenate(parts) for name, parts in kept.items()}
            np.savez_compressed(
                file, traces=whole["traces"], groups=whole["groups"], runs=whole["runs"]
            )
    return Assessment(point, against, level, traces, noise, compared(runs, pushes_of(point)))


def compared(runs: list[tuple[Moments, Moments]], begin: int) -> tuple[Compared, ...]:
    """Compare the groups of each run, in either order."""
    found = []
    for order in ORDERS:
        t = np.stack([welch(*groups, order) for groups in runs])
        effects = np.mean([effects_of(*groups, order) for groups in runs], axis=0)
        found.append(Compared(order, begin, t, effects))
    return tuple(found)
