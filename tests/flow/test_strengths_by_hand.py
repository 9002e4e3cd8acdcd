"""Cells that differ in strength alone, and the latest of several delays: of small Liberty texts."""

import re

import numpy as np
import pytest

from flow.gates.groups import Group, parse
from flow.gates.latest import latest_only, most
from flow.gates.strengths import Cells, Variant
from tests.flow import made_up_library as made

pytestmark = pytest.mark.quick
CHECK = """lu_table_template (check) {
    variable_1 : related_pin_transition; variable_2 : constrained_pin_transition;
  }
  power_lut_template"""


def checked(kind: str, rise: str, fall: str) -> str:
    """By the slew of the clock, then by that of the data, 0.1 and 0.3 ns."""
    tables = [
        f'{edge}_constraint (check) {{ index_1 ("0, 1"); index_2 ("0.1, 0.3"); values ({rows}); }}'
        for edge, rows in (("rise", rise), ("fall", fall))
    ]
    return f"timing () {{ related_pin : CK; timing_type : {kind}; {' '.join(tables)} }}"


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Cells:
    """The library of planes: an inverter whose pin has more at the rising edge, a strong one whose
    pin says nothing of edges, one that logic is not mapped to, and setup before hold times."""
    text = made.liberty()
    [weak] = re.findall(r"  cell \(INV\) \{.*?\n  \}", text, re.DOTALL)
    edges = "capacitance : 1.5; rise_capacitance : 1.8; fall_capacitance : 1.5;"
    more = weak.replace("capacitance : 1.5;", edges).replace("area : 1.0", "area : 7.0")
    more = more.replace("(INV)", "(INV_X8)")
    unused = weak.replace("(INV)", "(CLKBUF_X9)")
    setup = checked("setup_rising", '"0.5, 0.9", "9, 9"', '"0.7, 0.8", "9, 9"')
    hold = checked("hold_rising", '"0.01, 0.02", "9, 9"', '"0.03, 0.04", "9, 9"')
    text = text.replace(weak, f"{more}\n{unused}\n{weak}").replace("power_lut_template", CHECK, 1)
    text = text.replace("pin (D) {", f"pin (D) {{ {setup} {hold}")
    path = tmp_path_factory.mktemp("library") / "made.lib"
    path.write_text(text)
    return Cells(made.around(path))


def variant(cells: Cells, name: str) -> Variant:
    [found] = [one for one in cells.variants(name) if one.cell.name == name]
    return found


def test_a_pin_has_the_mean_of_its_edges(cells: Cells) -> None:
    assert variant(cells, "INV").capacitance == {"A": 1.5}
    strong = variant(cells, "INV_X8")
    assert strong.capacitance == {"A": pytest.approx((1.8 + 1.5) / 2)}
    assert strong.loads.tolist() == pytest.approx([1.65, 1.65])
    assert strong.cell.pins["A"].capacitance == 1.5  # as timing has it


def test_strengths_from_the_smallest_on(cells: Cells) -> None:
    """By area, whatever the order of the file; what logic is not mapped to has its own alone."""
    areas = [one.cell.area for one in cells.variants("INV_X8")]
    assert areas == sorted(areas)
    assert {one.cell.name for one in cells.variants("INV")} == {"INV", "INV_X2", "INV_X8"}
    assert cells.alike("INV") == ["INV_X2", "INV_X8", "INV"]
    assert cells.alike("CLKBUF_X9") == ["INV_X2", "INV_X8", "CLKBUF_X9", "INV"]
    assert cells.alike("AND2") == ["AND2"]
    assert cells.alike("DFF") == ["DFF", "DFF2"]


def test_setup_times_are_those_of_the_steepest_clock(cells: Cells) -> None:
    """And hold times, which come after them in the file, are no setup times."""
    register = variant(cells, "DFF")
    assert register.setups.keys() == {("D", 0), ("D", 1)}
    for edge, (low, high) in enumerate(((0.5, 0.9), (0.7, 0.8))):
        for slew, expected in ((0.1, low), (0.2, (low + high) / 2), (0.3, high)):
            at = (register.setups["D", edge], slew, 0.0)
            found = cells.bank.look_up(*(np.array([value]) for value in at))
            assert found[0] == pytest.approx(expected)


def test_arcs_of_edges(cells: Cells) -> None:
    assert variant(cells, "INV").arcs == (("A", "ZN", 0, 1), ("A", "ZN", 1, 0))
    assert variant(cells, "AND2").arcs == tuple(
        (pin, "Z", edge, edge) for pin in ("A1", "A2") for edge in (0, 1)
    )
    either = variant(cells, "XOR2").arcs
    assert set(either) == {
        (p, "Z", cause, edge) for p in "AB" for cause in (0, 1) for edge in (0, 1)
    }
    assert {cause for _, _, cause, _ in variant(cells, "DFF").arcs} == {0}
    assert variant(cells, "GATE").arcs == ()


def test_the_greatest_number_is_not_the_last_of_an_alphabet() -> None:
    found = most(["9.5, 0.02, -1, 1e-3", "10, 0.1, -2, 0.0009"])
    assert [float(number) for number in found.split(",")] == [10, 0.1, -1, 0.001]


def timing(
    related: str,
    sense: str,
    values: str,
    more: str = "",
    index: str = "0.1, 0.3",
    loads: str = "1",
) -> str:
    return (
        f"timing () {{ related_pin : {related}; timing_sense : {sense}; {more}"
        f' cell_rise (t) {{ index_1 ("{index}"); index_2 ("{loads}"); values ("{values}"); }} }}'
    )


def groups(*timings: str) -> list[Group]:
    text = f"cell (C) {{ pin (Z) {{ direction : output; {' '.join(timings)} }} }}"
    [pin] = parse(latest_only(text)).all("pin")
    return list(pin.all("timing"))


def values(group: Group) -> list[float]:
    [table] = group.groups
    return [float(x) for row in table.values("values") for x in row.split(",")]


def test_delays_of_all_states_are_the_latest_of_each() -> None:
    when = 'when : "B"; sdf_cond : "B == 1";'
    found = groups(
        timing("A", "positive_unate", "9, 2", when),
        timing("B", "positive_unate", "7, 7"),
        timing("A", "positive_unate", "10, 1", when),
        timing("A", "negative_unate", "30, 30", when),
    )
    assert [(g.attributes["related_pin"], values(g)) for g in found] == [
        ("A", [10, 2]),
        ("B", [7, 7]),
        ("A", [30, 30]),
    ]
    assert "when" not in found[0].attributes
    assert "when" in found[2].attributes


@pytest.mark.parametrize("kind", ["setup_rising", "rising_edge", "three_state_enable"])
def test_checks_and_tables_of_other_slews_stay(kind: str) -> None:
    """Only what is combinational is put together, and what has the same slews and loads."""
    of_kind = f"timing_type : {kind};"
    assert len(groups(*(timing("A", "non_unate", "1, 2", of_kind) for _ in range(2)))) == 2
    said = "timing_type : combinational;"
    both = timing("A", "non_unate", "1, 2", said), timing("A", "non_unate", "2, 1")
    assert [values(group) for group in groups(*both)] == [[2, 2]]
    other = timing("A", "non_unate", "5, 5", index="0.1, 0.4")
    assert [values(group) for group in groups(*both, other)] == [[2, 2], [5, 5]]
    other = timing("A", "non_unate", "5, 5", loads="2")
    assert [values(group) for group in groups(*both, other)] == [[2, 2], [5, 5]]


def test_a_library_of_one_delay_for_two_pins_and_a_sense_stays() -> None:
    text = made.liberty()
    assert latest_only(text) == text
