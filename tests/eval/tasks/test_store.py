"""The store: no row twice, two processes at once, and what is finished stays."""

import multiprocessing
import os
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from eval.catalog.point import Point
from eval.tasks.simulation import Simulation
from eval.tasks.store import Key, Store, metrics_of
from eval.tasks.task import row_of
from sim.errors import RunError
from tests.command_line import run

KEY = Key("simulate", "mul-rem", 8, "{}", "e", "abc", "{}", "{}", "")
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
    others = [replace(KEY, **{name: 9 if name == "nbits" else '"other"'}) for name in vars(KEY)]
    with Store(tmp_path / "a.sqlite") as store:
        store.put(KEY, {"row": 0})
        for number, key in enumerate(others, 1):
            assert store.get(key) is None
            store.put(key, {"row": number})
        assert store.get(KEY) == {"row": 0}
        assert len(list(store.rows())) == len(others) + 1 == 10


@pytest.mark.quick
def test_a_failed_row_is_not_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite") as store:
        with pytest.raises(RunError):
            store.once(KEY, _fail)
        assert store.get(KEY) is None
        assert store.once(KEY, lambda: {"cycles": 1}) == ({"cycles": 1}, False)


def _fail() -> dict:
    raise RunError("no")


def filled(path: Path) -> list[Key]:
    """Write a store of many pages."""
    keys = [replace(KEY, nbits=nbits) for nbits in range(ROWS)]
    with Store(path) as store:
        for key in keys:
            store.put(key, {"metrics": {f"area_{n}_um2": n / 7 for n in range(40)}})
            store.note(key, 1.0, {"seconds": 1.0})
        store.connection.execute("PRAGMA journal_mode = DELETE")  # all of it is in the file
    return keys


def damaged(sound: bytes, seed: int) -> bytes:
    """Damage a file: noise in its header or in some place, a page of zeros, or the end cut off."""
    rng, data = Random(seed), bytearray(sound)
    at, length = rng.randrange(len(data)), rng.choice((1, 40, 4096))
    match seed % 4:
        case 0:
            data[at : at + length] = rng.randbytes(min(length, len(data) - at))
        case 1:
            data[at % 100 : at % 100 + 8] = rng.randbytes(8)
        case 2:
            start = at // 4096 * 4096
            data[start : start + 4096] = bytes(4096)
        case 3:
            del data[at:]
    return bytes(data)


def use(path: Path, keys: list[Key]) -> None:
    """Do with a store all that commands do."""
    with Store(path) as store:
        store.seconds()
        for key in keys:
            store.get(key)
            store.made(key)
        list(store.rows())
        list(store.parts("simulate", "$.metrics"))
        metrics_of(store)
        store.once(replace(KEY, design="new"), lambda: {"cycles": 1})
        store.note(KEY, 1.0, {})


@pytest.mark.quick
def test_a_damaged_store_is_named_with_a_remedy(tmp_path: Path) -> None:
    """Whatever is damaged: an error names the file, or nothing was lost that is read."""
    keys, sound, told = filled(tmp_path / "sound.sqlite"), tmp_path / "sound.sqlite", []
    for seed in range(40):
        path = tmp_path / f"{seed}.sqlite"
        path.write_bytes(damaged(sound.read_bytes(), seed))
        try:
            use(path, keys)
        except RunError as error:
            told.append(str(error).replace(str(path), "FILE"))
    assert len(told) > 20
    for text in told:
        assert text.startswith("FILE: cannot be used as the results store (")
        assert text.endswith("; move it away, and the rows are computed again")


@pytest.mark.quick
@pytest.mark.parametrize("line", ["compare {0} {1}", "compare {1} {0}", "--build {2} report quick"])
def test_commands_say_in_a_line_that_a_store_is_damaged(tmp_path: Path, line: str) -> None:
    bad, good = tmp_path / "results.sqlite", tmp_path / "good.sqlite"
    filled(bad)
    filled(good)
    data = bytearray(bad.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)  # all pages but the first
    bad.write_bytes(data)
    result = run(line.format(bad, good, tmp_path))
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert f"{bad}: cannot be used as the results store (database disk image" in result.stderr


@pytest.mark.quick
def test_a_row_of_another_shape_is_named() -> None:
    """A changed letter may leave a row that is JSON, and no result."""
    with pytest.raises(RunError, match=r"row in the results store cannot be read .*; move the s"):
        row_of(Simulation(Point("mul-rem", 8), "e"), {"metrixs": {}}, None)


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
