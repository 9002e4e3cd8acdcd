"""The order of a product by digits whose answer leaves in the cycle of its last digit."""

from pymtl3 import Component, OutPort, clog2, mk_bits, update, update_ff

from rtl.leaf.handshake import Accept, Offer
from rtl.leaf.register import Register


class EarlyDigitLoop(Component):
    """Gives `load` with a request, `step` in each of the next `cycles` cycles, and the answer with
    the last step: it is that step's sum, and where it is not taken at once, the register's after.

    A request is taken when idle, or in the cycle in which the last answer leaves.
    """

    def construct(s, cycles: int):
        count_bits = clog2(cycles + 1)
        Count = mk_bits(count_bits)
        s.recv = Accept()
        s.send = Offer()
        s.load = OutPort()
        s.step = OutPort()
        s.busy = Register()
        s.cycles_left = OutPort(count_bits)

        @update
        def state():
            s.send.val @= s.busy & (s.cycles_left <= 1)
            s.step @= s.cycles_left != 0

        @update
        def accept():
            s.recv.rdy @= ~s.busy | (s.send.val & s.send.rdy)
            s.load @= s.recv.val & s.recv.rdy

        @update_ff
        def control():
            if s.reset:
                s.busy <<= 0
                s.cycles_left <<= 0
            elif s.load:
                s.busy <<= 1
                s.cycles_left <<= Count(cycles)
            else:
                if s.step:
                    s.cycles_left <<= s.cycles_left - 1
                if s.send.val & s.send.rdy:
                    s.busy <<= 0

    def line_trace(s) -> str:
        """Show cycles that are left while it works."""
        return f"{int(s.cycles_left):4}" if s.busy else "    "
