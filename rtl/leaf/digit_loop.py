"""The order of a digit-serial product: load, a digit a cycle, answer."""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff


class DigitLoop(Component):
    """`load` with a request, then `step` in each of the next `cycles` cycles, then the answer.

    A request is taken when idle, or in the cycle in which the last answer leaves.
    """

    def construct(s, cycles: int):
        count_bits = clog2(cycles + 1)
        Count = mk_bits(count_bits)
        s.recv_val = InPort()
        s.recv_rdy = OutPort()
        s.send_val = OutPort()
        s.send_rdy = InPort()
        s.load = OutPort()
        s.step = OutPort()
        s.busy = Wire()
        s.cycles_left = Wire(count_bits)

        @update
        def state():
            s.send_val @= s.busy & (s.cycles_left == 0)
            s.step @= s.cycles_left != 0

        @update
        def accept():
            s.recv_rdy @= ~s.busy | (s.send_val & s.send_rdy)
            s.load @= s.recv_val & s.recv_rdy

        @update_ff
        def control():
            if s.reset:
                s.busy <<= 0
                s.cycles_left <<= 0
            elif s.load:
                s.busy <<= 1
                s.cycles_left <<= Count(cycles)
            elif s.send_val & s.send_rdy:
                s.busy <<= 0
            elif s.step:
                s.cycles_left <<= s.cycles_left - 1

    def line_trace(s) -> str:
        return f"{int(s.cycles_left):4}" if s.busy else "    "
