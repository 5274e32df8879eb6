// Written for the tests, with the ports of a memory with one write port and one synchronous read port, each with a clock. It holds its last word,
// has no reset, and is 0 at the start.
module ram_1w_1rs #(parameter wordCount = 64, parameter wordWidth = 64, parameter wrAddressWidth = 6, parameter rdAddressWidth = 6) (
    input wr_clk, input wr_en, input [wrAddressWidth-1:0] wr_addr, input [wordWidth-1:0] wr_data,
    input rd_clk, input rd_en, input [rdAddressWidth-1:0] rd_addr, output [wordWidth-1:0] rd_data);
  reg [wordWidth-1:0] mem [0:wordCount-1], q;
  integer i;
  initial for (i = 0; i < wordCount; i = i + 1) mem[i] = 0;
  assign rd_data = q;
  always @(posedge wr_clk) if (wr_en) mem[wr_addr] <= wr_data;
  always @(posedge rd_clk) if (rd_en) q <= mem[rd_addr];
endmodule
