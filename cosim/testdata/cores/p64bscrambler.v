// Written for the tests, with the ports of a scrambler of 66-bit blocks: the sync header in bits 1:0 is passed on, and the state is 0 after the reset.
module p64bscrambler (
    input i_clk, input i_reset, input i_valid, output o_ready, input [65:0] i_data, output reg o_valid, input i_ready, output reg [65:0] o_data);
  reg [57:0] fill;
  reg [63:0] s;
  integer k;
  assign o_ready = !o_valid || i_ready;
  always @* for (k = 0; k < 64; k = k + 1)
    s[k] = i_data[k+2] ^ (k < 39 ? fill[k+19] : s[k < 39 ? 0 : k-39]) ^ (k < 58 ? fill[k] : s[k < 58 ? 0 : k-58]);
  always @(posedge i_clk)
    if (i_reset) begin fill <= 0; o_valid <= 0; end
    else if (o_ready) begin
      o_valid <= i_valid;
      if (i_valid) begin o_data <= {s, i_data[1:0]}; fill <= s[63:6]; end
    end
endmodule
