// test/counter by hand.
module test_counter (
    input  wire       clk,
    input  wire       rst,
    output reg  [7:0] out
);
  always @(posedge clk) out <= rst ? 8'd0 : out + 8'd3;
endmodule
