"""`modexplorer pseudo` and `modexplorer keygen`, and the search behind the first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fl.near_power import is_near_power, near_power_key
from fl.pseudo_modulus import PseudoModulus, least_pseudo_modulus
from fl.rsa_keys import KEY_001, KEY_004
from tests.command_line import assert_refused, run, run_json


def least_by_trial(m: int) -> PseudoModulus:
    """Every exponent in turn."""
    exponent = 1
    while True:
        for sign in (1, -1):
            if (2**exponent - sign) % m == 0:
                return PseudoModulus(m, exponent, sign)
        exponent += 1


@pytest.mark.quick
def test_the_search_finds_the_least_for_every_small_modulus() -> None:
    for m in range(1, 600, 2):
        found = least_pseudo_modulus(m, 1000)
        assert found == least_by_trial(m)
        assert found.c * m == 2**found.exponent - found.sign
        assert found.c.bit_length() == found.c_bits


@pytest.mark.quick
@given(st.integers(1, 2000).map(lambda i: 2 * i + 1), st.integers(1, 400))
def test_the_search_ends_at_its_bound(m: int, bound: int) -> None:
    least = least_by_trial(m)
    assert least_pseudo_modulus(m, bound) == (least if least.exponent <= bound else None)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("m", "exponent", "sign"),
    [
        (5726623061, 34, 1),
        (1537228672809129301, 62, 1),
        (1772303994379887830538409413707126101, 122, 1),
        ((2**61 + 1) // 3, 61, -1),
        (KEY_001.n, 358095308, 1),
    ],
)
def test_known_moduli(m: int, exponent: int, sign: int) -> None:
    assert least_pseudo_modulus(m, 1 << 30) == PseudoModulus(m, exponent, sign)
    assert pow(2, exponent, m) == sign % m


@pytest.mark.quick
@pytest.mark.parametrize(
    ("m", "message"), [(4, "m must be odd and at least 1, not 4"), (0, "m must be odd")]
)
def test_moduli_without_one_are_refused(m: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        least_pseudo_modulus(m, 10)
    with pytest.raises(ValueError, match="bound must be at least 1, not 0"):
        least_pseudo_modulus(3, 0)


@pytest.mark.quick
def test_pseudo_says_c_and_its_size() -> None:
    answer = run_json("pseudo 5726623061")
    assert (answer["N"], answer["c"], answer["c_bits"]) == (34, 3, 2)
    assert answer["form"] == "c * m = 2^N - 1"
    long = run_json(f"pseudo {KEY_001.n}")
    assert (long["N"], long["c"], long["c_bits"]) == (358095308, None, 358095277)


@pytest.mark.quick
def test_pseudo_says_why_there_is_none() -> None:
    assert "m is even" in run("pseudo 10").output
    result = run(f"pseudo {KEY_004.n} --bound 10000")
    assert result.exit_code == 0
    assert "not within reach: N is above 10000" in result.output
    assert "about 2^124" in result.output
    assert run_json(f"pseudo {KEY_004.n} --bound 99")["N"] is None


@pytest.mark.quick
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("pseudo 0", "m: 0 is not from 1 on"),
        ("pseudo 7 --bound 0", "--bound: 0 is not from 1 to"),
        ("pseudo 7.5", "m: '7.5' is not a whole number"),
        ("keygen --form other --nbits 64", "--form: no form 'other'; choose from near-power"),
        ("keygen --nbits 8", "--nbits: 8 is not from 16 to 4096"),
        ("keygen --form pseudo --nbits 32", "--nbits: (2^32 - 1) / 3 is no product"),
        (
            "simulate cm-pseudo-2 --nbits 8 --base 5 --exp 3 --mod 9",
            "--mod: cm-pseudo-2 does not take 9; give 85, the only one at 8 bits",
        ),
        ("keygen --form pseudo --nbits 34 --seed 1", "--seed: there is one pseudo key"),
    ],
)
def test_bad_input_is_one_line(line: str, message: str) -> None:
    assert_refused(line, message)


@pytest.mark.quick
def test_keygen_prints_a_key_and_a_command_that_uses_it() -> None:
    answer = run_json("keygen --nbits 64 --seed 7")
    assert answer["n"] == near_power_key(64, 7).n
    assert answer["k"] == 2**64 - answer["n"]
    assert answer["k_bits"] == answer["k"].bit_length() <= 41
    assert is_near_power(64, answer["n"])
    text = run("keygen --nbits 64 --seed 7").output
    assert f"k      {answer['k']}\n" in text
    command = text[text.index("modexplorer simulate") :].replace("\\\n", "")
    assert command.split() == answer["simulate"].split()


def test_the_printed_command_encrypts() -> None:
    for line, nbits in (
        ("keygen --nbits 32 --seed 1", 32),
        ("keygen --form pseudo --nbits 26", 26),
    ):
        key = run_json(line)
        command = key["simulate"].removeprefix("modexplorer ").replace("batch", "rtl")
        assert f"--nbits {nbits}" in command
        answer = run_json(command)
        assert answer["status"] == "ok"
        assert answer["result"] == pow(key["n"] // 3, key["e"], key["n"])
        assert pow(answer["result"], key["d"], key["n"]) == key["n"] // 3


@pytest.mark.quick
def test_keys_without_a_seed_differ() -> None:
    first, second = (run_json("keygen --nbits 64") for _ in "ab")
    assert first["n"] != second["n"]
