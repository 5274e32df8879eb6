// test/adder with a planted bug: no reset, so the valid bit is x in row 0.
module test_adder (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] in_a,
    input  wire [7:0] in_b,
    input  wire       in_valid,
    output reg  [8:0] out_sum,
    output reg        out_valid
);
  always @(posedge clk)
    if (!rst) begin
      out_sum <= {1'b0, in_a} + {1'b0, in_b};
      out_valid <= in_valid;
    end
endmodule
