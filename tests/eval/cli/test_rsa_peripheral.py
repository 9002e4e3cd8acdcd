"""`modexplorer rsa --unit peripheral` end to end, and how it fails."""

import pytest

from eval.tasks import rsa_peripheral
from eval.tasks.rsa_peripheral import PeripheralSession
from fl.rsa_keys import even_key
from proc.run.rsa_axi import OPERATIONS
from sim.errors import RunError
from tests.command_line import assert_refused, run, run_json

LINE = "rsa mont-best --nbits 102 --unit peripheral"
OF_PERIPHERAL = "is of --unit accelerator"


@pytest.mark.parametrize("level", ["fl", "cl", "batch"])
def test_every_operation(level: str):
    by_wait = [run_json(f"{LINE} --level {level} --wait {w}") for w in ("interrupt", "polling")]
    for found in by_wait:
        assert [one["operation"] for one in found["operations"]] == list(OPERATIONS)
        sizes = [(one["taken"], one["given"]) for one in found["operations"]]
        assert sizes == [(2, 13), (13, 2)] * 2
    cycles = [[one["cycles"] for one in found["operations"]] for found in by_wait]
    if level == "fl":
        assert [found["load_key"] for found in by_wait] + cycles[0] == [None] * 6
    else:
        # Waking, the handler, and the way back take more than the last look at STATUS.
        assert all(0 < one - other < 100 for one, other in zip(*cycles, strict=True))


def test_what_is_printed():
    lines = run(f"{LINE} --level fl").stdout.splitlines()
    assert lines[1].split(maxsplit=1) == ["peripheral", "mont-best-102, waits by interrupt"]
    assert lines[-1].split() == ["verify", "13", "to", "2", "bytes"]


@pytest.mark.parametrize("wrong", OPERATIONS)
def test_a_wrong_answer_is_not_printed(monkeypatch: pytest.MonkeyPatch, wrong: str):
    from proc.run.rsa_axi import Answer, operate

    def faulty(system, key, nbits, asked, wait, parts=None):
        loading, answers = operate(system, key, nbits, asked, wait, parts=parts)
        output = answers[OPERATIONS.index(wrong)].output
        answers[OPERATIONS.index(wrong)] = Answer(output[:-1] + bytes([output[-1] ^ 1]), 1)
        return loading, answers

    monkeypatch.setattr(rsa_peripheral, "operate", faulty)
    with pytest.raises(RunError, match=f"^{wrong}: the answer is .*, right is 0x"):
        PeripheralSession(even_key(102, 1), "mont-best", level="fl").run()


@pytest.mark.quick
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("rsa --nbits 102 --unit peripheral", "design: there is no peripheral without one"),
        ("rsa mont-best --nbits 88 --unit peripheral", "--nbits: a modulus of 88 bits has no room"),
        (f"{LINE} --wait long", "--wait: no wait 'long'"),
        (f"{LINE} --level gl", "--level: no level 'gl'"),
        (f"{LINE} --operation d", f"--operation: {OF_PERIPHERAL}"),
        (f"{LINE} --check none", f"--check: {OF_PERIPHERAL}"),
        (f"{LINE} --base 0", f"--base: {OF_PERIPHERAL}"),
        (f"{LINE} --again", f"--again: {OF_PERIPHERAL}"),
        ("rsa near-power-4 --nbits 102 --unit peripheral", "design: near-power-4 does not take"),
        ("rsa mont-best --nbits 64 --wait polling", "--wait: is of --unit peripheral"),
    ],
)
def test_refused(line: str, says: str):
    assert_refused(line, says)
