"""Who holds the operands of an exponentiation while it is made.

The core of an exponentiator takes a request from `recv` in a cycle; from the next one until its
answer has been taken it finds the same operands at `held`, and its result stays on `send` until it
takes another request. Behind the accelerator's port it is the port that holds them.

A core that keeps what it has found of a modulus asks with each request whether that is the `same`
as of the request before, and says whether anything is `kept`.

A core that keeps its exponent as shares (exponent_shares.py) takes it in words instead, the lowest
first: some time before the request, or in the cycles after it. It then stays for later requests.
"""

from collections.abc import Callable

from pymtl3 import Component, InPort, OutPort, Wire, clog2, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exponentiator import Exponentiator
from fl.messages import CRT_KEY, mk_exp_msgs
from fl.xcel import WORD_BITS, words
from rtl.leaf.register import Register
from rtl.port.result_words import ChosenWords


class CorePorts(Component):
    """Has the ports of all cores, those that keep something included."""

    def construct(s, nbits: int, keeps: bool = False):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.held = InPort(Request)
        s.send = SendIfcRTL(Response)
        if keeps:
            s.same = InPort()
            s.kept = OutPort()


def add_exponent_words(core: CorePorts) -> None:
    """Give a core the ports by which it takes its exponent in words."""
    core.exp_push = InPort()
    core.exp_word = InPort(WORD_BITS)


def takes_exponent_words(core: Component) -> bool:
    """Return whether a core has the ports of add_exponent_words."""
    return hasattr(core, "exp_push")


class ExponentWords(Component):
    """Pushes the words of an exponent that somebody holds, in the cycles after `load`."""

    def construct(s, nbits: int):
        count = words(nbits)
        Place = mk_bits(clog2(count + 1))
        s.load = InPort()
        s.exp = InPort(nbits)
        s.push = OutPort()
        s.word = OutPort(WORD_BITS)
        s.words = ChosenWords(nbits)
        s.left = Register(Place)
        s.words.take //= s.load
        s.words.value //= s.exp
        s.words.pop //= s.push
        s.word //= s.words.word

        @update
        def go_on():
            s.push @= s.left != 0

        @update_ff
        def count_words():
            if s.reset:
                s.left <<= 0
            elif s.load:
                s.left <<= Place(count)
            elif s.push:
                s.left <<= s.left - 1

    def line_trace(s) -> str:
        return f"{s.word}" if s.push else "."


def push_exponent(core: CorePorts, pushed: ExponentWords, exp: Wire) -> None:
    """Connect the words of a held exponent to a core that takes them."""
    pushed.exp //= exp
    core.exp_push //= pushed.push
    core.exp_word //= pushed.word


def ask_for_powers(core: Component) -> None:
    """Connect the ports by which a core is asked for private operations: it is for none."""
    connect(core.private, 0)
    for name in CRT_KEY:
        connect(getattr(core.key, name), 0)


class Holding(Component):
    """Holds the operands for a core, whose requests come from anywhere.

    keeps: the core asks whether the modulus is the same; the two are compared.
    """

    by_crt = False  # whether the core could make private operations

    def construct(s, nbits: int, make_core: Callable[[], Component], keeps: bool = False):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.request = Register(Request)
        s.core = make_core()
        s.core.recv //= s.recv
        s.core.held //= s.request
        s.core.send //= s.send

        if takes_exponent_words(s.core):
            s.exp_words = ExponentWords(nbits)
            push_exponent(s.core, s.exp_words, s.request.exp)

            @update
            def begin_words():
                s.exp_words.load @= s.recv.val & s.recv.rdy

        if s.by_crt:
            ask_for_powers(s.core)

        if keeps:

            @update
            def compare():
                s.core.same @= s.recv.msg.mod == s.request.mod

        @update_ff
        def hold():
            if s.recv.val & s.recv.rdy:
                s.request <<= s.recv.msg

    def line_trace(s) -> str:
        return s.core.line_trace()


class HoldingByCrt(Holding):
    """Holds the operands of powers alone: no private operation is asked for."""

    by_crt = True


class OfHeldOperands(Exponentiator):
    """Makes hardware around a core."""

    operands_held = True

    def core(self) -> Component:
        """Make a new component with the ports of CorePorts."""
        raise NotImplementedError

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return (HoldingByCrt if self.by_crt else Holding)(self.nbits, self.core, self.keeps)
