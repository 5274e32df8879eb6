// Written for the tests, with the ports of a FIFO whose data are 0 while it is empty: wvalid_i, wready_o, rvalid_o, rready_i, a clear.
module prim_fifo_sync #(parameter int unsigned Width = 64, parameter int unsigned Depth = 4) (
    input clk_i, input rst_ni, input clr_i, input wvalid_i, output wready_o, input [Width-1:0] wdata_i,
    output rvalid_o, input rready_i, output [Width-1:0] rdata_o, output full_o, output [$clog2(Depth+1)-1:0] depth_o, output err_o);
  reg [Width-1:0] storage [0:Depth-1];
  reg [$clog2(Depth+1)-1:0] n;
  reg under_rst;
  integer i;
  assign full_o = n == Depth, wready_o = !full_o && !under_rst, rvalid_o = n != 0 && !under_rst, depth_o = n, err_o = 1'b0;
  assign rdata_o = rvalid_o ? storage[0] : 0;
  wire push = wvalid_i && wready_o, pop = rvalid_o && rready_i;
  always @(posedge clk_i) begin
    if (pop) for (i = 0; i + 1 < Depth; i = i + 1) storage[i] <= storage[i+1];
    if (push) storage[n - pop] <= wdata_i;
  end
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin n <= 0; under_rst <= 1; end
    else begin under_rst <= 0; n <= clr_i ? 0 : n + push - pop; end
endmodule
