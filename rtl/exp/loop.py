"""The ports of all loops (right_to_left.py, left_to_right*.py, windows.py)."""

from pymtl3 import Component, InPort, OutPort


class LoopPorts(Component):
    """Takes an exponent with `load` and the first power with `start`; has `done` for a cycle.

    held: the exponent, from the cycle after `load` on. first_bit comes with `load`: the plain
    result that products begin with. one comes with `start`: that of a domain.
    """

    def construct(s, nbits: int, guard_bits: int):
        width = nbits + guard_bits
        s.load = InPort()
        s.exp = InPort(nbits)
        s.held = InPort(nbits)
        s.first_bit = InPort()
        s.start = InPort()
        s.power = InPort(width)
        s.one = InPort(width)
        s.mod = InPort(nbits)
        s.done = OutPort()
        s.result = OutPort(width)
