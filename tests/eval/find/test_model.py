"""Estimates: near what is known they are that, far from it their doubt is large, and both are
borne out by netlists that they do not know."""

from math import exp, log

import pytest

from eval.catalog import find
from eval.find.known import Netlist, quoted, stored
from eval.find.model import DOUBTS, FIGURES, Known, Model, Places, Spot, left_out
from eval.quoting.stored import load
from eval.tasks.store import Key, Store, as_text

pytestmark = pytest.mark.quick
AT = Spot("ssmm(steps=3)", 32, 3.0)


def model():
    """A model that knows one netlist."""
    return Model([Known(AT, 7000.0, 2.8, 9.0, 300)])


def test_what_is_known_is_estimated_as_it_is():
    for figure, value in (("area", 7000 / 32), ("period", 2.8), ("energy", 9 / 7000 / 300)):
        [mean], [doubt] = model().estimate(figure, Places([AT]))
        assert exp(mean) == pytest.approx(value, rel=0.02)
        assert doubt < 0.06


def test_doubt_grows_with_the_distance():
    near, far, wide = (Spot(f"ssmm(steps={n})", b, 3.0) for n, b in ((4, 32), (7, 32), (3, 1024)))
    other = Spot("array-4", 32, 3.0)
    _, doubts = model().estimate("area", Places([AT, near, far, wide, other]))
    assert doubts[0] < doubts[1] < doubts[2]
    assert doubts[1] < doubts[3] < doubts[4]
    assert (
        model().estimate("area", Places([other]))[1]
        == Model([]).estimate("area", Places([other]))[1]
    )


def test_area_is_for_each_bit_of_width():
    """A netlist of twice the bits is estimated near twice the area, not the same."""
    [mean], _ = model().estimate("area", Places([Spot(AT.design, 64, 3.0)]))
    assert log(64) + mean == pytest.approx(log(14000), abs=0.1)


def test_one_wide_energy_tells_of_other_narrow_ones():
    """Of one design energy for each um2 and cycle rises by a quarter from 64 to 2048 bits: so is
    that of another one of the family expected to, closely."""
    here, other = "array-4-ct", "array-8-ct"
    known = [(here, 64, 1.6), (here, 2048, 2.0), (other, 64, 1.2)]
    told = [Known(Spot(n, b, 3.0), 1e5, 1.0, e * 0.1 * 1e6, 10**6) for n, b, e in known]
    wide = Places([Spot(other, 2048, 3.0)])
    [before], [doubt_before] = Model([told[0], told[2]]).estimate("energy", wide)
    [mean], [doubt] = Model(told).estimate("energy", wide)
    assert exp(mean) == pytest.approx(1.2 * 2.0 / 1.6 * 1e-6, rel=0.1)
    assert abs(exp(before) / exp(mean) - 1) > 0.1
    assert doubt < 0.2 < doubt_before


@pytest.mark.parametrize("figure", FIGURES)
def test_estimates_of_quoted_netlists_keep_within_their_doubt(figure):
    """Each is estimated by the others; of normal doubts 95 of 100 keep within two."""
    known = [one.known("d") for one in quoted() if not find(one.spot.design).moduli.only]
    off = left_out(known, figure)
    assert len(off) >= (15 if figure == "energy" else 60)
    kept = sum(abs(error) <= DOUBTS * doubt for error, doubt in off)
    assert kept >= 0.9 * len(off)
    typical = sorted(abs(error) for error, _ in off)[len(off) // 2]
    assert typical < (0.3 if figure == "energy" else 0.15)


def test_netlists_are_read_from_the_store_and_from_texts(tmp_path, monkeypatch):
    """Of accelerators, with energies where a row of the same spot has them."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    plain = {"area_um2": 1000.0, "period_ns": 1.5}
    power = plain | {"energy_glitches_d_nj": 0.5}
    rows = [
        ("ssmm-small", {"unit": "accelerator", "clock_ns": 3.0, "to": "power"}, power),
        ("ssmm-small", {"unit": "accelerator", "clock_ns": 3.0}, plain),
        ("ssmm-small", {"unit": "accelerator", "clock_ns": 3.0, "gated": True}, plain),
        ("ssmm-small", {"unit": "multiplier", "clock_ns": 3.0}, plain),
        ("mont-small", {"unit": "accelerator", "clock_ns": 3.0, "tech": "sky130"}, plain),
        ("not-here-now", {"unit": "accelerator", "clock_ns": 3.0}, plain),
    ]
    with Store() as store:
        for name, asked, metrics in rows:
            store.put(
                Key("flow", name, 8, as_text(asked), "", "", "", "{}", ""), {"metrics": metrics}
            )
    energies = (("d", 0.5),)
    assert {one.spot: (one.area_um2, one.energies_nj) for one in stored()} == {
        Spot("ssmm-small", 8, 3.0): (1000.0, energies),
        Spot("ssmm-small", 8, 3.0, gated=True): (1000.0, ()),
    }
    known = Netlist(Spot("ssmm-small", 8, 3.0), 1000.0, 1.5, energies).known("d")
    assert (known.energy_nj, known.cycles) == (0.5, 58)  # cycles as the notebook has them
    [told] = [one for one in quoted() if one.spot == Spot("array-4", 1024, 3.0)]
    assert told.area_um2 == pytest.approx(135_300, rel=0.01)  # with energies
    assert told.period_ns == pytest.approx(0.895, rel=0.01)
    assert dict(told.energies_nj).keys() == {"e", "d"}
    curve = load()["clocks array-8 --nbits 1024"].values
    [fastest] = [
        one for one in quoted() if one.spot == Spot("array-8", 1024, curve["runs[-1].clock_ns"])
    ]
    assert fastest.area_um2 == curve["runs[-1].area_um2"]
    assert fastest.period_ns == curve["runs[-1].period_ns"]
    gated = [one for one in quoted() if one.spot.gated]
    assert gated
    assert not [one for one in quoted() if one.spot.design.startswith("processor")]
