// Ethernet CRC-32 (IEEE 802.3 3.2.9) over messages of up to eight bytes a cycle. Latency 1 cycle.
module blocks_crc32 (
    input             clk,
    input             rst,       // synchronous, active high
    input      [63:0] in_data,   // first byte in bits 7:0
    input      [3:0]  in_bytes,  // 0 to 8; more count as 8
    input             in_first,
    input             in_last,
    input             in_valid,
    output reg [63:0] out_crc,
    output reg        out_valid
);
    reg [31:0] state;
    reg [31:0] c;
    integer    i;

    // bit by bit, the least significant of each byte first
    always @* begin
        c = in_first ? 32'hffffffff : state;
        for (i = 0; i < 64; i = i + 1)
            if (i < 8 * in_bytes)
                c = (c >> 1) ^ ((c[0] ^ in_data[i]) ? 32'hedb88320 : 32'h0);
    end

    always @(posedge clk)
        if (rst) begin
            state     <= 32'h0;
            out_crc   <= 64'h0;
            out_valid <= 1'b0;
        end else begin
            out_crc   <= 64'h0;
            out_valid <= in_valid & in_last;
            if (in_valid) begin
                state <= c;
                if (in_last) out_crc <= {32'h0, ~c};
            end
        end
endmodule
