// Carry by ripple: the smallest adder that yosys can be told to build. techmap tries modules in the
// order of their names, and the standard one is _90_lcu_brent_kung.
(* techmap_celltype = "$lcu" *)
module _80_lcu_ripple (P, G, CI, CO);
  parameter WIDTH = 2;
  (* force_downto *) input [WIDTH-1:0] P;
  (* force_downto *) input [WIDTH-1:0] G;
  input CI;
  (* force_downto *) output [WIDTH-1:0] CO;
  wire [WIDTH:0] carry;
  assign carry[0] = CI;
  assign CO = carry[WIDTH:1];
  genvar bit;
  generate
    for (bit = 0; bit < WIDTH; bit = bit + 1) begin : stage
      assign carry[bit+1] = G[bit] | (P[bit] & carry[bit]);
    end
  endgenerate
endmodule
