// Written for the tests, with the ports of a combinational priority encoder with a one-hot output beside the number.
module penc #(parameter WIDTH = 64, parameter logic LSB_HIGH_PRIO = 1'b0) (
    input wire logic [WIDTH-1:0] input_mask, output wire logic output_valid,
    output wire logic [$clog2(WIDTH)-1:0] output_enc, output wire logic [WIDTH-1:0] output_mask);
  logic [$clog2(WIDTH)-1:0] n;
  always_comb begin
    n = '0;
    for (int i = 0; i < WIDTH; i++) if (input_mask[LSB_HIGH_PRIO ? WIDTH-1-i : i]) n = LSB_HIGH_PRIO ? WIDTH-1-i : i;
  end
  assign output_valid = |input_mask, output_enc = n, output_mask = WIDTH'(1) << n;
endmodule
