"""The peripheral: any exponentiator on an AXI4-Lite bus, with padding (document 000, figure 21).

The registers are fl/peripheral_map.py's. Operands turn past the padding, a byte per cycle, so that
no byte is chosen among many but for the bus. The document has the key as constants, banks too short
for a ciphertext, no source of random bytes, and no answer to a block that is none.
"""

from pymtl3 import InPort, Wire, connect, update, update_ff

from cl.exponentiator import Exponentiator
from fl.axi_lite import INPUTS, OUTPUTS, PREFIX
from fl.component.peripheral import PeripheralPorts
from fl.crt import E_BITS
from fl.peripheral_crt import PARTS
from fl.peripheral_map import LOADED, Fixed
from fl.xcel import WORD_BITS, words
from rtl.exp.holding import ExponentWords, push_exponent, takes_exponent_words
from rtl.leaf.register import Register
from rtl.port.axi_lite import AxiLiteRTL
from rtl.port.key_parts import KeyParts
from rtl.port.operand_banks import (
    FixedBytes,
    FixedValue,
    LoadedBytes,
    LoadedWords,
    Turning,
    WordPorts,
)
from rtl.port.output_word import OutputWord
from rtl.port.peripheral_control import PeripheralControl
from rtl.port.peripheral_registers import PeripheralRegisters
from rtl.port.pkcs1 import Pad, Places, Unpad


class PeripheralRTL(PeripheralPorts):
    """Answers on the bus as PeripheralFL, in the cycles of PeripheralCL."""

    def construct(s, exponentiator: Exponentiator, fixed: Fixed = LOADED, design: str = ""):
        super().construct()
        nbits = exponentiator.nbits
        s.bus = AxiLiteRTL()
        s.registers = PeripheralRegisters(nbits, fixed, design)
        s.control = PeripheralControl()
        s.exponentiator = exponentiator.core()
        s.incoming = LoadedBytes(nbits)
        s.outgoing = Turning(words(nbits))
        s.shown = OutputWord(nbits)
        s.places = Places(nbits)
        s.pad = Pad(nbits)
        s.unpad = Unpad(nbits)
        s.exp = Wire(nbits)
        s.bad_modulus = Register()
        s.frames = Wire()  # the chosen padding has blocks
        s.unpads = Wire()  # one is expected

        s.connect_bus(exponentiator.by_crt)
        s.connect_key(nbits, fixed)
        s.connect_passes()
        s.connect_operands(s.exponentiator.recv.msg)
        if exponentiator.operands_held:
            s.connect_operands(s.exponentiator.held)
        if exponentiator.keeps:
            s.exponentiator.same //= 0  # key registers may have been written: each finds all anew
        if exponentiator.by_crt:
            s.connect_parts(nbits)
        s.connect_output(nbits)

        if takes_exponent_words(s.exponentiator):
            s.exp_words = ExponentWords(nbits)
            push_exponent(s.exponentiator, s.exp_words, s.exp)

            @update
            def begin_words():
                s.exp_words.load @= s.control.ask & s.exponentiator.recv.rdy

        @update
        def choose():
            s.exp @= s.e.value
            if s.registers.decrypt:
                s.exp @= s.d.value
            s.frames @= s.registers.kind[0] ^ s.registers.kind[1]
            s.pad.pads @= s.frames & (s.registers.decrypt == s.registers.kind[0])
            s.unpads @= s.frames & ~s.pad.pads & s.pad.blocks

        @update
        def operate():
            s.random_ready @= s.control.pad & s.pad.draws
            s.control.has_byte @= ~s.pad.draws | (s.random_valid & (s.random_byte != 0))
            s.exponentiator.recv.val @= s.control.ask
            s.exponentiator.send.rdy @= s.control.compute
            s.modulus.turn @= s.control.step
            s.modulus.low @= s.modulus.high
            s.outgoing.low @= s.outgoing.high

        @update
        def judge():
            s.registers.failed @= s.bad_modulus
            s.registers.length_out @= s.pad.k
            if s.unpads:
                s.registers.length_out @= s.unpad.length
                if ~s.unpad.good | ~s.pad.below:
                    s.registers.failed @= 1
            if s.registers.failed:
                s.registers.length_out @= 0

        if exponentiator.by_crt:

            @update_ff
            def take_status_or_fault():
                if s.control.begin_unpad:
                    s.bad_modulus <<= s.exponentiator.send.msg.status | s.exponentiator.fault

        else:

            @update_ff
            def take_status():
                if s.control.begin_unpad:
                    s.bad_modulus <<= s.exponentiator.send.msg.status

    def connect_bus(s, by_crt: bool) -> None:
        """Put the registers on the bus; a key in its parts answers, too."""
        for name in (*INPUTS, *OUTPUTS):
            connect(getattr(s, PREFIX + name), getattr(s.bus, PREFIX + name))
        answers = () if by_crt else ("write_refused", "read_data")
        for name in ("write", "to", "data", "from_", "read_refused", *answers):
            connect(getattr(s.registers, name), getattr(s.bus, name))
        s.irq //= s.registers.irq
        s.registers.busy //= s.control.busy
        s.registers.finish //= s.control.finish
        s.control.start //= s.registers.start

    def connect_key(s, nbits: int, fixed: Fixed) -> None:
        """Make the modulus and the exponents constants, or load them."""
        if fixed.modulus is None:
            s.modulus = LoadedBytes(nbits)
            s.connect_loads(s.modulus, s.registers.put_modulus)
        else:
            s.modulus = FixedBytes(nbits, fixed.modulus)
            s.modulus.place //= s.places.place
        if fixed.exponents is None:
            s.e, s.d = LoadedWords(nbits), LoadedWords(nbits)
            s.connect_loads(s.e, s.registers.put_e)
            s.connect_loads(s.d, s.registers.put_d)
        else:
            s.e, s.d = (FixedValue(nbits, exponent) for exponent in fixed.exponents)

    def connect_parts(s, nbits: int) -> None:
        """Have registers for the parts of a key, by which the exponentiator does what d does."""
        s.parts = KeyParts(nbits)
        for name in ("write", "to", "data", "from_"):
            connect(getattr(s.parts, name), getattr(s.bus, name))
        s.parts.word //= s.registers.word
        s.parts.busy //= s.control.busy
        s.parts.start //= s.registers.start
        for name in PARTS:
            connect(getattr(s.exponentiator.key, name), getattr(s.parts, name))
        s.exponentiator.key.e //= s.e.value[0:E_BITS]

        @update
        def answer():
            s.bus.write_refused @= s.registers.write_refused & ~s.parts.takes
            s.bus.read_data @= s.registers.read_data | s.parts.also
            s.exponentiator.private @= s.parts.by_parts & s.registers.decrypt

    def connect_loads(s, operand: WordPorts, put: InPort) -> None:
        """Load words of an operand from the bus."""
        operand.write //= put
        operand.at //= s.registers.at
        operand.data //= s.registers.word

    def connect_passes(s) -> None:
        """Have input and output pass the padding, the modulus beside them."""
        s.connect_loads(s.incoming, s.registers.put_input)
        s.incoming.turn //= s.control.step_pad
        s.incoming.low //= s.pad.padded
        s.incoming.high //= s.pad.here
        s.outgoing.turn //= s.control.unpad
        s.unpad.here //= s.outgoing.high
        s.places.restart //= s.control.restart
        s.places.step //= s.control.step
        s.places.last //= s.control.last
        s.places.modulus_byte //= s.modulus.high
        for part in (s.pad, s.unpad):
            part.kind //= s.registers.kind
            part.place //= s.places.place
            part.position //= s.places.position
            part.in_block //= s.places.in_block
        s.pad.restart //= s.control.begin_pad
        s.pad.step //= s.control.step_pad
        s.pad.top //= s.places.top
        s.pad.length //= s.registers.length
        s.pad.modulus_byte //= s.modulus.high
        s.pad.random //= s.random_byte
        s.unpad.restart //= s.control.begin_unpad
        s.unpad.step //= s.control.unpad

    def connect_operands(s, request: InPort) -> None:
        """Make the operands those of a request."""
        request.base //= s.incoming.value
        request.exp //= s.exp
        request.mod //= s.modulus.value

    def connect_output(s, nbits: int) -> None:
        """Keep the answer, and show it to the bus."""
        total = WORD_BITS * words(nbits)
        s.control.taken //= s.exponentiator.recv.rdy
        s.control.answered //= s.exponentiator.send.val
        s.outgoing.data[0:nbits] //= s.exponentiator.send.msg.result
        if nbits < total:
            connect(s.outgoing.data[nbits:total], 0)
        for i in range(words(nbits)):
            connect(s.outgoing.write[i], s.control.begin_unpad)
        s.shown.value //= s.outgoing.value
        s.shown.at //= s.registers.shown_at
        s.shown.length //= s.registers.shown_length
        s.registers.shown //= s.shown.word

    def line_trace(s) -> str:
        """Show the control's state, the place of the pass, the exponentiator."""
        state = f"{s.control.line_trace()} {s.places.place} {s.registers.line_trace()}"
        return f"{super().line_trace()}({state} {s.exponentiator.line_trace()})"
