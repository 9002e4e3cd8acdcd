"""The library of the latest delays says no less than the whole one, and no more than it must."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import flow.gates.latest
from flow.gates.groups import Group, parse
from flow.gates.liberty import CELL
from tests.faults import faults, plant
from tests.flow.toys import LIBERTY

OTHER = ("AND2_X1", "XOR2_X1", "OAI222_X1", "FA_X1", "MUX2_X1", "DFF_X1", "CLKGATE_X1", "LOGIC0_X1")


def cells(text: str) -> dict[str, Group]:
    """Read some cells of a library."""
    return {
        found[1]: parse(text[found.start() :]) for found in CELL.finditer(text) if found[1] in OTHER
    }


def delays(cell: Group) -> dict[tuple, list[tuple[Group, np.ndarray]]]:
    """Find the groups of delays between pins, by pins, type and sense, and the numbers in each."""
    found = defaultdict(list)
    for pin in cell.all("pin"):
        for group in pin.all("timing"):
            said = [group.attributes.get(key) for key in ("timing_type", "timing_sense")]
            tables = [
                [float(x) for row in table.values("values") for x in row.split(",")]
                for table in group.groups
            ]
            found[pin.name, group.attributes["related_pin"], *said].append((group, tables))
    return found


def check(module) -> None:
    """Compare each group that is left with those that it stands for."""
    text = LIBERTY.read_text()
    shorter = module.latest_only(text)
    whole, latest = cells(text), cells(shorter)
    assert whole.keys() == latest.keys() == set(OTHER)
    stood_for = 0
    for name, cell in whole.items():
        left = delays(latest[name])
        for key, groups in delays(cell).items():
            if key[2] not in (None, "combinational"):
                assert left[key] == groups
                continue
            [(group, tables)] = left[key]
            assert np.array_equal(tables, np.max([of for _, of in groups], axis=0))
            assert len(groups) == 1 or not {"when", "sdf_cond"} & group.attributes.keys()
            stood_for += len(groups) - 1
    assert stood_for > 50
    assert len(shorter) < 0.8 * len(text)


def test_one_group_stands_for_all_states() -> None:
    check(flow.gates.latest)


@faults(
    {
        "the earliest": ("max(column, key=float)", "min(column, key=float)"),
        "the first": ("for group in groups]", "for group in groups[:1]]"),
        "under a condition": ("found in CONDITION.finditer(text)]", "found in []]"),
        "all are left": ('changes += [(place, "") for place in others]', "pass"),
        "whatever sense": ('said.get("timing_sense")', "None"),
        "checks, too": ("== COMBINATIONAL", "!= 'none'"),
    }
)
def test_another_group_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    with pytest.raises((AssertionError, ValueError, KeyError)):
        check(plant(tmp_path, flow.gates.latest, sound, faulty))


def test_a_table_without_values_and_a_group_that_is_not_closed_are_refused() -> None:
    whole = 'cell_rise (t) { values ("1, 2"); }'
    group = parse(f"timing () {{ {whole} }}")
    assert flow.gates.latest.greatest(whole, [group, group]) == whole.replace(", ", ",  ")
    with pytest.raises(AssertionError, match="table cell_rise has no values"):
        flow.gates.latest.greatest(whole.replace("values", "value"), [group])
    with pytest.raises(AssertionError, match=r"cell_rise \(t\) \{ is not closed"):
        flow.gates.latest.greatest(whole.replace("}", ""), [group])
