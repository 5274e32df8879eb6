// PFC frames out of what a MAC receives over a bus of 512 bits, a beat a quantum, and the pauses of 8 priorities (IEEE 802.3 Annex
// 31D). A good frame loads the timers of the classes that it enables; a priority is open while its timer is 0. Latency 1 cycle.
// Priorities from PRIORITIES on have no timer and are always open.
module spfc_pfc_receiver #(
    parameter PRIORITIES = 8
) (
    input             clk,
    input             rst,  // synchronous, active high
    input             beat_valid,
    input             beat_first,
    input             beat_last,
    input      [6:0]  beat_bytes,
    input      [63:0] word_0,
    input      [63:0] word_1,
    input      [63:0] word_2,
    input      [63:0] word_3,
    input      [63:0] word_4,
    input      [63:0] word_5,
    input      [63:0] word_6,
    input      [63:0] word_7,
    output reg [7:0]  open,
    output reg        got,
    output reg        wrong
);
    wire [511:0] frame = {word_7, word_6, word_5, word_4, word_3, word_2, word_1, word_0};  // byte n is [8n+7:8n]

    // CRC over the frame and its FCS, four bits a step; a good frame leaves the residue of 802.3. What four bits do is the sum of what each
    // does alone.
    function [31:0] step(input [3:0] k);
        step = ({32{k[0]}} & 32'h1db71064) ^ ({32{k[1]}} & 32'h3b6e20c8) ^ ({32{k[2]}} & 32'h76dc4190) ^ ({32{k[3]}} & 32'hedb88320);
    endfunction
    function [31:0] residue(input [511:0] bits);
        integer i;
        reg [31:0] c;
        reg [3:0]  k;
        begin
            c = 32'hffffffff;
            for (i = 0; i < 512; i = i + 4) begin
                k = c[3:0] ^ bits[i +: 4];
                c = {4'd0, c[31:4]} ^ step(k);
            end
            residue = c;
        end
    endfunction

    wire whole  = beat_valid && beat_first && beat_last && beat_bytes == 7'd64;
    wire is_pfc = word_0[47:0] == 48'h010000c28001 && word_1[63:32] == 32'h01010888;

    reg [15:0] timer [0:PRIORITIES-1];
    reg        intact;
    reg [15:0] left;
    integer    n;

    always @(posedge clk)
        if (rst) begin
            open  <= 8'hff;
            got   <= 1'b0;
            wrong <= 1'b0;
            for (n = 0; n < PRIORITIES; n = n + 1) timer[n] <= 16'd0;
        end else begin
            intact = 1'b0;
            if (whole) intact = residue(frame) == 32'hdebb20e3;
            got   <= intact && is_pfc;
            wrong <= whole && !intact;
            for (n = 0; n < PRIORITIES; n = n + 1) begin
                left = timer[n] == 16'd0 ? 16'd0 : timer[n] - 16'd1;
                if (intact && is_pfc && frame[8 * 17 + n])
                    left = {frame[8 * (18 + 2 * n) +: 8], frame[8 * (19 + 2 * n) +: 8]};
                timer[n] <= left;
                open[n]  <= left == 16'd0;
            end
        end
endmodule
