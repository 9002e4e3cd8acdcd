// base^exp mod mod, an exponent bit and a product's bit at a time, the highest first; a pulse of
// start begins, done is high from the end until the next start. Behind it the ports of the tests.
module power #(parameter N = 16) (
  input clk, input reset, input start,
  input [N-1:0] base, input [N-1:0] exp, input [N-1:0] mod,
  output reg done, output [N-1:0] result
);
  reg [N-1:0] r, other, bits, sum;
  reg [15:0] i, k;
  reg busy, multiplies;
  wire [N+1:0] total = {1'b0, sum, 1'b0} + (other[N-1] ? r : {N{1'b0}});
  wire [N+1:0] once = total >= mod ? total - mod : total;
  wire [N+1:0] twice = once >= mod ? once - mod : once;
  assign result = r;
  always @(posedge clk)
    if (reset) begin
      busy <= 0;
      done <= 0;
    end else if (start) begin
      r <= mod == 1 ? 0 : 1;
      other <= mod == 1 ? 0 : 1;
      bits <= exp;
      sum <= 0;
      i <= N - 1;
      k <= N - 1;
      busy <= 1;
      multiplies <= 0;
      done <= 0;
    end else if (busy) begin
      sum <= twice[N-1:0];
      other <= other << 1;
      k <= k - 1;
      if (k == 0) begin
        k <= N - 1;
        sum <= 0;
        r <= twice[N-1:0];
        if (!multiplies && bits[N-1]) begin
          multiplies <= 1;
          other <= base;
        end else begin
          multiplies <= 0;
          other <= twice[N-1:0];
          bits <= bits << 1;
          i <= i - 1;
          if (i == 0) begin
            busy <= 0;
            done <= 1;
          end
        end
      end
    end
endmodule

// Four memories of words: 64 * (0, 1, 2) + place for base, exp, mod; the result's at 192, a cycle
// after the address.
module memories #(parameter N = 16, W = 8) (
  input clk, input reset, input start, input we, input [7:0] addr, input [W-1:0] din,
  output reg [W-1:0] dout, output done
);
  reg [N-1:0] base, exp, mod;
  wire [N-1:0] result;
  power #(N) core (clk, reset, start, base, exp, mod, done, result);
  always @(posedge clk) begin
    if (we && addr[7:6] == 0) base[addr[5:0] * W +: W] <= din;
    if (we && addr[7:6] == 1) exp[addr[5:0] * W +: W] <= din;
    if (we && addr[7:6] == 2) mod[addr[5:0] * W +: W] <= din;
    dout <= result >> (addr[5:0] * W);
  end
endmodule

// Registers that take one word after the other, the highest first, once they have been rewound.
module registers #(parameter N = 16, W = 8) (
  input clk, input reset_n, input cs, input we, input [7:0] address, input [W-1:0] write_data,
  output [W-1:0] read_data
);
  reg [N-1:0] base, exp, mod, out;
  wire [N-1:0] result;
  wire done;
  wire start = cs && we && address == 8 && write_data[0];
  power #(N) core (clk, !reset_n, start, base, exp, mod, done, result);
  assign read_data = address == 9 ? {{(W-1){1'b0}}, done} : out[N-1 -: W];
  always @(posedge clk)
    if (cs && we)
      case (address)
        8'h31: mod <= {mod, write_data};
        8'h41: exp <= {exp, write_data};
        8'h51: base <= {base, write_data};
        8'h60: out <= result;
        default: ;
      endcase
    else if (cs && address == 8'h61) out <= out << W;
endmodule

// The same numbers as words on a Wishbone bus, four addresses each; 12 is control and status.
module on_wishbone #(parameter N = 16, W = 8) (
  input wb_clk_i, input wb_rst_i, input wb_cyc_i, input wb_stb_i, input wb_we_i,
  input [5:0] wb_adr_i, input [W-1:0] wb_dat_i, output reg [W-1:0] wb_dat_o, output reg wb_ack_o
);
  reg [N-1:0] base, exp, mod;
  wire [N-1:0] result;
  wire done;
  reg start;
  power #(N) core (wb_clk_i, wb_rst_i, start, base, exp, mod, done, result);
  always @(posedge wb_clk_i) begin
    start <= 0;
    wb_ack_o <= wb_cyc_i && wb_stb_i && !wb_ack_o && !wb_rst_i;
    if (wb_cyc_i && wb_stb_i && wb_we_i && !wb_ack_o)
      case (wb_adr_i[5:4])
        0: base[wb_adr_i[3:2] * W +: W] <= wb_dat_i;
        1: exp[wb_adr_i[3:2] * W +: W] <= wb_dat_i;
        2: mod[wb_adr_i[3:2] * W +: W] <= wb_dat_i;
        3: start <= wb_dat_i[0];
      endcase
    wb_dat_o <= wb_adr_i[5:4] == 3 ? done : result >> (wb_adr_i[3:2] * W);
  end
endmodule

// And on AXI4-Lite: it takes the address of a write, and its data in a later cycle.
module on_axi #(parameter N = 16, W = 8) (
  input aclk, input aresetn,
  input [5:0] s_axi_awaddr, input s_axi_awvalid, output s_axi_awready,
  input [W-1:0] s_axi_wdata, input s_axi_wvalid, output s_axi_wready,
  output reg s_axi_bvalid, input s_axi_bready,
  input [5:0] s_axi_araddr, input s_axi_arvalid, output s_axi_arready,
  output reg [W-1:0] s_axi_rdata, output reg s_axi_rvalid, input s_axi_rready
);
  reg [N-1:0] base, exp, mod;
  wire [N-1:0] result;
  wire done;
  reg start;
  power #(N) core (aclk, !aresetn, start, base, exp, mod, done, result);
  reg [5:0] at;
  reg placed;
  wire writes = s_axi_wvalid && placed && !s_axi_bvalid;
  assign s_axi_awready = s_axi_awvalid && !placed && !s_axi_bvalid;
  assign s_axi_wready = writes;
  assign s_axi_arready = !s_axi_rvalid;
  always @(posedge aclk)
    if (!aresetn) begin
      s_axi_bvalid <= 0;
      s_axi_rvalid <= 0;
      start <= 0;
      placed <= 0;
    end else begin
      start <= 0;
      if (s_axi_bready) s_axi_bvalid <= 0;
      if (s_axi_rready) s_axi_rvalid <= 0;
      if (s_axi_awready) begin
        placed <= 1;
        at <= s_axi_awaddr;
      end
      if (writes) begin
        s_axi_bvalid <= 1;
        placed <= 0;
        case (at[5:4])
          0: base[at[3:2] * W +: W] <= s_axi_wdata;
          1: exp[at[3:2] * W +: W] <= s_axi_wdata;
          2: mod[at[3:2] * W +: W] <= s_axi_wdata;
          3: start <= s_axi_wdata[0];
        endcase
      end
      if (s_axi_arvalid && s_axi_arready) begin
        s_axi_rvalid <= 1;
        s_axi_rdata <= s_axi_araddr[5:4] == 3 ? done : result >> (s_axi_araddr[3:2] * W);
      end
    end
endmodule

// Words of mod, base and exp one after the other, the lowest first; words of the result so.
module stream #(parameter N = 16, W = 8) (
  input clk, input rst, input [W-1:0] data_in, input valid_in, output ready_in,
  output [W-1:0] data_out, output valid_out, input ready_out
);
  localparam COUNT = N / W;
  reg [N-1:0] base, exp, mod, out;
  reg [7:0] taken, given;
  reg start, waits;
  wire [N-1:0] result;
  wire done;
  power #(N) core (clk, rst, start, base, exp, mod, done, result);
  assign ready_in = taken < 3 * COUNT;
  assign valid_out = given != 0;
  assign data_out = out[W-1:0];
  always @(posedge clk)
    if (rst) begin
      taken <= 0;
      given <= 0;
      start <= 0;
      waits <= 0;
    end else begin
      start <= 0;
      if (valid_in && ready_in) begin
        taken <= taken + 1;
        {exp, base, mod} <= {data_in, exp, base, mod[N-1:W]};
        if (taken == 3 * COUNT - 1) start <= 1;
      end
      if (start) waits <= 1;
      if (waits && done) begin
        waits <= 0;
        out <= result;
        given <= COUNT;
      end
      if (valid_out && ready_out) begin
        given <= given - 1;
        out <= out >> W;
        if (given == 1) taken <= 0;
      end
    end
endmodule

// A request by valid and ready at either side.
module handshake #(parameter N = 16) (
  input clk, input rst, input in_valid, output in_ready,
  input [N-1:0] base, input [N-1:0] e, input [N-1:0] n,
  output out_valid, input out_ready, output [N-1:0] y
);
  reg busy;
  power #(N) core (clk, rst, in_valid && in_ready, base, e, n, out_valid, y);
  assign in_ready = !busy;
  always @(posedge clk)
    if (rst) busy <= 0;
    else if (in_valid && in_ready) busy <= 1;
    else if (out_valid && out_ready) busy <= 0;
endmodule

// One width, operands that are loaded before the start, and a done that is a pulse.
module fixed (
  input clk, input load, input start, input [15:0] indata, input [15:0] inexp, input [15:0] inmod,
  input rst, output reg done, output [15:0] cypher
);
  reg [15:0] base, exp, mod;
  reg before;
  wire ended;
  power #(16) core (clk, rst, start, base, exp, mod, ended, cypher);
  always @(posedge clk) begin
    before <= ended;
    done <= ended && !before;
    if (load) begin
      base <= indata;
      exp <= inexp;
      mod <= inmod;
    end
  end
endmodule

// Operands by words to ports of their own, the lowest place last; a start that is low, and busy.
module own_ports #(parameter NBITS = 16, W = 8) (
  input clk, input reset, input start_n, output busy,
  input ld_base, input ld_exp, input ld_mod, input [W-1:0] din,
  input [3:0] base_addr, input [3:0] exp_addr, input [3:0] mod_addr, input [3:0] res_addr,
  output reg [W-1:0] res
);
  localparam LAST = NBITS / W - 1;
  reg [NBITS-1:0] base, exp, mod;
  wire [NBITS-1:0] result;
  wire done;
  reg begun;
  power #(NBITS) core (clk, reset, !start_n, base, exp, mod, done, result);
  assign busy = begun && !done;
  always @(posedge clk) begin
    if (reset) begun <= 0;
    else if (!start_n) begun <= 1;
    if (ld_base) base[(LAST - base_addr) * W +: W] <= din;
    if (ld_exp) exp[(LAST - exp_addr) * W +: W] <= din;
    if (ld_mod) mod[(LAST - mod_addr) * W +: W] <= din;
    res <= result >> ((LAST - res_addr) * W);
  end
endmodule

// Whole operands on one bus, told apart by a number.
module selected #(parameter N = 16) (
  input clk, input reset, input [1:0] sel, input load, input [N-1:0] data, input go,
  output busy, output [N-1:0] y
);
  reg [N-1:0] base, exp, mod;
  reg begun;
  wire done;
  power #(N) core (clk, reset, go, base, exp, mod, done, y);
  assign busy = begun && !done;
  always @(posedge clk) begin
    if (reset) begun <= 0;
    else if (go) begun <= 1;
    if (load)
      case (sel)
        1: base <= data;
        2: exp <= data;
        3: mod <= data;
        default: ;
      endcase
  end
endmodule
