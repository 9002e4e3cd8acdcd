"""Document 000's figures: what follows from its cells, and what its items quote of ours."""

import re

import pytest

from eval.documents.d000 import derived
from eval.documents.d000.figures import KEY_BITS, ONE, TWO
from eval.documents.item import REFUTED, THEIR_FIGURES
from eval.documents.items import items_of
from eval.study.studies import find_study
from fl.pkcs1 import ENCRYPTION, LEAST_BYTES, OVERHEAD, has_blocks
from fl.printed_schedules import k_ary, left_windows
from tests.eval.documents.test_items import quoted

pytestmark = pytest.mark.quick


EQUATIONS = (18, 19, 20, 22, 24, 25, 26, 27, 28)
CLAIMS = (
    *("10^7 times", "more than twice", "about three times", "99.8 %", "about half", "45 %"),
    *("trees alone gain", "squares", "padding above 64 bits"),
)


def test_equations_and_claims_of_the_text_have_items() -> None:
    names = [item.name for item in items_of("000")]
    expected = [*(f"equation {n}" for n in EQUATIONS), *(f"claim: {what}" for what in CLAIMS)]
    assert [name for name in names if name.startswith(("equation", "claim"))] == expected


def test_a_contradiction_counts_once() -> None:
    """Clocks and delays of trees contradict each other in tables 8, 12, 14 and 18 and in charts."""
    told = [i for i in items_of("000") if i.verdict == REFUTED and "periods of these" in i.found]
    assert [item.name for item in told] == ["table 12"]
    own = [i.name for i in items_of("000") if i.basis and i.basis.against == THEIR_FIGURES]
    assert own == ["table 7", "table 12", "table 13", *(f"claim: {c}" for c in CLAIMS[:7])]


def test_the_average_savings_of_table_8() -> None:
    """Worked out by hand: 50/98, 63/123 ... 115/223 of CM; 364/412 ... of DM."""
    assert derived.mean_saving("cm-modulus") == "51.4"
    assert derived.mean_saving("dm-modulus") == "96.8"
    assert derived.mean_saving("dm-pseudo") == "96.6"
    of_dm = derived.savings(TWO.delay_ns, "cm-pseudo", "dm-modulus")
    assert [f"{saved:.1f}" for saved in of_dm] == ["88.3", "95.0", "98.2", "99.4", "99.8", "99.9"]
    assert derived.faster_direct() == [64, 128, 256, 512, 1024]
    assert derived.most_saved_direct() == "45"


def test_the_shares_of_elements_and_times() -> None:
    shares = derived.ratios(TWO.elements, "cm-pseudo", "cm-modulus")
    assert [f"{share:.2f}" for share in shares] == ["0.57", "0.54", "0.64", "0.76", "0.80", "0.79"]
    assert derived.span(shares) == "0.54 to 0.80"
    assert derived.mean_saved("encryption_us") == "44"
    assert derived.mean_saved("decryption_us") == "27"


def test_the_clocks() -> None:
    trees, montgomery = (derived.clock_gain(TWO, f"{w}-modulus") for w in ("cm", "mm"))
    assert derived.span(trees) == "2.37 to 3.02"  # 19/8 to 0.426/0.141
    assert derived.span(montgomery) == "1.67 to 2.75"  # 1.502/0.901 to 19/6.92
    assert derived.keys_below_twice() == [256, 512, 1024]
    assert derived.span(derived.clock_gain(ONE, "mm-modulus")) == "2.77 to 5.06"


def test_clocks_contradict_delays_of_trees_alone() -> None:
    """1000/0.141 ns are 7092, and 223 are printed; of Montgomery's a step is a period."""
    assert f"{derived.by_clock(TWO):.2f}" == "31.80"
    assert f"{derived.by_clock(ONE):.2f}" == "39.53"
    assert all(0.99 < steps < 1.1 for steps in derived.steps_by_clock())


def test_the_largest_ratio_of_times() -> None:
    assert round(derived.most_by_time()) == 46974
    assert round(derived.most_by_clock()) == 1846
    assert derived.by_delay("mm-pseudo", 256) == pytest.approx(81408)


def test_tables_13_and_14_are_halves() -> None:
    """147025 is the one cell of table 13 that is not: half of 294094 is 147047."""
    assert derived.halved_elements() == 23
    assert derived.halved_delays() == 24
    assert [
        (way, bits)
        for way in derived.WAYS
        for bits, two, one in zip(KEY_BITS, TWO.elements[way], ONE.elements[way], strict=True)
        if not derived.same_number(two / 2, one)
    ] == [("dm-pseudo", 1024)]
    assert derived.same_number(7019 / 2, 3510)
    assert not derived.same_number(7019 / 2, 3511)
    assert derived.as_rounded(0.049, 0.04)
    assert not derived.as_rounded(0.05, 0.04)


def test_table_16_has_19_halves_of_table_8s_delays() -> None:
    for column in ("cm-modulus", "cm-pseudo"):
        for delay, time in zip(TWO.delay_ns[column], ONE.encryption_us[column], strict=True):
            assert derived.as_rounded(19 * delay / 2 / 1000, time), (column, delay)


def test_the_cells_of_tables_7_to_11_agree_with_each_other() -> None:
    """Products of two tables, 17 iterations, one per bit: as exact as two digits can be."""
    for column, delays in TWO.delay_ns.items():
        for i, (nbits, delay) in enumerate(zip(KEY_BITS, delays, strict=True)):
            product = TWO.elements[column][i] * delay * 1e-9
            assert product == pytest.approx(TWO.products[column][i], rel=0.012), (column, nbits)
            if column in TWO.encryption_us:
                time = TWO.encryption_us[column][i]
                assert 17 * delay / 1000 == pytest.approx(time, rel=0.05), (column, nbits)
                if (column, nbits) != ("mm-pseudo", 256):  # a misprint
                    time = TWO.decryption_us[column][i]
                    steps = nbits + (column == "cm-pseudo")  # the correction
                    assert steps * delay / 1000 == pytest.approx(time, rel=0.015), (column, nbits)


def test_its_circuits_do_not_fit_its_part() -> None:
    assert derived.keys_above(derived.PART_ELEMENTS) == [128, 256, 512, 1024]
    assert max(ONE.elements["cm-modulus"]) > derived.PART_ELEMENTS
    assert derived.full_adders() == 2 * 1024**2


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_equations_18_and_19_hold_where_the_first_digit_costs_nothing(width: int) -> None:
    above = 0
    for exp in range(1, 4096):
        total = k_ary(width).counts(exp).total
        first = width + 1  # squarings of 1, and 1 times a power
        assert total - first <= derived.most_products(exp, width) + 1e-9, exp
        above += total > derived.most_products(exp, width)
        if exp.bit_count() == 1:
            limit = derived.products_of_power(exp.bit_length() - 1, width)
            assert total - first <= limit
            assert (total - first == limit) == ((exp.bit_length() - 1) % width == 0)
    assert above


def test_equation_20_is_an_order() -> None:
    """n squarings and at most n products of windows beside the table."""
    for n in (16, 64, 256, 1024):
        for width in (2, 4, 6):
            assert left_windows(width).counts((1 << n) - 1).total <= 2 * (n + (1 << width))


def test_equation_22_has_a_term_too_many() -> None:
    for n in (2, 4, 6, 8):
        printed, right = derived.k_of_equation_22(n), derived.k_of_equation_22(n - 2)
        assert 3 * ((1 << n) + right) == (1 << n + 2) - 1
        assert 3 * ((1 << n) + printed) != (1 << n + 2) - 1


def test_equations_27_and_28() -> None:
    assert derived.message_bytes(1024) == 117 == 1024 // 8 - OVERHEAD
    assert derived.padding_bytes(1024, 117) == 8
    assert [derived.message_bytes(bits) for bits in (64, 72, 80, 88, 96)] == [-3, -2, -1, 0, 1]
    assert [has_blocks(ENCRYPTION, k) for k in (LEAST_BYTES - 1, LEAST_BYTES)] == [False, True]
    assert derived.bank_words(1024) == 30 < 1024 // 32


def test_equation_6_does_not_tell_two_cases_apart() -> None:
    """Carries B, C, D say that the sum is at least m, 2m, 3m."""

    def chosen(b: bool, c: bool, d: bool, right: bool) -> tuple[bool, bool]:
        low = d or (b and not c) if right else d or not (c and b)
        return low, c or d

    sums = [(False, False, False), (True, False, False), (True, True, False), (True, True, True)]
    printed = [chosen(*sum_, right=False) for sum_ in sums]
    assert printed[0] == printed[1]
    assert len({chosen(*sum_, right=True) for sum_ in sums}) == len(sums)


@pytest.mark.seconds
def test_quoted_rows_are_of_the_documents_study() -> None:
    """A unit that is not in the study, or an accelerator at another clock, has no row there."""
    studied = find_study("document-000").tasks
    units, commands = {str(task) for task in studied}, {task.command for task in studied}
    metrics = {"flow": ("area_um2", "period_ns"), "fpga": ("alms",)}
    seen = 0
    for command, path in {one for item in items_of("000") for one in quoted(item)}:
        name, metric = command.split()[0], path.removeprefix("metrics.")
        seen += name in ("report", *metrics)
        if name == "report":
            unit = re.fullmatch(r"others\[task=(.+)\]\.(delay_ns|area_um2|structure\.cycles)", path)
            assert unit[1] in units, path
        elif name in metrics:
            assert metric in metrics[name], path
            assert name == "fpga" or f"modexplorer {command}" in commands, command
        elif name == "simulate":
            assert path == "cycles"
    assert seen > 40
