"""The iterated schedule: one chain of AddRed steps, used again every cycle."""

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    mk_bits,
    update,
    update_ff,
    zext,
)

from rtl.leaf.add_red import AddRedChain


class AddRedLoop(Component):
    """sum = first_sum after cycles * steps AddRed steps over the bits of x; x is shifted out.

    A request is taken when idle, or in the cycle in which the last answer leaves; y + m is
    formed on the way into its register. The sum stands cycles + 1 cycles later.
    """

    def construct(s, nbits: int, steps: int, cycles: int, order: str):
        sum_bits = nbits + 1
        count_bits = clog2(cycles + 1)
        Count = mk_bits(count_bits)
        s.recv_val = InPort()
        s.recv_rdy = OutPort()
        s.first_sum = InPort(sum_bits)
        s.x = InPort(nbits)
        s.y = InPort(nbits)
        s.m = InPort(nbits)
        s.send_val = OutPort()
        s.send_rdy = InPort()
        s.sum = OutPort(sum_bits)
        s.held_m = OutPort(nbits)

        s.busy = Wire()
        s.cycles_left = Wire(count_bits)
        s.sum_register = Wire(sum_bits)
        s.x_register = Wire(max(nbits, steps))
        s.y_register = Wire(nbits)
        s.m_register = Wire(nbits)
        s.y_plus_m = Wire(sum_bits)
        x_bits = max(nbits, steps)

        s.chain = AddRedChain(nbits, steps, order)
        s.chain.s //= s.sum_register
        s.chain.x //= s.x_register[0:steps]
        s.chain.y //= s.y_register
        s.chain.m //= s.m_register
        s.chain.y_plus_m //= s.y_plus_m
        s.sum //= s.sum_register
        s.held_m //= s.m_register

        @update
        def offer():
            s.send_val @= s.busy & (s.cycles_left == 0)

        @update
        def accept():
            s.recv_rdy @= ~s.busy | (s.send_val & s.send_rdy)

        @update_ff
        def control():
            if s.reset:
                s.busy <<= 0
                s.cycles_left <<= 0
            elif s.recv_val & s.recv_rdy:
                s.busy <<= 1
                s.cycles_left <<= Count(cycles)
            elif s.send_val & s.send_rdy:
                s.busy <<= 0
            elif s.cycles_left != 0:
                s.cycles_left <<= s.cycles_left - 1

        @update_ff
        def datapath():
            if s.recv_val & s.recv_rdy:
                s.sum_register <<= s.first_sum
                s.x_register <<= zext(s.x, x_bits)
                s.y_register <<= s.y
                s.m_register <<= s.m
                s.y_plus_m <<= zext(s.y, sum_bits) + zext(s.m, sum_bits)
            elif s.cycles_left != 0:
                s.sum_register <<= s.chain.next
                s.x_register <<= s.x_register >> steps

    def line_trace(s) -> str:
        return f"{int(s.cycles_left):4}" if s.busy else "    "
