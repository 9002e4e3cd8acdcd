"""Where the operands of the instruction in D come from, and when it must wait for them."""

from pymtl3 import Component, InPort, OutPort, update

# Where an operand comes from: the register file, or the result of a later stage.
FROM_FILE, FROM_X, FROM_M, FROM_W = range(4)


class Producers(Component):
    """Finds where register `rs` comes from: the youngest instruction ahead that writes it.

    in_X and in_M: it is that of X, of M. The outputs are meaningful if the operand is used.
    """

    def construct(s):
        s.used = InPort()
        s.rs = InPort(5)
        s.wen_X = InPort()
        s.rd_X = InPort(5)
        s.wen_M = InPort()
        s.rd_M = InPort(5)
        s.wen_W = InPort()
        s.rd_W = InPort(5)
        s.source = OutPort(2)
        s.in_X = OutPort()
        s.in_M = OutPort()

        @update
        def find():
            s.in_X @= s.used & s.wen_X & (s.rs == s.rd_X)
            s.in_M @= s.used & s.wen_M & (s.rs == s.rd_M)
            if s.in_X:
                s.source @= FROM_X
            elif s.in_M:
                s.source @= FROM_M
            elif s.wen_W & (s.rs == s.rd_W):
                s.source @= FROM_W
            else:
                s.source @= FROM_FILE
