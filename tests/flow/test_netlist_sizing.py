"""Gates are sized by slack: those on slow paths grow, others shrink, and OpenSTA sees the same."""

import re
import shutil

import pytest
from pymtl3 import Component, InPort, OutPort, sext, update, update_ff

from flow import opensta
from flow.gates.latest import latest_only
from flow.gates.liberty import Library
from flow.gates.strengths import Cells
from flow.synthesis.sizing import Sizing, gates_of_module, sized
from flow.technologies.files import SAYS
from rtl.leaf.compression import FullAdders
from rtl.leaf.register import Register
from sim.translate import translate
from tests.flow.scripts import map_design
from tests.flow.toys import LIBERTY

LOADS = 24


def fan(buffer: str = "BUF_X1", inside: str = "") -> str:
    """A register that drives many gates through a buffer, each before a register; a module."""
    lines = ["module Fan(clk, d, y);", "  input clk;", "  wire clk;", "  input d;", "  wire d;"]
    lines += [f"  output [{LOADS - 1}:0] y;", f"  wire [{LOADS - 1}:0] y;"]
    nets = ["sel", "many", *(f"n_{i}" for i in range(LOADS))]
    lines += [f"  wire {net};" for net in nets]
    cells = [("DFF_X1", "first", {"CK": "clk", "D": "d", "Q": "sel"})]
    cells += [(buffer, "buffer", {"A": "sel", "Z": "many"})]
    for i in range(LOADS):
        cells += [("NAND2_X1", f"gate_{i}", {"A1": "many", "A2": f"y[{i}]", "ZN": f"n_{i}"})]
        cells += [("DFF_X1", f"last_{i}", {"CK": "clk", "D": f"n_{i}", "Q": f"y[{i}]"})]
    for kind, name, pins in cells:
        ports = ",\n".join(f"    .{pin}({net})" for pin, net in pins.items())
        lines.append(f"  {kind} {name} (\n{ports}\n  );")
    return "\n".join([*lines, inside, "endmodule", ""]).replace("\n\n", "\n")


@pytest.fixture(scope="module")
def latest(tmp_path_factory):
    """The library that trials are judged by."""
    path = tmp_path_factory.mktemp("library") / "latest.lib"
    path.write_text(latest_only(LIBERTY.read_text()))
    shutil.copy(LIBERTY.with_name(SAYS), path.with_name(SAYS))
    return path


@pytest.fixture
def cells(latest):
    return Cells(Library(latest))


def period(folder, text, latest):
    """What OpenSTA says that a netlist takes."""
    netlist = folder / "netlist.v"
    netlist.write_text(text)
    said = opensta.run_sta(netlist, "Fan", latest, 1.0, "clk", quick=True)
    return 1.0 - float(re.search(r"setup_slack (\S+)", said)[1])


def changed(text, new):
    """The netlist with new cells."""
    return re.sub(
        r"^  (\w+) (\w+) \(",
        lambda old: f"  {new.get(old[2], old[1])} {old[2]} (",
        text,
        flags=re.M,
    )


def test_a_path_takes_what_opensta_says(tmp_path, latest, cells):
    module = Sizing(gates_of_module(fan(), cells), cells, 1.0)
    assert 1.0 - module.time() == pytest.approx(period(tmp_path, fan(), latest), abs=0.004)


def test_what_drives_many_becomes_strong(tmp_path, latest, cells):
    new = sized(fan(), cells, 0.2)
    assert set(new) <= {"first", "buffer", *(f"gate_{i}" for i in range(LOADS))}
    assert int(new["buffer"].removeprefix("BUF_X")) >= 4
    before, after = (period(tmp_path, text, latest) for text in (fan(), changed(fan(), new)))
    assert after < 0.75 * before


def test_what_has_time_becomes_weak(tmp_path, latest, cells):
    assert sized(fan(), cells, 1.0) == {}
    assert sized(fan("BUF_X32"), cells, 1.0) == {"buffer": "BUF_X1"}
    between = changed(fan(), sized(fan("BUF_X32"), cells, 0.35) | {})
    assert period(tmp_path, between, latest) < 0.36


def test_other_modules_are_outside(cells):
    """What they give comes late, what they take is to leave early; they stay as they are."""
    other = "  Other other (\n    .from_here(many),\n    .to_here(d_late)\n  );"
    text = fan(inside=other).replace("  wire sel;", "  wire sel;\n  wire d_late;")
    gates = gates_of_module(text.replace(".D(d)", ".D(d_late)"), cells)
    module = Sizing(gates, cells, 1.0)
    names = {net: name for name, port in module_nets(module).items() for net in port}
    assert "many" in {names.get(net) for net in module.leaving}
    assert "d_late" in {names.get(net) for net in module.entering}
    assert "other" not in sized(text, cells, 0.2)


def module_nets(module):
    """The nets of the pins of cells that the test names."""
    names = [name for _, name in module.gates.names]
    pins = dict(zip(names, module.pins, strict=True))
    return {"many": [pins["buffer"]["Z"]], "d_late": [pins["first"]["D"]]}


class Masked(Component):
    """Adds three words where a register says so."""

    def construct(s):
        s.first = InPort(LOADS)
        s.second = InPort(LOADS)
        s.third = InPort(LOADS)
        s.yes = InPort()
        s.sum = OutPort(LOADS)
        s.carry = OutPort(LOADS)
        s.mask = Register()
        s.adders = FullAdders(LOADS)

        @update
        def choose():
            s.adders.x @= s.first & sext(s.mask, LOADS)
            s.adders.y @= s.second & sext(s.mask, LOADS)
            s.adders.z @= s.third & sext(s.mask, LOADS)

        @update_ff
        def registers():
            s.mask <<= s.yes
            s.sum <<= s.adders.sum
            s.carry <<= s.adders.carry


def test_gates_before_full_adders_are_sized_as_they_are_mapped(tmp_path, latest):
    """What is found of the netlist reaches its cells, whatever yosys has named them."""
    design = tmp_path / "design.v"
    design.write_text(translate(Masked(), "Fan").text)
    reached = {}
    for recipe in ("fast+fa", "sized+fa"):
        more = {"top": "Fan", "flatten": ("FullAdders",), "period": 0.31, "latest": str(latest)}
        map_design(design, recipe, tmp_path / recipe, **more)
        netlist = (tmp_path / f"{recipe}.v").read_text()
        assert netlist.count("FA_X1 ") == LOADS
        reached[recipe] = period(tmp_path, netlist, latest)
    assert reached["sized+fa"] < reached["fast+fa"]
