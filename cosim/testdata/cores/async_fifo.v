// Written for the tests, with the ports of an asynchronous FIFO after Cummings: winc, wfull, rinc, rempty, and almost-flags; a word is shown
// while the FIFO is not empty.
module async_fifo #(parameter DSIZE = 64, parameter ASIZE = 3) (
    input wclk, input wrst_n, input winc, input [DSIZE-1:0] wdata, output reg wfull, output reg awfull,
    input rclk, input rrst_n, input rinc, output [DSIZE-1:0] rdata, output reg rempty, output reg arempty);
  reg [DSIZE-1:0] mem [0:(1<<ASIZE)-1];
  reg [ASIZE:0] wbin, wptr, rbin, rptr, wq1_rptr, wq2_rptr, rq1_wptr, rq2_wptr;
  wire [ASIZE:0] wnext = wbin + (winc & ~wfull), rnext = rbin + (rinc & ~rempty), one = 1;
  wire [ASIZE:0] wgray = (wnext >> 1) ^ wnext, rgray = (rnext >> 1) ^ rnext;
  assign rdata = mem[rbin[ASIZE-1:0]];
  always @(posedge wclk) if (winc && !wfull) mem[wbin[ASIZE-1:0]] <= wdata;
  always @(posedge wclk or negedge wrst_n)
    if (!wrst_n) {wbin, wptr, wq2_rptr, wq1_rptr, wfull, awfull} <= 0;
    else begin
      {wbin, wptr, wq2_rptr, wq1_rptr} <= {wnext, wgray, wq1_rptr, rptr};
      wfull <= wgray == {~wq2_rptr[ASIZE:ASIZE-1], wq2_rptr[ASIZE-2:0]};
      awfull <= (((wnext + one) >> 1) ^ (wnext + one)) == {~wq2_rptr[ASIZE:ASIZE-1], wq2_rptr[ASIZE-2:0]};
    end
  always @(posedge rclk or negedge rrst_n)
    if (!rrst_n) begin {rbin, rptr, rq2_wptr, rq1_wptr} <= 0; rempty <= 1; arempty <= 0; end
    else begin
      {rbin, rptr, rq2_wptr, rq1_wptr} <= {rnext, rgray, rq1_wptr, wptr};
      rempty <= rgray == rq2_wptr;
      arempty <= (((rnext + one) >> 1) ^ (rnext + one)) == rq2_wptr;
    end
endmodule
