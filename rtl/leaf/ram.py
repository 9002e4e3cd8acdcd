"""A memory of words: distributed RAM on an FPGA; on an ASIC registers, and multiplexers to read."""

from pymtl3 import Component, InPort, OutPort, clog2, update, update_ff

from rtl.leaf.register import Register


class Ram(Component):
    """out = the word at `at`; a word written in this cycle stands from the next one on."""

    def construct(s, words: int, bits: int):
        s.at = InPort(clog2(words))
        s.out = OutPort(bits)
        s.write = InPort()
        s.to = InPort(clog2(words))
        s.data = InPort(bits)
        s.kept = [Register(bits) for _ in range(words)]

        @update
        def read():
            s.out @= s.kept[s.at]

        @update_ff
        def keep():
            if s.write:
                s.kept[s.to] <<= s.data

    def line_trace(s) -> str:
        return f"{s.at}:{s.out}"
