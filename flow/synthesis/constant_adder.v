// A full adder of the RTL with a constant input is not worth a cell.
(* techmap_celltype = "ModExplorerFullAdder" *)
module adder_with_constant(x, y, z, sum, carry);
    input x, y, z;
    output sum, carry;
    parameter _TECHMAP_CONSTMSK_x_ = 0;
    parameter _TECHMAP_CONSTMSK_y_ = 0;
    parameter _TECHMAP_CONSTMSK_z_ = 0;
    wire _TECHMAP_FAIL_ = !(_TECHMAP_CONSTMSK_x_ || _TECHMAP_CONSTMSK_y_ || _TECHMAP_CONSTMSK_z_);
    // No wire has a name, which might become that of a register.
    assign sum = x ^ y ^ z;
    assign carry = (x & y) | ((x ^ y) & z);
endmodule
