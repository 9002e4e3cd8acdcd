"""Long operations are recorded in pieces: what ports do there, and the RTL's state at both ends."""

from dataclasses import replace

import pytest

from cl.xcel import xcel_cycles
from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS
from eval.tasks.flow_run import sampling
from eval.tasks.flow_run.recording import record
from eval.tasks.unit import ACCELERATOR, translation
from flow.recording import WARM_UP
from sim.errors import RunError
from tests.flow.runs import kept_run

POINT = Point("mul-rem", 16)
PIECES, CYCLES = 4, 25


@pytest.fixture
def short_pieces(monkeypatch):
    monkeypatch.setattr(sampling, "PIECES", PIECES)
    monkeypatch.setattr(sampling, "PIECE_CYCLES", CYCLES)


@pytest.mark.quick
@pytest.mark.parametrize("cycles", [50_001, 405_676, 10**7])
def test_there_is_a_piece_in_each_of_equal_parts(cycles):
    found = sampling.begins(cycles, seed=cycles)
    part = cycles / sampling.PIECES
    for number, begin in enumerate(found):
        assert number * part - 1 < begin
        assert begin + WARM_UP + sampling.PIECE_CYCLES <= (number + 1) * part
    assert found == sampling.begins(cycles, seed=cycles) != sampling.begins(cycles, seed=1)
    assert len({begin % 197 for begin in found}) > 1


def test_pieces_are_those_of_the_whole_operation(short_pieces):
    whole, pieces = record(POINT), record(POINT, long=100)
    assert not whole.sampled
    assert set(pieces.sampled) == set(pieces.operations) == {"e", "d"}
    assert pieces.cycles == pieces.whole + 2 * PIECES * (CYCLES + WARM_UP)
    # From reset on, or after other operations: the same to the cycle, but for what registers keep.
    for name, sampled in pieces.sampled.items():
        begin, end = whole.windows[name]
        assert sampled.cycles == end - begin
        request = WORKLOADS[name].request(16, POINT.entry.moduli.key)
        formula = xcel_cycles(16, POINT.entry.cycles(16, **vars(request)))
        starts = sampling.begins(formula, seed=formula)
        for start, piece in zip(starts, sampled.pieces, strict=True):
            assert len(piece.first) == len(piece.after) == 1 + max(pieces.signals.values())
            for port, all_of_it in zip(pieces.ports, whole.ports, strict=True):
                if port.name == "xcel__resp__msg":
                    continue
                part = port.values[piece.begin : piece.end]
                assert part == all_of_it.values[begin + start :][: CYCLES + WARM_UP], port.name


def test_only_long_operations_are_recorded_in_pieces(short_pieces):
    short, long = (sampled.cycles for sampled in record(POINT, long=100).sampled.values())
    found = record(POINT, long=(short + long) // 2)
    assert (list(found.sampled), list(found.windows)) == (["d"], ["idle", "dummy", "e"])


def test_a_wrong_answer_is_not_recorded(short_pieces, monkeypatch):
    workload = sampling.BatchEngine.transfers

    def wrong(engine, run):
        *others, last, status = workload(engine, run)
        return [*others, replace(last, response=last.response ^ 1), status]

    monkeypatch.setattr(sampling.BatchEngine, "transfers", wrong)
    with pytest.raises(RunError, match=r"mul-rem-16 workload e, recorded: .* was answered"):
        record(POINT, long=100)


def test_energy_by_pieces_is_that_of_the_whole_within_its_error(short_pieces):
    text = translation(POINT, ACCELERATOR)
    windows = []
    for long in (100, 10**6):
        run = kept_run(
            text.text, text.top, record(POINT, long=long), to="power", recipes=["area+booth"]
        )
        windows.append(run["steps"]["power"]["windows"])
    for name in ("e", "d"):
        pieces, exact = (found[name] for found in windows)
        assert "pieces" not in exact
        for energy in ("energy", "energy_with_glitches"):
            error = pieces["pieces"][f"{energy}_error_nj"]
            assert abs(pieces[f"{energy}_nj"] - exact[f"{energy}_nj"]) < 1.5 * error
            assert error < 0.2 * exact[f"{energy}_nj"]
