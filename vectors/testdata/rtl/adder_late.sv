// test/adder with two more pipeline stages.
module test_adder (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] in_a,
    input  wire [7:0] in_b,
    input  wire       in_valid,
    output reg  [8:0] out_sum,
    output reg        out_valid
);
  reg [9:0] first, second;
  always @(posedge clk) begin
    first <= {{1'b0, in_a} + {1'b0, in_b}, in_valid};
    second <= first;
    {out_sum, out_valid} <= second;
    if (rst) begin
      first <= 10'd0;
      second <= 10'd0;
      {out_sum, out_valid} <= 10'd0;
    end
  end
endmodule
