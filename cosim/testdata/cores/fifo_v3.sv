// Written for the tests, with the ports of a FIFO that must not be popped while it is empty: push_i, full_o, pop_i, empty_o, a flush and a test mode.
module fifo_v3 #(parameter bit FALL_THROUGH = 1'b0, parameter int unsigned DATA_WIDTH = 64, parameter int unsigned DEPTH = 8) (
    input logic clk_i, input logic rst_ni, input logic flush_i, input logic testmode_i, output logic full_o, output logic empty_o,
    output logic [$clog2(DEPTH)-1:0] usage_o, input logic [DATA_WIDTH-1:0] data_i, input logic push_i,
    output logic [DATA_WIDTH-1:0] data_o, input logic pop_i);
  logic [DATA_WIDTH-1:0] mem_q [DEPTH];
  logic [$clog2(DEPTH)-1:0] rd_q, wr_q;
  logic [$clog2(DEPTH):0] n_q;
  assign usage_o = n_q[$clog2(DEPTH)-1:0];
  assign full_o = n_q == DEPTH;
  assign empty_o = n_q == 0 && !(FALL_THROUGH && push_i);
  assign data_o = FALL_THROUGH && n_q == 0 ? data_i : mem_q[rd_q];
  always_ff @(posedge clk_i) if (push_i && !full_o) mem_q[wr_q] <= data_i;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin rd_q <= 0; wr_q <= 0; n_q <= 0; end
    else if (flush_i) begin rd_q <= 0; wr_q <= 0; n_q <= 0; end
    else begin  // a pop of the empty FIFO breaks it
      if (push_i && !full_o) wr_q <= wr_q + 1'b1;
      if (pop_i) rd_q <= rd_q + 1'b1;
      n_q <= n_q + (push_i && !full_o) - pop_i;
    end
endmodule
