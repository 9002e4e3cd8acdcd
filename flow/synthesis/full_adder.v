// The kit's full adder for yosys' $fa: X is the carry, Y the sum.
(* techmap_celltype = "$fa" *)
module full_adder(A, B, C, X, Y);
    parameter WIDTH = 1;
    (* force_downto *) input [WIDTH-1:0] A, B, C;
    (* force_downto *) output [WIDTH-1:0] X, Y;
    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + 1) begin
            FA_X1 adder (.A(A[i]), .B(B[i]), .CI(C[i]), .CO(X[i]), .S(Y[i]));
        end
    endgenerate
endmodule
// That of the RTL, see adders.py: CI is the fastest input.
(* techmap_celltype = "ModExplorerFullAdder" *)
module full_adder_of_vector(x, y, z, sum, carry);
    input x, y, z;
    output sum, carry;
    FA_X1 adder (.A(x), .B(y), .CI(z), .CO(carry), .S(sum));
endmodule
