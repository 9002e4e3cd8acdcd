"""Which situations of the pipeline random programs reach: each is a bin, and an empty one fails.

The programs are checked, too: by what they must send, or in lock-step with two other simulators.
"""

from pymtl3 import Component

from proc.rtl.bus_system import BusSystem
from proc.rtl.system import ProcessorSystem
from proc.run.python_system import PythonSystem
from proc.run.timing import FAST, Timing
from tests.cases.interrupted_hazards import HELD_UP, by_distance, hazards, shuffled
from tests.cases.traps import TRAPS
from tests.proc.alarm import AlarmRTL
from tests.proc.pausing_xcel import PausingXcelRTL
from tests.proc.pipeline_bins import Bin, PipelineBins
from tests.proc.test_interrupts import lock_step
from tests.proc.test_rtl import trap_of
from tests.proc_harness import answers

SLOW = Timing(3, 1)
HAZARDS_SEED, STREAM_SEED = 1, 1
TRAPPED = ("word 0x00000000", "lw +1", "jalr +2", "behind a store")


def watched(component: Component) -> tuple[PythonSystem, set[Bin]]:
    """A system whose situations are noted."""
    system = PythonSystem(component)
    bins = PipelineBins(system.top, system._engine.edge)
    system._engine.edge = bins.edge
    return system, bins.found


def interrupted() -> set[Bin]:
    """What the processor with interrupts comes into."""
    system, found = watched(BusSystem(AlarmRTL, "fast"))
    uses = shuffled(HAZARDS_SEED)
    for timing, some in ((FAST, uses[:64]), (SLOW, uses[64:])):
        case = hazards("interrupted", some, True)
        assert answers(system, case, timing)[0] == case.outputs
    assert lock_step(system, STREAM_SEED, 200) > 5
    for case in TRAPS:
        if case.name in TRAPPED:
            trap_of(system, case.image())
    return found


def paused() -> set[Bin]:
    """What the one without comes into, with an accelerator that is late."""
    system, found = watched(ProcessorSystem("fast", PausingXcelRTL))
    late = [use for use in by_distance() if "xcel" in use[:2]]
    for timing, some in ((FAST, [*by_distance(), *HELD_UP]), (SLOW, [*late, *HELD_UP])):
        case = hazards("paused", some, False)
        assert answers(system, case, timing)[0] == case.outputs
    return found


READS = {
    **dict.fromkeys(("alu", "mul", "div", "store", "branch"), ("rs1", "rs2")),
    **dict.fromkeys(("load", "jalr", "csr", "xcel"), ("rs1",)),
}
SOURCES = ("from file", "from X", "from M", "from W")
MADE = ("alu", "upper", "mul", "div", "csr")  # in X
LATE = ("load", "xcel")  # in M
KINDS = (*READS, "upper", "jal")
WANTED: set[Bin] = {
    *(
        (f"{kind} {operand}", source)
        for kind in READS
        for operand in READS[kind]
        for source in SOURCES
    ),
    *(
        (operand, source, kind)
        for operand in ("rs1", "rs2")
        for source in SOURCES[1:]
        for kind in (MADE if source == "from X" else MADE + LATE)
    ),
    *(("D waits", f"{operand} {source}") for operand in ("rs1", "rs2") for source in SOURCES),
    *(("D waits", f"for {kind} in {stage}") for kind in LATE for stage in "XM"),
    *(("D waits", why) for why in ("for room in X", "wfi", "behind an interrupt register")),
    *(("F waits", why) for why in ("for D", "for memory", "to ask")),
    *(("X waits", why) for why in ("for memory", "for the accelerator", "for the divider")),
    *(("X waits", why) for why in ("for M to be empty", "for a message", "to tell a message")),
    *(("X waits", "for room in M", kind) for kind in KINDS),
    *(("M waits", kind) for kind in ("load", "store", "xcel")),
    *(("branch", ends, room) for ends in ("taken", "not taken") for room in ("M free", "M full")),
    *(
        ("redirect", by, how)
        for by in ("branch in X", "jalr in X", "mret in X", "interrupt in X")
        for how in ("asks", "asked", "arrived", "D full", "D empty")
    ),
    *(("redirect", "jal in D", how) for how in ("asks", "asked", "arrived")),
    *(("squashed", kind) for kind in KINDS),
    *(("interrupt", "takes the place of", kind) for kind in KINDS),
    *(("interrupt", why) for why in ("waits", "behind a jump")),
    *(("jal", "waits"), ("division", "answer used again")),
    *(("error", f"behind {what}") for what in ("nothing", "M", "W", "MW")),
}


def test_each_situation_is_reached():
    assert WANTED - (interrupted() | paused()) == set()
