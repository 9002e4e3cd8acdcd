"""Instructions of the driver that are left out, against programs in which a nop stands for one."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import gcd
from random import Random

import pytest

from eval.catalog.point import Point
from eval.tasks.faults.models import PAIR
from eval.tasks.faults.operation import (
    CHECK,
    CORRECT,
    CRT,
    EXPLOITABLE,
    HANG,
    HARMLESS,
    OUTCOMES,
    PRIVATE,
    Signing,
)
from eval.tasks.faults.skips import Driven, Skips, run_skips
from fl.rsa_private import BY_POWERS, PrivateKey
from fl.xcel import GO, READ, RESULT, WRITE, Registers
from proc.asm.assembler import assemble
from proc.fl.processor import ProcessorFL
from proc.fl.xcel_port import NullXcel
from proc.manager import Manager
from proc.programs.image import Image
from proc.retire import Stopped
from proc.run.functional_system import FunctionalSystem
from proc.run.levels import make_system
from proc.run.rsa_private import private
from proc.run.skipping_system import SkippingSystem, XcelAtOnce, XcelWrongOnce
from sim.errors import RunError, UserError
from tests.command_line import assert_refused, run, run_json

POINT = Point("mont-best", 32)
NOP = 0x13  # addi x0, x0, 0


def without(image: Image, pc: int) -> Image:
    """The program with a nop at an address."""
    segments = list(image.segments)
    for place, one in enumerate(segments):
        if one.address <= pc < one.address + len(one.data):
            at = pc - one.address
            data = one.data[:at] + NOP.to_bytes(4, "little") + one.data[at + 4 :]
            segments[place] = replace(one, data=data)
    assert segments != list(image.segments)
    return replace(image, segments=tuple(segments))


def program(image: Image, *asked: int) -> Image:
    """The program, whatever it is asked for."""
    return image


def once(driven: Driven, system, outcome: str = CORRECT) -> dict[int, int]:
    """The instructions that the program does once, by their numbers: their addresses."""
    pcs: list[int] = []

    class Watched(type(system)):
        """Tells the addresses."""

        def run(self, *what, **how):
            return super().run(*what, **how, on_retire=lambda one: pcs.append(one.pc))

    system.__class__ = Watched
    assert driven.outcome(system) == outcome
    counts = Counter(pcs)
    return {number: pc for number, pc in enumerate(pcs) if counts[pc] == 1}


@pytest.mark.parametrize(
    ("point", "operation", "check"),
    [(POINT, CRT, "primes"), (Point("array-crt(digit=4)", 16), PRIVATE, "its own")],
)
def test_a_skip_is_a_nop_where_the_instruction_is_done_once(
    monkeypatch, point: Point, operation: str, check: str
) -> None:
    """By another accelerator, too: the component at the processor's port."""
    driven = Driven(Signing(point, operation), check)
    walk, found = driven.walk(), Counter()
    make = partial(make_system, "fl", lambda: point.entry.xcel("fl", point.nbits))
    numbers = {number: pc for number, pc in once(driven, make()).items() if number in walk.between}
    sound = driven.image
    for number in Random(1).sample(sorted(numbers), 12):
        changed = without(sound, numbers[number])
        skipped = driven.outcome(SkippingSystem(driven.accelerator, number, 10**5))
        for name in ("private_image", "key_image"):
            module = f"proc.run.rsa_{name.partition('_')[0]}"
            monkeypatch.setattr(f"{module}.{name}", partial(program, changed))
        assert driven.outcome(make()) == skipped, hex(numbers[number])
        monkeypatch.undo()
        found[skipped] += 1
    assert len(found) > 1, found


@pytest.mark.quick
def test_what_is_left_out_is_one_instruction() -> None:
    """Of a program that adds powers of two."""
    lines = [f"addi x5, x5, {1 << bit}" for bit in range(8)]
    image = assemble("\n".join([*lines, "csrw proc2mngr, x5", "j ."]))
    for skipped in range(8):
        manager = Manager(words=1)
        SkippingSystem(NullXcel, skipped, 100).run(image, manager)
        assert manager.outputs == [255 - (1 << skipped)]
    with pytest.raises(Stopped, match="did not end within 100 instructions"):
        SkippingSystem(NullXcel, 8, 100).run(image, Manager(words=1))


@pytest.mark.quick
def test_skips_are_between_the_first_and_the_last_reading_of_the_cycles() -> None:
    """Of eleven readings, csrrs rd, cycle, x0."""
    driven, words = Driven(Signing(POINT, CRT), "primes"), list[int]()

    class Watched(FunctionalSystem):
        """Tells the instructions."""

        def run(self, *what, **how):
            return super().run(*what, **how, on_retire=lambda one: words.append(one.word))

    assert driven.outcome(Watched(driven.accelerator)) == CORRECT
    readings = [number for number, word in enumerate(words) if word & ~(31 << 7) == 0xC0002073]
    assert len(readings) == 11
    walk = driven.walk()
    assert (walk.instructions, walk.between) == (
        len(words),
        range(readings[0] + 1, readings[-1]),
    )


@pytest.mark.quick
def test_what_leaves_is_classed_even_if_it_is_refused() -> None:
    signing = Signing(POINT)
    driven, n = Driven(signing), signing.key.n
    right = pow(signing.c, signing.key.d, n)
    tells = (right + signing.key.p) % n  # right modulo p alone
    assert gcd(pow(tells, signing.key.e, n) - signing.c, n) == signing.key.p
    for result, refused, outcome in (
        *((right, "", CORRECT), (right, CHECK, CHECK), (0, CHECK, CHECK)),
        *((right ^ 1, "", HARMLESS), (right ^ 1, CHECK, CHECK)),
        *((tells, "", EXPLOITABLE), (tells, CHECK, EXPLOITABLE)),
    ):
        assert driven._of(result, refused) == outcome


def test_checks_find_what_gives_a_prime_away() -> None:
    line = "faults mont-best --nbits 32 --model skip --faults 120"
    found = run_json(line)
    assert (found["key_bits"], found["model"]) == (64, "skip")
    plain, *checked = found["campaigns"]
    assert [one["check"] for one in found["campaigns"]] == [
        "none",
        "primes",
        "infective",
        "software",
    ]
    assert plain["outcomes"][EXPLOITABLE] > 8
    for one in found["campaigns"]:
        assert one["faults"] == sum(one["outcomes"].values()) == 120
        assert one["population"] == one["instructions"] > 3000
        assert set(one["outcomes"]) == set(OUTCOMES)
        by_function = [sum(counts.values()) for counts in one["functions"].values()]
        assert sum(by_function) == 120
    for one in checked:
        assert one["outcomes"][EXPLOITABLE] == 0
        assert one["outcomes"][CHECK] > 0
        assert one["price"] == one["instructions"] / plain["instructions"] - 1
    shown = run(line).stdout
    assert "One instruction that is left out" in shown
    assert "words_add_product" in shown


def test_all_are_tried_where_there_are_no_more() -> None:
    [[driven]] = Skips(Point("array-crt(digit=4)", 64), PRIVATE).driven
    whole = run_skips([driven], 10**6, 1, lambda step: None)
    assert not whole.drawn
    assert whole.faults == whole.instructions == len(driven.walk().between)
    assert whole.outcomes[EXPLOITABLE] == 0
    assert whole.outcomes[CHECK] > 0 < whole.outcomes[HANG]


def test_no_skip_that_overwrites_what_is_beside_passes_the_check() -> None:
    """One copies beyond the end of its array, and what the driver keeps in registers is lost."""
    driven = Driven(Signing(POINT), "primes")
    walk = driven.walk()
    tried = [
        number
        for number, function in zip(walk.between, walk.functions, strict=True)
        if function in ("enter", "words_copy")
    ]
    assert len(tried) > 300
    made = (SkippingSystem(driven.accelerator, number, 2 * walk.instructions) for number in tried)
    found = Counter(driven.outcome(system) for system in made)
    assert found[EXPLOITABLE] == 0
    assert found[CHECK] > 100


def test_a_prime_of_no_words_is_refused() -> None:
    """Nothing is computed modulo it then: the power is 0, and so is what a check would expect."""
    driven = Driven(Signing(POINT), "primes")
    begin, q = driven.walk().between[0], driven.image.symbols["key"] + 128

    class Overwritten(ProcessorFL):
        """Loses the words of q when the operation begins."""

        def run(self, limit: int = 0) -> int:
            with suppress(Stopped):
                super().run(begin)
            assert self.views[4][q >> 2] == 4  # of a prime
            self.views[4][q >> 2] = 0
            return super().run(limit)

    class System(FunctionalSystem):
        """Runs it."""

        def _processor(self, image, manager, memory_size):
            return Overwritten(image, manager, self._mk_xcel(), memory_size)

    key = PrivateKey(driven.signing.key)
    done = private(System(driven.accelerator), key, driven.signing.c, "primes", POINT.nbits)
    assert (done.right, done.m) == (False, 0)


class WrongAtGo(Registers):
    """Computes one power wrongly: number `wrong` of those that it is asked for."""

    def __init__(self, exponentiator, wrong: int):
        super().__init__(exponentiator)
        self.asked, self.wrong = -1, wrong

    def access(self, type_: int, register: int, data: int, busy: bool = False) -> int:
        found = super().access(type_, register, data, busy)
        if (type_, register) == (WRITE, GO):
            self.asked += 1
            self.result ^= self.asked == self.wrong
        return found


@pytest.mark.quick
@pytest.mark.parametrize("wrong", [0, 1, 3])
def test_one_result_is_wrong_in_its_lowest_bit(wrong: int) -> None:
    """Of two words, and of several that are asked for."""
    exponentiator = Point("mont-best", 40).entry.at(40)
    sound, faulty = Registers(exponentiator), XcelWrongOnce(Registers(exponentiator), wrong)
    for power in range(3):
        for register, value in ((1, 0x89ABCDEF), (1, 0x12), (2, 3), (2, 0), (3, 0x9F), (3, 0x80)):
            sound.access(WRITE, register, value)
            faulty.write(register, value)
        sound.access(WRITE, GO, 0)
        faulty.write(GO, 0)
        for word in range(2):
            differs = (power, word) == (wrong, 0)
            assert faulty.read(RESULT) == sound.access(READ, RESULT, 0) ^ differs
        assert faulty.read(GO) == sound.access(READ, GO, 0)


def test_with_a_wrong_power_one_instruction_decides_what_the_check_finds(monkeypatch) -> None:
    """Where halves are compared, against programs with a nop and an accelerator that computes a
    wrong power. With sound powers no skip there gives anything away."""
    exponentiator, found = POINT.entry.at(POINT.nbits), Counter[str]()
    sound = Driven(Signing(POINT), "primes")
    for power in (0, 1):
        driven = replace(sound, wrong=power)
        wrong_at_go = partial(WrongAtGo, exponentiator, power)
        faulty = FunctionalSystem(lambda wrong=wrong_at_go: XcelAtOnce(wrong()))
        walk, numbers = driven.walk(), once(driven, faulty, CHECK)
        for number, name in zip(walk.between, walk.functions, strict=True):
            if name != "words_equal":
                continue
            alone, both = (
                one.outcome(SkippingSystem(one.accelerator, number, 10**5))
                for one in (sound, driven)
            )
            assert alone != EXPLOITABLE
            found[both] += 1
            if number in numbers:
                changed = partial(program, without(driven.image, numbers[number]))
                monkeypatch.setattr("proc.run.rsa_private.private_image", changed)
                assert driven.outcome(faulty) == both, hex(numbers[number])
                monkeypatch.undo()
    assert found[EXPLOITABLE] > 0 < found[CHECK], found


def test_pairs_are_of_either_power() -> None:
    found = run_json("faults mont-best --nbits 32 --model pair --faults 60")
    assert found["model"] == "pair"
    plain, *checked = found["campaigns"]
    assert plain["outcomes"][EXPLOITABLE] > 30
    for one in (plain, *checked):
        assert sum(one["outcomes"].values()) == one["faults"] == 60
        assert abs(one["population"] - 2 * one["instructions"]) < 50
    assert all(one["outcomes"][CHECK] > 40 for one in checked)


def test_what_is_infected_gives_nothing_away_where_the_decision_is_passed_over() -> None:
    """The end of the driver, where the check by both primes alone has most of its gaps."""
    found = dict[str, Counter[str]]()
    for check in BY_POWERS:
        driven = Driven(Signing(POINT), check, wrong=0)
        walk = driven.walk()
        end = walk.between[-500:]
        made = (SkippingSystem(driven.accelerator, at, 2 * walk.instructions) for at in end)
        found[check] = Counter(driven.outcome(system) for system in made)
    assert found["primes"][EXPLOITABLE] > 2
    assert found["infective"][EXPLOITABLE] == 0 < found["infective"][HARMLESS]


@pytest.mark.quick
def test_a_check_that_passes_a_wrong_power_is_refused(monkeypatch) -> None:
    driven = Driven(Signing(POINT), "primes", wrong=0)
    monkeypatch.setattr(Driven, "outcome", lambda driven, system: CORRECT)
    with pytest.raises(RunError, match="mont-best-32: the driver is wrong with nothing"):
        driven.walk()


@pytest.mark.quick
def test_a_driver_that_is_wrong_is_refused(monkeypatch) -> None:
    driven = Driven(Signing(POINT))
    monkeypatch.setattr(Driven, "outcome", lambda driven, system: CHECK)
    with pytest.raises(RunError, match="mont-best-32: the driver is wrong with nothing"):
        driven.walk()


@pytest.mark.quick
def test_what_goes_with_skips() -> None:
    cases = Skips(Point("mont-ct", 8)).driven
    assert [(one.check, one.wrong) for [one] in cases] == [("none", None), ("software", None)]
    pairs = Skips(POINT, model=PAIR)
    assert [[(one.check, one.wrong) for one in cases] for cases in pairs.driven] == [
        [(check, power) for power in (0, 1)]
        for check in ("none", "primes", "infective", "software")
    ]
    assert pairs.command == "modexplorer faults mont-best --nbits 32 --model pair"
    assert Skips(POINT, faults=7, seed=2).command == (
        "modexplorer faults mont-best --nbits 32 --model skip --faults 7 --seed 2"
    )
    with pytest.raises(UserError, match="--operation: skips are of the driver's signature"):
        Skips(POINT, "d")
    line = "faults mont-ct --nbits 8 --model skip --operation"
    assert_refused(f"{line} d", "--operation: skips are of the driver's signature; give crt")
    assert_refused(f"{line} private", "mont-ct makes no private operation by itself")
    both = "faults 'array-crt(digit=4)' --nbits 16 --model pair --operation private"
    assert_refused(both, "--operation: pairs are of a power and of the driver")
    assert_refused("faults mont-ct --nbits 8 --model glitch", "'--model'")
