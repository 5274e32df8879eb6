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

    function [11:0] step(input [11:0] state, input [63:0] word);
        integer i;
        begin
            step = state;
            for (i = 63; i >= 0; i = i - 1)
                step = {step[10:0], 1'b0} ^ (step[11] ^ word[i] ? 12'h02f : 12'h000);
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
