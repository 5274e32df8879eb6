// Written for the tests, with the ports of a packer that unpacks here: words of 64 bits leave as two of 32, the low one first.
module packer_fifo #(parameter int InW = 64, parameter int OutW = 32, parameter bit ClearOnRead = 1'b1) (
    input logic clk_i, input logic rst_ni, input logic clr_i, input logic wvalid_i, input logic [InW-1:0] wdata_i, output logic wready_o,
    output logic rvalid_o, output logic [OutW-1:0] rdata_o, input logic rready_i, output logic [$clog2(InW/OutW):0] depth_o);
  logic [InW-1:0] data_q;
  logic [$clog2(InW/OutW):0] n_q;
  assign depth_o = n_q, rvalid_o = n_q != 0, rdata_o = data_q[OutW-1:0], wready_o = n_q == 0 && !clr_i;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin n_q <= 0; data_q <= 0; end
    else if (clr_i) n_q <= 0;
    else if (wvalid_i && wready_o) begin n_q <= InW / OutW; data_q <= wdata_i; end
    else if (rvalid_o && rready_i) begin n_q <= n_q - 1'b1; data_q <= data_q >> OutW; end
endmodule
