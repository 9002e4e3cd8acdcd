"""What the proofs of ports, bus and fetch stage assert is about something: each goal is reached."""

import pytest

from fl.axi_lite import RESPONSE_CYCLES
from rtl.port.axi_lite import AxiLiteRTL
from tests.covers import goals, unreached
from tests.rtl.messages import MESSAGES
from tests.rtl.port.test_axi_lite import CLAIMS, CYCLES

# A result that nobody takes at first; the latest answer; a modulus that is told to be bad.
PORT = (
    "xcel__resp__val && !status && !writes && addr == 4 && known && result != 0 && waits",
    "late == 2",
    "xcel__resp__val && status && answer[1]",
)
# More that is to be reached, of each row: what stalls, what overlaps, how late an answer may be.
MORE = {
    "port, null": ("waits && left && xcel__req__val", "owed && !writes && addr == 0 && kept != 0"),
    "port, xcel": PORT,
    "shared unit": (
        "owed == 2 && owner_0 && !owner_1",
        "owed == 2 && !owner_0 && owner_1",
        "owed == 2 && left && taken",
        "waits && left",
        "first__req__val && second__req__val && unit__req__rdy",
    ),
    "bus bridge": (
        "aw_sent && !w_sent && kind == STORE",
        "w_sent && !aw_sent && kind == STORE",
        "kind == STORE && m_axi_bvalid && !m_axi_bready",
        "kind == LOAD && m_axi_rvalid && !m_axi_rready",
        "left && taken && on_bus && kind == STORE",
        "left && taken && !on_bus && kind == LOAD",
        "kind == MEMORY && taken && left",
    ),
    "fetch": (
        "redirect && jumped",
        "waits && redirect",
        "owed == 2",
    ),
    "random bytes": ("waits", "t > 2 && !waits"),
    "product, mmm-1": ("send__val && got == which && which == 1 && waits", "taken && left"),
    "product, mont-mul-rem-8": ("send__val && got == which && which == 1",),
    "product, dm-2": ("send__val && got == which && which == 1 && waits", "sent - got == 2"),
}
BUS = (
    "aw_owed && !w_owed",
    "w_owed && !aw_owed",
    "b_waits && r_waits",
    "b && ar",
    "r && aw && w",
    f"b_late == {RESPONSE_CYCLES}",
    f"r_late == {RESPONSE_CYCLES}",
    "s_axi_bvalid && s_axi_bresp != 0",
    "s_axi_rvalid && s_axi_rresp != 0",
)


# Rows of many seconds; their faults in tests/rtl/test_messages.py are about something, too.
LONG = {"port, xcel"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in MORE]
)
def test_a_proof_is_about_something(tmp_path, name: str):
    component, body, cycles = MESSAGES[name]()
    assert goals(body) or name == "random bytes"
    assert unreached(tmp_path, component, body, cycles, MORE[name]) == []


def test_the_bus_proof_is_about_something(tmp_path):
    assert len(goals(CLAIMS)) == 5
    assert unreached(tmp_path, AxiLiteRTL(), CLAIMS, CYCLES, BUS) == []


def test_what_cannot_be_is_not_reached(tmp_path):
    """A goal that an assertion denies, and one that comes after the last cycle."""
    never = ("s_axi_bvalid && !aw_owed", f"t > {CYCLES}")
    assert unreached(tmp_path, AxiLiteRTL(), CLAIMS, CYCLES, never) == list(never)
