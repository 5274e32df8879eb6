// BER monitor (IEEE 802.3 Figure 49-15). Latency 1 cycle. For 10GBASE-R: WINDOW 19531, LIMIT 16; for 25GBASE-R: 781250, 97.
// The defaults are those of the exported vectors.
module pcs_ber_monitor #(
    parameter [31:0] WINDOW = 128,  // blocks
    parameter [31:0] LIMIT  = 8     // invalid sync headers
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_payload,
    input      [1:0]  in_header,
    input             in_valid,
    input             lock,
    output reg        hi_ber
);
    reg  [31:0] timer, ber_cnt;
    wire        bad   = in_header[0] == in_header[1];
    wire [31:0] count = bad && ber_cnt != LIMIT ? ber_cnt + 32'd1 : ber_cnt;

    always @(posedge clk)
        if (rst || !lock) begin
            timer   <= 32'd0;
            ber_cnt <= 32'd0;
            hi_ber  <= 1'b0;
        end else if (in_valid) begin
            if (count == LIMIT) hi_ber <= 1'b1;
            timer   <= timer + 32'd1;
            ber_cnt <= count;
            if (timer == WINDOW - 32'd1) begin
                if (count != LIMIT) hi_ber <= 1'b0;
                timer   <= 32'd0;
                ber_cnt <= 32'd0;
            end
        end

    wire unused = &in_payload;
endmodule
