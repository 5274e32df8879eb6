// test/adder by hand, whose inputs pass a register of the falling edge: right, as they come in the first quarter of the cycle.
module test_adder (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] in_a,
    input  wire [7:0] in_b,
    input  wire       in_valid,
    output reg  [8:0] out_sum,
    output reg        out_valid
);
  reg [8:0] sum;
  reg valid;
  always @(negedge clk) begin
    sum <= {1'b0, in_a} + {1'b0, in_b};
    valid <= in_valid;
  end
  always @(posedge clk) begin
    out_sum <= rst ? 9'd0 : sum;
    out_valid <= !rst && valid;
  end
endmodule
