"""Faults planted in interrupts and bus: their cases, or random programs, must find each of them."""

from pathlib import Path
from types import ModuleType

import proc.rtl.bus_bridge
import proc.rtl.bus_system
import proc.rtl.interrupt_issue
import proc.rtl.interruptible
import proc.rtl.interrupts
from proc.rtl.bus_system import BusSystem
from proc.run.python_system import PythonSystem
from sim.errors import RunError
from tests.cases.interrupts import INTERRUPTED
from tests.faults import faults, plant
from tests.proc.alarm import AlarmRTL
from tests.proc.test_interrupts import lock_step
from tests.proc_harness import answers

# By the module that has the fault, which the one beside it uses.
USERS = {
    proc.rtl.interrupts: (proc.rtl.interruptible, "Interrupts"),
    proc.rtl.interrupt_issue: (proc.rtl.interruptible, "InterruptIssue"),
    proc.rtl.bus_bridge: (proc.rtl.bus_system, "BusBridge"),
}
REGISTERS = {
    "mepc off by 4": ("s.resume <<= s.pc_D[2:32]", "s.resume <<= s.pc_D[2:32] + 1"),
    "taken again and again": (
        "                s.on <<= 0\n                s.saved <<= s.on",
        "                s.saved <<= s.on",
    ),
    "no way back to on": ("s.on <<= s.saved", "s.on <<= 0"),
    "taken while off": ("s.pending @= s.wakes & s.on", "s.pending @= s.wakes"),
    "taken while not enabled": ("s.wakes @= s.line & s.enabled", "s.wakes @= s.line"),
    "counted": ("s.counts @= s.go_X & ~s.enters_X", "s.counts @= s.go_X"),
    "retires": ("s.hidden_M <<= s.enters_X", "s.hidden_M <<= 0"),
    "another cause": ("1 << 4 | EXTERNAL_BIT", "EXTERNAL_BIT"),
}
ISSUE = {
    "a store repeated": (
        "                s.control @= ControlWord()\n                s.control.fence_i",
        "                s.control.fence_i",
    ),
    "a division remembered that was not made": ("s.enter & ~s.interrupts", "s.enter"),
    "late behind a switch": ("s.issue.hazard | s.access_X |", "s.issue.hazard |"),
    "wfi sleeps through what is off": ("s.waits & ~s.wakes", "s.waits & ~s.pending"),
    "wfi is interrupted, and waits again": ("s.pending & ~s.waits", "s.pending"),
    "wfi does not wait": (" | (s.waits & ~s.wakes)", ""),
}
BRIDGE = {
    "memory gets it as well": ("s.free & ~s.to_bus", "s.free"),
    "the memory's word": ("if s.on_bus:", "if ~s.on_bus:"),
    "the next one at once": ("s.free @= ~s.on_bus | (s.answers", "s.free @= s.begins | (s.answers"),
    "a read as a write": ("s.sends_read <<= ~s", "s.sends_read <<= s"),
}

MOST_CYCLES = 1000  # of a case; a fault may be that it does not end


def found(system: PythonSystem) -> bool:
    """Whether a case, or a random program, does not do what it must."""
    try:
        for case in INTERRUPTED:
            if answers(system, case, limit=MOST_CYCLES)[0] != case.outputs:
                return True
        for seed in (2, 8):
            lock_step(system, seed, 150)
    except (RunError, AssertionError):
        return True
    return False


def test_no_fault():
    assert not found(PythonSystem(BusSystem(AlarmRTL, "fast")))


@faults(REGISTERS, ISSUE, BRIDGE)
def test_fault(monkeypatch, tmp_path: Path, sound: str, faulty: str):
    def has(module: ModuleType) -> bool:
        return Path(module.__file__).read_text().count(sound) == 1

    [module] = filter(has, USERS)
    user, name = USERS[module]
    monkeypatch.setattr(user, name, getattr(plant(tmp_path, module, sound, faulty), name))
    assert found(PythonSystem(BusSystem(AlarmRTL, "fast")))
