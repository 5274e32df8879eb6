// Cell header of Shoal (Fig. 5): fields side by side, the first in the high bits, and a CRC-8 over them in the low ones:
// x^8+x^2+x+1 by default, the highest bit first, from zero. Latency 1 cycle.
// POLYNOMIAL is that of the CRC without x^8.
module shoal_header_encoder #(
    parameter [7:0] POLYNOMIAL = 8'h07
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [9:0]  in_source,
    input      [9:0]  in_dest,
    input      [21:0] in_sequence,
    input      [10:0] in_feedback,
    input             in_start,
    input             in_end,
    input             in_dropped,
    input             in_valid,
    output reg [63:0] out_bits,
    output reg        out_valid
);
    wire [55:0] fields = {in_source, in_dest, in_sequence, in_feedback, in_start, in_end, in_dropped};

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
            out_bits  <= 64'd0;
            out_valid <= 1'b0;
        end else begin
            out_bits  <= {fields, crc8(fields)};
            out_valid <= in_valid;
        end
endmodule
