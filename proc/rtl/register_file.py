"""The 32 registers: two are read and one is written per cycle; x0 is 0 and no flip-flop."""

from pymtl3 import Component, InPort, OutPort, Wire, update, zext
from pymtl3.stdlib.basic_rtl import RegEn


class RegisterFile(Component):
    """Gives a value written in this cycle from the next one on; x0 is never written."""

    def construct(s):
        s.rs1 = InPort(5)
        s.rs2 = InPort(5)
        s.value1 = OutPort(32)
        s.value2 = OutPort(32)
        s.wen = InPort()
        s.rd = InPort(5)
        s.wdata = InPort(32)

        # One component a row: synthesis maps reads of a written array to larger multiplexers.
        s.row = [RegEn(32) for _ in range(31)]
        s.x = [Wire(32) for _ in range(32)]
        s.select = Wire(32)
        s.x[0] //= 0
        for i in range(1, 32):
            s.x[i] //= s.row[i - 1].out
            s.row[i - 1].in_ //= s.wdata
            s.row[i - 1].en //= s.select[i]

        @update
        def write():
            s.select @= zext(s.wen, 32) << zext(s.rd, 32)

        @update
        def read():
            s.value1 @= s.x[s.rs1]
            s.value2 @= s.x[s.rs2]
