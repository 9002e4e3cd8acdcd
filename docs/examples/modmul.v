// r = a * b mod m by interleaved doubling and adding, the highest bit of a first; b <= m.
// A pulse of start takes the operands; done is high in the one cycle after the last step.
module modmul #(parameter WIDTH = 32) (
  input clk, input rst_n,
  input start, input [WIDTH-1:0] a, input [WIDTH-1:0] b, input [WIDTH-1:0] m,
  output reg done, output reg [WIDTH-1:0] r
);
  localparam STEPS = $clog2(WIDTH + 1);
  reg [WIDTH-1:0] a_left, b_kept, m_kept;
  reg [STEPS-1:0] left;
  wire [WIDTH+1:0] sum = {1'b0, r, 1'b0} + (a_left[WIDTH-1] ? b_kept : {WIDTH{1'b0}});
  wire [WIDTH+1:0] once = sum >= m_kept ? sum - m_kept : sum;
  wire [WIDTH+1:0] twice = once >= m_kept ? once - m_kept : once;

  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      left <= 0;
      done <= 0;
    end else if (start) begin
      left <= WIDTH;
      done <= 0;
    end else begin
      left <= left == 0 ? 0 : left - 1;
      done <= left == 1;
    end

  always @(posedge clk)
    if (start) begin
      a_left <= a;
      b_kept <= b;
      m_kept <= m;
      r <= 0;
    end else if (left != 0) begin
      a_left <= a_left << 1;
      r <= twice[WIDTH-1:0];
    end
endmodule
