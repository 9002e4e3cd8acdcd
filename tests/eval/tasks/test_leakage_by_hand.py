"""What a task of leakage makes of traces that are made up: tests, parts, what is read."""

from collections.abc import Iterable
from types import SimpleNamespace

import numpy as np
import pytest

from eval.catalog.point import Point
from eval.tasks.leakage import attack, task
from eval.tasks.leakage.levels import AT_ONCE, RTL
from eval.tasks.leakage.netlists import named
from eval.tasks.leakage.operations import Operations
from eval.tasks.leakage.rtl import check_answers
from eval.tasks.leakage.section import TESTS
from eval.tasks.leakage.task import MEAN_OF, Leakage, LeakageResult
from fl.xcel import STATUS_BAD_MODULUS
from flow.gates.mapped import MappedNetlist
from flow.gates.timing import Timing
from sim.errors import RunError
from tests.eval.made_up import result_of
from tests.flow import made_up_library
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
POINT = Point("mont-ct", 16)
PUSHES = 4
NAMES = ["a", "b", "c", "d", "e", "f", "g"]
# The largest |t| of each, and when; that of a is in a push, c is negative, and d as large as g.
WORST = {"a": (20.0, 3), "b": (9.0, 7), "c": (-12.0, 5), "d": (4.0, 4), "e": (5.0, 8)}
WORST["f"] = (1.0, 6)
WORST["g"] = (4.0, 9)


class Source:
    """Traces of noise, in which fixed operands add 3 in cycle 6 and 30 in a push."""

    def __init__(self, cycles: int) -> None:
        self.cycles, self.names = cycles, NAMES
        self.rng = np.random.default_rng(1)
        t = np.zeros((cycles, len(NAMES)))
        for i, name in enumerate(NAMES):
            t[WORST[name][1], i] = WORST[name][0]
        self.parts = SimpleNamespace(t=lambda: t)
        self.counts: list[int] = []
        self.cleared: list[int] = []
        self.closed = 0

    def clear(self) -> None:
        self.cleared.append(len(self.counts))

    def close(self) -> None:
        self.closed += 1

    def measure(self, drawn: Iterable) -> tuple[np.ndarray, np.ndarray]:
        groups = np.array([group for group, _ in drawn])
        self.counts.append(len(groups))
        rows = self.rng.normal(10, 1, (len(groups), self.cycles))
        rows[:, 6] += 3 * (groups == 0)
        rows[:, 1] += 30 * (groups == 0)
        return rows, groups


def computed(monkeypatch, asked: Leakage, guess=lambda mean: 0):
    """The result, the source, and what the simple attack was given."""
    made: list[Source] = []
    given: list[tuple] = []

    def source_of(point, level, cycles, on_step):
        assert (point, level) == (asked.point, asked.level)
        made.append(Source(cycles))
        return made[0]

    monkeypatch.setattr(task, "source_of", source_of)
    monkeypatch.setattr(
        attack, "read_exponent", lambda mean, rounds: given.append((mean, rounds)) or guess(mean)
    )
    heard: list[str] = []
    found: LeakageResult = asked.compute(heard.append)
    return found, made[0], given, heard


def test_traces_are_tested_by_what_is_fixed(monkeypatch) -> None:
    asked = Leakage(POINT, 250)
    key = asked.operations.key
    found, source, given, heard = computed(monkeypatch, asked, lambda mean: key.d ^ 0b101)
    assert source.cycles == asked.operations.cycles("base", "exponent")
    assert source.counts == [100, 100, 50, 100, 100, 50, 250]
    assert source.cleared == [0, 3]
    assert source.closed == 1
    assert heard == [
        f"{against}, {done} of 250 traces"
        for against in ("base", "exponent")
        for done in (0, 100, 200)
    ]
    assert (found.work, [*found.tests]) == (PUSHES, ["base", "exponent"])
    for test in found.tests.values():
        first, second = test.t
        assert len(first) == len(second) == source.cycles
        assert first[6] > 10
        assert first[1] > 100
        assert test.leaking == [1, 0]  # of the first order alone, once the operands are there
        assert (test.seen[0], test.seen[1]) == (100, None)
        assert test.most() == max(abs(t) for t in first) == first[1]
        assert test.most(PUSHES) == first[6]
        assert test.most(PUSHES, 2) == max(abs(t) for t in second[PUSHES:])
        # Noise of s leaves 3 / sqrt((1 + s^2) 4 / 250), if the groups are equal; not 30.
        assert test.hiding == pytest.approx(((3 / 4.5) ** 2 * 250 / 4 - 1) ** 0.5, rel=0.15)
        assert [(part.name, part.t, part.cycle) for part in test.parts] == [
            *(("c", 12.0, 5), ("b", 9.0, 7), ("e", 5.0, 8), ("d", 4.0, 4), ("g", 4.0, 9)),
        ]
    shown = asked.shown(found)["tests"]
    assert shown["base"]["most"] == found.tests["base"].most(PUSHES)
    # Two bits of the exponent are read wrongly; the mean ends with the operation.
    [(mean, rounds)] = given
    assert found.read is not None
    assert (found.read.bits, found.read.right) == (rounds.count, rounds.count - 2)
    assert rounds == attack.rounds_of(POINT, key.d)
    assert len(mean) <= source.cycles == len(found.read.mean)
    assert found.read.mean[6] == pytest.approx(13, abs=0.3)
    assert found.read.mean[: len(mean)] == pytest.approx(mean.tolist(), abs=0.006)


def test_a_mean_is_of_so_many_traces_at_most(monkeypatch) -> None:
    _, source, _, _ = computed(monkeypatch, Leakage(POINT, 6000))
    assert source.counts[-1] == MEAN_OF == 500
    assert max(source.counts) <= AT_ONCE[RTL]
    assert sum(source.counts) == 2 * 6000 + 500


@pytest.mark.parametrize(
    "asked",
    [Leakage(Point("array-4", 16), 100), Leakage(Point("mont-ct", 32), 100, mask_bits=8)],
)
def test_what_is_read_is_of_rounds_that_are_known_and_not_blinded(monkeypatch, asked) -> None:
    found, _, given, _ = computed(monkeypatch, asked)
    assert (found.read, given) == (None, [])


def test_a_long_operation_is_recorded_in_part_and_none_is_read(monkeypatch) -> None:
    monkeypatch.setattr(task, "MOST_CYCLES", 30)
    found, source, given, _ = computed(monkeypatch, Leakage(POINT, 100))
    assert (source.cycles, found.read, given) == (30, None, [])


def test_the_simulation_is_ended_if_an_answer_is_wrong(monkeypatch) -> None:
    made: list[Source] = []

    class Wrong(Source):
        def measure(self, drawn):
            raise RunError("wrong")

    monkeypatch.setattr(task, "source_of", lambda *given: made.append(Wrong(40)) or made[0])
    with pytest.raises(RunError):
        Leakage(POINT, 100).compute(lambda step: None)
    assert made[0].closed == 1


def test_traces_that_are_not_said_are_those_of_the_level() -> None:
    assert (Leakage(POINT).traces, Leakage(POINT, level="gates").traces) == (100_000, 2000)
    assert Leakage(POINT).command == "modexplorer leakage mont-ct --nbits 16"
    blinded = Leakage(Point("mont-ct", 32), 7, blind_base=True, mask_bits=8, level="gates")
    assert blinded.options == " --level gates --blind-base --blind-exponent 8 --traces 7"
    assert (blinded.blinding, Leakage(POINT).blinding) == ("base, exponent 8", "-")


def test_nets_without_a_name_are_called_by_their_cells(tmp_path) -> None:
    """By the part that has the cell, if any has; what only begins as such a name stays."""
    netlist = netlist_of(
        *("Named", "a b -> y", "INV _7_ A=a ZN=_3_", "AND2 _8_ A1=_3_ A2=b Z=_12_[5]"),
        *("INV_X2 _9_ A=_12_[5] ZN=_4_carry", "INV named A=_4_carry ZN=_6_", "INV _10_ A=_6_ ZN=y"),
    )
    owners = {"_7_": ["unit.adder", "Adder"], "_9_": ["unit", "Unit"], "_8_": ["loop", "Loop"]}
    timing = Timing(MappedNetlist(netlist, made_up_library.library(tmp_path)))
    found = named(timing, netlist, owners)
    assert {name: found[net] for name, net in netlist.names.items()} == {
        **{"a": "a", "b": "b", "y": "y", "_4_carry": "_4_carry"},
        **{"_3_": "unit.adder:INV _7_", "_12_[5]": "loop:AND2 _8_", "_6_": "INV named"},
    }


def test_an_exponent_is_blinded_by_a_random_multiple_of_the_order() -> None:
    """Of as many bits as the mask, of which the key is narrower; the power is the same."""
    blinded = Operations(Point("mont-ct", 32), mask_bits=8)
    key = blinded.key
    assert key.n.bit_length() == 24
    order, drawn = (key.p - 1) * (key.q - 1), [one for _, one in blinded.draw("base", 400)]
    assert {exp % order for _, exp, _ in drawn} == {key.d % order}
    multiples = {(exp - key.d) // order for _, exp, _ in drawn}
    assert 0 <= min(multiples) < 8
    assert 248 <= max(multiples) < 256
    assert len(multiples) > 150
    assert all(pow(base, exp, key.n) == pow(base, key.d, key.n) for base, exp, _ in drawn)


def test_a_base_is_blinded_by_a_power_that_the_key_takes_out() -> None:
    """(base * r^e)^d is base^d * r, for an r that is drawn anew each time."""
    key = Operations(Point("mont-ct", 16)).key
    fixed = {
        blind: [
            base
            for group, (base, _, _) in Operations(Point("mont-ct", 16), blind).draw("base", 200)
            if not group
        ]
        for blind in (False, True)
    }
    [base] = set(fixed[False])
    taken_out = pow(base, -key.d, key.n)
    factors = {pow(one, key.d, key.n) * taken_out % key.n for one in fixed[True]}
    assert len(factors) > 0.9 * len(fixed[True]) > 60
    assert all(pow(r, key.e, key.n) * base % key.n in fixed[True] for r in factors)


@pytest.mark.parametrize(
    ("result", "status"), [(0, 0), (1, 0), (1 << 32, 0), (0, STATUS_BAD_MODULUS)]
)
def test_a_trace_of_a_wrong_answer_is_no_trace(result: int, status: int) -> None:
    """Two words of 5^3 modulo an odd number, or a status that says bad modulus."""
    point, operands = Point("mont-ct", 40), (2**38 + 5, 3, 2**40 - 87)
    right = pow(*operands) ^ result
    answers = [0, 0, 1 << 32 | right & 0xFFFFFFFF, 1 << 32 | right >> 32, status]
    if result or status:
        with pytest.raises(RunError, match="was answered"):
            check_answers(point, operands, answers)
    else:
        check_answers(point, operands, answers)


def test_a_line_of_each_test_has_what_either_order_tells() -> None:
    """|t| from the last push on; the cycles that leak are those of the first order."""
    of_base = {"t": [[99.0, -7.5, 5.0], [88.0, 1.0, -2.25]], "leaking": [2, 1], "parts": []}
    of_exponent = {"t": [[9.0, 0.5, 0.25], [9.0, 0.0, 0.0]], "leaking": [0, 0], "parts": []}
    tests = {
        "base": of_base | {"seen": [200, 5000], "hiding": 12.5},
        "exponent": of_exponent | {"seen": [None, None], "hiding": None},
    }
    measured = Leakage(Point("mont-ct", 16), 300)
    grid = TESTS.of({measured: result_of(measured, work=1, tests=tests)})
    assert [line.cells[-7:] for line in grid.lines] == [
        ("base", "300", "7.5", "2", "200", "12.5", "2.2"),
        ("exponent", "300", "0.5", "0", "-", "-", "0.0"),
    ]
