// An asynchronous FIFO whose read side shows the memory itself; resets are asynchronous and active low.
module afifo #(parameter LG = 4, W = 64) (
    input i_wclk, input i_wr_reset_n, input i_wr, input [W-1:0] i_wr_data, output reg o_wr_full,
    input i_rclk, input i_rd_reset_n, input i_rd, output [W-1:0] o_rd_data, output reg o_rd_empty);
  reg [W-1:0] mem [0:(1<<LG)-1];
  reg [LG:0] wa, wg, ra, rg, wq1, wq2, rq1, rq2;
  wire [LG:0] wn = wa + {{LG{1'b0}}, i_wr && !o_wr_full}, wgn = wn ^ (wn >> 1);
  wire [LG:0] rn = ra + {{LG{1'b0}}, i_rd && !o_rd_empty}, rgn = rn ^ (rn >> 1);
  assign o_rd_data = mem[ra[LG-1:0]];
  always @(posedge i_wclk) if (i_wr && !o_wr_full) mem[wa[LG-1:0]] <= i_wr_data;
  always @(posedge i_wclk or negedge i_wr_reset_n)
    if (!i_wr_reset_n) begin wa <= 0; wg <= 0; rq1 <= 0; rq2 <= 0; o_wr_full <= 0; end
    else begin wa <= wn; wg <= wgn; {rq2, rq1} <= {rq1, rg}; o_wr_full <= wgn == {~rq2[LG:LG-1], rq2[LG-2:0]}; end
  always @(posedge i_rclk or negedge i_rd_reset_n)
    if (!i_rd_reset_n) begin ra <= 0; rg <= 0; wq1 <= 0; wq2 <= 0; o_rd_empty <= 1; end
    else begin ra <= rn; rg <= rgn; {wq2, wq1} <= {wq1, wg}; o_rd_empty <= rgn == wq2; end
endmodule
