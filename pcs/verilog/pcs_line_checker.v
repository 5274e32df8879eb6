// Checker of PRBS31 on the line (IEEE 802.3 49.2.12), WIDTH bits a cycle, at most 64. Latency 1 cycle.
module pcs_line_checker #(
    parameter WIDTH = 64
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_lo,
    input      [1:0]  in_hi,
    input             in_valid,
    output reg [31:0] errors
);
    reg [30:0] past, p;  // the last bits received, inversion removed, the newest in bit 30
    reg [4:0]  blind, b; // bits still missing before the first prediction
    reg [31:0] e;
    integer    i;

    always @* begin
        p = past;
        b = blind;
        e = errors;
        for (i = 0; i < WIDTH; i = i + 1) begin
            if (b != 5'd0) b = b - 5'd1;
            else if (~in_lo[i] != (p[0] ^ p[3]) && e != 32'hffffffff) e = e + 32'd1;
            p = {~in_lo[i], p[30:1]};
        end
    end

    always @(posedge clk)
        if (rst) begin
            past   <= 31'h0;
            blind  <= 5'd31;
            errors <= 32'd0;
        end else if (in_valid) begin
            past   <= p;
            blind  <= b;
            errors <= e;
        end

    wire unused = ^in_hi;
endmodule
