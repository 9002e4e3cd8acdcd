"""What the units between two ports do with their messages, as assertions: tests/rtl/messages.py
has the table of all."""

from dataclasses import dataclass
from itertools import product

from pymtl3 import Component, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exponentiator import Exponentiator
from fl.messages import mk_exp_msgs, mk_mul_msgs
from proc.bus_map import WINDOW_NUMBER
from proc.rtl.bus_bridge import BusBridge
from proc.rtl.fetch import Fetch
from rtl.exp.mul_share import MulShare
from rtl.exp.tiny import Tiny
from rtl.leaf.register import Register
from rtl.port.random_bytes import RandomBytesRTL
from rtl.port.tiny import TinyXcelRTL
from rtl.port.xcel import NullXcelRTL, XcelRTL
from tests.prove import Asserted

# An accelerator's port: `asked` is the request that is owed an answer. That comes in the next
# cycle, and stays as it is until it is taken.
XCEL = """
reg owed = 0, waits = 0;
reg [37:0] asked;
reg [32:0] held;
wire taken = xcel__req__val & xcel__req__rdy, left = xcel__resp__val & xcel__resp__rdy;
wire writes = asked[37];
wire [4:0] addr = asked[36:32];
wire [31:0] answer = xcel__resp__msg[31:0];
wire status = !writes && addr == 0;
always @(posedge clk) if (t != 0) begin
    owed <= taken | (owed & ~left);
    if (taken) asked <= xcel__req__msg;
    waits <= xcel__resp__val & ~xcel__resp__rdy;
    held <= xcel__resp__msg;
end
always @* if (t != 0) begin
    assert (xcel__req__rdy == ((!owed || left) && !MUST_WAIT));
    assert (xcel__resp__val == owed && (!owed || xcel__resp__msg[32] == writes));
    assert (!waits || xcel__resp__msg == held);
end
"""


def null_xcel() -> Asserted:
    """What was written last is read back, at once."""
    body = """
reg [31:0] kept = 0;
always @(posedge clk)
    if (t != 0 && taken && xcel__req__msg[37:32] == 6'b100000) kept <= xcel__req__msg[31:0];
always @* if (t != 0) assert (!owed || answer == (asked[37:32] == 0 ? kept : 0));
"""
    return Asserted(NullXcelRTL(), XCEL.replace("MUST_WAIT", "0") + body, 8)


class MixerRTL(Component):
    """result = base ^ 2*exp ^ ~mod, status = mod[0], two cycles later: other than any operand."""

    def construct(s, nbits: int):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.result = Register(nbits)
        s.status = Register()
        s.full = Register()
        s.begun = Register()
        s.send.msg.result //= s.result
        s.send.msg.status //= s.status

        @update
        def ports():
            s.recv.rdy @= ~s.full & ~s.begun
            s.send.val @= s.full

        @update_ff
        def follow():
            if s.reset:
                s.full <<= 0
                s.begun <<= 0
            else:
                s.begun <<= s.recv.val & s.recv.rdy
                s.full <<= s.begun | (s.full & ~s.send.rdy)
                if s.recv.val & s.recv.rdy:
                    s.result <<= s.recv.msg.base ^ (s.recv.msg.exp << 1) ^ ~s.recv.msg.mod
                    s.status <<= s.recv.msg.mod[0]


@dataclass(frozen=True)
class Mixer(Exponentiator):
    """Stands for an exponentiator behind the port."""

    result_stays = True

    def rtl(self) -> Component:
        return MixerRTL(self.nbits)


@dataclass(frozen=True)
class ForgetfulMixer(Mixer):
    """The same, whose result need not stay."""

    result_stays = False


ANY_BITS = 0xC001_8003  # both ends, and both sides of the middle


def xcel(mixer: type[Mixer], any_bits: int = ANY_BITS) -> Asserted:
    """The register map of fl/xcel.py, for operands of a word: what is pushed is computed with.

    any_bits: of each word that is written; the others are 0.
    """
    component = XcelRTL(mixer(32, lambda mod: True))
    return register_map(component, "base ^ (exp << 1) ^ ~mod", "mod[0]", 2, any_bits, 10)


def tiny_xcel() -> Asserted:
    """The same of the port with the smallest core, for numbers of two bits: all powers."""
    powers = sum(
        pow(base, exp, mod) << 2 * (16 * base + 4 * exp + mod)
        for base, exp, mod in product(range(4), range(4), range(1, 4))
    )
    result = f"(128'd{powers} >> {{base[1:0], exp[1:0], mod[1:0], 1'd0}}) & 3"
    busy = Tiny(2, lambda mod: mod >= 1).latency(0, 0, 0)
    return register_map(TinyXcelRTL(2, 8), result, "mod == 0", busy, 3, busy + 9)


def register_map(
    component: Component, result: str, bad: str, busy: int, any_bits: int, cycles: int
) -> Asserted:
    """The accelerator gives this result, and is busy for so many cycles."""
    go = """
reg [4:0] age = 31, then = 31;  // cycles since a go was taken: now, and as a request was taken
wire busy = age <= BUSY;
wire asks = xcel__req__msg[37] ? xcel__req__msg[36:32] <= 3 : xcel__req__msg[36:32] == 4;
"""
    body = """
reg [31:0] base, exp, mod, result = 0;
reg bad = 0, known = 1;
reg [2:0] pushed = 0;
always @(posedge clk) if (t != 0) begin
    age <= taken && xcel__req__msg[37:32] == 6'b100000 ? 1 : age == 31 ? 31 : age + 1;
    if (taken) then <= age;
    if (left && writes) case (addr)
        0: begin
            result <= RESULT;
            bad <= BAD;
            known <= &pushed;
        end
        1: begin base <= asked[31:0]; pushed[0] <= 1; end
        2: begin exp <= asked[31:0]; pushed[1] <= 1; end
        3: begin mod <= asked[31:0]; pushed[2] <= 1; end
    endcase
    if (left && !writes && addr == 4) result <= 0;
end
always @* assume ((xcel__req__msg[31:0] & 32'hZEROS) == 0);
always @* if (t != 0 && xcel__resp__val) begin
    if (status) assert (answer[0] == (then <= BUSY) && answer >> 2 == 0);
    if (status) assert (answer[0] ? !answer[1] : !known || answer[1] == bad);
    if (!status) assert (!known || answer == (!writes && addr == 4 ? result : 0));
end
"""
    text = go + XCEL.replace("MUST_WAIT", "(busy && asks)") + body
    for name, value in {
        "ZEROS": f"{any_bits ^ 0xFFFFFFFF:08x}",
        "RESULT": result,
        "BAD": bad,
        "BUSY": f"{busy}",
    }.items():
        text = text.replace(name, value)
    return Asserted(component, text, cycles)


def mul_share() -> Asserted:
    """Each product returns to whoever asked; each user has one under way at most."""
    body = """
reg owner_0, owner_1, first_out = 0, second_out = 0, waits = 0;
reg [1:0] owed = 0, held;
wire first_taken = first__req__val & first__req__rdy;
wire second_taken = second__req__val & second__req__rdy;
wire taken = unit__req__val & unit__req__rdy;
wire first_left = first__resp__val & first__resp__rdy;
wire second_left = second__resp__val & second__resp__rdy;
wire left = unit__resp__val & unit__resp__rdy;
wire [1:0] kept = owed - left;
always @(posedge clk) if (t != 0) begin
    owed <= kept + taken;
    if (left) owner_0 <= owner_1;
    if (taken && kept == 0) owner_0 <= second_taken;
    if (taken && kept == 1) owner_1 <= second_taken;
    first_out <= first_taken | (first_out & ~first_left);
    second_out <= second_taken | (second_out & ~second_left);
    waits <= unit__resp__val & ~unit__resp__rdy;
    held <= unit__resp__msg;
end
always @* if (t != 0) begin
    assume (!first__req__val || !first_out || first_left);
    assume (!second__req__val || !second_out || second_left);
    assume (!unit__resp__val || owed != 0);
    assume (!waits || (unit__resp__val && unit__resp__msg == held));
    assert (first_taken == (first__req__val && unit__req__rdy));
    assert (second_taken == (second__req__val && unit__req__rdy && !first__req__val));
    assert (taken == (first_taken || second_taken));
    assert (!first_taken || unit__req__msg == first__req__msg);
    assert (!second_taken || unit__req__msg == second__req__msg);
    assert (first__resp__val == (unit__resp__val && !owner_0));
    assert (second__resp__val == (unit__resp__val && owner_0));
    assert (left == (first_left || second_left));
    assert (!first__resp__val || first__resp__msg == unit__resp__msg);
    assert (!second__resp__val || second__resp__msg == unit__resp__msg);
end
"""
    return Asserted(MulShare(*mk_mul_msgs(2)), body, 12)


def bus_bridge() -> Asserted:
    """An access goes to memory or the bus, once, as it is; its answer comes back, once.

    The slave answers what it has been asked and refuses nothing; memory takes one at a time.
    """
    body = f"""
localparam MEMORY = 1, STORE = 2, LOAD = 3;
reg [1:0] kind = 0;
reg [68:0] asked;
reg aw_sent, w_sent, ar_sent;
wire taken = processor__req__val & processor__req__rdy;
wire left = processor__resp__val & processor__resp__rdy;
wire on_bus = processor__req__msg[67:42] == {WINDOW_NUMBER};
wire mem_left = memory__resp__val & memory__resp__rdy;
wire b = m_axi_bvalid & m_axi_bready, r = m_axi_rvalid & m_axi_rready;
wire aw = m_axi_awvalid & m_axi_awready, w = m_axi_wvalid & m_axi_wready;
wire ar = m_axi_arvalid & m_axi_arready;
always @(posedge clk) if (t != 0) begin
    if (taken) kind <= !on_bus ? MEMORY : processor__req__msg[68] ? STORE : LOAD;
    else if (left) kind <= 0;
    if (taken) asked <= processor__req__msg;
    aw_sent <= !taken && (aw_sent || aw);
    w_sent <= !taken && (w_sent || w);
    ar_sent <= !taken && (ar_sent || ar);
end
always @* if (t != 0) begin
    assume (!memory__resp__val || kind == MEMORY);
    assume (!memory__req__rdy || kind != MEMORY || mem_left);
    assume (!m_axi_bvalid || (kind == STORE && aw_sent && w_sent && !m_axi_bresp[1]));
    assume (!m_axi_rvalid || (kind == LOAD && ar_sent && !m_axi_rresp[1]));
    assert (processor__req__rdy == (memory__req__rdy && (kind == 0 || left || kind == MEMORY)));
    assert ((memory__req__val && memory__req__rdy) == (taken && !on_bus));
    assert (!taken || on_bus || memory__req__msg == processor__req__msg);
    assert (m_axi_awvalid == (kind == STORE && !aw_sent));
    assert (m_axi_wvalid == (kind == STORE && !w_sent));
    assert (m_axi_arvalid == (kind == LOAD && !ar_sent));
    assert (!m_axi_awvalid || m_axi_awaddr == asked[41:36]);
    assert (!m_axi_arvalid || m_axi_araddr == asked[41:36]);
    assert (!m_axi_wvalid || (m_axi_wdata == asked[31:0] && m_axi_wstrb == asked[35:32]));
    assert (processor__resp__val == (memory__resp__val || m_axi_bvalid || m_axi_rvalid));
    assert (left == (mem_left || b || r));
    assert (!memory__resp__val || processor__resp__msg == memory__resp__msg);
    assert (!m_axi_rvalid || processor__resp__msg == m_axi_rdata);
    assert (!refused);
end
"""
    return Asserted(BusBridge(), body, 10)


def fetch() -> Asserted:
    """The program's instructions in its order, none twice, none of those that a jump overtook.

    Memory answers in order; after a jump, the next one comes with an instruction at the earliest.
    """
    body = """
localparam MARK = 32'h5a;  // what memory has at an address is another word than that
reg [31:0] next = 512, first, second, seen;
reg [1:0] owed = 0;
reg jumped = 0, waits = 0, mem_waits = 0;
wire taken = imem__req__val & imem__req__rdy, left = imem__resp__val & imem__resp__rdy;
wire moves = val & rdy & ~redirect;
wire [1:0] kept = owed - left;
always @(posedge clk) if (t != 0) begin
    owed <= kept + taken;
    if (left) first <= second;
    if (taken && kept == 0) first <= imem__req__msg[67:36];
    if (taken && kept == 1) second <= imem__req__msg[67:36];
    next <= redirect ? target : moves ? next + 4 : next;
    jumped <= redirect | (jumped & ~val);
    waits <= val & ~rdy & ~redirect;
    mem_waits <= imem__resp__val & ~imem__resp__rdy;
end
always @* if (t != 0) begin
    assume (!imem__resp__val || (owed != 0 && imem__resp__msg == (first ^ MARK)));
    assume (!mem_waits || imem__resp__val);
    assume (!redirect || !jumped || val);
    assert (!val || (pc == next && word == (next ^ MARK)));
    assert (!waits || val);
    assert (owed != 0 || imem__req__val);
    assert (!imem__req__val || (!imem__req__msg[68] && imem__req__msg[35:32] == 15));
    assert (kept + taken <= 2);
end
"""
    return Asserted(Fetch(512), body, 9)


def random_bytes() -> Asserted:
    """There is a byte in every cycle; one that waits stays."""
    body = """
reg waits = 0; reg [7:0] held;
always @(posedge clk) if (t != 0) begin waits <= ~ready; held <= random; end
always @* if (t != 0) assert (valid && (!waits || random == held));
"""
    return Asserted(RandomBytesRTL(), body, 6)
