"""A reset of one cycle, in any cycle of a unit's work, whatever stands at its ports, empties every
register but those of tests/rtl/kept_registers.py."""

import pytest
from pymtl3 import Component

import rtl.mul.digit_serial
import rtl.mul.systolic_twin
import rtl.mul.systolic_twin_elements
import rtl.port.operand_banks
import rtl.port.peripheral
from cl.exponentiator import Exponentiator
from cl.unit import Unit
from eval.catalog import DESIGNS, MULTIPLIERS, find
from eval.catalog.design import Design
from eval.contract.exponentiator import ExpCase, check_exponentiator
from eval.contract.multiplier import MulCase, check_multiplier
from eval.contract.peripheral import Key, Operation, check_operations
from eval.contract.xcel import check_xcel
from fl.messages import XcelReq
from fl.peripheral_map import LOADED, Fixed
from fl.xcel import READ, WRITE
from rtl.mul.delayed_response import DelayedResponse
from rtl.mul.mont_digit import EarlyMontDigit
from rtl.mul.mont_mul import MontMul
from rtl.mul.systolic_late import LateSystolic, ScaledSystolic
from rtl.mul.systolic_twin import TwinSystolic
from rtl.mul.with_constant import by_itself
from rtl.port.peripheral import PeripheralRTL
from rtl.port.xcel import NullXcelRTL
from sim.axi_lite import BusMaster
from sim.pins import PythonPins
from sim.stream import STALLS, StreamRunner
from tests.faults import plant
from tests.pauses import RandomPauses
from tests.peripherals import random_bytes
from tests.rtl.kept_registers import ACCELERATOR, ARITHMETIC, FAMILIES, PERIPHERAL, ROWS, kept
from tests.rtl.resets import Registers

NBITS = 8
STALLED = STALLS["slow-both"]
SAME_PARTS = ("array-8", "array-16", "array-4-ct")  # those of array-4 and array-4-window-4
OF_WORDS = 40  # bits of a peripheral's operands, of two words each
KEY = Key((1 << 39) + 0x1234567, 3, 5)


def tried(component: Component, *ports: str) -> tuple[StreamRunner, Registers]:
    """What runs a component, and tries a reset after each cycle."""
    component.elaborate()
    registers = Registers(component)
    runner = StreamRunner(component, "rtl", *ports)
    registers.prepared(runner.engine.settle, runner.engine.edge)
    runner.engine.edge = registers.tried_edge
    return runner, registers


def unlisted(registers: Registers, *tables: dict[str, str]) -> dict[tuple[str, str], str]:
    """What outlives a reset and should not."""
    listed = kept(*tables)
    return {name: what for name, what in registers.outlived.items() if name not in listed}


def cases_of(design: Design) -> list[ExpCase]:
    mod = design.moduli.only(NBITS) if design.moduli.only else 251
    return [ExpCase("good", NBITS, 201, 0b1101, mod), ExpCase("bad", NBITS, 201, 0b1101, 0)]


def check_unit(unit: Unit) -> Registers:
    """A multiplier in each cycle of whose work a reset is tried."""
    runner, registers = tried(unit.rtl())
    m = unit.only_modulus or 251
    cases = [MulCase(f"{a}", NBITS, a % m, 187 % m, m) for a in (201, 250)]
    check_multiplier(runner, unit, cases, STALLED)
    return registers


@pytest.mark.parametrize("name", [name for name in MULTIPLIERS if name not in SAME_PARTS])
def test_multiplier(name: str):
    registers = check_unit(MULTIPLIERS[name].by_itself(NBITS))
    assert unlisted(registers, ARITHMETIC) == {}
    assert registers.outlived  # operands, at least: the trial sees what is left


TWIN = TwinSystolic(NBITS, 4, 3)
IN_FAMILIES = (
    LateSystolic(NBITS, 4, 3),
    ScaledSystolic(NBITS, 4),
    TWIN,
    EarlyMontDigit(NBITS, 4),
    DelayedResponse(NBITS, MontMul(NBITS, 2), 3),
)


@pytest.mark.parametrize("unit", IN_FAMILIES, ids=lambda unit: type(unit).__name__)
def test_multiplier_of_a_family(unit: Unit):
    """Kinds that MULTIPLIERS has not."""
    registers = check_unit(by_itself(unit))
    assert unlisted(registers, ARITHMETIC, FAMILIES) == {}


# Of an array with two products under way: which of them may be loaded, and a word on its way.
TWIN_FAULTS = {
    "a turn": (
        (rtl.mul.systolic_twin, "TwinSystolicRTL"),
        ("s.turn <<= ~s.turn & ~s.reset", "s.turn <<= ~s.turn"),
        ("TwinOrder", "turn"),
    ),
    "a word": (
        (rtl.mul.systolic_twin_elements, "MiddleTwinElement"),
        ("s.enable_out <<= s.enable & ~s.reset", "s.enable_out <<= s.enable"),
        ("MiddleTwinElement", "enable_out"),
    ),
}


@pytest.mark.parametrize(("place", "lines", "found"), TWIN_FAULTS.values(), ids=TWIN_FAULTS)
def test_what_an_array_of_two_products_leaves(tmp_path, monkeypatch, place, lines, found):
    module, name = place
    broken = getattr(plant(tmp_path, module, *lines), name)
    unit = TWIN
    if module is rtl.mul.systolic_twin:
        monkeypatch.setattr(TwinSystolic, "hardware", broken)
    else:
        monkeypatch.setattr(rtl.mul.systolic_twin, name, broken)
    assert found in unlisted(check_unit(by_itself(unit)), ARITHMETIC, FAMILIES)


@pytest.mark.parametrize(
    "name", [name for name in (*DESIGNS, "mul-rem-001") if name not in SAME_PARTS]
)
def test_exponentiator(name: str):
    design = find(name)
    runner, registers = tried(design.at(NBITS).rtl())
    check_exponentiator(runner, design.at(NBITS), cases_of(design), STALLED)
    assert unlisted(registers, ARITHMETIC) == {}


def test_windows():
    """A loop that DESIGNS has not: the powers of its table are as much as operands."""
    design = find("mont(units=1,loop=windows-2)")
    runner, registers = tried(design.at(NBITS).rtl())
    check_exponentiator(runner, design.at(NBITS), cases_of(design), STALLED)
    assert unlisted(registers, ARITHMETIC, FAMILIES) == {}


# Shares of the exponent, a row that splits, and one of two stages: no design of the catalog's first
# table has these.
@pytest.mark.parametrize(
    "name", ["array-4-masked", "array-crt-16", "mont-ladder-masked", "array-16-stages-2"]
)
def test_row(name: str):
    design = find(name)
    runner, registers = tried(design.at(NBITS).rtl())
    check_exponentiator(runner, design.at(NBITS), cases_of(design)[:1], STALLED)
    assert unlisted(registers, ARITHMETIC, ROWS) == {}


# Results that stay and that are shifted out, a modulus that is kept, one that is compared; another
# port.
@pytest.mark.parametrize("name", ["mont-best", "ssmm-004", "mul-rem", "cm-pseudo-1", "tiny"])
def test_accelerator(name: str):
    design = find(name)
    runner, registers = tried(design.xcel("rtl", NBITS), "xcel.req", "xcel.resp")
    check_xcel(runner, design.at(NBITS), cases_of(design), STALLED)
    assert unlisted(registers, ARITHMETIC, ACCELERATOR) == {}


def test_no_accelerator():
    runner, registers = tried(NullXcelRTL(), "xcel.req", "xcel.resp")
    runner.run([XcelReq(WRITE, 0, 77), XcelReq(READ, 0, 0), XcelReq(WRITE, 3, 9)], STALLED)
    assert unlisted(registers, {"NullXcelRTL": "type_ register_0"}) == {}


def peripheral(fixed: Fixed, hardware: type[Component] = PeripheralRTL) -> Registers:
    """A peripheral in each cycle of whose work a reset is tried: a key is loaded and used."""
    exponentiator: Exponentiator = find("mont-best").at(OF_WORDS)
    component = hardware(exponentiator, fixed, design="mont-best")
    component.elaborate()
    registers = Registers(component)
    pins = PythonPins(component)
    registers.prepared(pins.settle, pins.edge)
    pins.edge = registers.tried_edge
    master = BusMaster(pins)
    master.reset(RandomPauses(1, longest=2), random_bytes(1))
    asked = [Operation(b"abcd", True, 0), Operation(b"ab", False, 0)]
    check_operations(master, exponentiator, KEY, asked, fixed)
    return registers


@pytest.mark.parametrize(
    "fixed", [LOADED, Fixed(KEY.modulus, (KEY.e, KEY.d))], ids=["loaded", "fixed"]
)
def test_peripheral(fixed: Fixed):
    assert unlisted(peripheral(fixed), ARITHMETIC, PERIPHERAL) == {}


KEPT = "s.kept <<= 0\n            elif s.write:\n                s.kept <<= s.data\n"

# A class of a file, what its block says (the fault has it keep the value), and what is then left.
PORT_FAULTS = {
    "a key": (
        (rtl.port.operand_banks, "LoadedWords"),
        KEPT + "\n",
        ("KeptWord", "kept"),
    ),
    "an input": (
        (rtl.port.operand_banks, "LoadedBytes"),
        KEPT + "   ",
        ("TurningWord", "kept"),
    ),
}


@pytest.mark.parametrize(("place", "sound", "found"), PORT_FAULTS.values(), ids=PORT_FAULTS)
def test_a_key_that_stays(tmp_path, monkeypatch, place, sound, found):
    module, name = place
    faulty = sound.replace(" <<= 0", f" <<= {sound.split()[0]}", 1)
    broken = plant(tmp_path, module, sound, faulty)
    monkeypatch.setattr(rtl.port.peripheral, name, getattr(broken, name))
    assert found in unlisted(peripheral(LOADED), ARITHMETIC, PERIPHERAL)


def test_a_reset_that_a_state_ignores(tmp_path):
    sound = "if s.reset:\n                s.state"
    faulty = "if s.reset & (s.state != UNLOAD):\n                s.state"
    broken = plant(tmp_path, rtl.mul.digit_serial, sound, faulty)
    unit = MULTIPLIERS["serial-8"].by_itself(NBITS)
    runner, registers = tried(broken.DigitSerialRTL(NBITS, unit.word_bits))
    check_multiplier(runner, unit, [MulCase("one", NBITS, 201, 187, 251)], STALLED)
    assert ("DigitSerialRTL", "state") in unlisted(registers, ARITHMETIC)
