// Written for the tests, with the ports of a FIFO of the valid-ready-in, valid-yumi-out kind.
module fifo_1r1w #(parameter width_p = 64, parameter els_p = 4) (
    input clk_i, input reset_i, input v_i, output ready_param_o, input [width_p-1:0] data_i,
    output v_o, output [width_p-1:0] data_o, input yumi_i);
  reg [width_p-1:0] mem [0:els_p-1];
  reg [$clog2(els_p)-1:0] wptr, rptr;
  reg full, empty;
  assign ready_param_o = !full, v_o = !empty, data_o = mem[rptr];
  wire enq = v_i && !full;
  wire [$clog2(els_p)-1:0] wn = wptr + enq, rn = rptr + yumi_i;
  always @(posedge clk_i) if (enq) mem[wptr] <= data_i;
  always @(posedge clk_i)
    if (reset_i) begin wptr <= 0; rptr <= 0; full <= 0; empty <= 1; end
    else begin
      wptr <= wn; rptr <= rn;
      if (enq != yumi_i) begin full <= enq && wn == rn; empty <= yumi_i && wn == rn; end
    end
endmodule
