// test/adder by hand, with a bug that shows after another reset only: what the reset gives out_valid depends on the sums before.
module test_adder (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] in_a,
    input  wire [7:0] in_b,
    input  wire       in_valid,
    output reg  [8:0] out_sum,
    output reg        out_valid
);
  reg [5:0] sums = 6'd0;
  always @(posedge clk) begin
    if (in_valid && !rst && sums != 6'd63) sums <= sums + 6'd1;
    out_sum <= {1'b0, in_a} + {1'b0, in_b};
    out_valid <= in_valid;
    if (rst) begin
      out_sum <= 9'd0;
      out_valid <= sums == 6'd63;
    end
  end
endmodule
