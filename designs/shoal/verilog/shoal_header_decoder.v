// Cell header of Shoal (Fig. 5) taken apart. The fields come out even if the CRC-8 is wrong. Latency 1 cycle.
// POLYNOMIAL is that of the CRC without x^8.
module shoal_header_decoder #(
    parameter [7:0] POLYNOMIAL = 8'h07
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_bits,
    input             in_valid,
    output reg [9:0]  out_source,
    output reg [9:0]  out_dest,
    output reg [21:0] out_sequence,
    output reg [10:0] out_feedback,
    output reg        out_start,
    output reg        out_end,
    output reg        out_dropped,
    output reg        out_valid,
    output reg        corrupt
);
    function [7:0] crc8(input [55:0] data);
        integer i;
        begin
            crc8 = 8'h00;
            for (i = 55; i >= 0; i = i - 1)
                crc8 = {crc8[6:0], 1'b0} ^ ((crc8[7] ^ data[i]) ? POLYNOMIAL : 8'h00);
        end
    endfunction

    always @(posedge clk)
        if (rst) begin
            {out_source, out_dest, out_sequence, out_feedback, out_start, out_end, out_dropped} <= 56'd0;
            out_valid <= 1'b0;
            corrupt   <= 1'b0;
        end else begin
            {out_source, out_dest, out_sequence, out_feedback, out_start, out_end, out_dropped} <= in_bits[63:8];
            out_valid <= in_valid;
            corrupt   <= in_valid && crc8(in_bits[63:8]) != in_bits[7:0];
        end
endmodule
