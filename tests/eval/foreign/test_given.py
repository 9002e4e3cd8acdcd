"""What a host usually gives to a core of others is told apart: its cycles, and its area."""

import re
from dataclasses import astuple
from pathlib import Path

import pytest

from cl.organisation import Organisation
from eval.catalog import bring, find
from eval.catalog.design import Design
from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS
from eval.contract.design import Check
from eval.contract.multiplier import edge_cases, taken
from eval.foreign.designs import ANY, foreign_exponentiator, usual
from eval.foreign.given import GIVEN, given_by_host, given_each
from eval.report.cards import cards
from eval.report.picture import space_of
from eval.report.records import RECORDS, records
from eval.study.results import StudyResult
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.unit import ACCELERATOR
from fl.schedule import LEFT_TO_RIGHT, RIGHT_TO_LEFT
from rtl.exp.organised import organised
from rtl.foreign import host
from rtl.foreign.models import Declared, ForeignUnit
from rtl.foreign.protocols import start_done
from rtl.foreign.taken import Taken
from tests.command_line import assert_refused, run, run_json
from tests.eval.foreign.test_examples import EXAMPLES
from tests.eval.foreign.test_examples import cios as cios
from tests.eval.foreign.test_protocols import CORES, PORTS
from tests.eval.made_up import flow_row, found_of, simulated

# Words of 4 bits, two of them. The inverse: 4 bits and a cycle. Writing: 3 operands of 2 words.
# Start: 1. Twice 2 products, a quotient, 2 more, a shift; 2 differences; ready: 15. Reading: 2.
INVERSE, PRODUCT = 5, 5 + 6 + 1 + 15 + 2 + 1
# base^13, 13 = 1101 in binary. One unit: 3 squarings and 2 products, one product into the domain,
# one out. Two units: 4 rounds, and one product into the domain.
PRODUCTS = {"cios": 5, "cios-small": 7}
ASKED = "--nbits 8 --level batch --with cios/entry.py"
POWER = f"--base 5 --exp 13 --mod 221 {ASKED}"


@pytest.fixture
def told(cios: Path) -> Path:
    """The same core with a host that gives -m^-1 mod 2^4, as `told`."""
    folder = cios.parents[1] / "told"
    folder.mkdir()
    (folder / "cios.vhd").write_text(cios.with_name("cios.vhd").read_text())
    text = cios.read_text()
    assert text.count('"cios", CORE, handshake') == 1
    text = text.replace('"cios", CORE, handshake', '"told", CORE, handshake, host=True')
    (folder / "entry.py").write_text(text)
    return folder / "entry.py"


def test_a_product_has_the_cycles_of_its_steps(cios):
    product = run_json(f"simulate cios --unit multiplier --a 200 --b 77 --m 221 {ASKED}")
    assert (product["cycles"], product["given_by_host"]) == (PRODUCT, INVERSE)
    [row] = run_json(f"check cios --part multiplier {ASKED}")["rows"]
    assert row["cycles"] == f"{PRODUCT}, measured, {INVERSE} of them for constants"
    assert row["given_by_host"] == [INVERSE, INVERSE]


@pytest.mark.parametrize("design", PRODUCTS)
def test_a_host_that_gives_the_inverse_saves_the_cycles_that_are_told(cios, told, design):
    found = run_json(f"simulate {design} {POWER}")
    assert found["given_by_host"] == PRODUCTS[design] * INVERSE
    line = f"simulate {design.replace('cios', 'told')} {POWER} --with {told}"
    given = run_json(line)
    assert "given_by_host" not in given
    assert given["from_host"] == ["m_inv = -m^-1 mod 2^4"]
    assert given["result"] == found["result"] == pow(5, 13, 221)
    assert found["cycles"] - given["cycles"] == found["given_by_host"]
    said = f"{found['given_by_host']} of them find constants of the modulus, usually {GIVEN}"
    assert said in run(f"simulate {design} {POWER}").stdout
    assert f"{GIVEN}, in no cycles: m_inv = -m^-1 mod 2^4" in run(line).stdout


def test_explore_tells_them_in_json(cios):
    line = "explore --designs cios-small --nbits 8 --workloads e --to none --with cios/entry.py"
    [row] = run_json(line)["rows"]
    exp = WORKLOADS["e"].request(8).exp
    assert row["given_by_host"] == (exp.bit_length() + exp.bit_count()) * INVERSE < row["cycles"]


def test_the_flow_shows_the_area_of_what_finds_the_inverse(cios, told):
    areas = {}
    for name in ("cios", "told"):
        line = f"flow {name} --nbits 8 --unit multiplier --with {cios} --with {told}"
        areas[name] = {one["module"]: one["area_um2"] for one in run_json(line)["modules"]}
    [finds] = [area for module, area in areas["cios"].items() if "ForeignConstants" in module]
    # Registers of found, inverse and sum, 4 bits each, at 4.5 um2 and more; adders beside them.
    assert 12 * 4.5 < finds < sum(areas["cios"].values()) / 3
    assert not [module for module in areas["told"] if re.match("Foreign(Constants|Host)", module)]
    assert sum(areas["told"].values()) < sum(areas["cios"].values())


@pytest.mark.long
def test_the_netlist_answers_what_the_host_gave_it(told):
    assert min(Check("exponentiator", 8, "rtl").run(find_brought(told))) > 0
    powered = run_json(f"flow told-small --nbits 8 --to power --with {told}")["metrics"]
    assert powered["energy_e_nj"] > 0


def find_brought(entry: Path) -> Design:
    """The design of a file."""
    bring("--with", entry)
    return find("told")


def test_rows_and_cards_say_what_the_host_gives(told):
    assert min(Check("multiplier", 8, "batch").run(find_brought(told))) > 0
    run_of = FlowRun(Point("told-small", 8), ACCELERATOR, 3.0)
    metrics = {"area_um2": 3000.0, "setup_slack_ns": 0.5, "period_ns": 2.5}
    counted = simulated(run_of.point, "e", {"cycles_e": 880, "xcel_cycles_e": 900})
    found = found_of(counted, flow_row(run_of, metrics))
    grid = RECORDS.of(records([found]))
    assert grid.lines[0].cells[0] == "told-small@"
    assert f"{GIVEN.capitalize()} to told-small-8: m_inv = -m^-1 mod 2^4." in grid.note
    [card] = cards(found)
    assert card.facts[GIVEN] == "m_inv = -m^-1 mod 2^4: no cycles, no area"
    assert_refused("flow told --nbits 32 --unit peripheral", "leave host=True out")


@pytest.mark.quick
@pytest.mark.parametrize("mod", [1, 3, 221, 255])
def test_what_the_host_says_is_side_by_side(mod):
    asked = {"r": ("r", 9), "inverse": ("m_inv", 11), "based": ("base_r", 10), "r2": ("r2", 8)}
    values = [2**9 % mod, -pow(mod, -1, 2**11) % 2**11, (200 << 10) % mod, 2**16 % mod]
    joined = values[0] | values[1] << 8 | values[2] << 19 | values[3] << 27
    assert host.joined(asked, 8, 200, mod) == joined


def test_an_exponentiator_has_them_once_in_a_request_whose_modulus_it_takes():
    core, _ = CORES["start-done"]
    constants = {"one": "r", "squared": "r2"}
    on_pins = {"base": "one", "exp": "squared", "mod": "mod"}
    for pins, each in ((on_pins, (2 * 16 + 1, "request")), (PORTS, None)):  # None: of no use
        handshake = start_done(pins, "result", constants=constants)
        [design] = foreign_exponentiator("theirs", core, handshake)
        model = design.at(16)
        assert given_each(model) == each
        assert given_by_host(model, 5, 13, 77) == (each and each[0])
        assert given_by_host(model, 5, 13, 76) == (each and 0)  # refused
    assert given_by_host(find("mont-best").at(16), 5, 13, 77) is None


@pytest.mark.quick
@pytest.mark.parametrize("exp", [1, 2, 3, 5, 13, 255, 2**16 - 1])
def test_products_that_follow_each_other_are_counted_for_short_exponents(exp):
    """In the plain domain: no product leads in or out."""

    def one_cycle(*_: int) -> int:
        return 1

    declared = Declared(
        "", Taken(odd=True), usual, True, None, None, one_cycle, lambda _: 5, dict, False
    )
    unit = ForeignUnit(16, declared, 0)
    in_turn = organised(unit, Organisation(LEFT_TO_RIGHT, units=1, entry="reduced"))
    squarings = exp.bit_length() - 1
    assert given_by_host(in_turn, 5, exp, 65521) == 5 * (squarings + exp.bit_count())
    side_by_side = organised(unit, Organisation(RIGHT_TO_LEFT, units=2, entry="reduced"))
    assert given_by_host(side_by_side, 5, exp, 65521) == 5 * (exp.bit_length() + 1)


@pytest.mark.quick
def test_a_unit_in_the_plain_domain_is_checked_under_the_modulus_1():
    """Where our exponentiators ask for products by 1, b is m; elsewhere it is below m."""
    unit = ForeignUnit(16, Declared("", ANY, usual, True, None, None, None, None, dict, False), 0)
    under_1 = {(a, b) for _, _, a, b, m in map(astuple, taken(unit, edge_cases(16))) if m == 1}
    assert under_1 >= {(0, 1), (1, 1), (2**16 - 1, 1)}
    assert {b for _, b in under_1} == {0, 1}


def study() -> StudyResult:
    """A small design of others between two of ours, of made-up figures."""
    rows = []
    for design, area, cycles in (
        ("cios-small", 3000.0, 900),
        ("ssmm-small", 1500.0, 400),
        ("mont-small", 2500.0, 200),
    ):
        point = Point(design, 8)
        metrics = {"area_um2": area, "setup_slack_ns": 0.5, "period_ns": 2.5}
        rows += [
            simulated(point, "e", {"cycles_e": cycles - 20, "xcel_cycles_e": cycles}),
            flow_row(FlowRun(point, ACCELERATOR, 3.0), metrics),
        ]
    return found_of(*rows)


@pytest.fixture
def found(mine: Path) -> StudyResult:
    """The study, with the entry of the page for authors."""
    bring("--with", EXAMPLES / "cios_entry.py")
    return study()


@pytest.mark.quick
def test_rows_tell_the_cycles_in_a_note(found):
    asked = WORKLOADS["e"].request(8)
    products = asked.exp.bit_length() + asked.exp.bit_count()  # in turn: in and out, too
    by_design = {r.value("design"): r for r in records([found])}
    assert by_design["cios-small"].given_by_host == products * INVERSE
    assert by_design["mont-small"].given_by_host is None
    note = RECORDS.of([*by_design.values()]).note
    said = f"Of the cycles, {products * INVERSE} of workload e on cios-small-8 find constants"
    assert said in note
    assert GIVEN not in RECORDS.of([by_design["mont-small"]]).note


@pytest.mark.quick
def test_the_page_has_the_point_with_its_family_its_limits_and_its_mark(found):
    space = space_of(found)
    [place] = [place for place in space.places if place["design"] == "cios-small"]
    assert place["family"] == "theirs"
    assert place["values"]["area"] == 3000.0
    looks = space.looks
    assert len(set(looks.values())) == len(looks) == 3
    theirs, *ours = cards(found)
    assert theirs.anchor == place["card"].removeprefix("#")
    assert theirs.title == place["title"] == "theirs: cios, one unit, left to right"
    assert theirs.facts["widths"] == "8 to 1024 bits"
    assert (theirs.facts["moduli"], theirs.facts["from"]) == ("odd >= 1", "theirs")
    assert theirs.facts[GIVEN] == f"constants of the modulus: {INVERSE} cycles a product"
    assert not [card for card in ours if GIVEN in card.facts]
