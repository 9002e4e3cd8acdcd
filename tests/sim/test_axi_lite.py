"""The bus master's own rules: a slave that breaks one is found out."""

from itertools import cycle

import pytest

import fl.axi_lite
import fl.component.axi_lite
import fl.component.peripheral
import sim.axi_lite
from fl.axi_lite import OKAY, RESPONSE_CYCLES, SLVERR
from fl.exponentiator import mod_exp
from fl.peripheral_driver import Access, load_key, operate
from fl.peripheral_map import (
    CAPABILITIES,
    INPUT_FIFO,
    INTERRUPT_ENABLE,
    STATUS,
    WRITE_ADDRESS,
)
from fl.pkcs1 import ENCRYPTION
from sim.axi_lite import BusMaster
from sim.axi_protocol import BusTimeout, Pauses, ProtocolError
from sim.pins import PythonPins
from tests.bus_traffic import disturb
from tests.faults import faults, plant
from tests.pauses import RandomPauses

NBITS = 40


class Slow(Pauses):
    """The address comes long before or after the data, answers are taken late."""

    def __init__(self, **waits: int) -> None:
        self.waits = waits

    def __call__(self, channel: str) -> int:
        return self.waits.get(channel, 0)


def master_of(module) -> BusMaster:
    return BusMaster(PythonPins(module.PeripheralFL(NBITS, mod_exp)))


@pytest.fixture(scope="module")
def master() -> BusMaster:
    return master_of(fl.component.peripheral)


@pytest.mark.quick
@pytest.mark.parametrize("waits", [{}, {"aw": 7}, {"w": 7}, {"b": 5, "r": 5}], ids=str)
def test_an_access_is_answered_in_time(master: BusMaster, waits: dict[str, int]):
    master.reset(Slow(**waits))
    rows = [
        (Access(INPUT_FIFO, 7), OKAY, 0),
        (Access(WRITE_ADDRESS, 2), SLVERR, 0),
        (Access(CAPABILITIES), OKAY, 0x0301_0000 | NBITS),
        (Access(CAPABILITIES + 1), SLVERR, 0),
    ]
    for access, response, data in rows:
        done = master.access(access)
        assert (done.response, done.data) == (response, data)
        assert done.cycles == RESPONSE_CYCLES or "b" in waits


@pytest.mark.quick
def test_a_status_that_is_read_while_it_is_written(master: BusMaster):
    master.reset(RandomPauses(3), cycle([1]))
    disturb(master, NBITS, 3, 100)
    assert master.read(STATUS)[1] == 0


@pytest.mark.quick
@faults(
    {
        "a response that is withdrawn": (
            "if self.response is not None and bus.s_axi_bready:",
            "if self.response is not None:",
        ),
        "an answer that is withdrawn": (
            "if self.answer is not None and bus.s_axi_rready:",
            "if self.answer is not None:",
        ),
        "a response before the data": (
            "if self.address is not None and self.data is not None:",
            "if self.address is not None:\n            self.data = self.data or (0, 15)",
        ),
        "two writes at a time": (
            '"awready": self.address is None and self.response is None',
            '"awready": self.address is None',
        ),
        "no response": ('"bvalid": self.response is not None', '"bvalid": self.response == 2'),
        "data that change": ('"rdata": data,', '"rdata": data ^ bus_cycle(self),'),
    }
)
def test_a_broken_slave(tmp_path, sound: str, faulty: str):
    channels = plant(tmp_path, fl.component.axi_lite, sound, faulty)
    count = cycle((0, 1))
    channels.bus_cycle = lambda self: next(count)
    imported = "from fl.component.axi_lite import", f"from {channels.__name__} import"
    broken = plant(tmp_path, fl.component.peripheral, *imported)
    master = master_of(broken)
    with pytest.raises((ProtocolError, BusTimeout)):
        disturb(master, NBITS, 1, 60)


@pytest.mark.quick
def test_what_is_counted_until_a_reset():
    """Cycles, interrupts, bytes and those that were waited for; a reset begins anew."""
    master = BusMaster(PythonPins(fl.component.peripheral.PeripheralFL(102, mod_exp)))
    master.reset(source=iter([0, 7, 0, 0, *[9] * 40]))
    assert (master.cycle, master.waited, master.irq, master.rises) == (0, 0, False, [])
    assert master.perform(load_key(102, (1 << 101) + 1, (1, 1))) is None
    assert master.write(INTERRUPT_ENABLE, 1) == OKAY
    master.perform(operate(102, b"ab", False, ENCRYPTION))
    drawn = [byte for byte in master.drawn if byte]
    assert drawn == [7, *[9] * (len(drawn) - 1)]
    assert len(master.drawn) - len(drawn) == 3
    assert master.waited == 3
    assert len(master.rises) == len(master.operations) == 1
    assert master.irq
    master.reset()
    assert (master.cycle, master.waited, master.irq, master.drawn) == (0, 0, False, [])
    assert (master.rises, master.accesses) == ([], 0)


@pytest.mark.quick
def test_an_access_that_takes_too_long(master: BusMaster, monkeypatch: pytest.MonkeyPatch):
    """A write is answered two cycles after it is taken, in cycle 0, and the answer as late as the
    master is ready."""
    monkeypatch.setattr(sim.axi_lite, "LIMIT", 20)
    for late, in_time in ((18, True), (60, False)):
        master.reset(Slow(b=late))
        if in_time:
            assert master.write(INPUT_FIFO, 7) == OKAY
            assert master.cycle == 19
        else:
            with pytest.raises(BusTimeout, match="no answer after 20 cycles"):
                master.write(INPUT_FIFO, 7)
            assert master.cycle == 21


@pytest.mark.quick
def test_a_procedure_that_waits_too_long(master: BusMaster):
    def procedure():
        yield None

    master.reset()
    with pytest.raises(BusTimeout, match="no interrupt after 7 cycles"):
        master.perform(procedure(), 7)
    assert master.cycle == 8


@pytest.mark.quick
def test_a_line_that_never_rises(master: BusMaster):
    master.reset()
    with pytest.raises(BusTimeout, match="no interrupt after 20 cycles"):
        master.until_irq(20)
    assert master.cycle in (20, 21)
