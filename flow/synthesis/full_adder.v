// The library's full adder for yosys' $fa: X is the carry, Y the sum. Names between backquotes stand
// for those of the technology.
(* techmap_celltype = "$fa" *)
module full_adder(A, B, C, X, Y);
    parameter WIDTH = 1;
    (* force_downto *) input [WIDTH-1:0] A, B, C;
    (* force_downto *) output [WIDTH-1:0] X, Y;
    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + 1) begin
            `CELL` adder (.`X`(A[i]), .`Y`(B[i]), .`Z`(C[i]), .`CARRY`(X[i]), .`SUM`(Y[i]));
        end
    endgenerate
endmodule
// That of the RTL, see adders.py: its last input is the fastest.
(* techmap_celltype = "ModExplorerFullAdder" *)
module full_adder_of_vector(x, y, z, sum, carry);
    input x, y, z;
    output sum, carry;
    `CELL` adder (.`X`(x), .`Y`(y), .`Z`(z), .`CARRY`(carry), .`SUM`(sum));
endmodule
