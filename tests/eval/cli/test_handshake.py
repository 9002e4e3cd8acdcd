"""What `modexplorer check` says of hardware that breaks a rule of its streams."""

import re

import pytest

from tests.command_line import run
from tests.eval.user_designs import edit

LAST = "                s.result <<= s.twice[0:nbits]\n"
FAULTS = {
    "rdy depends on val": (
        "s.recv.rdy @= s.state == IDLE",
        "s.recv.rdy @= (s.state == IDLE) & s.recv.val",
        r"recv\.rdy depends on recv\.val within cycle 0: rdy must not",
    ),
    "val depends on rdy": (
        "s.send.val @= s.state == DONE",
        "s.send.val @= (s.state == DONE) & s.send.rdy",
        r"send\.val depends on send\.rdy within cycle 9: val and msg must not",
    ),
    "val falls": (
        "elif s.send.rdy:",
        "elif s.state == DONE:",
        r"send\.val fell in cycle \d+ before the message was taken: val and msg must stay",
    ),
    "msg changes": (
        LAST,
        f"{LAST}            elif s.state == DONE:\n                s.result <<= ~s.result\n",
        r"send\.msg changed from 0x[0-9a-f]+ to 0x[0-9a-f]+ in cycle \d+ before it was taken",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_rule_that_is_broken_is_named_with_signal_and_cycle(mine, name: str) -> None:
    sound, faulty, said = FAULTS[name]
    edit(mine.parent / "rtl.py", sound, faulty)
    asked = "check mine --with mine/entry.py --nbits 8 --part multiplier --level rtl"
    done = run(asked)
    assert done.exit_code == 1
    assert re.search(said, " ".join(done.stderr.split())), done.stderr
