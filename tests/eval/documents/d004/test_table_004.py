"""Table 1 of document 004: the formulas' figures beside the printed ones, and the hardware's."""

from math import sqrt

import pytest

from eval.catalog.point import Point
from eval.documents.d004.figures import EXAMPLE_CYCLES, TABLE_1
from eval.documents.d004.table_1 import (
    BASE_ONLY,
    EXAMPLE_BITS,
    SIMULATED,
    WIDTHS,
    Table004,
    key_for,
    requests_for,
    tasks_at,
)
from eval.documents.d004.table_1_section import CYCLES, table_1
from eval.documents.on_fpga import beside
from eval.study.studies import STUDIES
from tests.eval.made_up import result_of

ROWS = tuple(table_1({}))
QUICK = (64, 128, 256, 512)


def computed(*tasks):
    """The rows of table 1 with the results of these tasks."""
    results = {task: task.compute(lambda step: None) for task in tasks}
    return [row for row in table_1(results) if row.task in results]


@pytest.mark.quick
def test_the_keys_are_as_long_as_the_documents():
    for row in TABLE_1:
        key = key_for(row.nbits)
        assert key.n.bit_length() == row.nbits
        assert key.e.bit_length() + key.d.bit_length() == 2 * row.exp_bits
        encryption, decryption = requests_for(row.nbits)
        assert encryption.result == decryption.base
        assert decryption.result == encryption.base


@pytest.mark.quick
def test_every_printed_figure_but_the_misprints_is_explained():
    """Algo 4 to the cycle or two that bitlen(2^n - m) differs; algo 6 within what m moves it.

    m moves the mean of T6 by up to k, and a sum of 2k lengths, each with a variance of about 2,
    spreads by sqrt(k) around its mean over both operations.
    """
    for row in ROWS:
        if row.algorithm == BASE_ONLY:
            assert row.printed is row.expected is None
            continue
        off = abs(row.printed - row.expected)
        allowed = 2 if row.algorithm != "Algo 6" else row.exp_bits + 4 * sqrt(row.exp_bits)
        assert (off > allowed) == bool(row.misprint), row


@pytest.mark.quick
def test_the_misprints():
    marked = [(row.algorithm, row.nbits) for row in ROWS if row.misprint]
    assert marked == [("Algo 2", 2048), ("Algo 4", 2048), ("Algo 6", 2048)]
    most = 2048 * (2048 + 5) - 1  # n bits in the exponent and in every power
    assert most == 4204543 < TABLE_1[-1].algo_6.cycles
    # T4 = k*2053 + 4096 + bitlen(2^2048 - m) + 13, its mean over two k cut to a whole number
    lengths = {
        (k2 / 2, size)
        for k2 in range(4000, 4097)
        for size in range(1, 2048)
        if int(k2 / 2 * 2053 + 4096 + size + 13) == TABLE_1[-1].algo_4.cycles
    }
    assert {k for k, _ in lengths} == {2045.5, 2046.0}
    assert max(size for _, size in lengths) == 1110


def test_the_hardware_takes_what_the_formula_says():
    rows = computed(*(task for task in tasks_at((64, 128)) if task.simulated))
    assert len(rows) == 4
    for row in rows:
        assert row.measured == row.formula


@pytest.mark.quick
def test_the_example_is_the_printed_row():
    example = Table004(Point("ssmm-004", EXAMPLE_BITS), simulated=False)
    assert tuple(example.compute(lambda step: None).formula) == EXAMPLE_CYCLES
    [row] = computed(example)
    assert row.formula == 16752.5
    assert row.measured is None
    assert int(row.formula) == row.printed


@pytest.mark.quick
def test_the_printed_figures_stand_beside_designs_of_the_catalog():
    figures = [row.figure for row in beside() if row.figure.design == "ssmm-004"]
    assert {f.nbits for f in figures} == set(WIDTHS)
    assert [f.value for f in figures if f.nbits == 128] == [1084, 1334]
    assert TABLE_1[1].algo_6.cycles == 16752
    assert [row.nbits for row in TABLE_1 if row.algo_6.misprint] == [2048]


@pytest.mark.long
def test_the_whole_table_in_hardware():
    for row in computed(*tasks_at(WIDTHS)):
        assert row.measured == row.formula


@pytest.mark.quick
def test_the_table_of_the_report():
    results = {
        Point("mmm-004-printed", 64): {"formula": [4400, 4410], "cycles": [4412, 4414]},
        Point("mmm-004", 2048): {"formula": [0, 1]},
        Point("ssmm-004", 128): {"formula": [16612, 16893], "cycles": [16612, 16893]},
        Point("ssmm-004", 2048): {"formula": [1, 2]},
    }
    rows = {Table004(p): result_of(Table004(p), **found) for p, found in results.items()}
    grid = CYCLES.of(rows)
    lines = {line.cells[:3]: line for line in grid.lines}
    assert len(lines) == 4 * len(TABLE_1)
    first = lines["Algo 4", "mmm-004-printed", "64"]
    assert (first.cells[4], *first.cells[6:]) == ("4413", "4405.0", "4413.0", "1.000")
    assert first.commands == ("modexplorer explore table-004",)
    assert lines["Algo 6", "ssmm-004", "2048"].cells[4] == "4206448*"
    assert lines["Algo 6", "ssmm-004", "2048"].cells[6:] == ("1.5", "-", "-")
    assert lines["Algo 6", "ssmm-004", "256"].commands == ()
    assert lines["base only", "mmm-004", "64"].cells[4:6] == ("-", "-")
    assert "mmm-004, which converts the base only and asks as it answers, takes fewer" in grid.note
    assert "fewer than algo 6 at 1 of 1 widths." in grid.note
    assert grid.note.endswith("takes 16612 and 16893 cycles. Ours: Algo 6 16612 and 16893.")


@pytest.mark.quick
def test_the_studies_that_fill_the_table():
    assert set(tasks_at(QUICK)) < set(STUDIES["default"].tasks)
    assert list(STUDIES["table-004"].tasks) == tasks_at(QUICK)
    simulated = [task.point.nbits for task in tasks_at(QUICK) if task.simulated]
    assert simulated == [64, 64, 128, 128, 256, 256, 512, 512]
    long = STUDIES["table-004-long"].tasks
    assert all(task.simulated == (task.point.design in SIMULATED) for task in long)
    whole = STUDIES["document-004"].tasks
    assert {t.point for t in whole if isinstance(t, Table004) and t.simulated} == {
        Point(design, nbits)
        for design, widths in {
            "mmred-004-printed": (64, 128),
            "mmm-004-printed": WIDTHS[:-1],
            "mmm-004": (64, 128),
            "ssmm-004": WIDTHS[:-1],
        }.items()
        for nbits in widths
    }
    assert not any(isinstance(task, Table004) for task in STUDIES["quick"].tasks)


def test_a_row_is_known_by_what_it_holds():
    point = Point("mmm-004", 64)
    of_hardware, of_formula = Table004(point), Table004(point, simulated=False)
    simulated, formula = of_hardware.key, of_formula.key
    assert simulated.verilog == f"{of_hardware.verilog()} {of_hardware.design_files()}"
    assert formula.verilog == of_formula.design_files()
    assert simulated.workload == formula.workload
    assert formula.code


@pytest.mark.quick
def test_the_printed_times_are_cycles_by_clock():
    """But for the last digit, and one that is cut."""
    for row in TABLE_1:
        for cell in (row.algo_2, row.algo_4, row.algo_6):
            assert (cell.ms is None) == (cell.mhz is None)
            if cell.ms:
                assert cell.ms == pytest.approx(cell.cycles / cell.mhz / 1000, abs=0.0011)


def test_the_rows_of_document_004_alone_in_hardware():
    rows = computed(*(t for t in tasks_at((), others=(64,)) if t.simulated))
    assert [row.algorithm for row in rows] == ["Algo 2", BASE_ONLY]
    assert [row.measured for row in rows] == [row.formula for row in rows]
    assert rows[0].measured == rows[0].printed
