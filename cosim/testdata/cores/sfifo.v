// Written for the tests, with the ports of a small FIFO: i_wr, o_full, o_fill, i_rd, o_empty; the oldest word is always shown.
module sfifo #(parameter BW = 64, parameter LGFLEN = 4) (
    input i_clk, input i_reset, input i_wr, input [BW-1:0] i_data, output o_full, output reg [LGFLEN:0] o_fill,
    input i_rd, output [BW-1:0] o_data, output o_empty);
  reg [BW-1:0] mem [0:(1<<LGFLEN)-1];
  reg [LGFLEN:0] wr_addr, rd_addr;
  wire w_wr = i_wr && !o_full, w_rd = i_rd && !o_empty;
  assign o_full = o_fill == {1'b1, {LGFLEN{1'b0}}};
  assign o_empty = o_fill == 0;
  assign o_data = mem[rd_addr[LGFLEN-1:0]];
  always @(posedge i_clk) if (w_wr) mem[wr_addr[LGFLEN-1:0]] <= i_data;
  always @(posedge i_clk)
    if (i_reset) begin wr_addr <= 0; rd_addr <= 0; o_fill <= 0; end
    else begin wr_addr <= wr_addr + w_wr; rd_addr <= rd_addr + w_rd; o_fill <= o_fill + w_wr - w_rd; end
endmodule
