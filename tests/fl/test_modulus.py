"""Moduli near a power of two: which power, their forms and names, and how a weight folds."""

import pytest

from fl.modulus import Digit, Modulus, residue_bits, third

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("value", "n", "offset"),
    [
        (3, 2, -1),
        (4, 2, 0),
        (5, 2, 1),
        (6, 2, 2),  # as far from 8
        (7, 3, -1),
        (11, 3, 3),
        (12, 3, 4),  # as far from 16
        (13, 4, -3),
        (2**64 + 2**63, 64, 2**63),
        (2**64 + 2**63 + 1, 65, 1 - 2**63),
    ],
)
def test_the_nearest_power_of_two_the_lower_if_both_are(value: int, n: int, offset: int) -> None:
    assert Modulus.of(value) == Modulus(n, offset)
    assert Modulus(n, offset).value == value


@pytest.mark.parametrize(
    ("form", "modulus", "text", "name", "width"),
    [
        ("2^n", Modulus(8), "2^8", "2p8", 8),
        ("2^n-1", Modulus(8, -1), "2^8-1", "2p8m1", 8),
        ("2^n + 1", Modulus(8, 1), "2^8+1", "2p8p1", 9),
        ("2^n+085", Modulus(8, 85), "2^8+85", "2p8p85", 9),
        ("2^n-127", Modulus(8, -127), "2^8-127", "2p8m127", 8),
        ("2^n+255", Modulus(8, 255), "2^8+255", "2p8p255", 9),
    ],
)
def test_a_form_at_8_bits(form: str, modulus: Modulus, text: str, name: str, width: int) -> None:
    found = Modulus.parse(form, 8)
    assert (found, found.text, found.name, found.width) == (modulus, text, name, width)


@pytest.mark.parametrize("form", ["2^n-0", "2^n+", "2^n*3", "3^n", "2^n-128", "2^n+256"])
def test_no_form_at_8_bits(form: str) -> None:
    with pytest.raises(ValueError, match="a form is|k of 2"):
        Modulus.parse(form, 8)


def test_weights_fold_to_the_fewer_ones() -> None:
    """2^8 is 7 modulo 2^8-7; modulo 2^8+7 it is 249, of more ones than -7 has. Of as
    many ones it is the residue. Below column n a weight stays."""
    minus = {Digit(0, True), Digit(1, True), Digit(2, True)}
    assert set(Modulus(8, -7).fold(8)) == {Digit(0), Digit(1), Digit(2)}
    assert set(Modulus(8, 7).fold(8)) == minus
    assert Modulus(4, -7).fold(6) == (Digit(0),)  # 1, not -8
    assert Modulus(8, 7).fold(5) == (Digit(5),)
    assert Modulus(8, -1).fold(8) == (Digit(0),)
    assert Modulus(8, 1).fold(8) == (Digit(0, True),)
    for offset in (-127, -7, -1, 1, 7, 85, 255):
        modulus = Modulus(8, offset)
        for weight in range(8, 20):
            folded = modulus.fold(weight)
            assert sum(digit.value for digit in folded) % modulus.value == 2**weight % modulus.value
            assert all(digit.column < 8 for digit in folded)


@pytest.mark.parametrize(("modulus", "bits"), [(3, 2), (4, 2), (5, 3), (256, 8), (257, 9)])
def test_bits_of_a_residue(modulus: int, bits: int) -> None:
    assert residue_bits(modulus) == bits


@pytest.mark.parametrize(("n", "k"), [(4, 5), (5, 10), (8, 85), (9, 170)])
def test_a_third_of_a_power_of_two(n: int, k: int) -> None:
    """2^(n-2) + 2^(n-4) + ..., down to 1 or 2."""
    assert third(n) == k
