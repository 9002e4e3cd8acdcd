"""Parts of the attacks on numbers small enough to count: bits, cycles, classes, keys found."""

from functools import partial
from itertools import product
from random import Random

import numpy as np
import pytest
from pymtl3 import Component, DefaultPassGroup

from eval.catalog.point import Point
from eval.cli.attack import command
from eval.tasks.attack import campaign, template
from eval.tasks.attack.campaign import Asked, Attacks
from eval.tasks.attack.correlation import Correlation, correlation
from eval.tasks.attack.horizontal import guesses, two_classes
from eval.tasks.attack.pairs import Pairs
from eval.tasks.attack.rounds import Rounds, rounds_in
from eval.tasks.attack.section import grids, right_of
from eval.tasks.attack.task import Attack, AttackResult
from eval.tasks.attack.template import Template, labels_of, likeliest
from sim.errors import UserError

pytestmark = pytest.mark.quick
NBITS = 6
KEY = 0b110101


def exponents(count: int) -> list[int]:
    rng = Random(2)
    return [rng.getrandbits(NBITS) | 1 << NBITS - 1 | 1 for _ in range(count)]


@pytest.mark.parametrize(("from_top", "bits"), [(True, [1, 1, 0, 0]), (False, [0, 0, 1, 1])])
def test_bits_in_the_order_of_the_rounds(from_top: bool, bits: list[int]) -> None:
    rounds = Rounds(2, 3, 4, from_top)
    assert rounds.bits(0b1100).tolist() == bits
    assert rounds.exponent(np.array(bits)) == 0b1100
    assert rounds.of(np.arange(20)).tolist() == [[2, 3, 4], [5, 6, 7], [8, 9, 10], [11, 12, 13]]
    assert rounds.of(np.zeros((5, 20))).shape == (5, 4, 3)


def test_where_the_rounds_of_designs_begin() -> None:
    """A request takes 365 cycles after 4 of pushes, of which the last 25 are no round; the blinded
    one's rounds are of 2 + 16 + 16 cycles. Rounds side by side end with the answer, or before."""
    always, masked = (rounds_in(Point(name, 16)) for name in ("array-4-ct", "array-4-masked"))
    assert always == Rounds(4 + 365 - 25 - 16 * 16, 16, 16, True)
    assert masked == Rounds(4 + 997 - 95 - 16 * 34, 34, 16, True, compares=True)
    best = rounds_in(Point("mont-best", 16))
    assert best == Rounds(4 + 68 - 16 * 3, 3, 16, False, exact=False)


@pytest.mark.parametrize(
    ("name", "cycles"),
    [
        ("mont-ladder-masked", 6 + 1 + 1),  # 48 bits, 8 a cycle
        ("mont(loop=masked-ladder,forward=no)", 2 + 1 + 1),
        ("mont-digit(digit=4,loop=masked-ladder,units=1)", 6 + 6 + 1),  # 18 bits and 2, 4 a cycle
    ],
)
def test_where_the_rounds_of_a_ladder_by_shares_begin(name: str, cycles: int) -> None:
    """As its hardware asks for products, after the pushes of three operands and the last one."""
    point = Point(name, 16)
    model = point.entry.at(16)
    found = rounds_in(point)
    assert found == Rounds(4 + first_request(model.rtl()), cycles, 16, True, compares=True)


def first_request(component: Component) -> int:
    """The cycle of a request in which the ladder asks for its first product."""
    component.elaborate()
    component.apply(DefaultPassGroup())
    component.sim_reset()
    component.recv.val @= 1
    component.recv.msg.mod @= 0xF001
    core = component.core
    loop = (core.inner if hasattr(core, "inner") else core).loop
    for cycle in range(1000):
        component.sim_eval_combinational()
        if loop.multiply.req.val:
            return cycle
        component.sim_tick()
        component.recv.val @= 0
    raise AssertionError("no request")


def test_the_likeliest_exponent_is_that_of_the_largest_sum() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        bits, differ = rng.normal(0, 1, NBITS), rng.normal(0, 1, NBITS - 1)
        sums = {}
        for inner in product((0, 1), repeat=NBITS - 2):
            one = (1, *inner, 1)
            sums[sum(bit << i for i, bit in enumerate(one))] = sum(bits[1:] * one[1:]) + sum(
                differ[i] for i in range(NBITS - 1) if one[i] != one[i + 1]
            )
        assert likeliest(bits, differ) == max(sums, key=lambda one: sums[one])


def test_labels_are_the_inner_bits_and_where_they_change() -> None:
    """Of 1 0110 1: bits 1 to 4 are 0, 1, 1, 0, which change twice."""
    assert labels_of([0b101101, 0b100011], NBITS).tolist() == [
        [0, 1, 1, 0, 1, 0, 1],
        [1, 0, 0, 0, 1, 0, 0],
    ]


def test_a_correlation_is_of_cycles_off_their_mean_from_three_traces_on() -> None:
    """Of two traces the cycles of each are compared, of three the traces in each cycle."""
    two = np.array([[1.0, 3], [10, 20]])
    assert correlation(two, np.array([[2.0, 6], [0, 0]])) == pytest.approx(
        4 / ((2 + 50) * 8) ** 0.5
    )
    three = np.array([[1.0, 7], [2, 7], [6, 7]])
    model = np.array([[0.0, 9], [0, 1], [3, 2]])
    # (-2, -1, 3) with (-1, -1, 2); the other cycle tells nothing, but its model varies.
    expected = 9 / (14 * (6 + 25 + 9 + 4)) ** 0.5
    assert correlation(three, model) == pytest.approx(expected)


def acting(at: dict[int, int], cycles: int = 12):
    """Power in which each bit acts on a cycle, by the base; and the first cycle is of the base."""

    def power(asked) -> np.ndarray:
        rows = np.zeros((len(asked), cycles))
        for row, (base, exponent) in zip(rows, asked, strict=True):
            row[0] = base % 7
            for bit, cycle in at.items():
                row[cycle] += (exponent >> bit & 1) * ((bit + 3) * base % 11)
        return rows

    return power


def test_bits_are_grouped_by_the_cycle_from_which_power_tells_them() -> None:
    """The last group lasts as long as the longest of the others: 4 cycles."""
    at = {5: 2, 4: 2, 3: 3, 2: 3, 1: 7, 0: 9}
    model = Correlation(acting(at), NBITS, 0, None)
    assert model.groups == [([4, 5], 2, 3), ([2, 3], 3, 7), ([1], 7, 9), ([0], 9, 13)]
    bases = list(range(2, 40))
    measured = acting(at)([(base, KEY) for base in bases])
    assert model.guess(measured, bases) == KEY


def test_bits_that_no_power_tells_stand_after_the_trace() -> None:
    """They are guessed as 0, whatever they are."""
    model = Correlation(acting({5: 2, 4: 3, 2: 5}), NBITS, 0, None)
    assert model.groups == [([5], 2, 3), ([4], 3, 5), ([2], 5, 12), ([0, 1, 3], 12, 19)]
    bases = list(range(2, 40))
    measured = acting({5: 2, 4: 3, 2: 5})([(base, KEY) for base in bases])
    assert model.guess(measured, bases) == KEY & 0b110100 | 1


@pytest.mark.parametrize(("bits", "seen"), [(6, True), (7, False)])
def test_so_many_bits_are_guessed_at_once(bits: int, seen: bool) -> None:
    model = Correlation(acting(dict.fromkeys(range(bits), 4)), bits, 0, None)
    assert model.groups == ([([*range(bits)], 4, 5)] if seen else [])
    assert bool(model.guess(np.zeros((3, 12)), [2, 3, 4])) == seen


def test_cycles_before_the_first_that_counts_tell_nothing() -> None:
    """Bits 0 to 2 act in the pushes, too."""
    early = acting({0: 1, 1: 1, 2: 1})
    late = acting({5: 4, 4: 5, 3: 6, 2: 7, 1: 8, 0: 9})
    model = Correlation(lambda asked: early(asked) + late(asked), NBITS, 3, None)
    assert [bits for bits, *_ in model.groups] == [[5], [4], [3], [2], [1], [0]]


@pytest.mark.parametrize("from_top", [True, False])
def test_of_a_device_that_differs_from_itself_the_known_rounds_are_taken(from_top: bool) -> None:
    rng = np.random.default_rng(1)

    def masked(asked) -> np.ndarray:
        return rng.integers(0, 9, (len(asked), 20))

    model = Correlation(masked, 4, 0, Rounds(5, 3, 4, from_top))
    order = [3, 2, 1, 0] if from_top else [0, 1, 2, 3]
    assert model.groups == [([bit], 5 + 3 * i, 8 + 3 * i) for i, bit in enumerate(order)]
    assert Correlation(masked, 4, 0, None).groups == []


def test_two_classes_are_moved_until_each_is_nearest_to_its_mean() -> None:
    """The first cut is at the mean, 4.6, of 0, 1, 5, 6 and 11; then 5 and 6 go to the left."""
    found, share = two_classes(np.array([[0.0], [1], [5], [6], [11]]))
    assert sorted(np.flatnonzero(found == found[4]).tolist()) == [2, 3, 4]
    assert share == pytest.approx((2 * 4.1**2 + 3 * (22 / 3 - 4.6) ** 2) / 77.2)
    found, share = two_classes(np.array([[0.0], [0], [0], [0], [4], [6], [20]]))
    assert sorted(np.flatnonzero(found == found[6]).tolist()) == [6]
    same, nothing = two_classes(np.ones((4, 2)))
    assert nothing == 0
    assert len(set(same.tolist())) == 1


@pytest.mark.parametrize("from_top", [True, False])
def test_rounds_are_classed_but_for_the_ends(from_top: bool) -> None:
    """The ends stand out, and say nothing."""
    rounds = Rounds(1, 2, NBITS, from_top)
    mean = np.zeros(1 + 2 * NBITS + 3)
    for i, bit in enumerate(rounds.bits(KEY)):
        mean[1 + 2 * i] = 4 * bit
    mean[1] = mean[1 + 2 * (NBITS - 1)] = 90
    inner = KEY & ~(1 << NBITS - 1 | 1)
    other = inner ^ (1 << NBITS - 1) - 2
    assert sorted(guesses(mean[None], rounds)) == sorted([KEY, other | 1 << NBITS - 1 | 1])


@pytest.mark.parametrize("late", range(5))
def test_rounds_may_begin_up_to_two_rounds_earlier_than_is_known(late: int) -> None:
    """Where the classes are clear: the ends are of neither class, as what is around is."""
    key, mean = 0b100111, np.full(8 + 2 * NBITS + 8, 5.0)
    for i, bit in enumerate(Rounds(0, 2, NBITS, True).bits(key)):
        mean[8 + 2 * i : 10 + 2 * i] = (9 * bit, 4 * bit) if 0 < i < NBITS - 1 else (5, 2)
    assert key in guesses(mean[None], Rounds(8 + late, 2, NBITS, True, exact=False))


def masked_power(some: list[int], rounds: Rounds, kind: str) -> np.ndarray:
    """A mask on the last cycle of a round, and on the first of the next one with its bit, or with
    whether that differs from the one before."""
    rng = np.random.default_rng(3)
    rows = rng.normal(50, 0.5, (len(some), rounds.begin + rounds.count * rounds.cycles + 1))
    for row, exponent in zip(rows, some, strict=True):
        bits = rounds.bits(exponent)
        told = bits[1:] if kind == "bit" else bits[1:] ^ bits[:-1]
        for i, value in enumerate(told, 1):
            mask, at = int(rng.integers(0, 2)), rounds.begin + i * rounds.cycles
            row[at] += 4 * (value ^ mask)
            row[at - 1] += 4 * mask
    return rows


@pytest.mark.parametrize("from_top", [True, False])
@pytest.mark.parametrize("kind", ["bit", "differs"])
def test_pairs_tell_a_bit_or_a_change_from_either_end(from_top: bool, kind: str) -> None:
    rounds, learnt = Rounds(2, 2, NBITS, from_top), exponents(1100)
    pairs = Pairs(masked_power(learnt, rounds, kind), learnt, rounds)
    assert pairs.chosen[kind == "differs"] >= 1
    assert max(pairs.chosen) <= 3  # of the ten pairs of four cycles
    assert pairs.most == (-1, 0)
    assert pairs.guess(masked_power([KEY] * 60, rounds, kind)) == KEY
    assert pairs.guess(masked_power([0b100011] * 600, rounds, kind)) == 0b100011


def test_pairs_count_by_what_they_tell_for_their_noise() -> None:
    """Of two pairs that tell the bit the one is 30 times as loud, and tells a tenth of it: who
    counted both by how loud they are would hear the noise alone."""
    rounds, rng = Rounds(2, 4, NBITS, True), np.random.default_rng(5)

    def power(some: list[int]) -> np.ndarray:
        rows = rng.normal(50, 0.1, (len(some), rounds.begin + rounds.count * rounds.cycles + 1))
        for row, exponent in zip(rows, some, strict=True):
            for i, bit in enumerate(rounds.bits(exponent)[1:], 1):
                at = rounds.begin + i * rounds.cycles
                for here, there, size, noise in ((at, at - 1, 2, 0), (at + 1, at - 2, 60, 100)):
                    mask = int(rng.integers(0, 2))
                    row[here] += size * (bit ^ mask) + rng.normal(0, noise)
                    row[there] += size * mask + rng.normal(0, noise)
        return rows

    learnt = exponents(1100)
    pairs = Pairs(power(learnt), learnt, rounds)
    assert pairs.chosen[0] >= 2
    for key in exponents(20):
        assert pairs.guess(power([key] * 4)) == key


def told_power(some: list[int], noise: float = 1.0) -> np.ndarray:
    """Cycle i + 1 tells bit i, ever less from the low end on; other cycles are noise."""
    rows = np.random.default_rng(8).normal(20, noise, (len(some), NBITS + 4))
    for row, exponent in zip(rows, some, strict=True):
        for i in range(1, NBITS - 1):
            row[i + 1] += 3 * (exponent >> i & 1)
    return rows


def test_a_template_takes_the_cycles_that_tell_and_no_other() -> None:
    learnt = exponents(600)
    found = Template(told_power(learnt), learnt, NBITS)
    assert sorted(found.cycles.tolist()) == [2, 3, 4, 5]
    adds = {int(cycle): i for i, cycle in enumerate(found.cycles)}
    for bit in range(1, NBITS - 1):
        assert found.adds[bit - 1, adds[bit + 1]] == pytest.approx(3, abs=0.5)
    for key in (KEY, 0b100001, 0b111111):
        assert found.guess(told_power([key] * 9)) == key
    clear = Template(told_power(learnt, 0.01), learnt, NBITS)
    own = {int(cycle): clear.adds[:, i] for i, cycle in enumerate(clear.cycles)}
    for bit in range(1, NBITS - 1):
        expected = [3 * (one == bit - 1) for one in range(2 * (NBITS - 2) - 1)]
        assert own[bit + 1] == pytest.approx(expected, abs=0.01)


def test_a_template_has_only_so_many_cycles(monkeypatch) -> None:
    """Those that tell most: here the higher bits."""
    learnt = exponents(600)
    rows = told_power(learnt)
    rows[:, 3] += np.random.default_rng(1).normal(0, 9, len(rows))
    assert 3 in Template(rows, learnt, NBITS).cycles
    monkeypatch.setattr(template, "MOST_CYCLES", 3)
    assert sorted(Template(rows, learnt, NBITS).cycles.tolist()) == [2, 4, 5]


class MadeUpDevice:
    """Whose traces are its exponents' bits, cycle by cycle, and its bases."""

    class Source:
        def close(self) -> None:
            """Nothing is open."""

    def __init__(self, point: Point, level: str, say) -> None:
        self.mod, self.cycles, self.source = 0xFFF1, 20, self.Source()
        self.kind = np.dtype(np.uint16)

    def power(self, asked) -> np.ndarray:
        rows = np.zeros((len(asked), self.cycles), np.uint16)
        for row, (base, exponent) in zip(rows, asked, strict=True):
            row[:16] = [exponent >> i & 1 for i in range(16)]
            row[16] = base
        return rows


def tried(monkeypatch, asked: Asked, attacks=("template",)) -> Attacks:
    monkeypatch.setattr(campaign, "Device", MadeUpDevice)
    return Attacks(Point("mont-ct", 16), asked, attacks, lambda *said: None)


def counted(outcome: campaign.Outcome) -> dict[int, int]:
    return {one.traces: one.keys for one in outcome.found}


def test_keys_found_and_bits_that_are_right(monkeypatch) -> None:
    """Of three keys one is found with one trace, two with ten, all with twelve; a guess that is not
    right has 3 of 14 bits wrong. Noise of 8 and more lets none be found."""
    attacks = tried(monkeypatch, Asked(3, 12, 4))
    keys = [key for key, _, _ in attacks.keys]
    assert all(key >> 15 and key & 1 for key in keys)
    assert len(set(keys)) == 3

    def prepared(attack, noise):
        def guess(rows, bases):
            assert len(rows) == len(bases)
            number = next(i for i, (_, all_, _) in enumerate(attacks.keys) if all_[0] == bases[0])
            enough = len(rows) >= (1, 10, 12)[number] and noise < 8
            wrong = keys[number] ^ 0b1110
            return [wrong ^ 0b100000, keys[number] if enough else wrong]

        return guess

    attacks._prepared = prepared
    outcome = attacks.outcome("template")
    assert (outcome.keys, counted(outcome)) == (3, {1: 1, 10: 2, 12: 3})
    right = {1: (14 + 11 + 11) / 42, 10: (14 + 14 + 11) / 42, 12: 1}
    assert {one.traces: one.right for one in outcome.found} == pytest.approx(right)
    assert (outcome.fails, outcome.pair, outcome.first) == (8, None, 1)
    attacks._prepared = lambda attack, noise: lambda rows, bases: [0xFFFF ^ keys[0]]
    none = attacks.outcome("template")
    assert (counted(none), none.fails, none.first) == ({1: 0, 10: 0, 12: 0}, None, None)
    told = [campaign.Outcome("pairs", 3, outcome.found[1:]), outcome, none]
    assert AttackResult({}, told).broken_by == 1
    assert AttackResult({}, told[::2]).broken_by == 10
    assert AttackResult({}, [none]).broken_by is None


def test_the_noise_that_is_asked_for_is_the_least_that_is_tried(monkeypatch) -> None:
    attacks = tried(monkeypatch, Asked(1, 1, 4, noise=5.0))
    [(key, _, _)] = attacks.keys
    heard: list[float] = []
    attacks._prepared = lambda attack, noise: (
        heard.append(noise) or (lambda rows, bases: [key if noise < 600 else 0])
    )
    assert attacks.outcome("template").fails == 640
    assert heard == [5, 5, 10, 20, 40, 80, 160, 320, 640]
    attacks._prepared = lambda attack, noise: lambda rows, bases: [key]
    assert attacks.outcome("template").fails is None


def test_what_is_learnt_from_is_drawn_anew_by_the_seed(monkeypatch) -> None:
    one, same, other = (tried(monkeypatch, Asked(2, 3, 5, seed=seed)) for seed in (1, 1, 2))
    assert (len(one.exponents), one.profile.shape) == (5, (5, 20))
    assert [key for key, *_ in one.keys] == [key for key, *_ in same.keys]
    assert [key for key, *_ in one.keys] != [key for key, *_ in other.keys]
    assert not set(one.exponents) & {key for key, *_ in one.keys}
    assert all(len(set(bases)) == 3 and min(bases) > 1 for _, bases, _ in one.keys)
    assert tried(monkeypatch, Asked(1, 1, 5), ("horizontal",)).exponents == []


def test_traces_of_more_bytes_than_are_held_are_refused(monkeypatch) -> None:
    """Two bytes of each of 20 cycles: of 4000 bytes, 100 traces."""
    assert campaign.BYTES == 2**30
    monkeypatch.setattr(campaign, "BYTES", 4000)
    tried(monkeypatch, Asked(8, 10, 20))
    with pytest.raises(UserError, match="101 traces of all keys are too many; at most 100"):
        tried(monkeypatch, Asked(8, 10, 21))


def test_which_attacks_are_possible(monkeypatch) -> None:
    """Correlation and templates need no rounds; pairs need to know exactly where these begin."""
    attacks = tried(monkeypatch, Asked(1, 1, 4))
    names = ("correlation", "template", "pairs", "horizontal")
    for rounds, expected in (
        (None, "1100"),
        (Rounds(0, 1, 16, True, exact=False), "1101"),
        (Rounds(0, 1, 16, True), "1111"),
    ):
        attacks.rounds = rounds
        assert "".join(str(int(attacks.possible(name))) for name in names) == expected


def test_a_trace_lasts_as_long_as_an_exponent_of_ones(monkeypatch) -> None:
    """68 cycles after 4 of pushes; and operations of the key's exponents that take longer."""
    monkeypatch.setattr(
        campaign, "source_of", lambda point, level, cycles, on_step, by_part: cycles
    )
    of_best = partial(campaign.Device, Point("mont-best", 16), "rtl", lambda *said: None)
    best = of_best()
    assert best.cycles == best.source >= 4 + 68
    monkeypatch.setattr(campaign.Operations, "cycles", lambda self, *against: 50)
    assert of_best().cycles == 4 + 68
    monkeypatch.setattr(campaign.Operations, "cycles", lambda self, *against: 99)
    assert of_best().cycles == 99


def test_only_all_bits_are_100_percent() -> None:
    for right, said in ((1.0, 100), (0.9985, 99), (0.5, 50), (0.0, 0)):
        assert right_of(right) == said


def outcome_of(attack: str, keys: tuple[int, int], **more) -> campaign.Outcome:
    by = zip((1, 10), keys, strict=True)
    found = [campaign.Found(count, some, 1.0 if some == 3 else 0.666) for count, some in by]
    return campaign.Outcome(attack, 3, found, **more)


def test_the_table_says_by_how_many_traces_and_through_what_noise() -> None:
    point = Point("mont-ct", 16)
    plain, gates = Asked(3, 10), Asked(3, 10, noise=2.0, level="gates")
    attacks = [
        outcome_of("template", (0, 3), fails=16.0),
        outcome_of("pairs", (1, 2), pair=(-1, 20)),
        outcome_of("horizontal", (0, 0)),
    ]
    rows = {
        Attack(point, plain): AttackResult({}, attacks),
        Attack(point, gates): AttackResult({}, attacks[1:]),
    }
    at_gates, at_rtl = sorted(grids(rows), key=lambda grid: grid.title)
    assert at_gates.title == "Keys of 3 found by attacks at gates through noise of 2"
    assert [line.cells[2:] for line in at_rtl.lines] == [
        ("template", "0", "67", "3", "100", "16", "-"),
        ("pairs", "1", "67", "2", "67", "> 1024", "-1, 20"),
        ("horizontal", "0", "67", "0", "67", "-", "-"),
    ]
    assert at_gates.lines[0].cells[-2] == "> 65536"
    [command] = at_gates.lines[0].commands
    assert command == (
        "modexplorer attack mont-ct --nbits 16 --keys 3 --traces 10 --noise 2.0 --level gates"
    )


def test_what_is_usual_is_the_same_on_the_command_line_and_in_a_row() -> None:
    """A command that leaves an option out asks for the row that is named without it."""
    given = {one.name: one.default for one in command.params}
    assert {name: given[name] for name in vars(Asked())} == vars(Asked())


def test_what_is_not_attacked_is_refused_before_anything_is_simulated() -> None:
    for design, nbits, attacks, said in (
        ("mont-ct", 128, ("horizontal", "pairs"), "--nbits: more than 64"),
        ("mont-ct", 8, ("luck",), "--only: no attack 'luck'"),
        ("near-power-4", 8, ("template",), "near-power-4 is not attacked"),
    ):
        with pytest.raises(UserError, match=said):
            Attack(Point(design, nbits), attacks=attacks)
    assert Attack(Point("mont-ct", 128), attacks=("horizontal",)).options == " --only horizontal"


def test_the_pair_that_tells_most_is_told_of_pairs_alone(monkeypatch) -> None:
    attacks = tried(monkeypatch, Asked(1, 1, 4))
    attacks._prepared = lambda attack, noise: lambda rows, bases: [0]
    attacks._pair = (-1, 2)
    assert attacks.outcome("pairs").pair == (-1, 2)
    assert attacks.outcome("template").pair is None


def test_possible_attacks_are_tried_and_the_simulation_is_ended(monkeypatch) -> None:
    closed = []
    monkeypatch.setattr(MadeUpDevice.Source, "close", lambda self: closed.append(True))
    monkeypatch.setattr(campaign, "Device", MadeUpDevice)
    monkeypatch.setattr(Attacks, "outcome", lambda self, attack: attack)
    names = ("template", "pairs", "horizontal")
    # Where the rounds begin is not known exactly.
    found = campaign.attack_all(Point("mont-ct", 16), Asked(1, 1, 4), names, lambda *said: None)
    assert (found, closed) == (["template", "horizontal"], [True])


def test_noise_is_drawn_for_each_key_and_for_what_is_learnt(monkeypatch) -> None:
    """The same again for the same number of traces, but for its size."""
    attacks = tried(monkeypatch, Asked(3, 4, 4, noise=64.0))
    heard: list[np.ndarray] = []

    def prepared(attack, noise):
        def guess(rows, bases):
            clear = next(rows for _, all_, rows in attacks.keys if all_[: len(bases)] == bases)
            heard.append((rows - clear[: len(rows)]) / noise)
            return [0]

        return guess

    attacks._prepared = prepared
    for noise in (64.0, 128.0):
        attacks._tried("template", 4, noise)
    first, again = heard[:3], heard[3:]
    for one, other in zip(first, again, strict=True):
        assert one == pytest.approx(other)
    learnt = campaign.noisy(np.zeros((4, 20)), 1.0, (1, 0))
    drawn = [noise.ravel() for noise in (*first, learnt)]
    assert abs(np.corrcoef(drawn) - np.eye(4)).max() < 0.5
    assert np.std(drawn) == pytest.approx(1, rel=0.15)


@pytest.mark.parametrize(("hidden_by", "fails"), [(512, 512), (1024, 1024), (1025, None)])
def test_noise_is_tried_up_to_the_most_that_there_is(monkeypatch, hidden_by, fails) -> None:
    attacks = tried(monkeypatch, Asked(1, 1, 4))
    [(key, _, _)] = attacks.keys
    assert campaign.MOST_NOISE["rtl"] == 1024
    attacks._prepared = lambda attack, noise: lambda rows, bases: [key * (noise < hidden_by)]
    assert attacks.outcome("template").fails == fails


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_chance_tells_no_pair_of_cycles_however_many_there_are(seed: int) -> None:
    """Of 210 pairs in two orders about four pass what one passes in a hundred times."""
    rng = np.random.default_rng(seed)
    learnt = [int(one) << 1 | 0x81 for one in rng.integers(0, 64, 400)]
    found = Pairs(rng.normal(0, 1, (400, 8 * 10)), learnt, Rounds(0, 10, 8, True))
    assert found.chosen == (0, 0)
    assert found.most is None
