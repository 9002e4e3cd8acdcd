"""Drivers and keys, fact by fact: what a reset forgets, what is refused, what is left out."""

from collections.abc import Generator
from pathlib import Path

import pytest
from pymtl3 import Bits3, Bits5, Component, mk_bitstruct, update_once
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.server import ServerCL
from cl.unit import Unit
from fl.component.peripheral import PeripheralFL
from fl.exponentiator import mod_exp
from fl.peripheral_driver import Access
from fl.peripheral_map import CAPABILITIES, INPUT_FIFO, INTERRUPT_ENABLE, WRITE_ADDRESS
from sim.axi_lite import BusMaster
from sim.axi_protocol import ProtocolError
from sim.closure import Code
from sim.handshake import HandshakeError
from sim.pins import PythonPins
from sim.stream import SimulationTimeout, Stalls, StreamRunner
from sim.transfers import packer

pytestmark = pytest.mark.quick
NBITS = 40


@pytest.fixture(scope="module")
def pins() -> PythonPins:
    return PythonPins(PeripheralFL(NBITS, mod_exp))


@pytest.mark.parametrize("access", [Access(WRITE_ADDRESS, 2), Access(CAPABILITIES + 1)], ids=str)
def test_a_refused_access_ends_a_procedure(pins: PythonPins, access: Access) -> None:
    """A write beyond the operand, and a read of no register."""

    def procedure() -> Generator[Access, int, str]:
        yield Access(INPUT_FIFO, 7)
        yield access
        return "done"

    with pytest.raises(ProtocolError, match="is refused$"):
        BusMaster(pins).perform(procedure())


def test_a_procedure_is_told_what_it_reads(pins: PythonPins) -> None:
    def procedure() -> Generator[Access, int, list[int]]:
        found = []
        for enable in (1, 0):
            yield Access(INTERRUPT_ENABLE, enable)
            found.append((yield Access(INTERRUPT_ENABLE)))
        return found

    master = BusMaster(pins)
    assert master.perform(procedure()) == [1, 0]
    assert (master.operations, master.accesses) == ([], 4)


@pytest.mark.parametrize("cycles", [0, 1, 2])
def test_a_reset_forgets_what_is_queued(pins: PythonPins, cycles: int) -> None:
    master = BusMaster(pins)
    pending = [master.begin(Access(INTERRUPT_ENABLE, 1)), master.begin(Access(CAPABILITIES))]
    master.idle(cycles)
    assert not any(one.answered for one in pending)
    master.reset()
    assert not any(master.queues.values())
    assert (master.cycle, master.accesses, master.rises) == (0, 0, [])
    data, _ = master.read(INTERRUPT_ENABLE)
    assert data == 0


def test_a_field_holds_so_many_bits_and_no_more() -> None:
    packed = packer(mk_bitstruct("Two", {"high": Bits3, "low": Bits5}))
    assert packed(0, 0) == 0
    assert packed(7, 31) == 255
    assert packed(5, 2) == 0b101_00010
    for fields, message in (((8, 0), "8 does not fit a field of 3"), ((0, 32), "32 does not fit")):
        with pytest.raises(ValueError, match=message):
            packed(*fields)
    with pytest.raises(ValueError, match="zip"):
        packed(1)


class Sixty(Unit):
    """a * b mod m in 60 cycles."""

    def value(self, a: int, b: int, m: int) -> int:
        return a * b % m

    def latency(self, a: int, b: int, m: int) -> int:
        return 60


@pytest.mark.parametrize(
    ("request_", "response", "times"),
    [
        # The second is taken in the cycle after the first answer, or as its own wait ends.
        ((0,), (0,), [(0, 60), (61, 121)]),
        ((0,), (30,), [(0, 60), (61, 121)]),
        ((0,), (59,), [(0, 60), (61, 121)]),
        ((0,), (61,), [(0, 61), (62, 123)]),
        ((0,), (200, 0), [(0, 200), (201, 261)]),
        ((0, 30), (0,), [(0, 60), (61, 121)]),
        ((0, 100), (0,), [(0, 60), (101, 161)]),
        ((7, 0), (70, 3), [(7, 70), (71, 131)]),
    ],
)
def test_waits_go_on_in_cycles_that_are_left_out(
    request_: tuple[int, ...], response: tuple[int, ...], times: list[tuple[int, int]]
) -> None:
    """Of 60 quiet cycles none is simulated; those that are waited are over after them."""
    unit = Sixty(8)
    Request, _ = unit.messages
    with StreamRunner(ServerCL(unit), "cl") as runner:
        runner.engine.edge = counted(runner.engine.edge)
        found = runner.run([Request(3, 5, 7)] * 2, Stalls("told", request_, response))
    assert [(one.accepted, one.arrived) for one in found] == times
    assert len(calls) < times[-1][1] - 50


calls: list[int] = []


def counted(edge):
    calls.clear()

    def count() -> None:
        calls.append(1)
        edge()

    return count


class WithRdy(Component):
    """Answers 1 to who is ready in the cycle in which it is complete, and 0 to others."""

    def construct(s, model: Unit) -> None:
        Request, Response = model.messages
        s.recv, s.send = RecvIfcRTL(Request), SendIfcRTL(Response)
        s.server = ServerCL(model)
        s.server.recv //= s.recv

        @update_once
        def answer():
            s.send.val @= s.server.send.val
            s.server.send.rdy @= s.send.rdy
            s.send.msg @= Response(int(s.send.rdy))

    def quiet(s) -> int:
        return s.server.quiet()

    def skip(s, cycles: int) -> None:
        s.server.skip(cycles)


@pytest.mark.parametrize(
    ("request_", "response"), [(0, 0), (0, 7), (0, 60), (30, 0), (30, 7), (100, 0)]
)
def test_cycles_that_are_left_out_are_there_when_a_run_is_repeated(
    request_: int, response: int
) -> None:
    """What depends on rdy in the cycle of the first answer is seen, after however many of them."""
    unit = Sixty(8)
    Request, _ = unit.messages
    with StreamRunner(WithRdy(unit), "cl") as runner:
        stalls = Stalls("told", (request_, 0), (response,))
        with pytest.raises(HandshakeError, match=r"send\.msg depends on send\.rdy") as caught:
            runner.run([Request(3, 5, 7)] * 2, stalls)
        assert caught.value.cycle == request_ + 60


def test_a_reset_drives_what_somebody_else_wrote_to_the_port() -> None:
    unit = Sixty(8)
    Request, _ = unit.messages
    with StreamRunner(ServerCL(unit), "cl") as runner:
        runner.run([Request(3, 5, 7)])
        port = runner.engine.recv.msg
        for one in (Request(1, 2, 3), Request(255, 0, 0)):
            port @= one
            runner.engine.reset()
            assert port == Request()


def test_cycles_that_are_left_out_end_before_the_limit() -> None:
    """The last ten cycles are simulated, and shown."""
    unit = Sixty(8)
    Request, _ = unit.messages
    with StreamRunner(ServerCL(unit), "cl") as runner:
        with pytest.raises(SimulationTimeout) as caught:
            runner.run([Request(3, 5, 7)], max_cycles=40)
        assert (caught.value.cycle, caught.value.received, len(caught.value.last)) == (40, 0, 10)
        assert [line.split(":")[0].strip() for line in caught.value.last] == [
            str(cycle) for cycle in range(30, 40)
        ]
        assert runner.run([Request(3, 5, 7)], max_cycles=61)[0].arrived == 60


def test_a_text_is_read_as_its_ending_says(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("MODEXPLORER_SHARED", str(tmp_path / "batch"))
    root = tmp_path / "tree"
    (root / "fl").mkdir(parents=True)
    same = "#include <a>\n# import b\nimport c\n"
    digests = {}
    for ending in (".py", ".c", ".ys", ".txt"):
        path = root / f"fl/same{ending}"
        path.write_text(same)
        digests[ending] = Code(root).facts(path)
    assert len({facts.digest for facts in digests.values()}) == 4
    assert digests[".py"].imports == ((0, "c", ()),)
    assert digests[".c"].imports == ()
