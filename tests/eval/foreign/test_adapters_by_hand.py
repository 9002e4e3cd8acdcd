"""Adapters read as text, and the steps that they make: what a reset wipes, what is driven, what
does not fit."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from cl.organisation import Organisation
from eval.foreign.core import Core, adapted
from eval.foreign.designs import ANY, ODD, foreign_exponentiator
from eval.foreign.given import given_by_host, given_each
from fl.schedule import LEFT_TO_RIGHT
from rtl.exp.organised import organised
from rtl.foreign import buses, constants, host, protocols
from rtl.foreign.adapter import adapter
from rtl.foreign.models import Declared, ForeignUnit
from rtl.foreign.steps import (
    WORD,
    AdapterError,
    Address,
    Do,
    Drive,
    Each,
    Read,
    Step,
    Value,
    While,
)
from rtl.foreign.text import VerilogModule
from rtl.foreign.unit import EXPONENTIATOR
from sim.errors import UserError
from tests.eval.foreign.test_protocols import CORES, N

pytestmark = pytest.mark.quick
REGISTERS = re.compile(r"^ *(?:output )?reg (?:\[\d+:0\] )?([\w, ]+?)[;,]?$", re.MULTILINE)
RESET = re.compile(r"if \(reset\) begin\n(.*?)^ *end else", re.MULTILINE | re.DOTALL)
PORTS = (("start", True, 1), ("x", True, 8), ("done", False, 1), ("many", False, 4))
CORE = VerilogModule("core", "module core; endmodule", (*PORTS, ("y", False, 8)))
TAKES = Do(until="done", take="y")


def kept_and_wiped(text: str, module: str) -> tuple[set[str], set[str]]:
    """The registers of a module, and those that its reset sets to 0."""
    [body] = re.findall(rf"^module {module} \($(.*?)^endmodule", text, re.MULTILINE | re.DOTALL)
    [wiped] = RESET.findall(body)
    kept = {name.strip() for names in REGISTERS.findall(body) for name in names.split(",")}
    return kept, {*re.findall(r"^ *(\w+) <= 0;$", wiped, re.MULTILINE)}


@pytest.mark.parametrize("name", CORES)
def test_a_reset_wipes_all_that_an_adapter_keeps(name: str) -> None:
    """Operands, the result, and where it is."""
    module = adapted(*CORES[name], N, EXPONENTIATOR, ANY, False)
    kept, wiped = kept_and_wiped(module.text, module.top)
    assert kept >= {"step", "waited", "word", "kept", "refused"}
    assert kept >= {f"asked_{operand}" for operand in EXPONENTIATOR}
    assert wiped == kept


ASKED = {"one": ("r", 9), "two": ("r2", 10), "low": ("m_inv", 4), "long": ("m_inv", 7)}


def test_a_reset_wipes_constants_too() -> None:
    drive = Drive([Do({"start": 1}), TAKES], {"x": "one"}, ASKED)
    module = adapter("Adapter", CORE, drive, 8, ("a", "b", "m"), ODD)
    kept, wiped = kept_and_wiped(module.text, "Adapter")
    assert kept >= {f"asked_{name}" for name in ASKED}
    assert wiped == kept
    kept, wiped = kept_and_wiped(module.text, constants.module_name("core"))
    assert kept == {"found", "doubled", "inverse", "sum"}
    assert wiped == kept


@pytest.mark.parametrize(
    ("asked", "cycles"),
    [
        ({}, 0),
        ({"x": ("r", 9)}, 10),
        ({"x": ("r2", 9)}, 19),
        ({"x": ("m_inv", 32), "y": ("r2", 9)}, 33),
        (ASKED, 21),
    ],
)
def test_a_constant_takes_a_cycle_for_each_bit_and_one_to_keep_it(
    asked: Mapping[str, tuple[str, int]], cycles: int
) -> None:
    assert constants.cycles(asked) == cycles


@pytest.mark.parametrize("mod", [1, 3, 129, 255])
@pytest.mark.parametrize("base", [0, 1, 200, 255])
def test_what_a_host_gives_is_below_the_modulus_and_side_by_side(mod: int, base: int) -> None:
    asked = ASKED | {"base_r": ("base_r", 9)}
    given, low = host.joined(asked, 8, base, mod), 0
    inverses = {bits: -pow(mod, -1, 2**bits) % 2**bits for bits in (4, 7)}
    right = (2**9 % mod, 2**20 % mod, inverses[4], inverses[7], base * 2**9 % mod)
    for value, bits in zip(right, (8, 8, 4, 7, 8), strict=True):
        assert given >> low & (1 << bits) - 1 == value
        low += bits
    assert not given >> low


def done(step: Step) -> list[Do]:
    """What a step does once."""
    return [step] if isinstance(step, Do) else [*step.do]


def on_bus(word: int, **more: int) -> buses.Registers:
    places = {"base": 0, "exp": 16, "mod": 32}
    return buses.Registers(word, places, 64, (48, 1, 0), "out[0]", 52, stride=4, **more)


@pytest.mark.parametrize("word", [8, 16, 32])
@pytest.mark.parametrize(
    ("bus", "port", "reads"),
    [(buses.axi_lite, "s_axi_wstrb", False), (buses.wishbone, "wb_sel_i", True)],
)
def test_all_bytes_of_a_word_are_selected(
    word: int, bus: Callable[..., Callable[[int], Drive]], port: str, reads: bool
) -> None:
    drive = bus(on_bus(word))(64)
    writes = {"s_axi_awvalid", "wb_we_i"}
    for do in (one for step in drive.steps for one in done(step) if one.pins):
        driven = {*do.pins, *do.drop}
        if driven & writes or (reads and "wb_cyc_i" in driven):
            assert do.pins[port] == 2 ** (word // 8) - 1
        else:
            assert port not in driven


def accesses(steps: list[Step]) -> list[tuple[Value, Value | None]]:
    """The addresses, with what is written there."""
    return [
        (do.pins["address"], do.pins.get("write_data") if "we" in do.pins else None)
        for step in steps
        for do in done(step)
        if "address" in do.pins
    ]


def test_registers_are_written_and_read_in_order() -> None:
    """Values, operands after what winds them back, a start, what follows it, then the status."""
    of = buses.Registers(
        **{"word": 8, "operands": {"mod": 0, "exp": 16}, "result": 32, "control": (48, 1, 0)},
        **{"status": "!read_data[2]", "status_at": 49, "stride": 2, "settle": 5},
        **{"rewind": {"exp": 50, "result": 51}, "values": {7: lambda nbits: nbits // 8, 9: 3}},
    )
    steps = [*buses.registers(of)(20).steps]
    assert accesses(steps) == [
        *((7, 2), (9, 3), (Address(0, 2), WORD), (50, 0), (Address(16, 2), WORD)),
        *((48, 1), (48, 0), (49, None), (51, 0), (Address(32, 2), None)),
    ]
    at = steps.index(Do(cycles=5))
    assert accesses(steps[:at])[-1] == (48, 0)
    looks = steps[at + 1]
    assert isinstance(looks, While)
    assert looks.condition == "read_data[2]"
    assert [step.operand for step in steps if isinstance(step, Each)] == ["mod", "exp"]
    assert isinstance(steps[-1], Read)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([Do({"x": 255}), TAKES], ""),
        ([Do({"x": 256}), TAKES], "port x has 8 bits; 256 does not fit"),
        ([Do({"x": -1}), TAKES], "port x has 8 bits; -1 does not fit"),
        ([Do({"start": 2}), TAKES], "port start has 1 bits; 2 does not fit"),
        ([Do({"x": Address(255)}), TAKES], ""),
        ([Do({"x": Address(256)}), TAKES], "port x has 8 bits; address 256 is wider"),
        ([Do(until="many[3]", take="y")], ""),
        ([Do(until="many[4]", take="y")], "many has 4 bits"),
        ([Do(until="many", take="y")], "many has 4 bits; name one, many[0]"),
        ([Do(until="start", take="y")], "the core has no 'start' as an output"),
        ([Do({"done": 1}), TAKES], "the core has no 'done' as an input"),
        ([Do({"x": WORD}), TAKES], "port x: WORD is of no operand"),
        ([Each("m", 8, [Do({"x": WORD})]), TAKES], ""),
        ([Each("m", 9, [Do({"x": WORD})]), TAKES], "port x has 8 bits; a word has 9"),
        ([Each("m", 0, [Do({"x": WORD})]), TAKES], "words of 0 bits; give 1 or more"),
        ([Do({"start": "m"}), TAKES], "port start has 1 bits, m 8"),
        ([Do(until="done", take="many")], "port many has 4 bits, the result 8"),
    ],
    ids=str,
)
def test_steps_that_do_not_fit_the_core_are_named(steps: list[Step], said: str) -> None:
    def made() -> VerilogModule:
        return adapter("Adapter", CORE, Drive(steps), 8, ("a", "b", "m"), ANY)

    if said:
        with pytest.raises(AdapterError) as error:
            made()
        assert said in str(error.value)
    else:
        assert made().top == "Adapter"


@pytest.mark.parametrize(("by_host", "given"), [(False, (9, "request")), (True, None)])
def test_constants_that_a_host_gives_take_no_cycles(
    by_host: bool, given: tuple[int, str] | None
) -> None:
    """Of -m^-1 modulo 2^8, a bit in a cycle and one more."""
    pins = {"base": "m_inv", "exp": "exp", "mod": "mod"}
    drive = protocols.start_done(pins, "result", constants={"m_inv": "m_inv"}, digit=8)
    [design] = foreign_exponentiator("theirs", CORES["start-done"][0], drive, host=by_host)
    assert given_each(design.at(16)) == given


@pytest.mark.parametrize(
    ("exp", "products"), [(1, 2), (2, 3), (3, 4), (13, 7), (129, 10), (255, 16)]
)
def test_cycles_of_constants_are_those_of_all_products(exp: int, products: int) -> None:
    """One unit, left to right: a product into the domain, one out; a square for each bit but the
    first, a product for each 1 but the first. Of each five cycles."""
    declared = Declared(
        *("theirs", ODD, lambda a, b, m: True, True, lambda n: CORE, lambda n: CORE),
        *(lambda n, *asked: 30, lambda n: 5),
    )
    organisation = Organisation(LEFT_TO_RIGHT, units=1, entry="remainder")
    model = organised(ForeignUnit(8, declared, 8), organisation)
    assert given_by_host(model, 5, exp, 221) == 5 * products


@pytest.mark.parametrize("name", ["clk", "reset", "wrapped_core"])
def test_a_port_that_is_called_as_the_wrappers_own_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Unless the entry says that it is the clock or the reset."""
    ports = {"ck": ("input", 1), "rst": ("input", 1), name: ("input", 1), "y": ("output", 8)}
    found = SimpleNamespace(ports=ports, top="theirs", text="")
    monkeypatch.setattr(Core, "elaborated", lambda self, nbits: found)
    with pytest.raises(UserError, match=f"port {name} is neither clock nor reset of the entry"):
        Core(Path("theirs"), (), "theirs", clock="ck", reset="rst").at(8)
    clocks = ("ck", name)
    made = Core(Path("theirs"), (), "theirs", clock=clocks, reset="!rst").at(8)
    assert made.ports == (("y", False, 8),)
    assert f".ck(clk), .{name}(clk), .rst(~reset), .y(y)" in made.text
