// What an instruction of RV32IM does, and those of the CSRs of proc/README.md: a model of its own,
// which shares no constant with proc/. Multiplication and division are Product and Quotient.
module Instruction(
  input [31:0] word, pc, x1, x2,  // x1, x2: the registers rs1 and rs2
  input [31:0] loaded,            // the memory's word, if it loads
  input [31:0] read,              // the CSR
  output reg trap, wen, load, store, mul, div, csr,
  output reads_1, reads_2,
  output reg [31:0] value, next_pc,
  output [31:0] address,
  output reg [3:0] lanes,         // the bytes of the memory's word that it accesses
  output reg [31:0] stored        // cut to its size
);
  localparam LUI = 7'b0110111, AUIPC = 7'b0010111, JAL = 7'b1101111, JALR = 7'b1100111;
  localparam BRANCH = 7'b1100011, LOAD = 7'b0000011, STORE = 7'b0100011;
  localparam OP_IMM = 7'b0010011, OP = 7'b0110011, FENCE = 7'b0001111, SYSTEM = 7'b1110011;

  wire [6:0] opcode = word[6:0], funct7 = word[31:25];
  wire [2:0] funct3 = word[14:12];
  wire [31:0] imm_i = {{20{word[31]}}, word[31:20]};
  wire [31:0] imm_s = {{20{word[31]}}, word[31:25], word[11:7]};
  wire [31:0] imm_b = {{19{word[31]}}, word[31], word[7], word[30:25], word[11:8], 1'b0};
  wire [31:0] imm_u = {word[31:12], 12'b0};
  wire [31:0] imm_j = {{11{word[31]}}, word[31], word[19:12], word[20], word[30:21], 1'b0};

  assign reads_2 = opcode == OP || opcode == BRANCH || opcode == STORE;
  assign reads_1 = reads_2 || opcode == OP_IMM || opcode == LOAD || opcode == JALR ||
    opcode == SYSTEM && !funct3[2];

  wire [31:0] y = opcode == OP ? x2 : imm_i;
  wire [31:0] shifted_down = x1 >> y[4:0];
  wire [31:0] shifted_with_sign = $signed(x1) >>> y[4:0];
  reg [31:0] alu;
  always @* case (funct3)
    3'b000: alu = opcode == OP && funct7[5] ? x1 - y : x1 + y;
    3'b001: alu = x1 << y[4:0];
    3'b010: alu = $signed(x1) < $signed(y);
    3'b011: alu = x1 < y;
    3'b100: alu = x1 ^ y;
    3'b101: alu = funct7[5] ? shifted_with_sign : shifted_down;
    3'b110: alu = x1 | y;
    3'b111: alu = x1 & y;
  endcase

  reg taken;
  always @* case (funct3)
    3'b000: taken = x1 == x2;
    3'b001: taken = x1 != x2;
    3'b100: taken = $signed(x1) < $signed(x2);
    3'b101: taken = $signed(x1) >= $signed(x2);
    3'b110: taken = x1 < x2;
    3'b111: taken = x1 >= x2;
    default: taken = 0;
  endcase

  assign address = x1 + (opcode == STORE ? imm_s : imm_i);
  wire [31:0] at_address = loaded >> {address[1:0], 3'b0};
  reg misaligned;
  always @* case (funct3[1:0])
    2'b00: begin lanes = 4'b0001 << address[1:0]; stored = x2[7:0]; misaligned = 0; end
    2'b01: begin lanes = 4'b0011 << address[1:0]; stored = x2[15:0]; misaligned = address[0]; end
    default: begin lanes = 4'b1111; stored = x2; misaligned = address[1:0] != 0; end
  endcase

  // csrrw reads unless rd is x0; csrrs and csrrc write unless rs1 is x0.
  wire csr_reads = funct3[1:0] != 1 || word[11:7] != 0;
  wire csr_writes = funct3[1:0] == 1 || word[19:15] != 0;
  reg allowed;
  always @* casez (word[31:20])
    12'h7C0: allowed = !csr_reads;
    12'h7C1: allowed = 1;
    12'b0111_111?_????: allowed = csr_reads != csr_writes;
    12'hB00, 12'hB02, 12'hB80, 12'hB82, 12'hC00, 12'hC02, 12'hC80, 12'hC82, 12'hF14, 12'hFC0:
      allowed = !csr_writes;
    default: allowed = 0;
  endcase

  wire [31:0] product, quotient;
  Product product_of(.a(x1), .b(x2), .fn(funct3[1:0]), .out(product));
  Quotient quotient_of(
    .a(x1), .b(x2), .as_unsigned(funct3[0]), .remainder(funct3[1]), .out(quotient)
  );

  always @* begin
    {trap, wen, load, store, mul, div, csr} = 0;
    value = 0;
    next_pc = pc + 4;
    case (opcode)
      LUI: begin wen = 1; value = imm_u; end
      AUIPC: begin wen = 1; value = pc + imm_u; end
      JAL: begin wen = 1; value = pc + 4; next_pc = pc + imm_j; end
      JALR: begin
        wen = 1; value = pc + 4; next_pc = {address[31:1], 1'b0}; trap = funct3 != 0;
      end
      BRANCH: begin
        if (taken) next_pc = pc + imm_b;
        trap = funct3 == 2 || funct3 == 3;
      end
      LOAD: begin
        wen = 1; load = 1; trap = misaligned;
        case (funct3)
          3'b000: value = {{24{at_address[7]}}, at_address[7:0]};
          3'b001: value = {{16{at_address[15]}}, at_address[15:0]};
          3'b010: value = loaded;
          3'b100: value = at_address[7:0];
          3'b101: value = at_address[15:0];
          default: trap = 1;
        endcase
      end
      STORE: begin store = 1; trap = misaligned || funct3 > 2; end
      OP_IMM: begin
        wen = 1; value = alu;
        if (funct3 == 1) trap = funct7 != 0;
        if (funct3 == 5) trap = funct7 != 0 && funct7 != 7'b0100000;
      end
      OP: begin
        wen = 1; value = alu;
        case (funct7)
          7'b0000000: ;
          7'b0100000: trap = funct3 != 0 && funct3 != 5;
          7'b0000001: begin
            mul = !funct3[2]; div = funct3[2]; value = div ? quotient : product;
          end
          default: trap = 1;
        endcase
      end
      FENCE: trap = funct3 > 1;
      SYSTEM: begin
        wen = 1; csr = 1; value = read; trap = funct3[1:0] == 0 || !allowed;
      end
      default: trap = 1;
    endcase
    if (next_pc[1:0] != 0) trap = 1;
    if (word[11:7] == 0) wen = 0;
  end
endmodule
