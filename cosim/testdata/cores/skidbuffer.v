// Written for the tests, with the ports of a skid buffer: two handshakes, and a register that catches the word in flight.
module skidbuffer #(parameter DW = 64) (
    input i_clk, input i_reset, input i_valid, output o_ready, input [DW-1:0] i_data, output o_valid, input i_ready, output [DW-1:0] o_data);
  reg r_valid;
  reg [DW-1:0] r_data;
  assign o_ready = !r_valid, o_valid = i_valid || r_valid, o_data = r_valid ? r_data : i_data;
  always @(posedge i_clk)
    if (i_reset) r_valid <= 0;
    else if (i_valid && o_ready && !i_ready) r_valid <= 1;
    else if (i_ready) r_valid <= 0;
  always @(posedge i_clk) if (o_ready) r_data <= i_data;
endmodule
