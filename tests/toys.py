"""Small units that the tests of sim/ run: an adder at three levels, one with faults, a shuffler."""

from collections.abc import Callable

from pymtl3 import *
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL, RecvIfcRTL, SendIfcRTL

import fl.widebits  # noqa: F401


def mk_add_msgs(nbits: int) -> tuple[type, type]:
    """Request (a, b) and response (total) of an n-bit adder."""
    bits = mk_bits(nbits)
    return (
        mk_bitstruct(f"AddReq{nbits}", {"a": bits, "b": bits}),
        mk_bitstruct(f"AddResp{nbits}", {"total": bits}),
    )


def add(nbits: int, request: int) -> int:
    """What the adders answer: a + b mod 2^n."""
    return ((request >> nbits) + request) % (1 << nbits)


class AddFL(Component):
    """Answers in the next cycle; its state is a Python attribute."""

    def construct(s, nbits: int) -> None:
        Req, Resp = mk_add_msgs(nbits)
        s.recv = RecvIfcRTL(Req)
        s.send = SendIfcRTL(Resp)
        s.answer = None

        @update_once
        def up_fl():
            if s.reset:
                s.answer = None
            s.recv.rdy @= s.answer is None
            s.send.val @= s.answer is not None
            if s.answer is None:
                if s.recv.val:
                    s.answer = Resp(s.recv.msg.a + s.recv.msg.b)
            else:
                s.send.msg @= s.answer
                if s.send.rdy:
                    s.answer = None


class AddCL(Component):
    """Answers `latency` + 1 cycles after the request."""

    def construct(s, nbits: int, latency: int) -> None:
        Req, Resp = mk_add_msgs(nbits)
        s.recv = RecvIfcRTL(Req)
        s.send = SendIfcRTL(Resp)
        s.answer = None
        s.left = 0

        @update_once
        def up_cl():
            if s.reset:
                s.answer = None
            s.recv.rdy @= s.answer is None
            s.send.val @= (s.answer is not None) & (s.left == 0)
            if s.answer is None:
                if s.recv.val:
                    s.answer = Resp(s.recv.msg.a + s.recv.msg.b)
                    s.left = latency
            elif s.left:
                s.left -= 1
            else:
                s.send.msg @= s.answer
                if s.send.rdy:
                    s.answer = None


class AddRTL(Component):
    """The hardware of AddCL."""

    def construct(s, nbits: int, latency: int) -> None:
        Req, Resp = mk_add_msgs(nbits)
        s.recv = RecvIfcRTL(Req)
        s.send = SendIfcRTL(Resp)
        s.busy = Wire()
        s.left = Wire(8)
        s.total = Wire(nbits)
        start = b8(latency)

        @update
        def up_ports():
            s.recv.rdy @= ~s.busy
            s.send.val @= s.busy & (s.left == 0)
            s.send.msg.total @= s.total

        @update_ff
        def up_state():
            if s.reset:
                s.busy <<= 0
            elif s.recv.val & s.recv.rdy:
                s.busy <<= 1
                s.left <<= start
                s.total <<= s.recv.msg.a + s.recv.msg.b
            elif s.send.val & s.send.rdy:
                s.busy <<= 0
            elif s.left != 0:
                s.left <<= s.left - 1

    def line_trace(s) -> str:
        return f"{s.recv}({s.left}){s.send}"


HANGS = 13  # a FaultyRTL never answers this
REPEATS = 7  # and it answers this twice, one cycle apart
REPEATS_LATE = 8  # and this twice, two cycles apart


class FaultyRTL(Component):
    """Echoes 8-bit requests in the next cycle, but for three values."""

    def construct(s) -> None:
        s.port = MinionIfcRTL(mk_bits(8), mk_bits(8))
        s.busy = Wire()
        s.again = Wire()
        s.pause = Wire()
        s.value = Wire(8)

        @update
        def up_ports():
            s.port.req.rdy @= ~s.busy
            s.port.resp.val @= s.busy & ~s.pause & (s.value != HANGS)
            s.port.resp.msg @= s.value

        @update_ff
        def up_state():
            if s.reset:
                s.busy <<= 0
                s.pause <<= 0
            elif s.port.req.val & s.port.req.rdy:
                s.busy <<= 1
                s.again <<= (s.port.req.msg == REPEATS) | (s.port.req.msg == REPEATS_LATE)
                s.value <<= s.port.req.msg
            elif s.port.resp.val & s.port.resp.rdy:
                s.busy <<= s.again
                s.again <<= 0
                s.pause <<= s.value == REPEATS_LATE
            else:
                s.pause <<= 0


class ProductRTL(Component):
    """Combinational: the full product of two words."""

    def construct(s, nbits: int) -> None:
        wide = 2 * nbits
        Req, _ = mk_add_msgs(nbits)
        s.recv = RecvIfcRTL(Req)
        s.send = SendIfcRTL(mk_bits(wide))

        @update
        def up_ports():
            s.recv.rdy @= s.send.rdy
            s.send.val @= s.recv.val
            s.send.msg @= zext(s.recv.msg.a, wide) * zext(s.recv.msg.b, wide)


class ShuffleRTL(Component):
    """Combinational: the request's bits in reverse (a for loop), shifted by a wide amount.

    Its response depends on the request of the same cycle.
    """

    def construct(s, nbits: int) -> None:
        bits = mk_bits(nbits)
        s.recv = RecvIfcRTL(mk_bitstruct(f"ShuffleReq{nbits}", {"word": bits, "places": bits}))
        s.send = SendIfcRTL(bits)
        s.turned = Wire(nbits)
        top = nbits - 1

        @update
        def up_turn():
            for i in range(nbits):
                s.turned[i] @= s.recv.msg.word[top - i]

        @update
        def up_ports():
            s.recv.rdy @= s.send.rdy
            s.send.val @= s.recv.val
            s.send.msg @= s.turned << s.recv.msg.places


def shuffle(nbits: int, request: int) -> int:
    """What ShuffleRTL answers."""
    word, places = request >> nbits, request % (1 << nbits)
    turned = int(f"{word:0{nbits}b}"[::-1], 2)
    return turned << places & (1 << nbits) - 1 if places < nbits else 0


class WrapRTL(Component):
    """What a function makes, behind a port; a component that takes a function as a parameter."""

    def construct(s, mk_inside: Callable[[], Component]) -> None:
        s.quiet = OutPort()
        s.quiet //= 0
        s.inside = mk_inside()


class PowerRTL(Component):
    """Answers 0 after eight cycles; its registers change at random, and if it `leaks` one of them
    as often as a request's lowest bit is 1."""

    def construct(s, leaks: bool) -> None:
        s.recv = RecvIfcRTL(mk_bits(8))
        s.send = SendIfcRTL(mk_bits(8))
        s.busy = Wire()
        s.left = Wire(4)
        s.random = Wire(16)
        s.told = Wire(8)
        may_leak = b1(leaks)

        @update
        def up_ports():
            s.recv.rdy @= ~s.busy
            s.send.val @= s.busy & (s.left == 0)
            s.send.msg @= 0

        @update_ff
        def up_state():
            if s.reset:
                s.busy <<= 0
            elif s.recv.val & s.recv.rdy:
                s.busy <<= 1
                s.left <<= 8
            elif s.send.val & s.send.rdy:
                s.busy <<= 0
            elif s.left != 0:
                s.left <<= s.left - 1

        @update_ff
        def up_power():
            if s.reset:
                s.random <<= 1
                s.told <<= 0
            else:
                s.random <<= concat(
                    s.random[0:15], s.random[15] ^ s.random[13] ^ s.random[12] ^ s.random[10]
                )
                if may_leak & s.recv.val & s.recv.rdy & s.recv.msg[0]:
                    s.told <<= ~s.told

    def line_trace(s) -> str:
        return f"{s.recv}({s.random}){s.send}"


BROKEN = FALLS, CHANGES, READY, VALID, MESSAGE = range(1, 6)


def mk_odd_msg() -> type:
    """Request of the odd toys: which rule is broken (0 is none), in which cycle, and what is
    echoed."""
    return mk_bitstruct("OddReq", {"fault": mk_bits(3), "at": mk_bits(8), "word": mk_bits(8)})


def odd(fault: int, at: int, word: int) -> int:
    """Pack a request of the odd toys."""
    return fault << 16 | at << 8 | word


class OddRTL(Component):
    """Echoes a word after three cycles, and breaks one rule of its streams in one cycle, as the
    request says: val falls, the message changes, rdy depends on val, val or the message on rdy."""

    def construct(s) -> None:
        s.recv = RecvIfcRTL(mk_odd_msg())
        s.send = SendIfcRTL(mk_bits(8))
        s.now = Wire(8)
        s.busy = Wire()
        s.left = Wire(2)
        s.fault = Wire(3)
        s.at = Wire(8)
        s.word = Wire(8)

        @update
        def up_ports():
            s.recv.rdy @= ~s.busy
            if (s.recv.msg.fault == READY) & (s.recv.msg.at == s.now) & ~s.recv.val:
                s.recv.rdy @= 0
            s.send.val @= s.busy & (s.left == 0)
            s.send.msg @= s.word
            if s.at == s.now:
                if (s.fault == FALLS) | ((s.fault == VALID) & ~s.send.rdy):
                    s.send.val @= 0
                if (s.fault == CHANGES) | ((s.fault == MESSAGE) & ~s.send.rdy):
                    s.send.msg @= ~s.word

        @update_ff
        def up_state():
            if s.reset:
                s.now <<= 0
                s.busy <<= 0
                s.fault <<= 0
            else:
                s.now <<= s.now + 1
                if s.recv.val & s.recv.rdy:
                    s.busy <<= 1
                    s.left <<= 2
                    s.fault <<= s.recv.msg.fault
                    s.at <<= s.recv.msg.at
                    s.word <<= s.recv.msg.word
                elif s.send.val & s.send.rdy:
                    s.busy <<= 0
                elif s.left != 0:
                    s.left <<= s.left - 1


class OddCL(Component):
    """OddRTL in a block that runs once per cycle."""

    def construct(s, latency: int) -> None:
        s.recv = RecvIfcRTL(mk_odd_msg())
        s.send = SendIfcRTL(mk_bits(8))
        s.request = None
        s.now = s.left = 0

        @update_once
        def up():
            if s.reset:
                s.request, s.now = None, -1
            s.recv.rdy @= s.request is None
            s.send.val @= 0
            if s.request is None:
                fault, at, word = (int(getattr(s.recv.msg, n)) for n in ("fault", "at", "word"))
                if fault == READY and at == s.now and not s.recv.val:
                    s.recv.rdy @= 0
                if s.recv.val and not s.reset:
                    s.request, s.left = (fault, at, word), latency
            elif s.left > 1:
                s.left -= 1
            else:
                fault, at, word = s.request
                broken = {fault} if at == s.now else set()
                late = not s.send.rdy
                s.send.val @= not (FALLS in broken or (VALID in broken and late))
                wrong = CHANGES in broken or (MESSAGE in broken and late)
                s.send.msg @= word ^ 255 if wrong else word
                if s.send.val and s.send.rdy:
                    s.request = None
            s.now += 1
