"""The leaf units of interleaved multiplication: steps from the highest bit down, and their bits."""

from pymtl3 import InPort, OutPort, Wire, clog2, connect, update

from rtl.leaf.flattened import Flattened
from rtl.leaf.shift_sub import ModAddIf, ModDouble


class InterleavedSteps(Flattened):
    """next = 2^steps * product + bits * multiplicand mod modulus, the highest bit first.

    For product < modulus and multiplicand <= modulus.
    """

    def construct(s, nbits: int, steps: int):
        s.product = InPort(nbits)
        s.multiplicand = InPort(nbits)
        s.bits = InPort(steps)
        s.modulus = InPort(nbits)
        s.next = OutPort(nbits)

        product = s.product
        for i in reversed(range(steps)):
            double = ModDouble(nbits)
            add = ModAddIf(nbits)
            setattr(s, f"double_{i}", double)
            setattr(s, f"add_{i}", add)
            connect(double.value, product)
            connect(double.modulus, s.modulus)
            connect(add.product, double.next)
            connect(add.addend, s.multiplicand)
            connect(add.enable, s.bits[i])
            connect(add.modulus, s.modulus)
            product = add.next
        connect(s.next, product)


class BitAt(Flattened):
    """chosen = value[place]; 0 beyond its highest bit."""

    def construct(s, nbits: int):
        place_bits = max(1, clog2(nbits))
        room = 1 << place_bits
        s.value = InPort(nbits)
        s.place = InPort(place_bits)
        s.places = Wire(room)
        connect(s.places[0:nbits], s.value)
        if nbits < room:
            connect(s.places[nbits:room], 0)
        s.chosen = OutPort()

        @update
        def choose():
            s.chosen @= s.places[s.place]


class BitsAt(Flattened):
    """bits = so many of the value from steps*place on; 0 beyond its highest bit."""

    def construct(s, nbits: int, steps: int):
        place_bits = max(1, clog2(-(-nbits // steps)))
        s.value = InPort(nbits)
        s.place = InPort(place_bits)
        s.bits = OutPort(steps)
        if steps == 1:
            s.choose = BitAt(nbits)
            s.choose.value //= s.value
            s.choose.place //= s.place
            s.choose.chosen //= s.bits
        else:
            s.groups = [Wire(steps) for _ in range(1 << place_bits)]
            for i, group in enumerate(s.groups):
                low, high = steps * i, min(steps * (i + 1), nbits)
                if low < high:
                    connect(group[0 : high - low], s.value[low:high])
                if high < steps * (i + 1):
                    connect(group[max(high - low, 0) : steps], 0)

            @update
            def choose_group():
                s.bits @= s.groups[s.place]
