// A pointer that crosses to the other clock changes in at most one bit at an edge: whoever samples it gets the old or the new one. What is
// asserted of a side follows from that side alone, so that the clocks, which a proof has to be one, may be any.
module proof (input clk, input [63:0] data, input push, input pop);
  localparam A = 3;  // 8 words
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  (* keep *) wire ready, shown;
  blocks_async_fifo #(.DEPTH(1 << A)) fifo (.write_clk(clk), .write_rst(rst), .write_data(data), .write_push(push), .write_ready(ready),
      .read_clk(clk), .read_rst(rst), .read_pop(pop), .read_data(), .read_valid(shown));

  (* keep *) wire [A:0] write_gray, read_gray, written, taken;
  reg [A:0] last_write, last_read;
  always @(posedge clk) begin
    last_write <= rst ? 0 : write_gray;
    last_read  <= rst ? 0 : read_gray;
  end
  wire [A:0] wrote = write_gray ^ last_write, read = read_gray ^ last_read;
  always @* if (started) begin
    write_one: assert ((wrote & (wrote - 1)) == 0);
    read_one: assert ((read & (read - 1)) == 0);
    wraps: cover (write_gray[A] && read_gray[A]);
`ifndef REFUTE
    write_code: assert (write_gray == (written ^ written >> 1));
    read_code: assert (read_gray == (taken ^ taken >> 1));
    write_step: assert (last_write == write_gray || last_write == (written - 1'b1 ^ (written - 1'b1) >> 1));
    read_step: assert (last_read == read_gray || last_read == (taken - 1'b1 ^ (taken - 1'b1) >> 1));
`endif
  end
endmodule
