"""Tasks of every kind, one for each way in which tasks of a kind differ in what they use."""

from importlib import import_module

from eval.catalog.point import Point
from eval.catalog.processor import SYSTEM, Processor
from eval.documents.document import numbers
from eval.tasks.attack.campaign import Asked
from eval.tasks.attack.task import Attack
from eval.tasks.clocks import Curve
from eval.tasks.composed import Composed
from eval.tasks.corners import Corners
from eval.tasks.crosscheck.task import Crosscheck
from eval.tasks.execution import Execution
from eval.tasks.faults.models import PAIR, STUCK
from eval.tasks.faults.skips import Skips
from eval.tasks.faults.task import Faults
from eval.tasks.flow_run.task import EQUIVALENCE, POWER, FlowRun
from eval.tasks.fpga.task import OnFpga
from eval.tasks.layout.task import LaidOut
from eval.tasks.leakage.levels import GATES, LAYOUT
from eval.tasks.leakage.task import Leakage
from eval.tasks.noise import Noise
from eval.tasks.placements import Placements
from eval.tasks.private_energy import PrivateEnergy
from eval.tasks.rsa import Rsa
from eval.tasks.signoff.task import Signoff
from eval.tasks.simulation import ByFormula, Simulation
from eval.tasks.supply import Supply
from eval.tasks.task import Task
from eval.tasks.timing import TimeTells
from eval.tasks.unit import ACCELERATOR, MULTIPLIER, PERIPHERAL

POINT = Point("mul-rem", 8)
MONT = Point("mont-pipe", 8)

# By what it is, a task for each way in which tasks of a kind differ in what they use.
TASKS: dict[str, Task] = {
    "simulate": Simulation(MONT, "d"),
    "cycles by formula": ByFormula(Point("what-if(latency=9)", 8), "d"),
    "timing": TimeTells(MONT),
    "leakage": Leakage(MONT),
    "leakage of gates": Leakage(MONT, level=GATES),
    "leakage of a layout": Leakage(MONT, level=LAYOUT),
    "attack": Attack(MONT),
    "attack on gates": Attack(MONT, Asked(level=GATES)),
    "faults": Faults(MONT),
    "stuck bits": Faults(MONT, model=STUCK),
    "skips": Skips(MONT),
    "skips and wrong powers": Skips(MONT, model=PAIR),
    "skips by a key": Skips(Point("array-crt-16", 32), "private"),
    "run": Execution(Processor("mul-rem"), "xcel"),
    "rsa": Rsa(64, "crt", "mul-rem"),
    "rsa by d": Rsa(64, "d", "mul-rem"),
    "rsa by a key": Rsa(64, "private", "array-crt-16"),
    "flow": FlowRun(MONT, ACCELERATOR, 3.0),
    "flow of a multiplier": FlowRun(MONT, MULTIPLIER, 3.0),
    "energy": FlowRun(MONT, ACCELERATOR, 3.0, POWER),
    "energy of a peripheral": FlowRun(Point("mul-rem", 32), PERIPHERAL, 3.0, POWER),
    "energy of a system": FlowRun(Processor("mul-rem"), SYSTEM, 3.0, POWER),
    "proof": FlowRun(MONT, ACCELERATOR, 3.0, EQUIVALENCE),
    "clocks": Curve(MONT, 3.0),
    "clocks with energies": Curve(MONT, 3.0, energy=True),
    "clocks of wide designs": Curve(Point("mont-pipe", 1024), 3.0),
    "composed": Composed(MONT, 3.0),
    "composed to a clock": Composed(MONT, 3.0, 1.5),
    "noise": Noise(MONT, 3.0),
    "crosscheck": Crosscheck(MONT, 3.0),
    "corners": Corners(MONT, 3.0),
    "supply": Supply(MONT, 18.8, tech="sky130"),
    "private": PrivateEnergy(Point("array-crt(digit=4)", 16), 3.0),
    "fpga, counted": OnFpga(POINT, "cyclonev"),
    "fpga, routed": OnFpga(POINT, "ecp5"),
    "layout": LaidOut(MONT, ACCELERATOR, 3.0),
    "layout of a multiplier": LaidOut(MONT, MULTIPLIER, 3.0),
    "placements": Placements(MONT, 3.0),
    "signoff": Signoff(MONT, ACCELERATOR, 3.0),
}
for number in numbers():  # and those of documents
    TASKS |= getattr(import_module(f"tests.eval.documents.d{number}"), "tasks", dict)()
