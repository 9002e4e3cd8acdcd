"""The bus slave keeps the protocol whatever master and registers do: proven from a reset on."""

import pytest

import rtl.port.axi_lite
from fl.axi_lite import RESPONSE_CYCLES
from tests.faults import faults, plant
from tests.prove import prove_from_reset

CYCLES = 10

# owed: requests taken and not answered; late: cycles for which all of a request has been there.
CLAIMS = f"""
wire aw = s_axi_awvalid & s_axi_awready, w = s_axi_wvalid & s_axi_wready;
wire ar = s_axi_arvalid & s_axi_arready;
wire b = s_axi_bvalid & s_axi_bready, r = s_axi_rvalid & s_axi_rready;
reg aw_owed = 0, w_owed = 0, ar_owed = 0, b_waits = 0, r_waits = 0, performed = 0;
reg [1:0] bresp, rresp;
reg [31:0] rdata;
reg [2:0] b_late = 0, r_late = 0;
always @(posedge clk) if (t != 0) begin
    aw_owed <= aw | (aw_owed & ~b);
    w_owed <= w | (w_owed & ~b);
    ar_owed <= ar | (ar_owed & ~r);
    b_waits <= s_axi_bvalid & ~s_axi_bready;
    r_waits <= s_axi_rvalid & ~s_axi_rready;
    bresp <= s_axi_bresp;
    rresp <= s_axi_rresp;
    rdata <= s_axi_rdata;
    b_late <= (aw | aw_owed) & (w | w_owed) & ~s_axi_bvalid ? b_late + 1 : 0;
    r_late <= (ar | ar_owed) & ~s_axi_rvalid ? r_late + 1 : 0;
    performed <= (performed | write) & ~b;
end
always @* if (t != 0) begin
    assert (!b_waits || (s_axi_bvalid && s_axi_bresp == bresp));
    assert (!r_waits || (s_axi_rvalid && s_axi_rresp == rresp && s_axi_rdata == rdata));
    assert (!s_axi_bvalid || (aw_owed && w_owed));
    assert (!s_axi_rvalid || ar_owed);
    assert (!(aw && aw_owed) && !(w && w_owed) && !(ar && ar_owed));
    assert (b_late <= {RESPONSE_CYCLES} && r_late <= {RESPONSE_CYCLES});
    assert (!write || (aw_owed && w_owed && !performed));
end
"""


PROTOCOL_FAULTS = {
    "a second write's data taken": ("~s.has_data & ~s.answers_write", "~s.answers_write"),
    "a response before the data": ("s.has_address & s.has_data", "s.has_address"),
    "a response withdrawn": ("elif s.s_axi_bready:", "else:"),
    "a response that stays": (
        "elif s.s_axi_bready:",
        "elif s.s_axi_bready & s.s_axi_awvalid:",
    ),
    "an answer that waits for ready": (
        "s.s_axi_rvalid @= s.answers_read",
        "s.s_axi_rvalid @= s.answers_read & s.s_axi_rready",
    ),
    "an answer that changes": ("elif s.has_read:", "elif s.has_read | s.answers_read:"),
    "a write lost with an answer": ("s.reset | s.complete:", "s.reset | s.s_axi_bready:"),
}


@pytest.mark.quick
def test_the_protocol_is_proven(tmp_path):
    slave = rtl.port.axi_lite.AxiLiteRTL()
    assert prove_from_reset(tmp_path, slave, CLAIMS, CYCLES) == "proven"


@faults(PROTOCOL_FAULTS)
def test_a_fault_is_not_proven(tmp_path, sound: str, faulty: str):
    broken = plant(tmp_path, rtl.port.axi_lite, sound, faulty)
    said = prove_from_reset(tmp_path, broken.AxiLiteRTL(), CLAIMS, CYCLES)
    assert "broken in cycle" in said
