"""Verilog of others inside a component that PyMTL3 simulates: Verilated, it stands in its place."""

from pymtl3 import Component, InPort, OutPort, Wire, connect, mk_bits, update, update_ff

from rtl.foreign.text import RESET, VerilogModule, VerilogText
from sim.batch import BatchModel
from sim.translate import Port, Translation


def translation_of(module: VerilogModule) -> Translation:
    """Return the module as one that a component was translated to."""
    ports = [Port("clk", "input", 1), Port(RESET, "input", 1)]
    ports += [Port(name, "input" if into else "output", n) for name, into, n in module.ports]
    return Translation(module.top, module.text, tuple(ports))


class Verilated(Component):
    """Has the ports of a VerilogText, and does what the text says."""

    def construct(s, module: VerilogModule) -> None:
        s.module, s.model = module, BatchModel(translation_of(module))
        s.into = Wire(mk_bits(1 + sum(n for _, into, n in module.ports if into)))
        s.out = Wire(mk_bits(1 + sum(n for _, into, n in module.ports if not into)))
        connect(s.into[0:1], s.reset)
        places: dict[bool, list[tuple[str, int, int]]] = {True: [(RESET, 0, 1)], False: []}
        ends = {True: 1, False: 1}
        for name, into, nbits in module.ports:
            lo, hi = ends[into], ends[into] + nbits
            ends[into] = hi
            places[into].append((name, lo, hi))
            setattr(s, name, InPort(mk_bits(nbits)) if into else OutPort(mk_bits(nbits)))
            connect(getattr(s, name), (s.into if into else s.out)[lo:hi])

        def settled(given: int) -> int:
            for name, lo, hi in places[True]:
                s.model.poke(name, given >> lo & (1 << hi - lo) - 1)
            s.model.settle()
            return sum(s.model.peek(name) << lo for name, lo, _ in places[False])

        @update
        def settle() -> None:
            s.out @= settled(int(s.into))

        @update_ff
        def edge() -> None:
            if s.reset | ~s.reset:
                s.model.step()

    line_trace = VerilogText.line_trace


def replace_texts(top: Component) -> None:
    """Put Verilated components in the places of all VerilogText of an elaborated component."""
    for text in [c for c in top.get_all_components() if isinstance(c, VerilogText)]:
        top.replace_component_with_obj(text, Verilated(text.module))
