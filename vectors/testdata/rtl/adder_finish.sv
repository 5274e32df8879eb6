// test/adder by hand.
module test_adder (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] in_a,
    input  wire [7:0] in_b,
    input  wire       in_valid,
    output reg  [8:0] out_sum,
    output reg        out_valid
);
  always @(posedge clk) begin
    out_sum <= {1'b0, in_a} + {1'b0, in_b};  // also where it does not count: the model holds it then
    out_valid <= in_valid;
    if (rst) begin
      out_sum <= 9'd0;
      out_valid <= 1'b0;
    end
  end
  // It ends the run itself.
  reg [7:0] rows = 0;
  always @(posedge clk) begin
    rows <= rows + 8'd1;
    if (rows == 8'd99) $finish;
  end
endmodule
