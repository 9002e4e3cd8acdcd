"""Candidates by hand: the doubt of an energy, clocks of which a netlist tells, and which row of the
store is that of a spot."""

import json
from collections.abc import Iterator
from itertools import permutations
from types import SimpleNamespace

import pytest

from eval.find import known
from eval.find.candidates import Candidates
from eval.find.known import Netlist, stored
from eval.find.model import Model, Places, Spot
from eval.find.need import read_need

pytestmark = pytest.mark.quick
DESIGN, NBITS = "ssmm-small", 32
SPOT = Spot(DESIGN, NBITS, 3.0)


def candidates(clock: str = "free") -> Candidates:
    """One design at a clock, or at those that may be chosen, whose energy is to be least."""
    need = read_need(NBITS, "sign", ["energy"], designs=[DESIGN], clock=clock)
    return Candidates(need, lambda: Model([]), [], lambda step: None)


def test_an_energy_is_as_doubtful_as_its_factors_together() -> None:
    """Energy for each um2 and cycle, and area: once that is measured, the first alone."""
    model, one = Model([]), candidates("3")
    _, [of_each] = model.estimate("energy", Places([SPOT]))
    _, [of_area] = model.estimate("area", Places([SPOT]))
    assert of_each > 0.5 < of_area
    assert one.estimates(model).doubt["energy"] == pytest.approx([(of_each**2 + of_area**2) ** 0.5])
    one.tell([Netlist(SPOT, 4000.0, 2.5)])
    assert one.estimates(model).doubt["area"] == [0]
    assert one.estimates(model).doubt["energy"] == pytest.approx([of_each])
    one.tell([Netlist(SPOT, 4000.0, 2.5, (("d", 7.0),))])
    assert one.estimates(model).doubt["energy"] == [0]


@pytest.mark.parametrize(
    ("period", "clocks"),
    [
        (2.3, {2.31, 3.9, 5.07, 6.59, 8.57}),
        (2.31, {2.31}),
        (2.32, set()),
        (1.77, {1.78, 2.31, 3.9, 5.07, 6.59, 8.57}),
        (3.1, set()),
    ],
)
def test_a_netlist_tells_of_clocks_that_it_meets(period: float, clocks: set[float]) -> None:
    """Of shorter ones than its own; of longer ones only if it meets its own by 1.3 times: it is as
    small as it can be then."""
    one = candidates()
    one.tell([Netlist(SPOT, 4000.0, period)])
    told = zip(one.spots, one.settled(), strict=True)
    assert {spot.clock_ns for spot, is_settled in told if is_settled} == clocks


ROWS = (
    ({"unit": "accelerator", "clock_ns": 3.0}, {"area_um2": 100.0}),
    ({"unit": "accelerator", "clock_ns": 3.0}, {"area_um2": 90.0, "energy_glitches_d_nj": 5.0}),
    ({"unit": "accelerator", "clock_ns": 3.0, "gated": True}, {"area_um2": 80.0}),
    ({"unit": "accelerator", "clock_ns": 3.0, "tech": "other"}, {"area_um2": 70.0}),
    ({"unit": "system", "clock_ns": 3.0}, {"area_um2": 60.0}),
)


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_of_rows_of_a_spot_that_with_energies_counts(
    monkeypatch: pytest.MonkeyPatch, order: tuple[int, ...]
) -> None:
    """Whatever their order is; not those of other units and technologies."""

    class Rows:
        """A store of these rows."""

        def __enter__(self) -> "Rows":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def parts(self, kind: str, part: str) -> Iterator[tuple[object, dict[str, float]]]:
            assert (kind, part) == ("flow", "$.metrics")
            for asked, metrics in [ROWS[i] for i in order] + [*ROWS[3:]]:
                key = SimpleNamespace(design=DESIGN, nbits=NBITS, parameters=json.dumps(asked))
                yield key, {"period_reached_ns": 2.0} | metrics

    monkeypatch.setattr(known, "Store", Rows)
    assert {one.spot: (one.area_um2, one.energies_nj) for one in stored()} == {
        SPOT: (90.0, (("d", 5.0),)),
        Spot(DESIGN, NBITS, 3.0, gated=True): (80.0, ()),
    }
