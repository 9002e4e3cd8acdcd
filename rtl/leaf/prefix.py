"""Carry networks as vectors: one component per level, as fl/prefix.py describes it."""

from collections.abc import Sequence

from pymtl3 import InPort, OutPort, Wire, connect, mk_bits, update

from fl.prefix import Level
from rtl.leaf.flattened import Flattened


class PrefixLevel(Flattened):
    """Lets the mask's positions take in the group `distance` below: (g | p & g_low, p & p_low)."""

    def construct(s, nbits: int, distance: int, mask: int):
        s.g = InPort(nbits)
        s.p = InPort(nbits)
        s.group_g = OutPort(nbits)
        s.group_p = OutPort(nbits)
        merged = mk_bits(nbits)(mask)
        kept = mk_bits(nbits)(~mask & (1 << nbits) - 1)

        @update
        def merge():
            s.group_g @= s.g | (s.p & (s.g << distance) & merged)
            s.group_p @= s.p & ((s.p << distance) | kept)


class Carries(Flattened):
    """Makes group_g[i], the carry out of bits 0 to i, and group_p[i]: they all propagate."""

    def construct(s, nbits: int, levels: Sequence[Level]):
        s.g = InPort(nbits)
        s.p = InPort(nbits)
        s.group_g = OutPort(nbits)
        s.group_p = OutPort(nbits)
        g, p = s.g, s.p
        for i, level in enumerate(levels):
            unit = PrefixLevel(nbits, level.distance, level.mask)
            setattr(s, f"level_{i}", unit)
            connect(unit.g, g)
            connect(unit.p, p)
            g, p = unit.group_g, unit.group_p
        connect(s.group_g, g)
        connect(s.group_p, p)


class PrefixAdder(Flattened):
    """sum = a + b, modulo 2^nbits."""

    def construct(s, nbits: int, levels: Sequence[Level]):
        s.a = InPort(nbits)
        s.b = InPort(nbits)
        s.sum = OutPort(nbits)
        s.half = Wire(nbits)
        s.carries = Carries(nbits, levels)
        s.carries.p //= s.half

        @update
        def start():
            s.half @= s.a ^ s.b
            s.carries.g @= s.a & s.b

        @update
        def add():
            s.sum @= s.half ^ (s.carries.group_g << 1)
