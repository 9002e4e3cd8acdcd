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
        count = -(-nbits // steps)
        s.value = InPort(nbits)
        s.place = InPort(max(1, clog2(count)))
        s.bits = OutPort(steps)
        for i in range(steps):
            lane = Wire(count)  # the i-th bit of each place
            choose = BitAt(count)
            setattr(s, f"lane_{i}", lane)
            setattr(s, f"choose_{i}", choose)
            for place in range(count):
                at = steps * place + i
                connect(lane[place], s.value[at] if at < nbits else 0)
            connect(choose.value, lane)
            connect(choose.place, s.place)
            connect(choose.chosen, s.bits[i])
