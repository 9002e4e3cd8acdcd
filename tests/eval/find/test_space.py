"""The space: how many points there are, by hand; which suit a need; which are drawn."""

import random

import pytest

from eval.catalog import FAMILIES, find
from eval.find import drawn, space
from eval.find.candidates import Candidates
from eval.find.drawn import draw
from eval.find.formula import all_cycles
from eval.find.model import Known, Model, Spot
from eval.find.need import read_need
from eval.find.space import counts, named, neighbours, points_of
from sim.errors import UserError
from tests.command_line import assert_refused, run, run_json

pytestmark = pytest.mark.quick


def test_points_are_as_many_as_by_hand():
    """Of mont, by steps and unit: 17 organisations with R^2 by doublings (of the loops that begin
    as R, lr-always and six windows with one unit, the ladder with three; of the others two with
    three units, one with one: 10 + 7), 7 by a remainder; each with and without forwarding. The
    masked ladder has 3 without random multiples, and 4 of these with two or five units each. Three
    kinds of unit of one step have 4 more by products, which always, of constant time, does not
    take."""
    at_8, at_32 = counts(8), counts(32)
    masked = 3 + 4 * 2
    assert at_8["mont"] == 8 * 5 * ((17 + 7) * 2 + masked) + 3 * 4 * 2
    assert at_32["mont"] == 32 * 5 * ((17 + 7) * 2 + masked) + 3 * 4 * 2
    assert at_32["ssmm"] == 7 * 2
    assert at_32["naive"] == 3 * 2  # left to right has one unit
    assert at_8["near-power"] == 8 * 2  # no digit is wider than the number
    assert at_32["near-power"] == 32 * 2
    assert "what-if" not in at_32
    for name, count in at_8.items():
        if name in FAMILIES:
            assert len({find(p).name for p in points_of(FAMILIES[name], 8)}) == count


def test_the_command_counts_the_same():
    assert run_json("list --space --nbits 8,32")["points"] == {"8": counts(8), "32": counts(32)}
    lines = run("list --space --nbits 8").stdout.splitlines()
    [total] = [line.split("|")[2] for line in lines if line.startswith("| all ")]
    assert int(total) == sum(counts(8).values())
    assert_refused("list --nbits 8", "--nbits: is of --space")
    assert_refused("list mont --space", "--space: counts all families")


def test_only_what_suits_the_need_is_looked_at():
    def looked_at(**options):
        names, large = named(read_need(32, "sign", ["area"], **options))
        assert [family.name for family in large] == [] if options else ["mont"]
        return {find(name) for name in names}

    every = looked_at()
    assert {"mul-rem", "ssmm-004", "array-4-pair", "serial-p-8"} <= {d.name for d in every}
    assert not any(d.moduli.some or d.moduli.only or d.assumed for d in every)
    constant = looked_at(constant_time=True, families=["ssmm", "array"])
    assert constant
    assert all(design.constant_time for design in constant)
    assert {d.moduli.kind for d in looked_at(moduli="any", families=["ssmm", "array"])} == {"any"}
    blinded = looked_at(families=["array-blinded", "array-masked"])
    assert len(blinded) == 3 * 6 + 3
    assert all("random=0" in design.name for design in blinded)
    assert looked_at(designs=["array-blinded(random=8)"]) == {find("array-blinded(random=8)")}
    of_digits = looked_at(families=["mont-digit"], constant_time=True)
    assert any("loop=ladder" in design.name for design in of_digits)
    assert not any("masked" in design.name for design in of_digits)
    special = looked_at(moduli="special", families=["near-power"])
    assert len(special) == 64
    assert looked_at(designs=["ssmm-small", "ssmm()"]) == {find("ssmm-small")}
    with pytest.raises(UserError, match="--designs: none of 1 is of 32 bits, for such moduli, in"):
        looked_at(designs=["ssmm-small"], constant_time=True)


def test_cycles_are_those_of_the_formula():
    """As the README's table has them, through the port."""
    names = ["ssmm-small", "ssmm-best", "array-4", "mont-best"]
    assert all_cycles(names, 32, "d") == dict(zip(names, (911, 469, 679, 185), strict=True))
    assert all_cycles(names[::-1], 32, "e")["array-4"] == 379


def test_a_seed_draws_the_same_points(monkeypatch):
    monkeypatch.setattr(drawn, "TRIALS", 150)
    mont = FAMILIES["mont"]

    def of_seed(seed, **more):
        need = read_need(8, "sign", ["area", "time"], clock="3", seed=seed, **more)
        return draw(mont, need, lambda: Model([]), (3.0,))

    first = of_seed(1)
    assert len(first) > 30
    assert first == of_seed(1)
    assert first != of_seed(2)
    assert set(first) <= {find(name).name for name in points_of(mont, 8)}
    assert all_cycles(list(first), 8, "d") == first
    constant = of_seed(1, constant_time=True)
    assert constant
    assert all(find(name).constant_time for name in constant)


def test_neighbours_differ_in_one_parameter():
    """Of ssmm of 3 steps: six other numbers of steps, and the other loop."""
    found = list(neighbours("ssmm(steps=3)", 32))
    assert len(found) == len(set(found)) == 7
    assert {"ssmm-small", "ssmm(steps=7)", "ssmm(steps=3,loop=always)"} <= set(found)
    assert "ssmm(steps=3)" not in found
    assert not [name for name in neighbours("mont()", 8) if "steps=9" in name]
    assert not [name for name in neighbours("mont(forward=no)", 32) if "masked" in name]
    assert "mont(loop=left-to-right)" not in list(neighbours("mont()", 32))  # needs one unit


def test_neighbours_of_the_best_join(monkeypatch):
    monkeypatch.setattr(drawn, "TRIALS", 60)
    monkeypatch.setattr(space, "MOST_ENUMERATED", 100)
    need = read_need(8, "sign", ["area"], clock="3", families=["mont"], constant_time=True)
    found = Candidates(need, lambda: Model([]), [], lambda step: None)
    before, design = set(found.cycles), next(iter(found.cycles))
    assert found.drawn == len(before)
    found.widen(design)
    more = set(found.cycles) - before
    assert len(more) == found.beside > 0
    assert more <= set(neighbours(design, 8))
    assert all(find(name).constant_time for name in more)
    assert {one.design for one in found.spots} == set(found.cycles)
    assert all_cycles(sorted(more), 8, "d") == {name: found.cycles[name] for name in sorted(more)}
    found.widen(design)
    assert set(found.cycles) == before | more


def test_points_are_drawn_anew_where_something_else_is_known_of_the_family(monkeypatch, tmp_path):
    """Not where it is of another family: of random netlists each is known or not."""
    draws = []
    monkeypatch.setattr(drawn, "build_dir", lambda _: tmp_path)
    monkeypatch.setattr(drawn, "_draw", lambda *_: draws.append(1) or {str(len(draws)): 1})
    need = read_need(8, "sign", ["area"], seed=7)
    source = random.Random(1)
    names = {name: [*points_of(FAMILIES[name], 8)] for name in ("mont", "ssmm")}
    seen = {}
    for _ in range(40):
        known = {
            name: [
                Known(Spot(find(source.choice(points)).name, 8, 3.0), source.randint(1, 2), 1.0)
                for _ in range(source.randint(0, 1))
            ]
            for name, points in names.items()
        }
        found = draw(FAMILIES["mont"], need, lambda known=known: Model(sum(known.values(), [])), ())
        assert seen.setdefault(repr(known["mont"]), found) == found
    assert len(draws) == len(seen) == len({*map(repr, seen.values())}) > 5
