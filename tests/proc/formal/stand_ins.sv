// Stand for the arithmetic of multiplication and division, in the model and in the processor: cheap
// for the solver, and each bit of an operand and of what is asked decides what comes out.
module Product(input [31:0] a, b, input [1:0] fn, output [31:0] out);
  assign out = a ^ {b[30:0], b[31]} ^ {30'b0, fn};
endmodule

module Quotient(input [31:0] a, b, input as_unsigned, remainder, output [31:0] out);
  assign out = (remainder ? {b[15:0], b[31:16]} : a) ^ {32{as_unsigned}};
endmodule

module Multiplier_noparam(input clk, reset, input [31:0] a, b, input [1:0] fn, output [31:0] out);
  Product product_of(.a(a), .b(b), .fn(fn), .out(out));
endmodule

// Is done after any time. What it keeps is made of the operands that it was made of at first.
module SignedDivider__divider_fast(
  input clk, reset, input [31:0] a, b, input as_unsigned, remainder, val, reuse, keep, taken,
  output done, output [31:0] result
);
  (* anyseq *) reg finishes;
  (* anyseq *) reg [31:0] lost;
  reg sent, kept;
  reg [31:0] kept_a, kept_b;
  reg kept_as_unsigned;
  wire [31:0] made;
  Quotient quotient_of(
    .a(reuse ? kept_a : a), .b(reuse ? kept_b : b),
    .as_unsigned(reuse ? kept_as_unsigned : as_unsigned), .remainder(remainder), .out(made)
  );
  assign done = reuse | sent & finishes;
  assign result = reuse & ~kept ? lost : made;
  always @(posedge clk) begin
    sent <= ~reset & val & ~reuse & ~taken;
    kept <= ~reset & (val & taken ? keep : kept & (val | keep));
    if (val & taken & ~reuse) {kept_a, kept_b, kept_as_unsigned} <= {a, b, as_unsigned};
  end
endmodule
