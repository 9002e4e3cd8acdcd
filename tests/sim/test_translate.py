"""Translation: names, ports, no trace of where it was made, and Yosys reads it as we do."""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pymtl3 import Bits1, Component, DefaultPassGroup, InPort, OutPort, update

from sim.translate import Port, port_name, translate
from tests.places import ROOT
from tests.toys import AddRTL, FaultyRTL, ShuffleRTL, shuffle
from tests.yosys import evaluate, run_yosys

PRINT_TRANSLATION = """
from sim.translate import translate
from tests.toys import AddRTL, WrapRTL
print(translate(AddRTL(1500, 3)).text)
print(translate(WrapRTL(lambda: WrapRTL(lambda: AddRTL(8, 3)))).text)
print(translate(WrapRTL(lambda: AddRTL(8, 3)), "chosen").text)
"""


def test_ports_in_order_with_widths() -> None:
    assert translate(FaultyRTL()).ports == (
        Port("clk", "input", 1),
        Port("reset", "input", 1),
        Port("port__req__msg", "input", 8),
        Port("port__req__rdy", "output", 1),
        Port("port__req__val", "input", 1),
        Port("port__resp__msg", "output", 8),
        Port("port__resp__rdy", "input", 1),
        Port("port__resp__val", "output", 1),
    )
    assert port_name("port.req.val") == "port__req__val"
    widths = {p.name: p.nbits for p in translate(AddRTL(4096, 1)).ports}
    assert (widths["recv__msg"], widths["send__msg"]) == (8192, 4096)


def test_one_name_one_design() -> None:
    first, again, other = (translate(AddRTL(8, n)) for n in (1, 1, 2))
    assert first == again
    assert first.top != other.top
    assert first.digest != other.digest
    assert "__" not in first.top
    assert f"module {first.top}\n" in first.text


def test_a_given_name() -> None:
    assert "module adder8\n" in translate(AddRTL(8, 1), "adder8").text
    with pytest.raises(ValueError, match="no `__` allowed"):
        translate(AddRTL(8, 1), "adder__8")


class Negates(Component):
    """Negates a constant."""

    def construct(s, constant: int):
        s.out = OutPort()
        given = Bits1(constant)

        @update
        def negate():
            s.out @= ~given


def test_a_negated_constant_is_refused() -> None:
    with pytest.raises(ValueError, match="yosys misreads ~given: negate constants in Python"):
        translate(Negates(1))


def test_elaborated_or_not_and_twice() -> None:
    component = AddRTL(8, 1)
    component.elaborate()
    assert translate(component) == translate(component) == translate(AddRTL(8, 1))


def test_a_prepared_component_is_refused() -> None:
    component = AddRTL(8, 1)
    component.elaborate()
    component.apply(DefaultPassGroup())
    with pytest.raises(ValueError, match="translate a fresh one"):
        translate(component)


def test_port_arrays_are_refused() -> None:
    class Lanes(Component):
        def construct(s) -> None:
            s.lane = [InPort(8) for _ in range(2)]
            s.out = OutPort(8)
            s.out //= s.lane[0]

    with pytest.raises(ValueError, match="port lane is an array"):
        translate(Lanes())


def test_nothing_is_written_and_no_place_is_named() -> None:
    before = sorted(Path.cwd().iterdir())
    text = translate(AddRTL(8, 1)).text
    assert sorted(Path.cwd().iterdir()) == before
    assert str(Path(__file__).parent) not in text
    assert "toys.py" not in text


def test_every_process_translates_alike() -> None:
    def text(seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", PRINT_TRANSLATION],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert text("1") == text("2") == text("3")
    assert {"WrapRTL__function0", "chosen"} <= set(re.findall(r"^module (\w+)", text("1"), re.M))


@pytest.mark.parametrize("nbits", [40, 64])
def test_yosys_indexes_loops_like_us(nbits: int, tmp_path: Path) -> None:
    """Loop variables that Yosys took for signed would misplace the upper half of the bits."""
    design = translate(ShuffleRTL(nbits))
    source = tmp_path / "top.v"
    source.write_text(design.text)
    rng = random.Random(nbits)
    requests = [rng.getrandbits(nbits) << nbits | places for places in (0, 1, nbits - 1, nbits)]
    output = run_yosys(
        f"read_verilog -sv {source}",
        f"hierarchy -check -top {design.top}",
        "proc",
        *(f"eval -set recv__msg {2 * nbits}'h{r:x} -show send__msg" for r in requests),
    )
    assert evaluate(output) == [shuffle(nbits, r) for r in requests]
