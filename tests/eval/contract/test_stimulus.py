"""The cases that the contracts draw: each sort of operand is there, and none that is not asked."""

import pytest

from cl.unit import Unit
from cl.xcel import XcelCL
from eval.contract.exponentiator import ExpCase
from eval.contract.multiplier import document_cases, near_power_cases, random_cases, wide_operands
from eval.contract.xcel import check_keeping
from fl.near_power import k_bits
from fl.xcel import MOD, words
from sim.stream import StreamRunner, Transfer
from tests.eval.contract.test_checkers import Guarded, Power, Product, odd

pytestmark = pytest.mark.quick


def test_operands_beyond_the_modulus_width():
    """To the last that the guard bits hold, and to the last below 2m."""
    found = {case.operands for case in wide_operands(Guarded(8))}
    wanted = {
        (a, b, m)
        for m in (3, 255, 129)
        for a in (m + 1, 2 * m - 1, 1023)
        for b in (m, 2 * m - 2, 2 * m - 1)
    }
    assert found == wanted
    unguarded: Unit = Product(8)
    assert wide_operands(unguarded) == []


@pytest.mark.parametrize("nbits", [8, 9, 33])
def test_moduli_near_a_power(nbits: int):
    most = 1 << k_bits(nbits)
    cases = near_power_cases(nbits, 300, seed=1)
    ks = [(1 << nbits) - case.m for case in cases]
    assert ks[:4] == [most, most - 1, 1, 2]
    assert {1, most} <= set(ks[4:]) or nbits == 33
    assert all(1 <= k <= most for k in ks)
    assert max(max(case.a, case.b) for case in cases).bit_length() == nbits


@pytest.mark.parametrize(("is_odd", "reduced"), [(False, False), (True, False), (True, True)])
def test_moduli_are_of_every_length(is_odd: bool, reduced: bool):
    cases = random_cases(8, 400, 1, is_odd, reduced)
    lengths = {case.m.bit_length() for case in cases}
    assert lengths == set(range(2 if is_odd else 1, 9))
    assert {case.m % 2 for case in cases} == ({1} if is_odd else {0, 1})
    assert any(case.reduced for case in cases)
    assert all(case.reduced for case in cases) == reduced
    assert sum(case.m > 127 for case in cases) > 100
    assert max(max(case.a, case.b) for case in cases) > 240


def test_products_of_documents():
    cases = {case.name: case.operands for case in document_cases()}
    assert cases["002-final-subtraction"] == (15, 142, 145)
    assert cases["004-operands-above-modulus"] == (5, 5, 3)
    assert cases["000-table-1-row-4"] == (12, 20, 29)


class Noting(StreamRunner):
    """Notes what it is asked."""

    def run(self, requests: list, *others: object) -> list[Transfer]:
        self.asked.append([(int(r.type_), int(r.addr)) for r in requests])
        return super().run(requests, *others)


def test_a_modulus_is_pushed_where_it_differs_and_now_and_then():
    model = Power(40, odd)
    moduli = [9] * 11 + [11, 13, 13]
    cases = [ExpCase(f"{i}", 40, 7 + i, 5, mod) for i, mod in enumerate(moduli)]
    with Noting(XcelCL(model), "cl", "xcel.req", "xcel.resp") as runner:
        runner.asked = []
        check_keeping(runner, model, cases)
    first, again = runner.asked
    per_case: list[int] = []
    pushed = 0
    for request in first:
        pushed += request == (1, MOD)
        if request == (1, 0):
            per_case.append(pushed // words(40))
            pushed = 0
    assert per_case == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0]
    assert (1, MOD) not in again
    assert again.count((1, 0)) == 2
