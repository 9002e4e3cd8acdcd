"""A campaign of faults on a made-up device: which faults are tried, and how they are counted."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace

import pytest

from eval.catalog.point import Point
from eval.tasks.faults import campaign
from eval.tasks.faults.campaign import Campaign, run_campaign
from eval.tasks.faults.interval import clopper_pearson
from eval.tasks.faults.models import STUCK
from eval.tasks.faults.operation import POWER, PRIVATE, Signing
from eval.tasks.faults.section import SECTION
from eval.tasks.faults.task import Faults
from fl.xcel import GO, READ, RESULT, STATUS_BAD_MODULUS
from sim.errors import RunError
from sim.faults import Fault, Seen
from tests.eval.made_up import row as row_of_study

pytestmark = pytest.mark.quick
CYCLES = 4
NO_FAULT = None
NAMES = ("correct", "status", "no answer", "check", "harmless", "exploitable")


class Device:
    """Two registers of three and two bits. A flip of the first one's bit 1 ends in no answer, of
    bit 2 in a bad modulus; one of the second in a wrong result in cycle 2 alone."""

    signing: Signing
    broken = False
    calls: list[list[Fault | None]] = []

    def __init__(self, design, recv, send, messages, echo, limit) -> None:
        assert (len(messages), limit) == (len(self.signing.messages), self.signing.limit)
        assert echo == self.signing.echo
        self.registers = [SimpleNamespace(name="state"), SimpleNamespace(name="value")]
        self.bits = 5
        self.closed = False
        Device.calls, Device.last = [], self

    def bit(self, number: int) -> tuple[int, int]:
        return (0, number) if number < 3 else (1, number - 3)

    def run(self, faults: Sequence[Fault | None]) -> Iterator[Seen]:
        self.calls.append(list(faults))
        for fault in faults:
            yield self.seen(fault)

    def seen(self, fault: Fault | None) -> Seen:
        right = self.signing.right
        if fault is None:
            return self.answered(0 if self.broken else right, 0)
        if fault.register == 0 and fault.bit == 1:
            return Seen([], None)
        if fault.register == 0 and fault.bit == 2:
            return self.answered(right, STATUS_BAD_MODULUS)
        if fault.register == 1 and fault.cycle == 2:
            key = self.signing.key
            return self.answered(pow(self.signing.c, key.d ^ 1 << 3 + 2 * fault.bit, key.n), 0)
        return self.answered(right, 0)

    def answered(self, result: int, status: int) -> Seen:
        said = {(READ, RESULT): result, (READ, GO): status}
        return Seen([said.get(sent[:2], 0) for sent in self.signing.messages], CYCLES)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def signing(monkeypatch) -> Signing:
    """A power modulo n by the device."""
    Device.signing, Device.broken = Signing(Point("mont-ct", 16), POWER), False
    monkeypatch.setattr(campaign, "FaultInjector", Device)
    monkeypatch.setattr(campaign, "translation", lambda point, kind: None)
    return Device.signing


def test_all_faults_are_tried_and_counted_by_register(signing) -> None:
    found = run_campaign(signing, 1000, seed=1)
    assert (found.check, found.cycles, found.register_bits) == ("none", CYCLES, 5)
    assert (found.population, found.faults, found.drawn) == (20, 20, False)
    assert found.registers == {
        "state": {"correct": 4, "no answer": 4, "status": 4},
        "value": {"correct": 6, "exploitable": 2},
    }
    assert found.outcomes == {
        **{"correct": 10, "status": 4, "no answer": 4},
        **{"check": 0, "harmless": 0, "exploitable": 2},
    }
    assert found.exponent_bits_told == [3, 5]
    assert (found.changed, found.detected) == (10, 8)
    assert found.exploitable == (0.1, 0.1, 0.1)
    assert found.coverage == (0.8, 0.8, 0.8)
    [first, *rest] = Device.calls
    assert first == [NO_FAULT]
    tried = [fault for call in rest for fault in call]
    assert len(set(tried)) == 20
    assert [fault.cycle for fault in tried] == sorted([*range(CYCLES)] * 5)
    assert {(fault.register, fault.bit) for fault in tried if fault.cycle == 3} == {
        *((0, bit) for bit in range(3)),
        *((1, bit) for bit in range(2)),
    }
    assert Device.last.closed


def test_a_sample_is_of_different_faults_by_the_seed(signing, monkeypatch) -> None:
    """In calls of so many cycles, two operations each."""
    monkeypatch.setattr(campaign, "CYCLES_A_CALL", 2 * CYCLES + 1)
    heard: list[str] = []
    found = run_campaign(signing, 7, 1, heard.append)
    tried = [fault for call in Device.calls[1:] for fault in call]
    assert [len(call) for call in Device.calls] == [1, 2, 2, 2, 1]
    assert heard[1:] == [f"check none: {done} of 7 faults" for done in (0, 2, 4, 6)]
    assert len(set(tried)) == found.faults == sum(found.outcomes.values()) == 7
    assert found.drawn
    assert [fault.cycle for fault in tried] == sorted(fault.cycle for fault in tried)
    run_campaign(signing, 7, 1)
    assert [fault for call in Device.calls[1:] for fault in call] == tried
    run_campaign(signing, 7, 2)
    assert [fault for call in Device.calls[1:] for fault in call] != tried
    assert not run_campaign(signing, 20, 1).drawn
    assert run_campaign(signing, 19, 1).drawn


def test_stuck_bits_are_tried_at_both_values(signing) -> None:
    found = run_campaign(signing, 10**6, 1, model=STUCK)
    assert found.population == found.faults == 2 * 20
    tried = [fault for call in Device.calls[1:] for fault in call]
    assert len(set(tried)) == 40
    assert {fault.held for fault in tried} == {0, 1}
    assert [fault.cycle for fault in tried] == sorted([*range(CYCLES)] * 10)
    assert run_campaign(signing, 39, 1, model=STUCK).drawn


def test_who_looks_at_the_result(signing, monkeypatch) -> None:
    assert run_campaign(signing, 1, 1).check == "none"
    Device.signing = Signing(Point("mont-ct", 16), POWER, checked=True)
    both = [Device.signing.right, Device.signing.power.base]

    def answered(self, result: int, status: int) -> Seen:
        """The power, and its power to e, which is the base."""
        results, seen = iter(both), []
        for sent in self.signing.messages:
            seen.append(next(results) if sent[:2] == (READ, RESULT) else 0)
        return Seen(seen, CYCLES)

    monkeypatch.setattr(Device, "answered", answered)
    assert run_campaign(Device.signing, 1, 1).check == "by e"


def test_a_host_refuses_the_base_as_its_own_signature(monkeypatch) -> None:
    """Where both powers are by 1; half of a signature is then wrong. By e others are found."""
    signing = Device.signing = Signing(Point("mont-ct", 16), checked=True)
    right, base = signing.right, signing.power.base

    def seen(self, fault: Fault | None) -> Seen:
        """The base, twice, if the second register is wrong in cycle 1; something else before; and
        in cycle 3 another power, which no check refuses."""
        results = [right, base]
        if fault is not None and fault.register == 1:
            wrong = {0: [base, base + 1], 1: [base, base], 3: [right ^ 1, base]}
            results = wrong.get(fault.cycle, results)
        answers = iter(results)
        said = [next(answers) if sent[:2] == (READ, RESULT) else 0 for sent in signing.messages]
        return Seen(said, CYCLES)

    monkeypatch.setattr(Device, "seen", seen)
    monkeypatch.setattr(campaign, "FaultInjector", Device)
    monkeypatch.setattr(campaign, "translation", lambda point, kind: None)
    found = run_campaign(signing, 1000, 1)
    told = {"correct": 14, "check": 4, "exploitable": 2}
    assert {name: count for name, count in found.outcomes.items() if count} == told
    assert found.only_as_base == 2
    assert signing.factor(signing.signature(base)) == signing.key.q


@pytest.mark.parametrize(
    ("design", "check"),
    [("array-crt(digit=4)", "its own"), ("array-crt(digit=4,checks=no)", "none")],
)
def test_a_design_that_looks_itself(signing, monkeypatch, design: str, check: str) -> None:
    Device.signing = Signing(Point(design, 16), PRIVATE)
    assert run_campaign(Device.signing, 1, 1).check == check


def test_what_is_wrong_without_a_fault_is_no_campaign(signing) -> None:
    Device.broken = True
    with pytest.raises(RunError, match="is wrong without a fault"):
        run_campaign(signing, 10, 1)
    assert Device.last.closed


def test_shares_of_a_sample_have_an_interval_and_none_of_nothing() -> None:
    counts = dict(zip(NAMES, (60, 5, 6, 7, 12, 10), strict=True))
    found = Campaign("none", 450, 100, counts, 9, 50, {}, [], 0)
    assert (found.changed, found.detected) == (40, 18)
    assert found.exploitable == (0.1, *clopper_pearson(10, 100))
    assert found.coverage == (0.45, *clopper_pearson(18, 40))
    none = dict.fromkeys(NAMES, 0) | {"correct": 100}
    nothing = Campaign("none", 450, 100, none, 9, 50, {}, [], 0)
    assert nothing.coverage == (0, 0, 0)
    assert nothing.exploitable == (0, *clopper_pearson(0, 100))


def test_a_report_shows_outcomes_shares_and_places() -> None:
    """Of 200 of 450 faults without a check, and of all 900 with one, which takes half as long
    again."""
    registers = {
        "state": {"correct": 20, "exploitable": 3, "no answer": 7},
        "result": {"correct": 60, "exploitable": 27, "harmless": 13},
        "unused": {"correct": 70},
    }
    plain = {
        **{"check": "none", "cycles": 90, "register_bits": 5, "population": 450, "faults": 200},
        "outcomes": dict(zip(NAMES, (150, 0, 7, 0, 13, 30), strict=True)),
        **{"registers": registers, "exponent_bits_told": [1, 4, 6], "only_as_base": 0},
    }
    checked = {
        **{"check": "by e", "cycles": 135, "register_bits": 5, "population": 900, "faults": 900},
        "outcomes": dict(zip(NAMES, (600, 9, 50, 241, 0, 0), strict=True)),
        **{"registers": {}, "exponent_bits_told": [], "only_as_base": 11},
    }
    made = row_of_study(Faults(Point("mont-ct", 16)), key_bits=32, campaigns=[plain, checked])
    tried, shares, where, told, as_base = SECTION.alone({made.task: made.result})
    which = [("mont-ct-16", "crt", "flip", "none"), ("mont-ct-16", "crt", "flip", "by e")]
    assert [line.cells for line in tried.lines] == [
        (*which[0], "90", "200", "150", "0", "7", "0", "13", "30"),
        (*which[1], "135", "900", "600", "9", "50", "241", "0", "0"),
    ]
    low, high = clopper_pearson(30, 200)
    least, most = clopper_pearson(7, 50)
    assert [line.cells for line in shares.lines] == [
        (
            *(*which[0], "5", "sample", "15.000", f"{100 * low:.3f}", f"{100 * high:.3f}"),
            *("14.0", f"{100 * least:.1f}", f"{100 * most:.1f}", "-"),
        ),
        (*which[1], "5", "all", "0.000", "0.000", "0.000", "100.0", "100.0", "100.0", "50.0"),
    ]
    assert [line.cells for line in where.lines] == [
        (*which[0], "result", "100", "27"),
        (*which[0], "state", "30", "3"),
    ]
    assert [line.cells for line in told.lines] == [(*which[0], "3", "16")]
    assert [line.cells for line in as_base.lines] == [(*which[1], "900", "11")]
    shown = made.task.shown(made.result)["campaigns"]
    assert [one["price"] for one in shown] == [0, 0.5]
    assert shown[0]["exploitable"] == (0.15, low, high)
    assert shown[1]["coverage"] == (1.0, 1.0, 1.0)


def test_a_host_checks_what_the_design_does_not() -> None:
    point = Point("mont-ct", 16)
    assert [one.checked for one in Faults(point).signings] == [False, True]
    private = Faults(Point("array-crt(digit=4)", 16), PRIVATE)
    assert [one.checked for one in private.signings] == [False]
    assert Faults(point).command == "modexplorer faults mont-ct --nbits 16"
    assert Faults(point, POWER, 7, 2).options == " --operation d --faults 7 --seed 2"
