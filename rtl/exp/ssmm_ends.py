"""When a pass of rtl/exp/ssmm_shared.py ends, and when an exponentiation."""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from rtl.leaf.register import Register


class EarlyEnds(Component):
    """Ends a pass when all it scans has run out, an exponentiation at the highest 1 bit."""

    def construct(s, nbits: int, steps: int):
        s.last_bit = InPort()
        s.multiplies = InPort()  # this bit is 1
        s.power = InPort(nbits)  # what is left of it to scan
        s.result = InPort(nbits)
        s.reducing = InPort()
        s.last_step = OutPort()
        s.power_over = Wire()
        s.result_over = Wire()

        @update
        def ends():
            s.power_over @= s.power[steps:nbits] == 0
            s.result_over @= s.result[steps:nbits] == 0
            if s.reducing:
                s.last_step @= s.power_over
            else:
                s.last_step @= (s.last_bit | s.power_over) & (~s.multiplies | s.result_over)

    def line_trace(s) -> str:
        return f"{'.L'[int(s.last_bit)]}{'.E'[int(s.last_step)]}"


class FixedEnds(Component):
    """Ends a pass after ceil(n / steps) cycles, an exponentiation after n + 1 passes."""

    def construct(s, nbits: int, steps: int):
        cycles = -(-nbits // steps)
        Passes, Cycles = mk_bits(clog2(nbits + 1)), mk_bits(clog2(cycles + 1))
        s.load = InPort()
        s.at_work = InPort()
        s.last_step = OutPort()
        s.last_bit = OutPort()
        s.passes_left = Register(Passes)
        s.cycles_left = Register(Cycles)

        @update
        def ends():
            s.last_bit @= s.passes_left == 0
            s.last_step @= s.cycles_left == 0

        @update_ff
        def count():
            if s.load:
                s.passes_left <<= Passes(nbits)
                s.cycles_left <<= Cycles(cycles - 1)
            elif s.at_work:
                if s.last_step:
                    s.passes_left <<= s.passes_left - 1
                    s.cycles_left <<= Cycles(cycles - 1)
                else:
                    s.cycles_left <<= s.cycles_left - 1

    def line_trace(s) -> str:
        return f"{s.passes_left} {s.cycles_left}"
