// What a product's bits depend on, for the search for loops: all of it on all of both factors.
// yosys' own cell says so by an edge for each pair of bits, of which 2048 bits by four have 17
// million.

(* techmap_celltype = "$mul" *)
module product (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  assign Y = {Y_WIDTH{^{A, B}}};
endmodule
