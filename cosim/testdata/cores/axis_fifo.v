// Written for the tests, with the ports of an AXI4-Stream FIFO: tdata, tkeep, tvalid, tready, tlast, tuser, and its status.
module axis_fifo #(parameter DEPTH = 16, parameter DATA_WIDTH = 64, parameter KEEP_WIDTH = DATA_WIDTH / 8) (
    input clk, input rst,
    input [DATA_WIDTH-1:0] s_axis_tdata, input [KEEP_WIDTH-1:0] s_axis_tkeep, input s_axis_tvalid, output s_axis_tready, input s_axis_tlast, input s_axis_tuser,
    output [DATA_WIDTH-1:0] m_axis_tdata, output [KEEP_WIDTH-1:0] m_axis_tkeep, output m_axis_tvalid, input m_axis_tready, output m_axis_tlast, output m_axis_tuser,
    output reg status_overflow, output status_good_frame);
  localparam W = DATA_WIDTH + KEEP_WIDTH + 2, A = $clog2(DEPTH);
  reg [W-1:0] mem [0:DEPTH-1], word;
  reg [A:0] wr, rd;
  reg valid;
  wire full = wr == (rd ^ {1'b1, {A{1'b0}}}), empty = wr == rd, load = !empty && (!valid || m_axis_tready);
  assign s_axis_tready = !full, m_axis_tvalid = valid, status_good_frame = s_axis_tvalid && s_axis_tready && s_axis_tlast;
  assign {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser} = word;
  always @(posedge clk) begin
    if (s_axis_tvalid && !full) begin mem[wr[A-1:0]] <= {s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tuser}; wr <= wr + 1; end
    if (m_axis_tready) valid <= 0;
    if (load) begin word <= mem[rd[A-1:0]]; valid <= 1; rd <= rd + 1; end
    status_overflow <= s_axis_tvalid && full;
    if (rst) begin wr <= 0; rd <= 0; valid <= 0; end
  end
endmodule
