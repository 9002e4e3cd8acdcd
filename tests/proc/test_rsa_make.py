"""RSA keys that the processor makes: draw by draw those of the standard, no composite passes, and
whatever is left out of the program makes a key that Python refuses, or another one."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import gcd
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateNumbers,
    RSAPublicNumbers,
    rsa_crt_dmp1,
    rsa_crt_dmq1,
    rsa_crt_iqmp,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from rsa import prime

from eval.catalog import find
from fl.exponentiator import mod_exp
from fl.xcel import Registers, to_words
from proc.fl.processor import ProcessorFL
from proc.isa import OP_SYSTEM
from proc.manager import Manager
from proc.programs.build import APP, build
from proc.programs.elf import load_elf
from proc.retire import Retire
from proc.run import rsa_make
from proc.run.functional_system import FunctionalSystem
from proc.run.levels import make_system
from proc.run.rsa_make import FOUND, NONE, REFUSED, SOURCES, Made, make_key
from proc.run.skipping_system import XcelAtOnce
from tests.faults import faults
from tests.golden.rsa_make import SMALL, Maker, chacha_words, is_strong
from tests.golden.xcel import Plain

JUDGE = Path(__file__).with_name("c") / "judge_primes.c"
DIVIDE, SHARE, NEAR, ROUND, TEST = range(5)
PASSED, COMPOSITE = range(2)

CARMICHAEL = (561, 1105, 1729, 2465, 2821, 6601, 8911, 10585, 15841, 29341, 825265, 321197185)
# Strong pseudoprimes to the base 2; the last ones to all bases of several primes from 2 on.
STRONG = (2047, 3277, 4033, 4681, 8321, 1373653, 25326001, 3215031751, 341550071728321)
# By Arnault: composite, and a strong probable prime to all 46 primes below 200; of 397 digits.
# Its divisors p, 313 (p - 1) + 1 and 353 (p - 1) + 1 are prime.
ARNAULT_P = int(
    "2967449566868551055015417464290533273077199179985304335099507553127683875317177019959423859642812"
    "1188033664754218345562493168782883"
)
ARNAULT = ARNAULT_P * (313 * (ARNAULT_P - 1) + 1) * (353 * (ARNAULT_P - 1) + 1)


def at_fl(half_bits: int, compute=mod_exp) -> FunctionalSystem:
    """The interpreter with an accelerator that computes so."""
    return FunctionalSystem(lambda: XcelAtOnce(Registers(Plain(half_bits, compute))))


@cache
def judge_image(half_bits: int):
    """The program that answers for the parts."""
    sources = [JUDGE, *(APP / source for source in SOURCES[2:])]
    return load_elf(build(sources, {"HALF_BITS": half_bits}))


def ask(
    half_bits: int, asked: list[tuple[int, int, int]], rounds: int = 1, image=None
) -> list[tuple[int, int]]:
    """The answers of the parts, and the powers that each took."""
    inputs = [*to_words(half_bits, 256), rounds]
    for what, number, other in asked:
        inputs += [what, *to_words(number, half_bits), *to_words(other, half_bits)]
    manager = Manager(inputs, words=2 * len(asked))
    at_fl(half_bits).run(image or judge_image(half_bits), manager)
    return list(zip(manager.outputs[::2], manager.outputs[1::2], strict=True))


def check_like_the_golden(half_bits: int, seed: int, e: int, rounds: int) -> Made:
    """All that the program tells is what the reference finds."""
    made = make_key(at_fl(half_bits), half_bits, seed, e, rounds)
    golden = Maker(half_bits, seed, e, rounds)
    d = golden.make()
    counts = {name: count for name, count in vars(made.counts).items() if count}
    assert counts == {name: count for name, count in golden.counts.items() if count}
    if d is None:
        assert made.status == NONE
    else:
        assert (made.status, made.p, made.q) == (FOUND, golden.p, golden.q)
        assert (made.n, made.d) == (golden.p * golden.q, d)
    return made


WIDTHS = (8, 9, 16, 31, 32, 33, 63, 64, 65, 100, 101, 128, 129, 160, 256)


@pytest.mark.parametrize("half_bits", WIDTHS)
def test_a_key_is_that_of_the_standard(half_bits: int):
    """With words of ChaCha20 by another package, to the last count."""
    for seed, e in enumerate((3, 17, 257 if half_bits < 9 else 65537)):
        made = check_like_the_golden(half_bits, seed, e, 3)
        assert made.n.bit_length() == 2 * half_bits
        assert all(prime.is_prime(one) for one in (made.p, made.q))
        assert e * made.d % (made.p - 1) == 1 == e * made.d % (made.q - 1)


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from((8, 9, 10, 12, 16, 20)),
    st.integers(0, 2**256 - 1),
    st.sampled_from((3, 5, 7, 15, 105, 255255, 2**31 - 1, 2**32 - 1)),
    st.integers(1, 4),
)
def test_short_primes_meet_every_case(half_bits: int, seed: int, e: int, rounds: int):
    """p = q, divisors in common with e, a d that is too short, no prime at all."""
    check_like_the_golden(half_bits, seed, e, rounds)


@cache
def short_d_seed() -> int:
    """A seed whose first two primes have a d that is too short."""
    for seed in range(1000):
        maker = Maker(8, seed, 32749, 2)
        maker.make()
        if maker.counts["pairs"] > 1:
            return seed
    raise AssertionError


def test_the_cases_that_are_met():
    """Those that the examples above are for: each with a seed that meets it."""
    made = [check_like_the_golden(8, seed, 3, 2) for seed in range(40)]
    for case in ("near", "shared", "divided", "below"):
        assert any(getattr(one.counts, case) for one in made), case
    assert check_like_the_golden(8, short_d_seed(), 32749, 2).counts.pairs > 1
    hopeless = check_like_the_golden(8, 1, 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23 * 29, 2)
    assert hopeless.status == NONE


def test_the_same_seed_gives_the_same_key():
    one, again, other = (make_key(at_fl(32), 32, seed, 65537, 5) for seed in (5, 5, 6))
    assert one == again
    assert one.n != other.n


def test_a_key_of_1024_bits_is_one_for_another_package():
    """Which checks primes, n and d itself."""
    made = make_key(at_fl(512), 512, 2024, 65537, 7)
    p, q, d = made.p, made.q, made.d
    public = RSAPublicNumbers(65537, made.n)
    parts = rsa_crt_dmp1(d, p), rsa_crt_dmq1(d, q), rsa_crt_iqmp(p, q)
    key = RSAPrivateNumbers(p, q, d, *parts, public).private_key()
    assert key.key_size == 1024
    assert abs(p - q) > 1 << 412


class Late(FunctionalSystem):
    """The interpreter with counters that are so far on; with a power that takes as long."""

    def __init__(self, half_bits: int, begin: int, power: int = 0):
        super().__init__(lambda: XcelAtOnce(Registers(Plain(half_bits, self.compute))))
        self.begin, self.power = begin, power

    def _processor(self, *given) -> ProcessorFL:
        self.processor = super()._processor(*given)
        self.processor.retired = self.begin
        return self.processor

    def compute(self, base: int, exp: int, mod: int) -> tuple[int, int]:
        self.processor.retired += self.power
        self.power = 0
        return mod_exp(base, exp, mod)


CYCLE, CYCLEH = 0xC00, 0xC80


def reads(
    half_bits: int, seed: int, e: int, number: int
) -> tuple[Made, list[tuple[int, int, int]]]:
    """A key, and where its program reads a counter: instructions before that, pc, and the value."""
    found: list[tuple[int, int, int]] = []
    system, done = at_fl(half_bits), 0

    def see(retired: Retire) -> None:
        nonlocal done
        if retired.word & 0x7F == OP_SYSTEM and retired.word >> 20 == number:
            found.append((done, retired.pc, retired.value))
        done += 1

    run_asked = system.run_asked
    system.run_asked = lambda asked: run_asked(replace(asked, on_retire=see))
    return make_key(system, half_bits, seed, e, 2), found


def test_cycles_are_counted_beyond_a_word():
    """Also if the lower word overflows between the reads of both, which are then made again."""
    plain, places = reads(8, 1, 257, CYCLEH)
    assert len(places) == 4
    for before, _, _ in places:
        for begin in ((1 << 32) - before - more for more in range(3)):
            found = make_key(Late(8, begin), 8, 1, 257, 2)
            assert 0 <= found.cycles.total - plain.cycles.total < 10
    more = 2 << 32
    found = make_key(Late(8, 0, more), 8, 1, 257, 2)
    assert found.cycles == replace(plain.cycles, total=plain.cycles.total + more)


def test_the_cycles_that_find_d_are_those_of_all_pairs():
    """From one read of the counter in the function that makes a key to the next."""
    functions = sorted((address, name) for name, address in rsa_make.make_image(8).symbols.items())
    [at] = [i for i, (_, name) in enumerate(functions) if name == "rsa_make"]
    first, last = functions[at][0], functions[at + 1][0]
    for seed, e, pairs in ((1, 257, 1), (short_d_seed(), 32749, 2)):
        made, found = reads(8, seed, e, CYCLE)
        values = [value for _, pc, value in found if first <= pc < last]
        assert (made.counts.pairs, len(values)) == (pairs, 2 * pairs)
        assert made.cycles.inverse == sum(values[1::2]) - sum(values[::2]) > 0


def test_a_modulus_that_the_accelerator_refuses_makes_no_key():
    system = at_fl(32, lambda base, exp, mod: (0, 1))
    assert make_key(system, 32, 1, 65537, 5).status == REFUSED


@cache
def quarter() -> list[int]:
    """Composites (x + 1)(2 x + 1) of two primes and 64 bits, which up to a quarter of the bases
    pass."""
    rng, found = Random(1), []
    while len(found) < 4:
        x = 2 * rng.randrange(3 << 28, 1 << 30)
        if prime.is_prime(x + 1) and prime.is_prime(2 * x + 1):
            found.append((x + 1) * (2 * x + 1))
    return found


def test_the_composites_are_what_they_are_said_to_be():
    """Fermat's test, or a strong one by a base of 2, passes them."""
    for number in CARMICHAEL:
        assert all(pow(b, number - 1, number) == 1 for b in range(2, 50) if gcd(b, number) == 1)
    assert all(is_strong(number, 2)[0] for number in STRONG)
    assert all(is_strong(ARNAULT, base)[0] for base in (2, *SMALL) if base < 200)
    assert not any(prime.is_prime(number) for number in (*CARMICHAEL, *STRONG, ARNAULT))


@pytest.mark.parametrize(
    "number",
    [561, 2047, 29341, 1373653, 321197185, 3215031751, 341550071728321, *quarter(), ARNAULT],
    ids=lambda number: f"{number.bit_length()}-bits-{number % 10000}",
)
def test_a_composite_is_refused(number: int):
    """In 40 tests of 16 rounds with random bases, and the prime below it passes."""
    half_bits = number.bit_length()
    below = next(n for n in range(number, 1, -2) if prime.is_prime(n))
    times = 40 if half_bits < 100 else 2
    asked = [(TEST, number, 0)] * times + [(TEST, below, 0)]
    outcomes = [outcome for outcome, _ in ask(half_bits, asked, rounds=16)]
    assert outcomes == [COMPOSITE] * times + [PASSED]


def check_rounds(half_bits: int, asked: list[tuple[int, int]], image=None) -> None:
    """Outcome and powers of each round, of a number to a base, are Python's."""
    answers = ask(half_bits, [(ROUND, *one) for one in asked], image=image)
    for (number, base), answer in zip(asked, answers, strict=True):
        passes, powers = is_strong(number, base)
        assert answer == (PASSED if passes else COMPOSITE, powers), (number, base)


def fooled() -> list[tuple[int, int]]:
    """Carmichael numbers and strong pseudoprimes, each to bases that it passes and others."""
    numbers = [number for number in (*CARMICHAEL, *STRONG) if number.bit_length() <= 32]
    return [(number, base) for number in numbers for base in (*range(2, 12), number - 2)]


def test_rounds_of_numbers_that_fool_other_tests():
    check_rounds(32, fooled())
    outcomes = {is_strong(*one)[0] for one in fooled()}
    assert outcomes == {True, False}
    check_rounds(ARNAULT.bit_length(), [(ARNAULT, base) for base in (2, 3, 199, 211, 223, 227)])


@settings(deadline=None, max_examples=40)
@given(st.sampled_from((16, 32, 64, 128)), st.data())
def test_a_round_is_the_one_of_python(half_bits: int, data: st.DataObject):
    numbers = [c for c in (*CARMICHAEL, *STRONG, *quarter()) if c.bit_length() <= half_bits]
    any_odd = st.integers(2, (1 << half_bits - 1) - 1).map(lambda x: 2 * x + 1)
    asked = []
    for _ in range(10):
        number = data.draw(st.one_of(any_odd, st.sampled_from(numbers)))
        asked.append((number, data.draw(st.integers(2, number - 2) | st.just(2))))
    check_rounds(half_bits, asked)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from((8, 16, 32, 64, 128, 160)), st.data())
def test_divisors_are_those_of_python(half_bits: int, data: st.DataObject):
    any_odd = st.integers(1, (1 << half_bits - 1) - 1).map(lambda x: 2 * x + 1)
    odd = data.draw(st.lists(any_odd | st.sampled_from(SMALL), min_size=1, max_size=10))
    e = data.draw(
        st.sampled_from((3, 15, 105, 65537, 2**32 - 1)) | any_odd.map(lambda x: x % 2**32)
    )
    odd += [e * k + 1 for k in (2, 4) if (e * k + 1).bit_length() <= half_bits]
    asked = [(DIVIDE, number, 0) for number in odd]
    if e.bit_length() <= half_bits and e > 1:
        asked += [(SHARE, number, e) for number in odd]
    for (what, number, other), (answer, _) in zip(asked, ask(half_bits, asked), strict=True):
        if what == DIVIDE:
            assert answer == any(number % s == 0 and number != s for s in SMALL)
        else:
            assert answer == (gcd(number - 1, other) > 1)


@pytest.mark.parametrize("half_bits", [8, 64, 99, 100, 101, 128, 160])
def test_near_primes(half_bits: int):
    check_near(half_bits)


def check_near(half_bits: int, image=None) -> None:
    """Pairs at the bound of the standard, on both sides."""
    bound = 1 << half_bits >> 100
    middle = 3 << half_bits - 2
    distances = (0, 1, 2, 3, bound - 1, bound, bound + 1, 2 * bound, 1 << half_bits - 3)
    asked = []
    for distance in {max(0, d) for d in distances}:
        asked += [(NEAR, middle, middle - distance), (NEAR, middle, middle + distance)]
    answers = ask(half_bits, asked, image=image)
    for (_, p, q), (answer, _) in zip(asked, answers, strict=True):
        assert answer == (abs(p - q) <= bound), (p - q, bound)


@pytest.mark.parametrize("design", ["mont-best", "array-4", "ssmm-small"])
@pytest.mark.parametrize("half_bits", [16, 32, 64])
def test_the_hardware(design: str, half_bits: int):
    """The key, and the counts, of the interpreter."""
    system = make_system("batch", lambda: find(design).xcel("rtl", half_bits))
    for seed in (1, 2):
        made = make_key(system, half_bits, seed, 65537, 10)
        plain = make_key(at_fl(half_bits), half_bits, seed, 65537, 10)
        assert (made.p, made.q, made.n, made.d) == (plain.p, plain.q, plain.n, plain.d)
        assert made.counts == plain.counts
        assert 0 < made.cycles.powers < made.cycles.rounds < made.cycles.total
    system.close()


def made_at(level: str) -> Made:
    """The key of a seed, of 16 bits, with all that the program tells."""
    model = "cl" if level == "cl" else "rtl"
    system = make_system(level, lambda: find("array-4").xcel(model, 8))
    try:
        return make_key(system, 8, 1, 257, 1)
    finally:
        system.close()


@pytest.mark.parametrize("level", ["cl", pytest.param("rtl", marks=pytest.mark.long)])
def test_cycles_are_the_same_at_all_levels_that_have_them(level: str):
    assert made_at(level) == made_at("batch")


def test_the_stream_is_that_of_the_standard():
    """RFC 8439, 2.3.2 has a block with another nonce and counter; A.1 one of zeros alone."""
    stream = chacha_words(0)
    block = b"".join(next(stream).to_bytes(4, "little") for _ in range(16))
    assert block.hex().startswith(
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
    )


def planted(
    folder: Path, *faults_of: tuple[str, str, str]
) -> tuple[Callable[[int], object], Callable[[int], object]]:
    """What compiles the program, and the one that answers for the parts, for a width, with faults:
    in which file, what, for what."""
    app = folder / "app"
    copytree(APP, app)
    for name, sound, faulty in faults_of:
        text = (app / name).read_text()
        assert text.count(sound) == 1, f"{name} has {text.count(sound)} times {sound!r}, not once"
        (app / name).write_text(text.replace(sound, faulty))
    sources = [app / source for source in SOURCES]

    @cache
    def image(half_bits: int) -> object:
        return load_elf(build(sources, {"HALF_BITS": half_bits}))

    @cache
    def parts(half_bits: int) -> object:
        return load_elf(build([JUDGE, *sources[2:]], {"HALF_BITS": half_bits}))

    return image, parts


FAULTS = {
    "primes.c": {
        "gcd of e not asked for": ("if (primes_share(prime, source->e)) {", "if (0) {"),
        "p = q": ("if (other && primes_near(prime, other)) {", "if (0) {"),
        "not far enough": ("(HALF_BITS >= NEAR_BITS)", "(0)"),
        "no division": ("if (primes_divide(prime)) {", "if (0) {"),
        "divided by itself": (" && !is_word(number, SMALL[next])) return 1;", ") return 1;"),
        "too small": ("if (!whole || subtract(prime, source->least, difference)) {", "if (0) {"),
        "a round too few": (
            "round < source->rounds; round++",
            "round + 1 < source->rounds; round++",
        ),
        "one base": ("draw_base(&source->random, number, base);", "base[0] = 2;"),
        "no squares": ("while (--halves > 0) {", "while (0) {"),
        "a square too many": ("while (--halves > 0) {", "while (halves-- > 0) {"),
        "1 passes after squares": (
            "if (is_word(z, 1)) return ROUND_COMPOSITE;",
            "if (is_word(z, 1)) return ROUND_PASSED;",
        ),
        "the modulus not pushed anew": ("base, round == 0, did)", "base, 0, did)"),
        "even candidates": ("    prime[0] |= 1;\n", ""),
    },
    "rsa_make.c": {
        "d modulo (p - 1)(q - 1)": (
            "  odd_divisor(a, b, g);\n",
            "  words_clear(PRIME_WORDS, g), g[0] = 1;\n",
        ),
        "the powers of 2 exchanged": ("if (p_halves <= q_halves) {", "if (p_halves > q_halves) {"),
        "a short d": ("if (!is_short(made->d)) {", "if (1) {"),
        "the wrong sign": ("return negative ? m - factor : factor;", "return factor;"),
        "k m without 1": ("product[N_WORDS], carry = 1;", "product[N_WORDS], carry = 0;"),
    },
    "chacha.c": {
        "one block": ("chacha->counter++, 0, 0, 0,", "chacha->counter, 0, 0, 0,"),
        "a round too few": ("DOUBLE_ROUNDS = 10", "DOUBLE_ROUNDS = 9"),
    },
}
ROWS = {
    f"{name}: {fault}": (name, change)
    for name, table in FAULTS.items()
    for fault, change in table.items()
}


@faults(ROWS)
def test_a_fault_is_caught(monkeypatch, tmp_path: Path, sound: str, faulty: tuple[str, str]):
    image, parts = planted(tmp_path, (sound, *faulty))
    monkeypatch.setattr(rsa_make, "make_image", image)
    with pytest.raises(AssertionError):
        check_all(parts)


def check_all(parts: Callable[[int], object]) -> None:
    """Keys of three widths and answers for the parts, by which each fault must be found."""
    check_near(128, parts(128))
    check_rounds(32, fooled(), parts(32))
    cases = [(8, seed, 3) for seed in range(40)] + [(8, short_d_seed(), 32749)]
    cases += [(16, seed, 3) for seed in range(10)] + [(101, 1, 3)]
    for half_bits, seed, e in cases:
        check_like_the_golden(half_bits, seed, e, 3)


def test_no_fault_is_found_where_there_is_none():
    check_all(judge_image)
