"""RSA on the processor as a task: what it counts, what decides its row, how it fails."""

import json

import pytest

from cl.xcel import xcel_cycles
from eval.catalog.processor import Processor
from eval.tasks import rsa_operation
from eval.tasks.rsa import Rsa
from eval.tasks.rsa_operation import RsaOperation
from eval.tasks.rsa_section import RSA
from fl.rsa_keys import even_key
from proc.run.rsa_private import Power
from sim.errors import RunError, UserError
from tests.command_line import run_json
from tests.eval.made_up import result_of

BITS = 48  # a prime is longer than e
TASKS = (
    Rsa(BITS, "e"),
    Rsa(BITS, "d"),
    Rsa(BITS, "crt"),
    Rsa(BITS, "crt", "mont-best", "primes"),
    Rsa(BITS, "d", "mont-best"),
    Rsa(BITS, "private", "array-crt(digit=4)"),
)


@pytest.mark.parametrize("task", TASKS, ids=str)
def test_the_command_of_a_row_prints_its_cycles(task: Rsa) -> None:
    found = task.compute(lambda step: None)
    printed = run_json(task.command.removeprefix("modexplorer "))
    assert (printed["cycles"], printed["outside_powers"]) == (found.cycles, found.outside)
    assert printed["key"]["n"] == even_key(BITS, 1).n
    if task.design and task.operation == "d":
        key = even_key(BITS, 1)
        powers = task.accelerator.entry.cycles(BITS, printed["base"], key.d, key.n)
        assert found.cycles > xcel_cycles(BITS, powers)


@pytest.mark.quick
def test_a_prime_is_half_as_long_as_the_key() -> None:
    assert Rsa(64, "crt", "array-4", "primes").point == Processor("array-4", 32)
    assert Rsa(64, "d", "array-4").point == Processor("array-4", 64)
    for task in (*TASKS, Rsa(64, "crt", "array-4")):
        work = task.work
        assert (work.point, work.nbits) in (
            (task.accelerator, task.point.nbits),
            (None, BITS // 2 if task.operation == "crt" else BITS),
        )


@pytest.mark.quick
def test_constant_time_is_that_of_the_powers() -> None:
    assert not Rsa(64, "e").constant_time
    assert Rsa(64, "d").constant_time
    assert Rsa(64, "crt", "systolic-16").constant_time
    assert not Rsa(64, "crt", "array-4").constant_time
    assert Rsa(64, "private", "array-crt-16").constant_time
    assert not Rsa(64, "e", "array-crt-16").constant_time


def test_a_row_is_known_by_operation_key_check_and_hardware() -> None:
    keys = [task.key for task in TASKS]
    assert len({key.digest for key in keys}) == len(keys)
    assert keys[3] == Rsa(BITS, "crt", "mont-best", "primes").key
    assert keys[3].digest != Rsa(BITS, "crt", "mont-best").key.digest
    assert {(key.kind, key.nbits) for key in keys} == {("rsa", BITS)}
    assert json.loads(keys[0].parameters) == {"level": "batch", "check": "none", "seed": 1}
    assert keys[0].code
    assert "riscv gcc" in json.loads(keys[0].tools)


def test_a_wrong_power_is_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rsa_operation, "powers", lambda *_: [Power(5, 1000)])
    with pytest.raises(RunError, match=r"d of \d+ was answered 5, right is \d+"):
        Rsa(BITS, "d").compute(lambda step: None)


@pytest.mark.quick
def test_what_the_operation_refuses_the_task_does() -> None:
    with pytest.raises(UserError, match="--check: primes is the accelerator's"):
        Rsa(BITS, "crt", check="primes").compute(lambda step: None)
    with pytest.raises(UserError, match="--operation: no operation 'f'"):
        RsaOperation(even_key(BITS, 1), "f")


@pytest.mark.quick
def test_the_table_names_what_makes_the_powers() -> None:
    tasks = (Rsa(2048, "e"), Rsa(2048, "crt"), Rsa(2048, "crt", "array-16", "primes"))
    rows = {task: result_of(task, cycles=9000, outside=9000 // 9) for task in tasks}
    lines = RSA.of(rows | {Rsa(512, "e"): None}).lines
    assert [line.cells for line in lines] == [
        ("software", "verification", "none", "2048", "9000", "-"),
        ("software", "signature by both primes", "none", "2048", "9000", "-"),
        ("array-16-1024", "signature by both primes", "primes", "2048", "9000", "1000"),
    ]
    [command] = lines[-1].commands
    assert command == "modexplorer rsa array-16 --nbits 2048 --operation crt --check primes"
    assert RSA.of({}) is None
