// Written for the tests, with the ports of a clock crossing between two valid/ready handshakes: src_ and dst_, asynchronous resets.
module cdc_fifo_gray #(parameter int unsigned WIDTH = 64, parameter int unsigned LOG_DEPTH = 3) (
    input  logic src_rst_ni, input logic src_clk_i, input logic [WIDTH-1:0] src_data_i, input logic src_valid_i, output logic src_ready_o,
    input  logic dst_rst_ni, input logic dst_clk_i, output logic [WIDTH-1:0] dst_data_o, output logic dst_valid_o, input logic dst_ready_i);
  logic [WIDTH-1:0] data_q [2**LOG_DEPTH];
  logic [LOG_DEPTH:0] wptr_q, wgray_q, rptr_q, rgray_q;
  logic [LOG_DEPTH:0] w_sync [2], r_sync [2];
  wire [LOG_DEPTH:0] full_at = r_sync[1] ^ {2'b11, {(LOG_DEPTH-1){1'b0}}};
  wire push = src_valid_i && src_ready_o, pop = dst_valid_o && dst_ready_i;
  wire [LOG_DEPTH:0] wnext = wptr_q + {{LOG_DEPTH{1'b0}}, push}, rnext = rptr_q + {{LOG_DEPTH{1'b0}}, pop};
  assign src_ready_o = wgray_q != full_at;
  assign dst_valid_o = rgray_q != w_sync[1];
  assign dst_data_o = data_q[rptr_q[LOG_DEPTH-1:0]];
  always_ff @(posedge src_clk_i) if (push) data_q[wptr_q[LOG_DEPTH-1:0]] <= src_data_i;
  always_ff @(posedge src_clk_i or negedge src_rst_ni)
    if (!src_rst_ni) begin wptr_q <= 0; wgray_q <= 0; r_sync[0] <= 0; r_sync[1] <= 0; end
    else begin wptr_q <= wnext; wgray_q <= wnext ^ (wnext >> 1); r_sync[0] <= rgray_q; r_sync[1] <= r_sync[0]; end
  always_ff @(posedge dst_clk_i or negedge dst_rst_ni)
    if (!dst_rst_ni) begin rptr_q <= 0; rgray_q <= 0; w_sync[0] <= 0; w_sync[1] <= 0; end
    else begin rptr_q <= rnext; rgray_q <= rnext ^ (rnext >> 1); w_sync[0] <= wgray_q; w_sync[1] <= w_sync[0]; end
endmodule
