"""A processor that takes back what it offered, to memory or manager, is found out at once."""

from dataclasses import replace

import pytest

import proc.rtl.control
import proc.rtl.processor
from proc.rtl.system import ProcessorSystem
from proc.run.batch_system import BatchSystem
from proc.run.python_system import PythonSystem
from sim.handshake import STAYS, HandshakeError
from sim.translate import translate
from tests.faults import plant
from tests.proc.test_faults import CASES
from tests.proc_harness import TIMINGS, System, answers


def answer_all(system: System) -> None:
    """Run all cases while memory and manager pause."""
    for case in CASES:
        answers(system, case, TIMINGS["random-2"])


def signals(system: System) -> set[str]:
    """The signals that are named over all cases, until both are."""
    found: set[str] = set()
    for case in CASES:
        try:
            answers(system, case, TIMINGS["random-2"])
        except HandshakeError as error:
            assert error.rule == STAYS  # noqa: PT017
            found.add(error.signal)
        if len(found) == 2:
            break
    return found


def test_in_batch() -> None:
    """val falls where stage W becomes empty while the message waits."""
    design = translate(ProcessorSystem("fast"))
    text = design.text
    for port, sound in (
        ("dmem_req", "dmem_req_val = ( active_X & mem_X ) & ( ~misaligned_X )"),
        ("mngr_put", "mngr_put_val = active_X & control_X.mngr_put"),
    ):
        assert text.count(f"{sound};") == 1
        text = text.replace(f"{sound};", f"{sound} & ( {port}_rdy | val_W );")
    assert signals(BatchSystem(replace(design, text=text))) == {"dmem.req.val", "proc2mngr.val"}


def test_in_python(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = "s.mngr_put_val @= s.active_X & s.control_X.mngr_put\n"
    faulty = f"{sound[:-1]} & (s.mngr_put_rdy | s.val_W)\n"
    broken = plant(tmp_path, proc.rtl.control, sound, faulty)
    monkeypatch.setattr(proc.rtl.processor, "Control", broken.Control)
    system = PythonSystem(ProcessorSystem("fast"))
    with pytest.raises(HandshakeError, match=r"^processor system: proc2mngr\.val fell in cycle \d"):
        answer_all(system)
