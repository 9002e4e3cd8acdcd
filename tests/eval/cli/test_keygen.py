"""`modexplorer keygen DESIGN` end to end: keys, options, and how it fails; keys of a form are in
test_pseudo_commands.py."""

import re
from dataclasses import replace
from math import gcd, lcm
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from eval.tasks import rsa_make as task
from eval.tasks.rsa_make import KeyMaking
from proc.run import rsa_make
from proc.run.rsa_make import NONE, REFUSED
from sim.errors import RunError
from tests.command_line import assert_refused, run, run_json
from tests.golden.rsa_make import Maker
from tests.proc.test_rsa_make import at_fl, planted


@pytest.mark.parametrize("level", ["fl", "cl", "batch"])
@pytest.mark.parametrize("nbits", [16, 32, 64, 128])
def test_a_key_at_every_level(nbits: int, level: str) -> None:
    if level == "cl" and nbits > 32:
        return
    found = run_json(f"keygen mont-best --nbits {nbits} --seed 3 --rounds 2 --level {level}")
    key, counts, cycles = found["key"], found["counts"], found["cycles"]
    assert key["n"] == key["p"] * key["q"]
    assert key["n"].bit_length() == nbits
    assert key["e"] == (65537 if nbits > 16 else 257)
    assert key["d"] == pow(key["e"], -1, lcm(key["p"] - 1, key["q"] - 1))
    refused = ("below", "near", "divided", "shared", "composite")
    assert counts["drawn"] == sum(counts[name] for name in refused) + 2 * counts["pairs"]
    assert found["rounds"] == 2
    assert counts["rounds"] >= 4
    if level == "fl":
        assert cycles is found["cycles_a_round"] is found["share_of_powers"] is None
    else:
        assert found["cycles_a_round"] == cycles["rounds"] / counts["rounds"]
        assert found["share_of_powers"] == cycles["powers"] / cycles["total"]
        rest = (cycles["total"] - cycles["rounds"] - cycles["inverse"]) / counts["drawn"]
        reckoned = found["mean"]["rounds"] * found["cycles_a_round"]
        reckoned += found["mean"]["drawn"] * rest + cycles["inverse"] / counts["pairs"]
        assert found["mean"]["cycles"] == pytest.approx(reckoned)


def test_the_seed_decides_the_key() -> None:
    line = "keygen array-4 --nbits 32 --level fl --rounds 2"
    one, again, other = (run_json(f"{line} --seed {seed}") for seed in (1, 1, 2))
    assert one == again
    assert one["key"] != other["key"]
    first, second = (run_json(line.replace("32", "64"))["key"] for _ in "ab")
    assert first != second


@pytest.mark.parametrize("e", [3, 17, 65537, 4294967295])
def test_e_shares_nothing_with_either_prime_less_one(e: int) -> None:
    line = f"keygen mont-best --nbits 64 --exponent {e} --level fl --rounds 2"
    for seed in range(4):
        key = run_json(f"{line} --seed {seed}")["key"]
        assert key["e"] == e
        assert gcd(e, key["p"] - 1) == 1 == gcd(e, key["q"] - 1)


def test_the_error_is_told() -> None:
    found = run_json("keygen mont-best --nbits 32 --level fl --seed 1")
    assert (found["rounds"], found["round_error_bits"]) == (50, 100)
    assert found["candidate_error_bits"] == 100
    text = run("keygen mont-best --nbits 32 --level fl --seed 1").stdout
    assert "50 for a prime, errs by 2^-100" in text
    assert KeyMaking("array-16", 2048).tests == 4  # FIPS 186-4, table C.3, at 2^-100
    assert KeyMaking("array-16", 1024).tests == 7


def test_a_key_in_a_file_is_one_for_others(tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    line = f"keygen array-4 --nbits 1024 --level fl --seed 5 --out {file}"
    told = run(line)
    assert told.exit_code == 0
    assert told.stdout.endswith(f"wrote {file}\n")
    assert file.stat().st_mode & 0o777 == 0o600
    key = run_json(line)["key"]
    numbers = load_pem_private_key(file.read_bytes(), None).private_numbers()
    assert (numbers.public_numbers.n, numbers.d, numbers.p) == (key["n"], key["d"], key["p"])
    found = run_json(f"rsa mont-best --key {file} --level fl --base 5")
    assert found["result"] == pow(5, key["d"], key["n"])


SHORT_D = ("rsa_make.c", "if (!is_short(made->d)) {", "if (1) {")
# A check that is left out of the program: the plants, a width and an e where it matters, the count
# that says so, and what Python then says. Of p = q the length of d tells as well.
CHECKS = {
    "gcd of e": (
        [("primes.c", "if (primes_share(prime, source->e)) {", "if (0) {")],
        *(16, 3, "shared", "e * d is not 1 modulo"),
    ),
    "p = q": (
        [("primes.c", "if (other && primes_near(prime, other)) {", "if (0) {"), SHORT_D],
        *(16, 3, "near", "p and q are the same prime"),
    ),
    "composites": (
        [("primes.c", "if (outcome == ROUND_PASSED) return PRIME_FOUND;", "return PRIME_FOUND;")],
        *(48, 3, "composite", "is no odd prime"),
    ),
    "a short d": ([SHORT_D], 16, 16381, "pairs", "d is not from"),
}


def seeds_that_meet(count: str, nbits: int, e: int) -> list[int]:
    """Eight seeds with which such a candidate is drawn."""
    found: list[int] = []
    for seed in range(10000):
        bits = Random(f"made key {nbits} {seed}").getrandbits(256)
        maker = Maker(nbits // 2, bits, e, 2)
        if maker.make() and maker.counts[count] > (count == "pairs"):
            found.append(seed)
        if len(found) == 8:
            break
    return found


@pytest.mark.parametrize("left_out", CHECKS)
def test_a_wrong_key_is_not_printed(left_out: str, monkeypatch, tmp_path: Path) -> None:
    """Without the check one is made, and Python says why it is none; with it none is."""
    plants, nbits, e, count, says = CHECKS[left_out]
    start = f"keygen mont-best --nbits {nbits} --exponent {e} --level fl --rounds 2 --seed"
    lines = [f"{start} {seed}" for seed in seeds_that_meet(count, nbits, e)]
    assert len(lines) == 8
    assert not any(run(line).exit_code for line in lines)
    monkeypatch.setattr(rsa_make, "make_image", planted(tmp_path, *plants)[0])
    wrong = [one for one in map(run, lines) if one.exit_code]
    assert any(says in one.stderr for one in wrong)
    for one in wrong:
        assert (one.exit_code, one.stdout) == (1, "")
        assert f"the key that mont-best-{nbits // 2} made is wrong: " in one.stderr


def test_a_short_n_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rsa_make, "least_prime", lambda half_bits: 1 << half_bits - 1)
    line = "keygen mont-best --nbits 32 --level fl --rounds 2 --seed"
    done = [run(f"{line} {seed}") for seed in range(8)]
    wrong = [one for one in done if one.exit_code == 1]
    assert wrong
    for one in wrong:
        assert one.stdout == ""
        assert "is wrong: n has 31 bits, not 32" in one.stderr


def test_near_primes_are_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which the processor cannot find by chance at widths that matter."""
    asked = KeyMaking("mont-best", 256, level="fl")
    golden = Maker(128, 1, 65537, 2)
    golden.make()
    p = golden.p
    q = next(
        q
        for q in range(p + 2, p + 10000, 2)
        if pow(2, q - 1, q) == 1 and (q - 1) % 65537 and (p - 1) % 65537
    )
    order = lcm(p - 1, q - 1)
    made = rsa_make.make_key(_system(asked), 128, 1, 65537, 2)
    near = replace(made, p=p, q=q, n=p * q, d=pow(65537, -1, order))
    monkeypatch.setattr(task, "make_key", lambda *_: near)
    with pytest.raises(RunError, match="p and q are too near to each other"):
        asked.run(1)


def _system(asked: KeyMaking):
    return task.make_system(asked.level, asked.accelerator)


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (NONE, "no two primes for e = 65537 among as many candidates of 16 bits"),
        (REFUSED, "mont-best-16 did not take a candidate for a prime as its modulus"),
    ],
)
def test_no_key_is_a_failure(status: int, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = KeyMaking("mont-best", 32, level="fl")
    made = rsa_make.make_key(_system(asked), 16, 1, 65537, 2)
    monkeypatch.setattr(task, "make_key", lambda *_: replace(made, status=status))
    with pytest.raises(RunError, match=says):
        asked.run(1)


def test_a_design_without_hardware_makes_keys_at_level_cl(mine: Path) -> None:
    """The fixture takes back what is brought to the catalog."""
    assert run("new integers --level cl").exit_code == 0
    line = "keygen integers --with integers/entry.py --nbits 16 --rounds 1 --seed 1"
    assert_refused(line, "design: the multiplier of integers is no hardware yet")
    assert run_json(f"{line} --level cl")["cycles"]["powers"] > 0


def test_a_design_with_wrong_powers_makes_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = KeyMaking("mont-best", 32, rounds=1, level="fl")
    wrong = at_fl(16, lambda base, exp, mod: (pow(base, exp, mod) ^ 2, 0))
    monkeypatch.setattr(task, "make_system", lambda *_: wrong)
    with pytest.raises(RunError, match="`modexplorer check mont-best`: wrong powers look like"):
        asked.run(1)


def test_an_e_without_two_primes_is_a_failure() -> None:
    """3, 5, 7 or 29 divides p - 1 for all primes of 8 bits above 181 but 227."""
    done = run("keygen mont-best --nbits 16 --exponent 3045 --level fl --seed 1")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "no two primes for e = 3045 among" in done.stderr
    assert "try another --seed, or another --exponent" in done.stderr


BAD_INPUT = {
    "keygen nothing --nbits 64": "design: no design named 'nothing'",
    "keygen mont-best --nbits 65": "--nbits must be an even integer from 16 to 4096, not 65",
    "keygen mont-best --nbits 14": "--nbits: 14 is not from 16 to 4096",
    "keygen mont-best --nbits 64 --form pseudo": "--form: is of keys made without a design",
    "keygen mont-best --nbits 64 --exponent 4": "--exponent: 4 is no odd number from 3 to",
    "keygen mont-best --nbits 64 --exponent 1": "--exponent: 1 is no odd number from 3 to",
    "keygen mont-best --nbits 16 --exponent 65537": "--exponent: 65537 is no odd number from 3 to",
    "keygen mont-best --nbits 64 --exponent 4294967297": "no odd number from 3 to 4294967295",
    "keygen mont-best --nbits 64 --rounds 0": "--rounds: 0 is not from 1 to 64",
    "keygen mont-best --nbits 64 --rounds 65": "--rounds: 65 is not from 1 to 64",
    "keygen mont-best --nbits 64 --level gl": "--level: no level 'gl'; choose from fl, cl, rtl, ba",
    "keygen mont-best --nbits 64 --seed -1": "--seed: -1 is negative",
    "keygen mont-best --nbits 64 --out /proc/none": "--out: cannot write /proc/none",
    "keygen near-power-4 --nbits 64": "design: near-power-4 does not take all candidates",
    "keygen cm-pseudo-2 --nbits 64": "design: cm-pseudo-2 does not take all candidates",
    "keygen cm-pseudo-2 --nbits 512": "--nbits: 256 is not a width of cm-pseudo-2",
    "keygen --nbits 64 --exponent 3": "--exponent: is of keys that the processor makes; give a de",
    "keygen --nbits 64 --rounds 3": "--rounds: is of keys that the processor makes; give a design",
    "keygen --nbits 64 --level fl": "--level: is of keys that the processor makes; give a design",
    "keygen --nbits 64 --out key.pem": "--out: is of keys that the processor makes; give a design",
}


@pytest.mark.quick
@pytest.mark.parametrize("line", BAD_INPUT)
def test_bad_input_is_one_line_that_says_what_to_do(line: str) -> None:
    assert_refused(line, BAD_INPUT[line])


def test_the_examples_in_the_help_run() -> None:
    lines = re.findall(r"^ +modexplorer (.*)$", run("keygen --help").output, re.MULTILINE)
    assert len(lines) == 4
    for line in lines:
        result = run(line)
        assert result.exit_code == 0, result.output
