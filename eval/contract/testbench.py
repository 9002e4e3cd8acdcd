"""A testbench in plain Verilog for a unit with val/rdy ports, and the vectors that it sends."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eval.catalog.point import Point
from eval.contract.design import ACCELERATOR, EXPONENTIATOR, MULTIPLIER, Check
from eval.contract.exponentiator import expected, within
from fl.messages import XcelReq, XcelResp
from fl.xcel import Registers, requests_for
from sim.errors import UserError
from sim.transfers import packer
from sim.translate import Translation

CYCLES = 20_000  # about what the cases take in all
PORTS = {ACCELERATOR: ("xcel__req", "xcel__resp")}
PATIENCE = 50  # cycles that a transfer may wait
SLOWER = 4  # times the cycles after which a run has failed

TEXT = """\
// Sends the requests of {vectors} to {top} with random pauses, and compares each response. Prints
// PASS or FAIL; run it in the folder of that file:
//   $ iverilog -g2005 -o {top}_tb {file} {own} && vvp {top}_tb
//   $ verilator --binary --timing -CFLAGS -std=c++20 -Wno-fatal --top-module {top}_tb \\
//       {file} {own} && obj_dir/V{top}_tb
`timescale 1ns / 1ps
module {top}_tb;
  localparam COUNT = {count}, LIMIT = {limit};
  reg clk = 0, reset = 1, val = 0, rdy = 0;
  reg [{width}:0] vectors [0:COUNT-1];  // request, response
  reg [15:0] random = 16'hACE1;
  integer sent = 0, received = 0, cycle = 0, wrong = 0;
  wire req_rdy, resp_val;
  wire [{response}:0] answer;
  wire [{width}:0] asked = vectors[sent < COUNT ? sent : 0];
  wire [{width}:0] due = vectors[received < COUNT ? received : 0];

  {top} dut (
    .clk(clk), .reset(reset),
    .{recv}__val(val), .{recv}__rdy(req_rdy), .{recv}__msg(asked[{width}:{low}]),
    .{send}__val(resp_val), .{send}__rdy(rdy), .{send}__msg(answer)
  );

  initial $readmemh("{vectors}", vectors);
  always #5 clk = !clk;

  always @(posedge clk) begin
    cycle <= cycle + 1;
    random <= {{random[14:0], random[15] ^ random[13] ^ random[12] ^ random[10]}};
    if (cycle == 3) reset <= 0;
    if (!reset) begin
      if (val && req_rdy) sent <= sent + 1;
      if (!val || req_rdy) val <= random[0] && sent + (val && req_rdy) < COUNT;
      rdy <= random[3];
      if (resp_val && rdy) begin
        received <= received + 1;
        if (answer !== due[{response}:0]) begin
          wrong = wrong + 1;
          $display("FAIL: response %0d is %h, expected %h", received, answer, due[{response}:0]);
        end
        if (received == COUNT - 1) begin
          if (wrong == 0) $display("PASS: %0d responses in %0d cycles", COUNT, cycle);
          $finish;
        end
      end
    end
    if (cycle == LIMIT) begin
      $display("FAIL: %0d of %0d responses in %0d cycles", received, COUNT, cycle);
      $finish;
    end
  end
endmodule
"""


@dataclass(frozen=True)
class Testbench:
    """Is a module, TOP_tb, and the contents of the file of vectors that it reads."""

    text: str
    vectors: str


def testbench(point: Point, unit: str, made: Translation, file: str, own: str, vectors: str) -> Any:
    """Write the testbench of a unit, in `own` beside `file`; UserError if there is none."""
    if unit not in (MULTIPLIER, EXPONENTIATOR, ACCELERATOR):
        raise UserError(
            f"--testbench: there is none of the bus of a {unit}; "
            "give --unit accelerator, exponentiator or multiplier"
        )
    recv, send = PORTS.get(unit, ("recv", "send"))
    widths = {port.name: port.nbits for port in made.ports}
    request, response = widths[f"{recv}__msg"], widths[f"{send}__msg"]
    pairs, cycles = _pairs(point, unit)
    digits = -(-(request + response) // 4)
    lines = [f"{asked << response | answer:0{digits}x}" for asked, answer in pairs]
    text = TEXT.format(
        **{"top": made.top, "file": file, "own": own, "vectors": vectors, "count": len(pairs)},
        **{"limit": SLOWER * (cycles + PATIENCE * len(pairs)), "recv": recv, "send": send},
        **{"width": request + response - 1, "response": response - 1, "low": response},
    )
    return Testbench(text, "\n".join(lines) + "\n")


def _pairs(point: Point, unit: str) -> tuple[list[tuple[int, int]], int]:
    """List requests and responses of the contract's cases, and the cycles of the computations."""
    check = Check(unit, point.nbits, "batch")
    model = check.model(point.entry)
    cases: Sequence[Any] = within(check.cases(point.entry), model, CYCLES)
    cycles = sum(model.latency(*case.operands) for case in cases)
    if unit == ACCELERATOR:
        registers, pack = Registers(model), packer(XcelReq)
        pairs = []
        for case in cases:
            for asked in requests_for(point.nbits, *case.operands):
                answer = int(XcelResp(asked[0], registers.access(*asked)).to_bits())
                pairs.append((pack(*asked), answer))
        return pairs, cycles
    pack_request, pack_response = map(packer, model.messages)
    return [
        (
            pack_request(*case.operands),
            pack_response(
                *(
                    (model.value(*case.operands),)
                    if unit == MULTIPLIER
                    else expected(case, model.takes)
                )
            ),
        )
        for case in cases
    ], cycles
