"""Combinational designs on many operands at once: translated Verilog (or a netlist), compiled."""

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path

from pymtl3 import Component, InPort, OutPort, connect

from fl.modulus import Modulus
from rtl.mul.tree_mul import TreeMul, TreeSquare
from sim.batch import BatchModel
from sim.translate import Translation
from sim.verilate import stored_bytes

LOOP = Path(__file__).parent / "sweep_loop.cpp"


def sweep(
    design: Component | Translation, operands: Mapping[str, Sequence[int]]
) -> dict[str, list[int]]:
    """The value of every output for each case; operands name every input but clk and reset."""
    model = BatchModel(design, LOOP)
    inputs = [model.ports[name] for name in operands]
    outputs = [port for port in model.ports.values() if port[1].direction == "output"]
    columns = [
        [value.to_bytes(stored_bytes(port), "little") for value in values]
        for (_, port), values in zip(inputs, operands.values(), strict=True)
    ]
    cases = len(columns[0])
    packed = b"".join(part for case in zip(*columns, strict=True) for part in case)
    sizes = [stored_bytes(port) for _, port in outputs]
    results = ctypes.create_string_buffer(cases * sum(sizes))
    numbers = [(ctypes.c_uint * len(ports))(*(n for n, _ in ports)) for ports in (inputs, outputs)]
    model.lib.sweep(
        model.handle,
        *(numbers[0], ctypes.c_uint(len(inputs))),
        *(numbers[1], ctypes.c_uint(len(outputs))),
        packed,
        results,
        ctypes.c_uint64(cases),
    )
    raw, found, at = results.raw, {}, 0
    for (_, port), size in zip(outputs, sizes, strict=True):
        places = range(at, len(raw), sum(sizes))
        found[port.name] = [int.from_bytes(raw[i : i + size], "little") for i in places]
        at += size
    model.close()
    return found


class TreesSideBySide(Component):
    """r_i = a * b mod modulus i and q_i = a * a mod modulus i, for a and b below that modulus."""

    def construct(s, moduli: Sequence[Modulus], order: str):
        width = max(modulus.width for modulus in moduli)
        s.a = InPort(width)
        s.b = InPort(width)
        for i, modulus in enumerate(moduli):
            mul, square = TreeMul(modulus, order), TreeSquare(modulus, order)
            setattr(s, f"mul_{i}", mul)
            setattr(s, f"square_{i}", square)
            product, squared = OutPort(modulus.width), OutPort(modulus.width)
            setattr(s, f"r_{i}", product)
            setattr(s, f"q_{i}", squared)
            connect(mul.a, s.a[0 : modulus.width])
            connect(mul.b, s.b[0 : modulus.width])
            connect(square.a, s.a[0 : modulus.width])
            connect(product, mul.r)
            connect(squared, square.r)


def wrong_products(
    moduli: Sequence[Modulus],
    pairs: Sequence[tuple[int, int]],
    order: str = "document",
) -> list[str]:
    """What the hardware of each modulus answers wrongly, of the pairs that are its residues."""
    return wrong_of(TreesSideBySide(tuple(moduli), order), moduli, pairs)


def wrong_of(
    design: Component | Translation, moduli: Sequence[Modulus], pairs: Sequence[tuple[int, int]]
) -> list[str]:
    """The same of a design with the ports of TreesSideBySide."""
    found = sweep(design, {"a": [a for a, _ in pairs], "b": [b for _, b in pairs]})
    wrong = []
    for i, modulus in enumerate(moduli):
        m = modulus.value
        for case, (a, b) in enumerate(pairs):
            if a >= m or b >= m:
                continue
            for r, expected in ((found[f"r_{i}"], a * b % m), (found[f"q_{i}"], a * a % m)):
                if r[case] != expected:
                    wrong.append(f"{modulus.text}: {a}, {b}: {r[case]}, not {expected}")
                    break
    return wrong
