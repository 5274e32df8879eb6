// test/skid by hand: a two-deep ready/valid buffer with registered outputs.
module test_skid (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] in_data,
    input  wire       in_valid,
    output wire       in_ready,
    output reg  [7:0] out_data,
    output reg        out_valid,
    input  wire       out_ready
);
  reg [7:0] spare;
  reg full;
  assign in_ready = !full;

  always @(posedge clk) begin
    if (out_ready || !out_valid) begin
      out_valid <= full || in_valid;
      out_data <= full ? spare : in_data;
      full <= 1'b0;
    end else if (in_valid && in_ready) begin
      spare <= in_data;
      full <= 1'b1;
    end
    if (rst) begin
      out_valid <= 1'b0;
      full <= 1'b0;
    end
  end
endmodule
