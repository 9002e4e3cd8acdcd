"""Single units of the processor: each condition of theirs is met and, by itself, not met."""

from collections.abc import Callable

import pytest
from pymtl3 import Component

from proc.bus_map import WINDOW
from proc.isa import F3_CSRRC, F3_CSRRCI, F3_CSRRS, F3_CSRRSI, F3_CSRRW, F3_CSRRWI
from proc.messages import MemReq
from proc.rtl.bus_bridge import BusBridge
from proc.rtl.control_word import (
    READ_CYCLE,
    READ_CYCLEH,
    READ_INSTRET,
    READ_INSTRETH,
    READ_STATS,
    READ_ZERO,
    UNIT_DIV,
    ControlWord,
)
from proc.rtl.csr_unit import CsrUnit
from proc.rtl.execute import Execute
from proc.rtl.hazards import FROM_FILE, FROM_M, FROM_W, FROM_X, Producers
from proc.rtl.reuse import DivisionTag
from sim.python import half_cycles

pytestmark = pytest.mark.quick
READ, WRITE = 0, 1


def started(unit: Component) -> tuple[Callable[[], None], Callable[[], None]]:
    """Reset a unit; what lets it settle, and its clock edge."""
    settle, edge = half_cycles(unit, None)
    unit.reset @= 1
    settle()
    edge()
    unit.reset @= 0
    settle()
    return settle, edge


def drive(unit: Component, **values: int) -> None:
    for name, value in values.items():
        port = getattr(unit, name)
        port @= value


DIVISION = {"is_div": 1, "as_unsigned": 0, "rs1": 5, "rs2": 9, "wen": 1, "rd": 7, "enter": 1}


@pytest.fixture(scope="module")
def tag() -> tuple[DivisionTag, Callable[[], None], Callable[[], None]]:
    unit = DivisionTag()
    return unit, *started(unit)


@pytest.mark.parametrize("as_unsigned", [0, 1])
def test_what_is_divided_again(tag, as_unsigned: int) -> None:
    """The same registers and signs, and nothing else."""
    unit, settle, edge = tag
    first = DIVISION | {"as_unsigned": as_unsigned}
    drive(unit, **first)
    settle()
    edge()
    changes = ({}, {"rd": 1}, {"wen": 0}, {"rs1": 4}, {"rs2": 1}, {"is_div": 0})
    for change in (*changes, {"as_unsigned": 1 - as_unsigned}, {"rs1": 9, "rs2": 5}):
        drive(unit, **(first | {"enter": 0} | change))
        settle()
        assert unit.live
        assert bool(unit.hit) == (not change or set(change) <= {"rd", "wen"}), change
        edge()  # an instruction that waits in D changes nothing


@pytest.mark.parametrize(
    ("following", "live"),
    [
        ({"is_div": 0, "rd": 5}, False),
        ({"is_div": 0, "rd": 9}, False),
        ({"is_div": 0, "rd": 5, "wen": 0}, True),
        ({"is_div": 0, "rd": 5, "enter": 0}, True),
        ({"is_div": 0, "rd": 6}, True),
        ({"rs1": 3, "rs2": 4, "rd": 5}, True),  # another division's registers count from now on
        ({"rs1": 3, "rs2": 4, "rd": 3}, False),
        ({"rs1": 3, "rs2": 4, "rd": 4}, False),
        ({"rd": 5}, False),
    ],
)
def test_what_forgets_a_division(tag, following: dict[str, int], live: bool) -> None:
    unit, settle, edge = tag
    for row in (DIVISION, DIVISION | following):
        drive(unit, **row)
        settle()
        edge()
    drive(unit, enter=0)
    settle()
    assert bool(unit.live) == live


def test_nothing_is_divided_again_after_a_reset(tag) -> None:
    unit, settle, edge = tag
    drive(unit, **DIVISION)
    settle()
    edge()
    unit.reset @= 1
    settle()
    edge()
    unit.reset @= 0
    settle()
    assert not unit.live
    assert not unit.hit


DIV, REM = 0b100, 0b110
MOST_STEPS = 40  # of a division


@pytest.mark.parametrize("keep", [0, 1])
@pytest.mark.parametrize("divider", ["seed", "fast"])
def test_a_division_is_done_until_it_leaves(divider: str, keep: int) -> None:
    """However long M has no room; if the answer is kept, so is the remainder that it is used for
    again. The division behind it has an answer of its own."""
    unit = Execute(divider)
    settle, edge = started(unit)
    unit.control @= ControlWord()
    unit.control.unit @= UNIT_DIV

    def begin(fn: int, a: int, b: int, reuse: int = 0, keep: int = 0) -> None:
        unit.control.fn @= fn
        drive(unit, a=a & 0xFFFFFFFF, b=b, div_val=1, div_reuse=reuse, div_keep=keep, go=0)
        settle()
        assert unit.div_done == reuse

    def leave(result: int) -> None:
        """Once it is done, and has waited for some cycles."""
        for _ in range(MOST_STEPS):
            if unit.div_done:
                break
            edge()
            settle()
        for _ in range(3):
            assert unit.div_done
            assert int(unit.result) == result & 0xFFFFFFFF
            assert "(D    )" in unit.div.line_trace()
            edge()
            settle()
        unit.go @= 1
        settle()
        assert unit.div_done
        edge()

    begin(DIV, -100, 7, keep=keep)
    leave(-14)
    if keep:
        begin(REM, -100, 7, reuse=1, keep=1)
        leave(-2)
    for fn, answer in ((REM, 2), (DIV, 3)):
        begin(fn, 11, 3)
        leave(answer)


ALL = {"used": 1, "rs": 6, "wen_X": 1, "rd_X": 6, "wen_M": 1, "rd_M": 6, "wen_W": 1, "rd_W": 6}


@pytest.mark.parametrize(
    ("change", "source", "in_X", "in_M"),
    [
        ({}, FROM_X, 1, 1),
        ({"wen_X": 0}, FROM_M, 0, 1),
        ({"rd_X": 7}, FROM_M, 0, 1),
        ({"rd_M": 4}, FROM_X, 1, 0),
        ({"wen_X": 0, "wen_M": 0}, FROM_W, 0, 0),
        ({"rd_X": 22, "rd_M": 2}, FROM_W, 0, 0),
        ({"wen_X": 0, "wen_M": 0, "wen_W": 0}, FROM_FILE, 0, 0),
        ({"wen_X": 0, "wen_M": 0, "rd_W": 14}, FROM_FILE, 0, 0),
        ({"used": 0}, None, 0, 0),
    ],
)
def test_where_an_operand_comes_from(
    change: dict[str, int], source: int | None, in_X: int, in_M: int
) -> None:
    unit = Producers()
    settle, _ = started(unit)
    drive(unit, **(ALL | change))
    settle()
    assert (int(unit.in_X), int(unit.in_M)) == (in_X, in_M)
    assert source is None or int(unit.source) == source


def test_while_the_bus_is_asked_memory_is_not() -> None:
    """Until the slave's answer is taken; and neither is where one of both could not take it."""
    b = BusBridge()
    settle, edge = started(b)
    b.memory.req.rdy @= 0
    b.processor.req.val @= 1
    b.processor.req.msg @= MemReq(READ, WINDOW + 8, 15, 0)
    for ready in (0, 1):
        b.memory.req.rdy @= ready
        settle()
        assert int(b.processor.req.rdy) == ready
        assert not b.memory.req.val
        edge()
        settle()
        assert int(b.m_axi_arvalid) == ready
    b.processor.req.msg @= MemReq(WRITE, 0x1000, 15, 3)
    for valid, taken in ((0, 1), (1, 0), (1, 1)):
        b.m_axi_rvalid @= valid
        b.processor.resp.rdy @= taken
        settle()
        free = valid & taken
        assert (int(b.memory.req.val), int(b.processor.req.rdy)) == (free, free)
        edge()
    b.m_axi_rvalid @= 0
    b.processor.req.val @= 0
    settle()
    assert not b.memory.req.val
    b.processor.req.val @= 1
    settle()
    assert b.memory.req.val


def test_which_word_of_which_counter_is_read() -> None:
    unit = CsrUnit()
    settle, _ = started(unit)
    unit.control @= ControlWord()
    for counter, low, high in ((unit.cycles, 3, 5), (unit.instructions, 7, 11)):
        counter.low @= low
        counter.high @= high
    words = {READ_CYCLE: 3, READ_CYCLEH: 5, READ_INSTRET: 7, READ_INSTRETH: 11, READ_ZERO: 0}
    for number, word in words.items():
        unit.control.csr @= number
        settle()
        assert int(unit.value) == word, number


@pytest.mark.parametrize("puts", [0, 1])
@pytest.mark.parametrize(
    ("kinds", "kept", "operand", "then"),
    [
        ((F3_CSRRW, F3_CSRRWI), 0, 1, 1),
        ((F3_CSRRW, F3_CSRRWI), 1, 0, 0),
        ((F3_CSRRW, F3_CSRRWI), 0, 6, 0),
        ((F3_CSRRS, F3_CSRRSI), 0, 0, 0),
        ((F3_CSRRS, F3_CSRRSI), 0, 1, 1),
        ((F3_CSRRS, F3_CSRRSI), 1, 0, 1),
        ((F3_CSRRS, F3_CSRRSI), 1, 7, 1),
        ((F3_CSRRC, F3_CSRRCI), 0, 0, 0),
        ((F3_CSRRC, F3_CSRRCI), 0, 1, 0),
        ((F3_CSRRC, F3_CSRRCI), 1, 0, 1),
        ((F3_CSRRC, F3_CSRRCI), 1, 6, 1),
        ((F3_CSRRC, F3_CSRRCI), 1, 3, 0),
    ],
)
def test_whether_statistics_count(
    kinds: tuple[int, int], kept: int, operand: int, then: int, puts: int
) -> None:
    """Bit 0 is written, set or cleared by bit 0, in the cycle in which the instruction leaves X;
    what is read is the bit as it was."""
    for fn in kinds:
        unit = CsrUnit()
        settle, edge = started(unit)

        def ask(fn: int, operand: int, puts: int, unit=unit, settle=settle) -> None:
            unit.control.fn @= fn
            unit.control.csr @= READ_STATS
            unit.control.stats_put @= puts
            unit.operand @= operand
            settle()

        unit.control @= ControlWord()
        unit.go @= 1
        ask(F3_CSRRW, kept, 1)
        edge()
        ask(fn, operand, puts)
        assert (int(unit.value), int(unit.stats)) == (kept, then if puts else kept)
        unit.go @= 0
        settle()
        edge()
        ask(fn, operand, 0)
        assert int(unit.value) == kept
        unit.go @= 1
        ask(fn, operand, puts)
        edge()
        ask(fn, operand, 0)
        assert int(unit.value) == (then if puts else kept)
