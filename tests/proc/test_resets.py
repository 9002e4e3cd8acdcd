"""A reset of one cycle, in any cycle of the processor's work, empties every register of its
control; what stays is data that no valid bit stands beside."""

from dataclasses import replace

import pytest
from pymtl3 import Component

import proc.rtl.execute
import proc.rtl.issue
import proc.rtl.reuse
import proc.rtl.signed_divider
from proc.rtl.bus_system import BusSystem
from proc.run.python_system import PythonSystem
from proc.run.timing import Timing
from tests.cases.interrupted_hazards import by_distance, hazards
from tests.faults import plant
from tests.proc.alarm import AlarmRTL
from tests.proc_harness import answers
from tests.rtl.kept_registers import ARITHMETIC, PERIPHERAL, kept
from tests.rtl.resets import Name, Registers

# Of each class of components the registers that a reset leaves as they are.
DATA = {
    "BusBridge": "address data strobes",
    "CurrentIfc": "pc word",
    "Datapath": "a aux b offset_M pc_D result_M value_W word_D",
    "DivisionTag": "tag_as_unsigned tag_rs1 tag_rs2",
    "InterruptibleControl": "control_X fn_M load_M mem_M rd_M rd_W rd_X trap_X wen_M xcel_M "
    "xcel_register",
    "InterruptibleRTL": "address_M pc_M word_M",
    "Interrupts": "hidden_M hidden_W number_X",
    "NullXcelRTL": "register_0 type_",
    "RegEn": "out",  # the register file
    "RetireTrace": "in_M in_W",
}
USED = hazards("reset", by_distance()[::7], True)
PROGRAM = replace(USED, text=f"csrwi stats_en, 1\n{USED.text}")

FAULTS = {
    "a request to the divider": (
        (proc.rtl.signed_divider, "SignedDivider", proc.rtl.execute),
        "if s.reset:\n                s.sent <<= 0\n            elif s.sent:",
        "if s.sent:",
        ("SignedDivider", "sent"),
    ),
    "a quotient to be used again": (
        (proc.rtl.reuse, "DivisionTag", proc.rtl.issue),
        "if s.reset:\n                s.live <<= 0\n            elif s.enter:",
        "if s.enter:",
        ("DivisionTag", "live"),
    ),
}


def outlived(component: Component) -> dict[Name, str]:
    """What a program's work leaves in registers, tried in each cycle, and should not."""
    component.elaborate()
    registers = Registers(component)
    system = PythonSystem(component)
    registers.prepared(system._engine.settle, system._engine.edge)
    system._engine.edge = registers.tried_edge
    assert answers(system, PROGRAM, Timing(2, 1))[0] == PROGRAM.outputs
    listed = kept(DATA, ARITHMETIC, PERIPHERAL)
    return {name: what for name, what in registers.outlived.items() if name not in listed}


def test_processor():
    assert outlived(BusSystem(AlarmRTL, "fast")) == {}


@pytest.mark.parametrize(("place", "sound", "faulty", "found"), FAULTS.values(), ids=FAULTS)
def test_what_outlives_a_reset_is_found(tmp_path, monkeypatch, place, sound, faulty, found):
    module, name, user = place
    broken = plant(tmp_path, module, sound, faulty)
    monkeypatch.setattr(user, name, getattr(broken, name))
    assert found in outlived(BusSystem(AlarmRTL, "fast"))
