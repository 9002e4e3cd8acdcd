"""The processor's way to its bus: nothing lost, doubled or out of order, whatever pauses."""

from dataclasses import dataclass, field
from random import Random
from types import ModuleType

import pytest
from pymtl3 import Component

import proc.rtl.bus_bridge
from fl.axi_lite import OKAY, RESPONSE_CYCLES, SLVERR
from fl.xcel import READ, WRITE
from proc.asm.assembler import assemble
from proc.bus_map import WINDOW, WINDOW_BYTES, in_window
from proc.manager import Manager
from proc.messages import MemReq, MemResp
from sim.python import half_cycles
from tests.faults import faults, plant
from tests.proc_harness import LIMIT, bus_batch

Access = tuple[int, int, int, int]  # type, address, strobes, data
MOST_CYCLES = 100  # that an access may take
DECERR = 0b11  # what AXI's interconnect answers where there is no slave


def answer_of(access: Access) -> int:
    """What memory and slave answer to a read: no two the same."""
    return access[1] * 0x9E3779B1 + 1 & 0xFFFFFFFF


def any_access(rng: Random) -> Access:
    address = rng.choice((WINDOW, WINDOW - 4, WINDOW + WINDOW_BYTES, 0, 0x80000000, 0x60000000))
    address += rng.randrange(0, WINDOW_BYTES, 4) if address != WINDOW - 4 else 0
    if rng.random() < 0.5:
        return READ, address, 15, 0
    return WRITE, address, rng.randrange(1, 16), rng.getrandbits(32)


class Offered:
    """Checks that what is offered stays until it is taken."""

    def __init__(self) -> None:
        self.before: tuple[int, ...] | None = None

    def see(self, valid: int, ready: int, *payload: int) -> bool:
        """Whether it is taken in this cycle."""
        assert self.before is None or (valid and payload == self.before), "withdrawn"
        self.before = payload if valid and not ready else None
        return bool(valid and ready)


@dataclass
class Around:
    """What is around the bridge: a processor, a memory and a slave, each of which may pause."""

    bridge: Component
    rng: Random
    pauses: bool
    seen: list[Access] = field(default_factory=list)  # on the bus
    stored: list[Access] = field(default_factory=list)  # in memory
    address: int | None = None  # of a write on the bus
    data: tuple[int, int] | None = None
    response: bool = False
    answer: int | None = None  # to a read on the bus
    loaded: int | None = None  # from memory

    def __post_init__(self) -> None:
        names = ("aw", "w", "ar")
        self.channels = {name: Offered() for name in names}

    def ready(self) -> bool:
        return not self.pauses or self.rng.random() < 0.6

    def drive(self, access: Access | None) -> None:
        """Set the inputs; the processor asks for an access, or for none."""
        b = self.bridge
        b.processor.req.val @= access is not None
        if access is not None:
            b.processor.req.msg @= MemReq(*access)
        b.processor.resp.rdy @= self.ready()
        b.memory.req.rdy @= self.ready()
        b.memory.resp.val @= self.loaded is not None and self.ready()
        b.memory.resp.msg @= MemResp(self.loaded or 0)
        free = not self.response and self.answer is None
        b.m_axi_awready @= free and self.address is None and self.ready()
        b.m_axi_wready @= free and self.data is None and self.ready()
        b.m_axi_arready @= free and self.ready()
        b.m_axi_bvalid @= self.response
        b.m_axi_bresp @= OKAY
        b.m_axi_rvalid @= self.answer is not None
        b.m_axi_rdata @= self.answer or 0
        b.m_axi_rresp @= OKAY

    def observe(self) -> tuple[bool, int | None]:
        """Take what is handed over: (the access is accepted, its answer)."""
        b, wires = self.bridge, self.channels
        accepted = bool(b.processor.req.val & b.processor.req.rdy)
        answer = int(b.processor.resp.msg.data) if b.processor.resp.val else None
        if not b.processor.resp.rdy:
            answer = None
        if b.memory.resp.val & b.memory.resp.rdy:
            self.loaded = None
        if b.m_axi_bvalid & b.m_axi_bready:
            self.response = False
        if b.m_axi_rvalid & b.m_axi_rready:
            self.answer = None
        if b.memory.req.val & b.memory.req.rdy:
            msg = b.memory.req.msg
            self.stored.append(tuple(int(v) for v in (msg.type_, msg.addr, msg.strb, msg.data)))
            self.loaded = answer_of(self.stored[-1])
        if wires["aw"].see(b.m_axi_awvalid, b.m_axi_awready, int(b.m_axi_awaddr)):
            self.address = int(b.m_axi_awaddr)
        payload = int(b.m_axi_wstrb), int(b.m_axi_wdata)
        if wires["w"].see(b.m_axi_wvalid, b.m_axi_wready, *payload):
            self.data = payload
        if wires["ar"].see(b.m_axi_arvalid, b.m_axi_arready, int(b.m_axi_araddr)):
            self.seen.append((READ, WINDOW + int(b.m_axi_araddr), 15, 0))
            self.answer = answer_of(self.seen[-1])
        if self.address is not None and self.data is not None and self.ready():
            self.seen.append((WRITE, WINDOW + self.address, *self.data))
            self.address = self.data = None
            self.response = True
        return accepted, answer


def check(module: ModuleType, seed: int, pauses: bool, count: int = 60) -> None:
    """Random accesses one after the other, the next one as early as it may come."""
    bridge = module.BusBridge()
    settle, edge = half_cycles(bridge, None)
    bridge.reset @= 1
    settle(), edge(), edge()
    bridge.reset @= 0
    rng = Random(seed)
    around = Around(bridge, rng, pauses)
    accesses = [any_access(rng) for _ in range(count)]
    asked, answers, cycle = 0, 0, 0
    while answers < count:
        cycle += 1
        assert cycle < MOST_CYCLES * count, "it hangs"
        # The processor asks again in the cycle of an answer at the soonest, as M is free then.
        around.drive(None)
        settle()
        free = asked == answers or bool(bridge.processor.resp.val & bridge.processor.resp.rdy)
        wants = asked < count and free and around.ready()
        bridge.processor.req.val @= wants
        if wants:
            bridge.processor.req.msg @= MemReq(*accesses[asked])
        settle()
        accepted, answer = around.observe()
        if answer is not None:
            assert asked > answers, "an answer to nothing"
            if accesses[answers][0] == READ:
                assert answer == answer_of(accesses[answers])
            answers += 1
        asked += accepted
        edge()
    assert around.seen == [one for one in accesses if in_window(one[1])]
    assert around.stored == [one for one in accesses if not in_window(one[1])]


@pytest.mark.parametrize("pauses", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_any_accesses(seed: int, pauses: bool):
    check(proc.rtl.bus_bridge, seed, pauses)


FAULTS = {
    "an address offered once": ("if s.m_axi_awready:", "if s.sends_address:"),
    "data offered once": ("if s.m_axi_wready:", "if s.sends_data:"),
    "a read offered once": ("if s.m_axi_arready:", "if s.sends_read:"),
    "an address offered again": ("if s.m_axi_awready:", "if s.answers:"),
    "valid waits for ready": (
        "s.m_axi_wvalid @= s.sends_data",
        "s.m_axi_wvalid @= s.sends_data & s.m_axi_awready",
    ),
    "all strobes": ("s.strobes <<= s.processor.req.msg.strb", "s.strobes <<= 15"),
    "the window twice as large": (
        "s.processor.req.msg.addr[ADDRESS_BITS:32] == WINDOW_NUMBER",
        "s.processor.req.msg.addr[ADDRESS_BITS + 1 : 32] == WINDOW_NUMBER >> 1",
    ),
    "an answer that is not taken": (
        "(s.answers & s.processor.resp.rdy)",
        "s.answers",
    ),
}


@faults(FAULTS)
def test_fault(tmp_path, sound: str, faulty: str):
    module = plant(tmp_path, proc.rtl.bus_bridge, sound, faulty)
    with pytest.raises(AssertionError):
        [check(module, seed, True) for seed in range(3)]


@pytest.mark.parametrize("channel", ["b", "r"])
def test_a_refusal_is_told_and_stays(channel: str):
    bridge = proc.rtl.bus_bridge.BusBridge()
    settle, _ = half_cycles(bridge, None)
    bridge.processor.resp.rdy @= 1
    for response in (OKAY, SLVERR, DECERR):
        valid, code = (getattr(bridge, f"m_axi_{channel}{name}") for name in ("valid", "resp"))
        valid @= 1
        code @= response
        settle()
        refused = response != OKAY
        assert bool(bridge.refused) == refused
        assert bool(bridge.processor.resp.val) != refused
        assert bool(getattr(bridge, f"m_axi_{channel}ready")) != refused


def test_the_line_trace_shows_an_access_until_it_is_offered_no_more_and_its_answer():
    bridge = proc.rtl.bus_bridge.BusBridge()
    settle, edge = half_cycles(bridge, None)

    def shown(**inputs: int) -> str:
        for name, value in inputs.items():
            port = getattr(bridge, f"m_axi_{name}")
            port @= value
        settle()
        return bridge.line_trace().rstrip()

    def ask(type_: int, address: int) -> None:
        bridge.processor.req.val @= 1
        bridge.processor.req.msg @= MemReq(type_, WINDOW + address, 15, 0xABCDEF01)
        settle()
        edge()
        bridge.processor.req.val @= 0

    bridge.memory.req.rdy @= 1
    bridge.processor.resp.rdy @= 1
    bridge.reset @= 1
    settle(), edge()
    bridge.reset @= 0
    assert shown() == ""
    for first, last in (("awready", "wready"), ("wready", "awready")):
        ask(WRITE, 0x34)
        assert shown(**{first: 1}) == "W[34]=abcdef01"
        edge()
        assert shown(**{first: 0, last: 1}) == "W[34]=abcdef01"
        edge()
        assert shown(**{last: 0}) == ""
        assert shown(bvalid=1, bresp=SLVERR) == "refused"
        assert shown(bresp=OKAY) == "done"
        edge()
        assert shown(bvalid=0) == ""
    ask(READ, 0x1C)
    assert shown(arready=1) == "R[1c]"
    edge()
    assert shown(arready=0) == ""
    assert shown(rvalid=1, rresp=SLVERR) == "refused"
    assert shown(rresp=OKAY, rdata=0x12345678) == "=12345678"


BODIES = {
    "sw a0, 4(s0)": 1,
    "lw a1, 4(s0)": 1,
    "sw a0, 4(s0)\nlw a1, 4(s0)\nsw a1, 4(s0)": 3,
}


@pytest.mark.parametrize("body", BODIES)
def test_cycles(body: str):
    """An access takes more than one of memory does, which answers in a cycle: it is offered in one,
    then the slave answers."""

    def cycles(base: int) -> int:
        text = f"li s0, {base}\nnop\nnop\ncsrwi stats_en, 1\n{body}\nnop\ncsrwi stats_en, 0\n"
        image = assemble(f"{text}li a7, 0x20000\ncsrw proc2mngr, a7\nj .\n")
        return bus_batch("fast").run(image, Manager(), limit=LIMIT).windows[0].cycles

    assert cycles(WINDOW) - cycles(0x1000) == BODIES[body] * RESPONSE_CYCLES
