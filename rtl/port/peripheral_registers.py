"""The peripheral's registers but for the operands: what an access of the bus reads and changes."""

from pymtl3 import (
    Bits1,
    Bits27,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    mk_bits,
    update,
    update_ff,
    zext,
)

from fl.axi_lite import ADDRESS_BITS
from fl.peripheral_map import (
    CAPABILITIES,
    DESIGN,
    EXPONENT_D,
    EXPONENT_E,
    INPUT_FIFO,
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    LOADED,
    MODULUS,
    OUTPUT_FIFO,
    OUTPUT_LENGTH,
    PADDING,
    READ_ADDRESS,
    STATUS,
    WRITE_ADDRESS,
    Fixed,
    capabilities,
    design_number,
)
from fl.pkcs1 import ENCRYPTION
from fl.xcel import words
from rtl.leaf.register import Register
from rtl.port.operand_banks import place_bits
from rtl.port.pkcs1 import byte_places, length_bits_of


class PeripheralRegisters(Component):
    """Decodes the accesses of AxiLiteRTL, and keeps what they set.

    start: an operation is to begin. put_input, put_modulus, put_e, put_d: `word` is to go to place
    `at` of the operand. finish: the operation ends in this cycle, with `failed` and `length_out`.
    """

    def construct(s, nbits: int, fixed: Fixed = LOADED, design: str = ""):
        count, most = words(nbits), byte_places(nbits)
        at_bits, length_bits = place_bits(nbits), length_bits_of(nbits)
        s.write = InPort()
        s.to = InPort(ADDRESS_BITS)  # of a register
        s.data = InPort(32)
        s.write_refused = OutPort()
        s.from_ = InPort(ADDRESS_BITS)
        s.read_data = OutPort(32)
        s.read_refused = OutPort()

        s.start = OutPort()
        s.decrypt = OutPort()
        s.kind = OutPort(2)
        s.length = OutPort(length_bits)
        s.word = OutPort(32)
        s.at = OutPort(at_bits)
        s.put_input = OutPort()
        s.put_modulus = OutPort()
        s.put_e = OutPort()
        s.put_d = OutPort()
        s.busy = InPort()
        s.finish = InPort()
        s.failed = InPort()
        s.length_out = InPort(length_bits)
        s.shown_at = OutPort(at_bits)
        s.shown = InPort(32)
        s.shown_length = OutPort(length_bits)
        s.irq = OutPort()

        s.is_decrypt = Register()
        s.of_kind = Register(2)
        s.input_length = Register(length_bits)
        s.fifo = Register(32)
        s.read_place = Register(at_bits)
        s.enable = Register()
        s.done = Register()
        s.error = Register()
        s.output_length = Register(length_bits)
        s.decrypt //= s.is_decrypt
        s.kind //= s.of_kind
        s.length //= s.input_length
        s.word //= s.fifo
        s.shown_at //= s.read_place
        s.shown_length //= s.output_length
        s.at //= s.data[0:at_bits]

        s.fits = Wire()  # the data are a place of an operand
        s.accepted = Wire()
        s.commanded = Wire()

        fixed_modulus = Bits1(MODULUS not in fixed.loads)
        fixed_exponents = Bits1(EXPONENT_E not in fixed.loads)
        abilities = mk_bits(32)(capabilities(nbits, fixed))
        number = mk_bits(32)(design_number(design))

        @update
        def check_write():
            s.fits @= s.data < count
            s.write_refused @= 1
            if (s.to == STATUS) | (s.to == INPUT_FIFO) | (s.to == INTERRUPT_ENABLE):
                s.write_refused @= 0
            elif s.to == READ_ADDRESS:
                s.write_refused @= ~s.fits
            elif (s.to == INPUT_LENGTH) | (s.to == PADDING):
                s.write_refused @= s.busy
            elif s.to == WRITE_ADDRESS:
                s.write_refused @= s.busy | ~s.fits
            elif s.to == MODULUS:
                s.write_refused @= s.busy | ~s.fits | fixed_modulus
            elif (s.to == EXPONENT_E) | (s.to == EXPONENT_D):
                s.write_refused @= s.busy | ~s.fits | fixed_exponents

        @update
        def perform():
            s.accepted @= s.write & ~s.write_refused
            s.put_input @= s.accepted & (s.to == WRITE_ADDRESS)
            s.put_modulus @= s.accepted & (s.to == MODULUS)
            s.put_e @= s.accepted & (s.to == EXPONENT_E)
            s.put_d @= s.accepted & (s.to == EXPONENT_D)
            s.commanded @= s.accepted & (s.to == STATUS) & ~s.busy
            s.start @= s.commanded & s.data[2]

        @update
        def read():
            s.read_refused @= 0
            s.read_data @= 0
            if s.from_ == STATUS:
                s.read_data @= concat(Bits27(0), s.done, s.error, Bits1(0), s.busy, s.is_decrypt)
            elif s.from_ == OUTPUT_LENGTH:
                s.read_data @= zext(s.output_length, 32)
            elif s.from_ == OUTPUT_FIFO:
                s.read_data @= s.shown
            elif s.from_ == CAPABILITIES:
                s.read_data @= abilities
            elif s.from_ == DESIGN:
                s.read_data @= number
            elif s.from_ == INTERRUPT_ENABLE:
                s.read_data @= zext(s.enable, 32)
            elif s.from_ == PADDING:
                s.read_data @= zext(s.of_kind, 32)
            else:
                s.read_refused @= 1
            s.irq @= s.done & s.enable

        @update_ff
        def keep():
            if s.reset:
                s.of_kind <<= ENCRYPTION
                s.input_length <<= 0
                s.fifo <<= 0
                s.read_place <<= 0
                s.enable <<= 0
            elif s.accepted:
                if s.to == INPUT_LENGTH:
                    s.input_length <<= s.data[0:length_bits]
                    if s.data > most:
                        s.input_length <<= most
                elif s.to == READ_ADDRESS:
                    s.read_place <<= s.at
                elif s.to == INPUT_FIFO:
                    s.fifo <<= s.data
                elif s.to == INTERRUPT_ENABLE:
                    s.enable <<= s.data[0]
                elif s.to == PADDING:
                    s.of_kind <<= s.data[0:2]

        @update_ff
        def follow():
            if s.reset:
                s.is_decrypt <<= 0
                s.done <<= 0
                s.error <<= 0
                s.output_length <<= 0
            elif s.commanded:
                s.is_decrypt <<= s.data[0]
                s.done <<= 0
                if s.start:
                    s.error <<= 0
                    s.output_length <<= 0
            elif s.finish:
                s.done <<= 1
                s.error <<= s.failed
                s.output_length <<= s.length_out

    def line_trace(s) -> str:
        """Show what STATUS says: decrypt d, busy b, error e, done !; the length of the output."""
        bits = zip("dbe!", (s.is_decrypt, s.busy, s.error, s.done), strict=True)
        return f"{''.join(name if bit else '.' for name, bit in bits)} {s.output_length}"
