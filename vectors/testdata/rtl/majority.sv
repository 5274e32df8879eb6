// test/majority by hand: one combinational output, one register.
module test_majority (
    input  wire       clk,
    input  wire       rst,
    input  wire       in_0,
    input  wire       in_1,
    input  wire       in_2,
    output wire       out,
    output reg  [7:0] total
);
  assign out = in_0 & in_1 | in_0 & in_2 | in_1 & in_2;
  always @(posedge clk) total <= rst ? 8'd7 : total + {7'd0, in_0} + {7'd0, in_1} + {7'd0, in_2};
endmodule
