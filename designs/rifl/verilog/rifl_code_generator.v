// Verification code of a frame: CRC-12 (x^12+x^5+x^3+x^2+x+1) over all of it, the code taken as 0, xor its ID (RIFL §3.B).
// A word of 64 bits a cycle, the most significant bit first. Latency 1 cycle.
module rifl_code_generator (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_data,
    input      [11:0] in_id,
    input             in_first,
    input             in_last,
    input             in_valid,
    output reg [63:0] out_data,
    output reg [11:0] out_id,
    output reg        out_first,
    output reg        out_last,
    output reg        out_valid
);
    reg [11:0] crc;

    localparam [11:0] POLY = 12'h02f;

    // the bits of a word that bit n of its CRC is the parity of: bit i stands for x^(i+12)
    function [63:0] taps(input [3:0] n);
        integer    i;
        reg [11:0] r;
        begin
            r = POLY;
            for (i = 0; i < 64; i = i + 1) begin
                taps[i] = r[n];
                r       = {r[10:0], 1'b0} ^ (r[11] ? POLY : 12'h000);
            end
        end
    endfunction
    localparam [63:0] T0 = taps(4'd0), T1 = taps(4'd1), T2 = taps(4'd2), T3 = taps(4'd3), T4 = taps(4'd4), T5 = taps(4'd5), T6 = taps(4'd6), T7 = taps(4'd7),
        T8 = taps(4'd8), T9 = taps(4'd9), T10 = taps(4'd10), T11 = taps(4'd11);

    function [11:0] step(input [11:0] state, input [63:0] word);
        reg [63:0] w;
        begin
            w    = word ^ {state, 52'd0};
            step = {^(w & T11), ^(w & T10), ^(w & T9), ^(w & T8), ^(w & T7), ^(w & T6), ^(w & T5), ^(w & T4), ^(w & T3), ^(w & T2), ^(w & T1), ^(w & T0)};
        end
    endfunction

    wire [63:0] covered = in_last ? {in_data[63:12], 12'h000} : in_data;
    wire [11:0] next    = step(in_first ? 12'h000 : crc, covered);

    always @(posedge clk)
        if (rst) begin
            crc       <= 12'h000;
            out_data  <= 64'd0;
            out_id    <= 12'd0;
            out_first <= 1'b0;
            out_last  <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            out_data  <= in_valid && in_last ? {in_data[63:12], next ^ in_id} : in_data;
            out_id    <= in_id;
            out_first <= in_first;
            out_last  <= in_last;
            out_valid <= in_valid;
            if (in_valid) crc <= next;
        end
endmodule
