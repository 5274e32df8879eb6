// PRBS31 on the line, x^31 + x^28 + 1, inverted (IEEE 802.3 49.2.8), WIDTH bits a cycle, at most 64. Latency 1 cycle.
module pcs_line_pattern #(
    parameter        WIDTH = 64,
    parameter [30:0] SEED  = 31'h7fffffff  // the first bits, before inversion
) (
    input             clk,
    input             rst,  // synchronous, active high
    input             enable,
    output reg [63:0] out_lo,
    output reg [1:0]  out_hi,
    output reg        out_valid
);
    reg [30:0] ahead, a;  // the next bits, the first in bit 0
    reg [63:0] word;
    integer    i;

    always @* begin
        a    = ahead;
        word = 64'h0;
        for (i = 0; i < WIDTH; i = i + 1) begin
            word[i] = ~a[0];
            a       = {a[0] ^ a[3], a[30:1]};
        end
    end

    always @(posedge clk)
        if (rst) begin
            ahead     <= SEED;
            out_lo    <= 64'h0;
            out_hi    <= 2'b00;
            out_valid <= 1'b0;
        end else begin
            if (enable) ahead <= a;
            out_lo    <= enable ? word : 64'h0;
            out_hi    <= 2'b00;
            out_valid <= enable;
        end
endmodule
