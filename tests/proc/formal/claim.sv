// The processor beside the model: what it does at its ports is compared as instructions retire.
// Memory, accelerator and manager answer what they like, when they like; registers begin with any
// value. An output that is ever 1 is a claim that does not hold.

// What has happened at a port and not been compared, or answered, yet.
module Queue #(parameter WIDTH = 1) (
  input clk, reset, push, pop, input [WIDTH-1:0] in,
  output reg [WIDTH-1:0] front, output reg [1:0] size
);
  reg [WIDTH-1:0] second, third;
  wire [1:0] left = size - pop;
  always @(posedge clk) begin
    size <= reset ? 0 : left + push;
    if (pop) {front, second} <= {second, third};
    if (push) case (left) 0: front <= in; 1: second <= in; default: third <= in; endcase
  end
endmodule

module Claim(
  input clk,
  input imem_req_rdy, imem_resp_val, dmem_req_rdy, dmem_resp_val, xcel_req_rdy, xcel_resp_val,
  input get_val, put_rdy,
  input [31:0] imem_word, dmem_word, xcel_word, get_word,
  output broken_order, broken_fetch, broken_rs1, broken_rs2, broken_x0, broken_stats,
  output broken_progress, broken_upper, broken_jal, broken_jalr, broken_branch, broken_load,
  output broken_store, broken_immediate, broken_register, broken_mul, broken_div, broken_fence,
  output broken_csr, broken_illegal
);
  reg [7:0] t = 0;
  always @(posedge clk) t <= t + 1;
  wire reset = t < 2;

  wire error, stats_en, retire, retire_wen, retire_mem, retire_write;
  wire [31:0] retire_pc, retire_word, retire_value, retire_addr, retire_data;
  wire [31:0] current_pc, current_word, put_word;
  wire [4:0] retire_rd;
  wire imem_req_val, imem_resp_rdy, dmem_req_val, dmem_resp_rdy, xcel_req_val, xcel_resp_rdy;
  wire get_rdy, put_val;
  wire [68:0] imem_req, dmem_req;  // write, address, lanes, data
  wire [37:0] xcel_req;            // write, register, data
  Unit unit(
    .clk(clk), .reset(reset), .error(error), .stats_en(stats_en),
    .retire__val(retire), .retire__pc(retire_pc), .retire__word(retire_word),
    .retire__wen(retire_wen), .retire__rd(retire_rd), .retire__value(retire_value),
    .retire__mem(retire_mem), .retire__write(retire_write), .retire__addr(retire_addr),
    .retire__data(retire_data), .current__pc(current_pc), .current__word(current_word),
    .imem__req__val(imem_req_val), .imem__req__rdy(imem_req_rdy), .imem__req__msg(imem_req),
    .imem__resp__val(imem_resp_val), .imem__resp__rdy(imem_resp_rdy),
    .imem__resp__msg(imem_word),
    .dmem__req__val(dmem_req_val), .dmem__req__rdy(dmem_req_rdy), .dmem__req__msg(dmem_req),
    .dmem__resp__val(dmem_resp_val), .dmem__resp__rdy(dmem_resp_rdy),
    .dmem__resp__msg(dmem_word),
    .xcel__req__val(xcel_req_val), .xcel__req__rdy(xcel_req_rdy), .xcel__req__msg(xcel_req),
    .xcel__resp__val(xcel_resp_val), .xcel__resp__rdy(xcel_resp_rdy),
    .xcel__resp__msg({1'b0, xcel_word}),
    .mngr2proc__val(get_val), .mngr2proc__rdy(get_rdy), .mngr2proc__msg(get_word),
    .proc2mngr__val(put_val), .proc2mngr__rdy(put_rdy), .proc2mngr__msg(put_word)
  );

  // The instruction that retires, or that an error is of.
  wire ends = retire | error;
  wire [31:0] pc = error ? current_pc : retire_pc;
  wire [31:0] word = error ? current_word : retire_word;
  wire [4:0] rd = word[11:7], rs1 = word[19:15], rs2 = word[24:20];

  // Seen inside (formal.py connects them): the operands as D takes them, and the registers.
  wire ready_X, go_X, go_M, div_finishes;
  wire [31:0] operand_1, operand_2;
  wire [1023:0] registers;
  reg [31:0] x1_X, x2_X, x1_M, x2_M, x1_W, x2_W;
  always @(posedge clk) begin
    if (ready_X) {x1_X, x2_X} <= {operand_1, operand_2};
    if (go_X) {x1_M, x2_M} <= {x1_X, x2_X};
    if (go_M) {x1_W, x2_W} <= {x1_M, x2_M};
  end
  wire [31:0] x1 = error ? x1_X : x1_W;
  wire [31:0] x2 = error ? x2_X : x2_W;

  // What the model says of the instruction, with these operands.
  wire trap, wen, load, store, mul, div, csr, reads_1, reads_2;
  wire [31:0] value, next_pc, address, stored;
  wire [3:0] lanes;
  reg [31:0] read;
  reg [31:0] now;    // where it is
  reg [7:0] before;  // so many instructions have retired
  reg stats;
  wire [31:0] answer, got, xcel_answer;
  Instruction instruction(
    .word(word), .pc(now), .x1(x1), .x2(x2), .loaded(answer), .read(read), .trap(trap), .wen(wen),
    .load(load), .store(store), .mul(mul), .div(div), .csr(csr), .reads_1(reads_1),
    .reads_2(reads_2), .value(value), .next_pc(next_pc), .address(address), .lanes(lanes),
    .stored(stored)
  );
  wire access = load | store;
  wire to_xcel = csr && word[31:25] == 7'b0111111;
  wire gets = csr && word[31:20] == 12'hFC0;
  wire puts = csr && word[31:20] == 12'h7C0;
  wire [31:0] operand = word[14] ? {27'b0, rs1} : x1;  // of a CSR instruction
  always @* casez (word[31:20])
    12'h7C1: read = {31'b0, stats};
    12'b0111_111?_????: read = xcel_answer;
    12'hFC0: read = got;
    12'hB00, 12'hC00: read = t - 4;  // reset took 2 cycles, and X is 2 before this
    12'hB02, 12'hC02: read = before;
    default: read = 0;
  endcase
  reg new_stats;
  always @* begin
    new_stats = stats;
    if (retire & csr && word[31:20] == 12'h7C1) case (word[13:12])
      1: new_stats = operand[0];
      2: new_stats = stats | operand[0];
      default: new_stats = stats & ~operand[0];
    endcase
  end

  // One register, any but x0, as retired instructions have left it.
  (* anyconst *) reg [4:0] watched;
  reg [31:0] register;
  always @(posedge clk) begin
    if (t == 1) register <= registers[32 * watched +: 32];
    else if (retire & retire_wen && retire_rd == watched) register <= retire_value;
    if (retire) {now, before} <= {next_pc, before + 8'd1};
    stats <= new_stats;
    if (reset) {now, before, stats} <= {32'h200, 8'd0, 1'd0};
  end

  // What has happened at the ports.
  wire fetch_asked = imem_req_val & imem_req_rdy, fetched = imem_resp_val & imem_resp_rdy;
  wire dmem_asked = dmem_req_val & dmem_req_rdy, dmem_answered = dmem_resp_val & dmem_resp_rdy;
  wire xcel_asked = xcel_req_val & xcel_req_rdy, xcel_answered = xcel_resp_val & xcel_resp_rdy;
  wire [31:0] fetched_from, sent;
  wire [68:0] request;
  wire [37:0] xcel_request;
  wire [1:0] fetches, requests, answers, xcel_requests, xcel_answers, gotten, put;
  Queue #(32) q0(clk, reset, fetch_asked, fetched, imem_req[67:36], fetched_from, fetches);
  Queue #(69) q1(clk, reset, dmem_asked, retire & access, dmem_req, request, requests);
  Queue #(32) q2(clk, reset, dmem_answered, retire & access, dmem_word, answer, answers);
  Queue #(38) q3(clk, reset, xcel_asked, retire & to_xcel, xcel_req, xcel_request, xcel_requests);
  Queue #(32) q4(clk, reset, xcel_answered, retire & to_xcel, xcel_word, xcel_answer, xcel_answers);
  Queue #(32) q5(clk, reset, get_val & get_rdy, retire & gets, get_word, got, gotten);
  Queue #(32) q6(clk, reset, put_val & put_rdy, retire & puts, put_word, sent, put);

  // Nothing is answered that was not asked, and one word of the program, any, stays what it is.
  reg [1:0] dmem_open, xcel_open;
  always @(posedge clk) begin
    dmem_open <= reset ? 0 : dmem_open + dmem_asked - dmem_answered;
    xcel_open <= reset ? 0 : xcel_open + xcel_asked - xcel_answered;
  end
  (* anyconst *) reg [31:0] place, there;
  always @* begin
    assume (!imem_resp_val || fetches != 0);
    assume (!dmem_resp_val || dmem_open != 0);
    assume (!xcel_resp_val || xcel_open != 0);
    assume (!imem_resp_val || fetched_from != place || imem_word == there);
  end

  // For how long everything has been ready and answered at once, and yet nothing has retired.
  wire prompt = imem_req_rdy & dmem_req_rdy & xcel_req_rdy & get_val & put_rdy & div_finishes &
    (imem_resp_val | fetches == 0) & (dmem_resp_val | dmem_open == 0) &
    (xcel_resp_val | xcel_open == 0);
  reg [3:0] waits;
  reg stopped = 0;
  always @(posedge clk) begin
    waits <= reset | ends | !prompt ? 0 : waits + 1;
    stopped <= !reset & error;
  end

  // The claims.
  wire checks = !reset & ends;
  wire [31:0] bits_of_lanes = {{8{lanes[3]}}, {8{lanes[2]}}, {8{lanes[1]}}, {8{lanes[0]}}};
  wire [31:0] in_lanes = stored << {address[1:0], 3'b0};
  wire writes_xcel = rd == 0 && (word[13:12] == 1 || rs1 != 0);
  wire right_result = retire_wen == wen && (!wen || retire_rd == rd && retire_value == value);
  wire right_request = requests != 0 && request[68] == store &&
    request[67:36] == {address[31:2], 2'b0} && request[35:32] == lanes &&
    (!store || ((request[31:0] ^ in_lanes) & bits_of_lanes) == 0);
  wire right_access = retire_mem == access && (!access || right_request && answers != 0 &&
    retire_write == store && retire_addr == address && (!store || retire_data == stored));
  wire right_messages = (!gets || gotten != 0) && (!puts || put != 0 && sent == operand) &&
    (!to_xcel || xcel_requests != 0 && xcel_answers != 0 && xcel_request[37] == writes_xcel &&
      xcel_request[36:32] == rs2 && (!writes_xcel || xcel_request[31:0] == operand));
  wire nothing_done = {requests, answers, xcel_requests, xcel_answers, gotten, put} == 0;
  wire wrong = error ? !trap || !nothing_done
    : trap || !right_result || !right_access || !right_messages;

  assign broken_order = checks && pc != now || !reset && (stopped & !error || retire & error);
  assign broken_fetch = checks && pc == place && word != there;
  assign broken_rs1 = checks && reads_1 && rs1 == watched && rs1 != 0 && x1 != register;
  assign broken_rs2 = checks && reads_2 && rs2 == watched && rs2 != 0 && x2 != register;
  assign broken_x0 = checks && (reads_1 && rs1 == 0 && x1 != 0 || reads_2 && rs2 == 0 && x2 != 0);
  assign broken_stats = !reset && stats_en != new_stats;
  assign broken_progress = !reset && waits > 6;

  wire [6:0] opcode = word[6:0];
  assign broken_upper = checks && wrong && (opcode == 7'h37 || opcode == 7'h17);
  assign broken_jal = checks && wrong && opcode == 7'h6f;
  assign broken_jalr = checks && wrong && opcode == 7'h67;
  assign broken_branch = checks && wrong && opcode == 7'h63;
  assign broken_load = checks && wrong && load;
  assign broken_store = checks && wrong && store;
  assign broken_immediate = checks && wrong && opcode == 7'h13;
  assign broken_register = checks && wrong && opcode == 7'h33 && !mul && !div;
  assign broken_mul = checks && wrong && mul;
  assign broken_div = checks && wrong && div;
  assign broken_fence = checks && wrong && opcode == 7'h0f;
  assign broken_csr = checks && wrong && csr;
  assign broken_illegal = checks && wrong && !(opcode == 7'h37 || opcode == 7'h17 ||
    opcode == 7'h6f || opcode == 7'h67 || opcode == 7'h63 || load || store ||
    opcode == 7'h13 || opcode == 7'h33 || opcode == 7'h0f || csr);
endmodule
