"""The store: no row twice, two processes at once, and what is finished stays."""

import multiprocessing
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from eval.tasks.store import Key, Store, metrics_of
from sim.errors import RunError

KEY = Key("simulate", "mul-rem", 8, "{}", "e", "abc", "{}")
ROWS = 40


def test_a_row_is_computed_once_and_kept(tmp_path: Path) -> None:
    calls = []

    def compute() -> dict:
        calls.append(1)
        return {"cycles": 46, "pair": (1, 2)}

    with Store(tmp_path / "a.sqlite") as store:
        first = store.once(KEY, compute)
        second = store.once(KEY, compute)
    with Store(tmp_path / "a.sqlite") as again:
        third = again.once(KEY, compute)
        assert list(again.rows()) == [(KEY, {"cycles": 46, "pair": [1, 2]})]
        assert list(again.parts("simulate", "$")) == list(again.rows())
        assert list(again.parts("simulate", "$.pair")) == [(KEY, [1, 2])]
        assert not list(again.parts("flow", "$"))
    assert first == ({"cycles": 46, "pair": [1, 2]}, False)
    assert second == third == (first[0], True)
    assert len(calls) == 1


@pytest.mark.quick
def test_every_part_of_the_key_counts(tmp_path: Path) -> None:
    others = [replace(KEY, **{name: 9 if name == "nbits" else "other"}) for name in vars(KEY)]
    with Store(tmp_path / "a.sqlite") as store:
        store.put(KEY, {"row": 0})
        for number, key in enumerate(others, 1):
            assert store.get(key) is None
            store.put(key, {"row": number})
        assert store.get(KEY) == {"row": 0}
        assert len(list(store.rows())) == len(others) + 1 == 8


@pytest.mark.quick
def test_a_failed_row_is_not_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite") as store:
        with pytest.raises(RunError):
            store.once(KEY, _fail)
        assert store.get(KEY) is None
        assert store.once(KEY, lambda: {"cycles": 1}) == ({"cycles": 1}, False)


def _fail() -> dict:
    raise RunError("no")


@pytest.mark.quick
def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.write_text("this is not a database, it is text of some length")
    with pytest.raises(RunError, match=r"a\.sqlite: cannot be used .* move it away"):
        Store(path)


@pytest.mark.quick
def test_a_store_that_may_not_be_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As whoever runs the tests may write anywhere, the question is answered for the store."""
    path = tmp_path / "a.sqlite"
    with Store(path) as store:
        store.put(KEY, {"cycles": 46})
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    before = sorted(tmp_path.iterdir())
    with Store(path) as store:
        assert store.once(KEY, _fail) == ({"cycles": 46}, True)
        with pytest.raises(RunError, match=r"a\.sqlite: may not be written, and this row is not"):
            store.once(replace(KEY, nbits=9), _fail)
    assert sorted(tmp_path.iterdir()) == before
    (tmp_path / "b.sqlite").write_bytes(b"")
    with pytest.raises(RunError, match=r"b\.sqlite: cannot be used as the results store"):
        Store(tmp_path / "b.sqlite")


@pytest.mark.quick
def test_a_store_whose_folder_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("")
    with pytest.raises(RunError, match=r"locks: cannot be written \(.*\); set MODEXPLORER_BUILD"):
        Store(tmp_path / "a.sqlite")


def fill(path: Path, log: Path, go: float = 0.0, stuck_at: int = ROWS) -> None:
    """Compute all rows, noting each computation by a line in the log; one of them never ends."""
    time.sleep(max(0.0, go - time.time()))

    def noted(number: int) -> dict:
        with log.open("a") as file:
            file.write(f"{number}\n")
        time.sleep(600 if number == stuck_at else 0.005)
        return {"row": number}

    with Store(path) as store:
        for number in range(ROWS):
            store.once(replace(KEY, nbits=number), lambda number=number: noted(number))


def test_two_processes_share_the_work_and_lose_nothing(tmp_path: Path) -> None:
    path, log = tmp_path / "new" / "a.sqlite", tmp_path / "log"
    context = multiprocessing.get_context("spawn")
    go = time.time() + 1.5  # both open the missing file at the same time
    workers = [context.Process(target=fill, args=(path, log, go)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
        assert worker.exitcode == 0
    assert sorted(map(int, log.read_text().split())) == list(range(ROWS))
    with Store(path) as store:
        assert {key.nbits: row["row"] for key, row in store.rows()} == {n: n for n in range(ROWS)}


def test_a_killed_process_leaves_its_rows_and_no_lock(tmp_path: Path) -> None:
    path, log = tmp_path / "a.sqlite", tmp_path / "log"
    process = multiprocessing.get_context("spawn").Process(target=fill, args=(path, log, 0.0, 5))
    process.start()
    while not log.exists() or len(log.read_text().split()) <= 5:
        assert process.is_alive()
        time.sleep(0.002)
    process.kill()
    process.join()
    assert len(log.read_text().split()) == 6
    fill(path, log)
    computed = list(map(int, log.read_text().split()))
    assert sorted(set(computed)) == list(range(ROWS))
    assert len(computed) == ROWS + 1  # only the row it was killed in is computed again


@pytest.mark.quick
def test_the_last_making_of_what_is_asked_tells_its_seconds(tmp_path: Path) -> None:
    """Whatever code or tools it was made with."""
    other = replace(KEY, tools='{"yosys": "2"}')
    with Store(tmp_path / "a.sqlite") as store:
        store.note(KEY, 5.0, {"seconds": 5.0})
        store.note(other, 9.0, {"seconds": 9.0})
        store.note(replace(KEY, nbits=16), 1.0, {})
        assert store.seconds() == {KEY.asked: 9.0, replace(KEY, nbits=16).asked: 1.0}
        store.note(KEY, 7.0, {"seconds": 7.0})
        assert store.seconds()[KEY.asked] == 7.0
        assert store.made(KEY) == {"seconds": 7.0}
        assert store.made(replace(KEY, nbits=32)) is None
    assert KEY.asked == other.asked != replace(KEY, workload="d").asked


@pytest.mark.quick
def test_a_stored_row_stays_as_it_is(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite") as store:
        store.put(KEY, {"cycles": 1})
        store.put(KEY, {"cycles": 2})
        assert store.get(KEY) == {"cycles": 1}


@pytest.mark.quick
def test_a_row_is_seen_only_once_it_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with Store(path) as store, Store(path) as other:
        seen = []

        def note() -> None:
            seen.append(other.get(KEY))

        assert store.once(KEY, lambda: {"cycles": 1}, note) == ({"cycles": 1}, False)
        assert seen == [None]
        assert store.once(KEY, lambda: {"cycles": 2}, note) == ({"cycles": 1}, True)
        assert seen == [None]


@pytest.mark.quick
def test_metrics_of_a_store_are_those_of_rows_that_one_code_has_measured(tmp_path: Path) -> None:
    flow = replace(KEY, kind="flow", workload="", parameters='{"clock_ns": 3.0, "unit": "a"}')
    with Store(tmp_path / "a.sqlite") as store:
        store.put(KEY, {"metrics": {"cycles_e": 5.0}})
        store.put(flow, {"metrics": {"area_um2": 7.0}})
        store.put(replace(KEY, workload="d"), {"other": 1})
        assert metrics_of(store) == (
            {
                "mul-rem-8 simulate e": {"cycles_e": 5.0},
                "mul-rem-8 simulate d": {},
                "mul-rem-8 flow clock_ns 3.0, unit a": {"area_um2": 7.0},
            },
            0,
        )
        store.put(replace(flow, verilog="other"), {"metrics": {"area_um2": 8.0}})
        store.put(replace(flow, tools='{"yosys": "2"}'), {"metrics": {"area_um2": 9.0}})
        rows, left_out = metrics_of(store)
        assert [*rows] == ["mul-rem-8 simulate d", "mul-rem-8 simulate e"]
        assert left_out == 1
