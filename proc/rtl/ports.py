"""The ports by which a processor says what it does; simulation uses them, synthesis does not."""

from pymtl3 import Interface, OutPort


class RetireIfc(Interface):
    """Tells of a complete instruction in a cycle with `val`, as proc/retire.py's Retire.

    value is 0 unless wen; addr and data are 0 unless mem. data is what a store wrote, cut to
    its size, and 0 for a load.
    """

    def construct(s):
        s.val = OutPort()
        s.pc = OutPort(32)
        s.word = OutPort(32)
        s.wen = OutPort()
        s.rd = OutPort(5)
        s.value = OutPort(32)
        s.mem = OutPort()
        s.write = OutPort()
        s.addr = OutPort(32)
        s.data = OutPort(32)


class CurrentIfc(Interface):
    """Shows the instruction in X, its address, and whether it is executed or why it cannot be."""

    def construct(s):
        s.pc = OutPort(32)
        s.word = OutPort(32)
        s.address = OutPort(32)
