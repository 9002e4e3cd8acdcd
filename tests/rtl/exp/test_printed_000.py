"""Document 000's figures 18 and 19 as printed, and a squarer beside a multiplier: values, time,
faults."""

import pytest

import cl.exponentiator
import rtl.exp.given
import rtl.exp.organised
import rtl.mul.fixed_mul
from cl.organisation import Organisation
from eval.catalog import find
from eval.catalog.fixed_modulus import PRINTED
from eval.contract import exponentiator
from fl.fixed_exp import correction_steps, family
from fl.mont_mul import GUARD_STEPS
from fl.schedule import LEFT_TO_RIGHT
from rtl.exp.exponentiator import ExponentiatorRTL
from rtl.exp.fixed_exp import fixed_exponentiator
from rtl.exp.organised import organised
from rtl.mul.fixed_mul import SQUARE, FixedMul
from rtl.mul.mont_mul import MontMul
from sim.stream import STALLS
from tests.faults import CAUGHT, faults, plant
from tests.harness import component_runner

NBITS = 8
NAMES = ("mm-printed-2", "mm-printed-pseudo-2", "cm-square-2")


def check(design, component, stalls=None) -> None:
    """Edges of base and exponent under the family's modulus, others refused."""
    cases = exponentiator.fitted(exponentiator.edge_cases(design.nbits)[::4], family(NBITS).m)
    with component_runner(component) as runner:
        exponentiator.check_exponentiator(runner, design, cases, *(stalls or ()), max_cycles=20_000)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [8, 32, 1024])
@pytest.mark.parametrize("name", NAMES[:2])
def test_k_plus_2_products(name: str, nbits: int) -> None:
    """Each of n + 2 steps, and a cycle to take its operands; four cycles besides, and the
    correction. 1 goes in beside the base: an exponent of k bits takes k + 2 products in turn."""
    model, modulus = find(name).at(nbits), family(nbits)
    product = nbits + GUARD_STEPS + 1
    besides = 4 + (correction_steps(modulus.c) if "pseudo" in name else 0)
    for exp in (1, 3, 113, 128, 2**nbits - 1):
        assert model.latency(5, exp, modulus.m) == (exp.bit_length() + 2) * product + besides


@pytest.mark.parametrize("name", NAMES)
def test_values_and_time(name: str) -> None:
    check(find(name).at(NBITS), find(name).component("rtl", NBITS))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("stalls", STALLS.values(), ids=lambda s: s.name)
def test_any_stall(name: str, stalls) -> None:
    check(find(name).at(NBITS), find(name).component("rtl", NBITS), (stalls,))


def test_it_finds_r_squared_too() -> None:
    """The same organisation for every odd modulus, where the way to R^2 shares a unit."""
    model = organised(MontMul(NBITS, 2), Organisation(squarings=1, converts=True))
    cases = exponentiator.edge_cases(NBITS, exp_bits=4)[::3]
    with component_runner(model.rtl()) as runner:
        exponentiator.check_exponentiator(runner, model, cases, max_cycles=20_000)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Organisation(units=5, converts=True), "only two units"),
        (lambda: Organisation(LEFT_TO_RIGHT, units=1, converts=True), "only two units"),
        (
            lambda: fixed_exponentiator(
                FixedMul(8, family(8), "tree"), 1, FixedMul(8, family(8), SQUARE)
            ),
            "units must be 2, not 1",
        ),
    ],
)
def test_what_is_refused(make, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.quick
def test_a_squarer_squares_alone() -> None:
    unit = FixedMul(NBITS, family(NBITS), SQUARE)
    m = unit.only_modulus
    assert [unit.accepts(*operands) for operands in ((5, 5, m), (5, 6, m), (m, m, m))] == [1, 0, 0]


@faults(
    {
        "another R^2": ("(1 << 2 * unit.radix) % mod", "(1 << 2 * unit.radix + 1) % mod"),
        "every modulus is taken": (
            "judge = partial(OnlyModulus, nbits, mod)",
            "judge = None",
        ),
    }
)
def test_fault_in_what_is_given(tmp_path, sound: str, faulty: str) -> None:
    broken = plant(tmp_path, rtl.exp.given, sound, faulty)
    unit = find("mm-printed-2").multiplier.at(NBITS)
    component = broken.given_r_squared(unit, PRINTED, family(NBITS).m).rtl()
    with pytest.raises(CAUGHT):
        check(find("mm-printed-2").at(NBITS), component)


@faults({"the base waits for 1": ("if self.organisation.converts:", "if False:")})
def test_fault_in_the_sharing(tmp_path, sound: str, faulty: str) -> None:
    broken = plant(tmp_path, cl.exponentiator, sound, faulty)
    model = find("mm-printed-2").at(NBITS)
    with pytest.raises(CAUGHT):
        check(model, ExponentiatorRTL(broken.Parts(**vars(model.parts))))


@faults({"1 is not converted": ("organisation.units == 5 or organisation.converts", "False")})
def test_fault_in_the_way_in(tmp_path, monkeypatch, sound: str, faulty: str) -> None:
    broken = plant(tmp_path, rtl.exp.organised, sound, faulty)
    monkeypatch.setattr(rtl.exp.given, "organised", broken.organised)
    model = find("mm-printed-2").at(NBITS)
    component = rtl.exp.given.given_r_squared(model.parts.unit, PRINTED, family(NBITS).m).rtl()
    with pytest.raises(CAUGHT):
        check(model, component)


@faults({"the square is its operand": ("s.square.r //= s.r", "s.a //= s.r")})
def test_fault_in_the_squarer(tmp_path, sound: str, faulty: str) -> None:
    broken = plant(tmp_path, rtl.mul.fixed_mul, sound, faulty)
    squarer = broken.FixedMul(NBITS, family(NBITS), SQUARE)
    unit = FixedMul(NBITS, family(NBITS), "tree")
    with pytest.raises(CAUGHT):
        check(find("cm-square-2").at(NBITS), fixed_exponentiator(unit, 2, squarer).rtl())


@faults({"it multiplies, too": ('[*alone, ("unit", self.unit,', '[*alone, ("unit", squarer,')})
def test_fault_in_the_squarers_place(tmp_path, sound: str, faulty: str) -> None:
    broken = plant(tmp_path, cl.exponentiator, sound, faulty)
    model = find("cm-square-2").at(NBITS)
    with pytest.raises(CAUGHT):
        check(model, ExponentiatorRTL(broken.Parts(**vars(model.parts))))
