"""The measurements that canaries repeat: every kind, every stage, every family of designs."""

from collections.abc import Iterator

from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.tasks.task import Task
from eval.tasks.unit import ACCELERATOR

SMALL = 8
# A design of each family and of each kind of exponentiator.
SIMULATED = (
    *("mul-rem", "ssmm-small", "ssmm-best", "ssmm-ct", "interleaved-1", "tiny", "mont-001"),
    *("mmm-004", "mont-pipe", "mont-best", "mont-ct", "mont-window-4", "mont-ladder-masked"),
    *("near-power-4", "scaled-low-4", "mont-digit-4", "systolic-16", "array-4", "array-4-window-4"),
    *("array-8", "array-4-pair", "array-16-stages-2", "array-4-blinded", "serial-pz-8"),
    "cm-pseudo-2",
)
MAPPED = ("array-4", "ssmm-best")


def tasks() -> Iterator[Task]:
    """Go through the canaries."""
    yield from _simulated()
    yield from _mapped()
    yield from _laid_out()
    yield from _secure()
    yield from _of_papers()


def _simulated() -> Iterator[Task]:
    from eval.tasks.execution import Execution
    from eval.tasks.rsa import Rsa
    from eval.tasks.simulation import Simulation
    from eval.tasks.timing import TimeTells

    for name in SIMULATED:
        yield Simulation(Point(name, 16 if name.startswith(("array", "systolic")) else SMALL), "d")
    yield Simulation(Point("array-4", 40), "e")
    yield Execution(Processor("mul-rem"), "xcel")
    yield Rsa(64, "crt", "mul-rem")
    yield TimeTells(Point("mont-pipe", SMALL))


def _mapped() -> Iterator[Task]:
    from eval.tasks.clocks import Curve
    from eval.tasks.composed import Composed
    from eval.tasks.corners import Corners
    from eval.tasks.flow_run.task import EQUIVALENCE, POWER, FlowRun
    from eval.tasks.fpga.task import OnFpga

    for name in MAPPED:
        yield FlowRun(Point(name, SMALL), ACCELERATOR, 1.0)
    yield FlowRun(Point("mul-rem", SMALL), ACCELERATOR, 3.0, EQUIVALENCE)
    yield FlowRun(Point("mul-rem", SMALL), ACCELERATOR, 20.0, tech="osu018")
    # Longer operations than are replayed whole.
    yield FlowRun(Point("tiny", 64), ACCELERATOR, 3.0, POWER)
    yield FlowRun(Point("array-4", 16), ACCELERATOR, 3.0, POWER, gated=True)
    yield Composed(Point("mul-rem", SMALL), 3.0)
    yield Curve(Point("ssmm-small", SMALL), 3.0)
    yield Corners(Point("mul-rem", SMALL), 20.0, tech="sky130")
    yield OnFpga(Point("mul-rem", SMALL), "cyclonev")
    yield OnFpga(Point("mul-rem", SMALL), "ecp5")


def _laid_out() -> Iterator[Task]:
    from eval.tasks.crosscheck.task import Crosscheck
    from eval.tasks.layout.task import LaidOut
    from eval.tasks.signoff.task import Signoff

    yield LaidOut(Point("mul-rem", SMALL), ACCELERATOR, 3.0)
    yield LaidOut(Point("tiny", SMALL), ACCELERATOR, 20.0, tech="sky130")
    yield Signoff(Point("mul-rem", SMALL), ACCELERATOR, 3.0)
    for tech in ("sky130", "osu018"):
        yield Signoff(Point("tiny", SMALL), ACCELERATOR, 20.0, tech=tech)
    yield Crosscheck(Point("mul-rem", SMALL), 3.0)


def _secure() -> Iterator[Task]:
    from eval.tasks.attack.task import Attack
    from eval.tasks.faults.skips import Skips
    from eval.tasks.faults.task import Faults
    from eval.tasks.leakage.levels import GATES, LAYOUT
    from eval.tasks.leakage.task import Leakage

    yield Leakage(Point("mont-pipe", SMALL))
    yield Leakage(Point("mul-rem", SMALL), level=GATES)
    yield Leakage(Point("mul-rem", SMALL), level=LAYOUT)
    yield Attack(Point("mont-pipe", SMALL))
    yield Attack(Point("array-4-ct", 16))  # of an operation longer than a template
    yield Faults(Point("mont-pipe", SMALL), faults=2000)
    yield Skips(Point("mont-pipe", SMALL), faults=200)


def _of_papers() -> Iterator[Task]:
    from eval.documents.d000.units import FixedMultiplier, FixedReduction
    from eval.documents.d004.table_1 import Table004

    yield Table004(Point("ssmm-004", 64))
    yield FixedMultiplier(4, 1, "document")
    yield FixedReduction(2, 1, "late", 4)
