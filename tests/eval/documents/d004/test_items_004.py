"""What is said of document 004: its figures by arithmetic, ours by what is cheap to compute."""

import re
import shlex
from collections.abc import Callable
from math import floor
from operator import ge, gt
from typing import Any

import pytest

from eval.catalog import find as find_design
from eval.documents.d004 import figures as document_004
from eval.documents.d004.figures import (
    ALGO_0_M_PRIME,
    ALGO_0_T,
    ALGO_0_Z,
    BESIDE_NS,
    CIPHER,
    CLAIMED_SHARES,
    CLOCK_NS,
    EXAMPLE_CYCLES,
    FIGURE_2_NS,
    MESSAGE,
    MOST_2048,
    TABLE_1,
    WIDTHS,
    shares_of_algo_6,
)
from eval.documents.d004.table_1 import Table004
from eval.documents.d004.table_1_section import t4
from eval.documents.items import items_of
from eval.quoting.paths import value_at
from eval.study.studies import STUDIES
from fl.redc import reduction
from fl.rsa_keys import KEY_004
from tests.command_line import run_json
from tests.eval.documents.quotes import Quotes, check_command, numbers, render

pytestmark = pytest.mark.quick

ITEMS = items_of("004")
TABLE = "explore table-004"
BY_NAME = {item.name: item for item in ITEMS}


def test_what_is_quoted_is_printed_and_what_is_ours_has_a_command():
    figures = {str(number) for number in numbers(document_004)}
    for item in ITEMS:
        quotes = Quotes()
        render(item, quotes=quotes)
        assert set(quotes.printed) <= figures, item.name
        assert {n for n in re.findall(r"\d{4,}", item.says) if int(n) not in WIDTHS} <= figures
        for command, _ in quotes.ours:
            check_command(shlex.split(command))


@pytest.fixture(scope="module")
def row_of() -> Callable[[str, str], Any]:
    """Find a figure of ours: cycles by formula, and arithmetic; 1 for what is mapped."""
    rows = [task for task in STUDIES["table-004"].tasks if isinstance(task, Table004)]
    formulas = [Table004(row.point, simulated=False) for row in rows]
    json = {"table_004": [task.as_json(task.compute(lambda step: None)) for task in formulas]}
    answers = {}

    def find(command: str, path: str) -> Any:
        if command == TABLE:
            return value_at(json, path)
        if not command.startswith(("simulate", "redc")):
            return 1
        if command.endswith("--level batch"):
            words = shlex.split(command)
            base, exp, mod = map(int, words[5:10:2])
            assert path == "cycles"
            return find_design(words[1]).cycles(128, base, exp, mod)
        if command not in answers:
            answers[command] = run_json(command)
        return value_at(answers[command], path)

    return find


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("algorithm 0", f"t, {ALGO_0_T}, and m' = {ALGO_0_M_PRIME % 2**128}, which"),
        ("algorithm 2", "takes 17153 and 17419 cycles, whose mean is the printed 17286."),
        ("algorithm 2", "gives 4413 at 64 bits, as printed, and 67335 at 256, where 67334 is"),
        ("algorithm 4", "17153 and 17419 cycles with the printed key of 128 bits, whose mean"),
        ("algorithm 4", "converts the base only, takes 16515 and 16773"),
        ("algorithm 5", "3 * 3 mod 9 is 9, and not 0."),
        ("algorithm 6", "16612 and 16893 cycles with"),
        ("figure 2", "ends at 69504 ns, between the printed 69460 and 69540"),
        ("figure 6", "takes 0.969 of algorithm 4's cycles, where 16752 of 17286 are printed."),
        ("figure 6", "takes 16644.0 cycles, fewer than algorithm 6's 16752.5"),
        ("figure 7", "takes 0.996 of algorithm 4's cycles"),
        ("table 1", "of algorithm 4 4413.0, 17286.0, 67335.0, 264442.5, 1053178.5, within"),
        ("table 1", "4206448 is above `2048 * 2053 - 1`, which is 4204543, the most"),
        ("claim 1", "54.6 % to 60.0 % of the ALMs and 74.9 % to 84.6 % of the registers"),
        ("claim 1", "no width has 69 %"),
    ],
)
def test_a_finding_says(name: str, says: str, row_of: Callable[[str, str], Any]) -> None:
    assert says in render(BY_NAME[name], row_of)


def test_algorithm_0_gives_the_printed_example():
    found = reduction(ALGO_0_Z, KEY_004.n, 128)
    assert (found.m_prime - 2**128, found.result) == (ALGO_0_M_PRIME, ALGO_0_T)
    # It is the last step of figure 2's decryption.
    assert (MESSAGE, MESSAGE * 2**128 % KEY_004.n) == (ALGO_0_T, ALGO_0_Z)
    assert pow(CIPHER, KEY_004.d, KEY_004.n) == MESSAGE


def test_the_means_of_the_example_are_the_printed_ones():
    row = TABLE_1[1]
    assert floor(sum(EXAMPLE_CYCLES) / 2) == row.algo_6.cycles
    of_4 = [t4(128, exp.bit_length(), KEY_004.n) for exp in (KEY_004.e, KEY_004.d)]
    assert sum(of_4) / 2 == row.algo_4.cycles == row.algo_2.cycles
    first, last = FIGURE_2_NS
    assert first < CLOCK_NS * sum(of_4) + BESIDE_NS < last
    assert not first < CLOCK_NS * sum(EXAMPLE_CYCLES) + BESIDE_NS < last


def test_what_table_1_says_of_itself():
    for row in TABLE_1:
        assert row.algo_2.cycles == row.algo_4.cycles
        for cell in (row.algo_2, row.algo_4, row.algo_6):
            assert not cell.mhz or abs(cell.cycles / cell.mhz / 1000 - cell.ms) < 0.0006
            assert (cell.cycles > MOST_2048) == (row.nbits == 2048)
    alms, registers = (shares_of_algo_6(what) for what in CLAIMED_SHARES)
    assert max(alms + registers) < 100
    assert round(min(alms)) == CLAIMED_SHARES["alms"][0]
    assert round(max(alms)) == CLAIMED_SHARES["alms"][1] + 1
    assert round(min(registers)) == CLAIMED_SHARES["registers"][0] + 6
    assert round(max(registers)) == CLAIMED_SHARES["registers"][1]


def shift_sub(a: int, b: int, m: int, above: Callable[[int, int], bool]) -> int:
    """Take algorithm 5's steps, with a comparison that may be the printed one."""
    p = 0
    while b:
        p += (b & 1) * a
        p -= m * above(p, m)
        a = 2 * a - m * above(2 * a, m)
        b >>= 1
    return p


def test_algorithm_5_as_printed_fails_where_a_product_is_a_multiple_of_m_and_only_there():
    assert (shift_sub(3, 3, 9, gt), shift_sub(3, 3, 9, ge)) == (9, 0)
    for m in range(3, 40, 2):
        for a in range(m):
            for b in range(m):
                assert shift_sub(a, b, m, ge) == a * b % m
                as_printed = m if a * b and a * b % m == 0 else a * b % m
                assert shift_sub(a, b, m, gt) == as_printed
