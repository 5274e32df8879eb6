// Written for the tests, with the ports of a width adapter between AXI4-Streams: four words of 16 bits become one of 64, the first in the low bits.
module axis_adapter #(parameter S_DATA_WIDTH = 16, parameter M_DATA_WIDTH = 64) (
    input clk, input rst,
    input [S_DATA_WIDTH-1:0] s_axis_tdata, input s_axis_tvalid, output s_axis_tready, input s_axis_tlast,
    output reg [M_DATA_WIDTH-1:0] m_axis_tdata, output reg m_axis_tvalid, input m_axis_tready, output reg m_axis_tlast);
  reg [$clog2(M_DATA_WIDTH/S_DATA_WIDTH)-1:0] segment;
  assign s_axis_tready = !m_axis_tvalid || m_axis_tready;
  always @(posedge clk) begin
    if (m_axis_tready) m_axis_tvalid <= 0;
    if (s_axis_tvalid && s_axis_tready) begin
      m_axis_tdata[segment*S_DATA_WIDTH +: S_DATA_WIDTH] <= s_axis_tdata;
      segment <= segment + 1;
      m_axis_tvalid <= &segment || s_axis_tlast;
      m_axis_tlast <= s_axis_tlast;
    end
    if (rst) begin segment <= 0; m_axis_tvalid <= 0; m_axis_tlast <= 0; end
  end
endmodule
