// PFC frames of a port (IEEE 802.1Qbb, 802.3 Annex 31D) over a bus of 512 bits, a cycle a quantum. A frame goes out when the line is
// ready and something is to be told: a priority was paused or resumed since the last frame, or a pause that stands is due again.
// Byte 0, the first on the line, is word_0[7:0]. Latency 1 cycle. Decisions on priorities from PRIORITIES on are not looked at.
module spfc_pfc_sender #(
    parameter PRIORITIES = 8
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [7:0]  decisions_pause,
    input      [7:0]  decisions_resume,
    input      [15:0] timing_quanta,
    input      [15:0] timing_refresh,
    input      [63:0] source,
    input             ready,
    output reg [63:0] word_0,
    output reg [63:0] word_1,
    output reg [63:0] word_2,
    output reg [63:0] word_3,
    output reg [63:0] word_4,
    output reg [63:0] word_5,
    output reg [63:0] word_6,
    output reg [63:0] word_7,
    output reg        valid
);
    reg [7:0]  standing;
    reg [7:0]  untold;
    reg [15:0] refresh;

    localparam [7:0] KNOWN = (8'd1 << PRIORITIES) - 8'd1;

    wire [7:0]  pause  = decisions_pause & KNOWN;
    wire [7:0]  resume = decisions_resume & KNOWN;
    wire [7:0]  paused = (standing | pause) & ~resume;
    wire [7:0]  tell   = untold | pause | resume | (refresh == 16'd1 ? paused : 8'd0);
    wire        send   = ready && tell != 8'd0;
    wire [15:0] quanta = timing_quanta == 16'd0 ? 16'd1 : timing_quanta;

    // the frame without FCS in the order of the line: byte 0 is the most significant
    wire [479:0] line = {48'h0180c2000001, source[47:0], 16'h8808, 16'h0101, 8'h00, tell | paused,
                         paused[0] ? quanta : 16'd0, paused[1] ? quanta : 16'd0, paused[2] ? quanta : 16'd0, paused[3] ? quanta : 16'd0,
                         paused[4] ? quanta : 16'd0, paused[5] ? quanta : 16'd0, paused[6] ? quanta : 16'd0, paused[7] ? quanta : 16'd0,
                         208'd0};

    // 802.3 3.2.9: bits of a byte go least significant first
    function [31:0] fcs(input [479:0] bytes);
        integer i;
        reg [31:0] c;
        begin
            c = 32'hffffffff;
            for (i = 0; i < 480; i = i + 1)
                c = {1'b0, c[31:1]} ^ (c[0] ^ bytes[479 - (i & ~7) - 7 + (i & 7)] ? 32'hedb88320 : 32'd0);
            fcs = ~c;
        end
    endfunction

    function [63:0] swap(input [63:0] w);
        swap = {w[7:0], w[15:8], w[23:16], w[31:24], w[39:32], w[47:40], w[55:48], w[63:56]};
    endfunction

    always @(posedge clk) begin
        word_0 <= 64'd0;
        word_1 <= 64'd0;
        word_2 <= 64'd0;
        word_3 <= 64'd0;
        word_4 <= 64'd0;
        word_5 <= 64'd0;
        word_6 <= 64'd0;
        word_7 <= 64'd0;
        valid  <= 1'b0;
        if (rst) begin
            standing <= 8'd0;
            untold   <= 8'd0;
            refresh  <= 16'd0;
        end else begin
            standing <= paused;
            untold   <= send ? 8'd0 : tell;
            refresh  <= send ? (paused != 8'd0 ? timing_refresh : 16'd0) : refresh == 16'd0 ? 16'd0 : refresh - 16'd1;
            if (send) begin
                word_0 <= swap(line[479:416]);
                word_1 <= swap(line[415:352]);
                word_2 <= swap(line[351:288]);
                word_3 <= swap(line[287:224]);
                word_4 <= swap(line[223:160]);
                word_5 <= swap(line[159:96]);
                word_6 <= swap(line[95:32]);
                word_7 <= {fcs(line), 32'd0};
                valid  <= 1'b1;
            end
        end
    end

    wire unused = &{1'b0, source[63:48], line[31:0]};
endmodule
