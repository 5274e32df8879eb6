// test/adder with a planted bug: the carry is lost if both addends are odd.
module test_adder (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] in_a,
    input  wire [7:0] in_b,
    input  wire       in_valid,
    output reg  [8:0] out_sum,
    output reg        out_valid
);
  wire [8:0] sum = {1'b0, in_a} + {1'b0, in_b};
  always @(posedge clk) begin
    out_sum <= {sum[8] & ~(in_a[0] & in_b[0]), sum[7:0]};
    out_valid <= in_valid;
    if (rst) begin
      out_sum <= 9'd0;
      out_valid <= 1'b0;
    end
  end
endmodule
