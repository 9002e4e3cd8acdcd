"""An AXI4-Lite slave: what comes on the five channels, made accesses of registers beside it."""

from pymtl3 import InPort, OutPort, Wire, update, update_ff

from fl.axi_lite import ADDRESS_BITS, OKAY, SLVERR, WHOLE
from fl.component.axi_lite import BusPorts
from rtl.leaf.register import Register


class AxiLiteRTL(BusPorts):
    """Sets `write` in the cycle after all of it has come; answers as the registers then say.

    Nothing that stands at an output follows an input in the same cycle.
    """

    def construct(s):
        super().construct()
        s.write = OutPort()
        s.to = OutPort(ADDRESS_BITS)
        s.data = OutPort(32)
        s.write_refused = InPort()
        s.from_ = OutPort(ADDRESS_BITS)
        s.read_data = InPort(32)
        s.read_refused = InPort()

        s.has_address = Register()
        s.address = Register(ADDRESS_BITS)
        s.has_data = Register()
        s.word = Register(32)
        s.strobes = Register(4)
        s.answers_write = Register()
        s.write_failed = Register()
        s.has_read = Register()
        s.read_address = Register(ADDRESS_BITS)
        s.answers_read = Register()
        s.read_failed = Register()
        s.answer = Register(32)

        s.complete = Wire()
        s.whole = Wire()

        @update
        def accesses():
            s.complete @= s.has_address & s.has_data
            s.whole @= s.strobes == WHOLE
            s.write @= s.complete & s.whole
            s.to @= s.address
            s.data @= s.word
            s.from_ @= s.read_address

        @update
        def channels():
            s.s_axi_awready @= ~s.has_address & ~s.answers_write
            s.s_axi_wready @= ~s.has_data & ~s.answers_write
            s.s_axi_bvalid @= s.answers_write
            s.s_axi_bresp @= OKAY
            if s.write_failed:
                s.s_axi_bresp @= SLVERR
            s.s_axi_arready @= ~s.has_read & ~s.answers_read
            s.s_axi_rvalid @= s.answers_read
            s.s_axi_rdata @= s.answer
            s.s_axi_rresp @= OKAY
            if s.read_failed:
                s.s_axi_rresp @= SLVERR

        @update_ff
        def take_write():
            if s.reset | s.complete:
                s.has_address <<= 0
                s.has_data <<= 0
            else:
                if s.s_axi_awvalid & s.s_axi_awready:
                    s.has_address <<= 1
                    s.address <<= s.s_axi_awaddr
                if s.s_axi_wvalid & s.s_axi_wready:
                    s.has_data <<= 1
                    s.word <<= s.s_axi_wdata
                    s.strobes <<= s.s_axi_wstrb
            if s.reset:
                s.word <<= 0  # it may be a word of a key

        @update_ff
        def answer_write():
            if s.reset:
                s.answers_write <<= 0
            elif s.complete:
                s.answers_write <<= 1
                s.write_failed <<= s.write_refused | ~s.whole
            elif s.s_axi_bready:
                s.answers_write <<= 0

        @update_ff
        def take_read():
            if s.reset | s.has_read:
                s.has_read <<= 0
            elif s.s_axi_arvalid & s.s_axi_arready:
                s.has_read <<= 1
                s.read_address <<= s.s_axi_araddr

        @update_ff
        def answer_read():
            if s.reset:
                s.answers_read <<= 0
                s.answer <<= 0
            elif s.has_read:
                s.answers_read <<= 1
                s.read_failed <<= s.read_refused
                s.answer <<= s.read_data
            elif s.s_axi_rready:
                s.answers_read <<= 0
