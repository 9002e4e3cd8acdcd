"""The one subtraction of modular arithmetic: less the modulus where the value holds it."""

from pymtl3 import InPort, OutPort, Wire, update, zext

from rtl.leaf.flattened import Flattened


class SubtractIfFits(Flattened):
    """result = value - m if that is not negative, else value; for value <= 2m, so result <= m."""

    def construct(s, nbits: int):
        wide = nbits + 1  # the difference is from -m to m: the top bit is its sign
        s.value = InPort(wide)
        s.m = InPort(nbits)
        s.result = OutPort(nbits)
        s.fits = OutPort()
        s.difference = Wire(wide)

        @update
        def subtract():
            s.difference @= s.value - zext(s.m, wide)
            s.fits @= ~s.difference[nbits]
            if s.fits:
                s.result @= s.difference[0:nbits]
            else:
                s.result @= s.value[0:nbits]
