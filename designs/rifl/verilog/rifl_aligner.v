// Lane aligner for frames of 256 bits (RIFL §5.B): looks at the SYN of each frame in turn and slides by one bit while it is illegal.
// 16 legal ones in a row align, two illegal ones of 17 lose alignment, as in the published core. Latency 3 cycles.
module rifl_aligner (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in,
    output reg [63:0] out_data,
    output     [11:0] out_id,
    output reg        out_first,
    output reg        out_last,
    output reg        out_valid,
    output reg        aligned
);
    reg [63:0] now, older, picked;
    reg [5:0]  shift;  // 0: the word as it came; else the last 64-shift bits of the word before it, then shift bits of this one
    reg [1:0]  phase;
    reg [3:0]  legal_row;
    reg [16:0] window;  // the last 17 SYNs, illegal ones as 1

    assign out_id = 12'd0;

    wire [127:0] both   = {now, older};
    wire         first  = phase == 2'd0;
    wire         legal  = picked[63] ^ picked[62];
    wire         earlier = |window[15:0];  // an illegal one that stays in the window
    wire         lose   = aligned && !legal && earlier;
    wire         slide  = first && !legal && (!aligned || earlier);

    always @(posedge clk)
        if (rst) begin
            now       <= 64'd0;
            older     <= 64'd0;
            picked    <= 64'd0;
            shift     <= 6'd0;
            phase     <= 2'd0;
            legal_row <= 4'd0;
            window    <= 17'd0;
            out_data  <= 64'd0;
            out_first <= 1'b0;
            out_last  <= 1'b0;
            out_valid <= 1'b0;
            aligned   <= 1'b0;
        end else begin
            older     <= now;
            now       <= in;
            picked    <= shift == 6'd0 ? now : both[{1'b0, shift} +: 64];
            out_data  <= picked;
            out_first <= first;
            out_last  <= phase == 2'd3;
            out_valid <= 1'b1;
            // from a whole word into the next one: its neighbour is the first of the frame now
            phase     <= slide && shift == 6'd0 ? phase : phase + 2'd1;
            if (slide) shift <= shift + 6'd1;
            if (first) begin
                if (!aligned) begin
                    legal_row <= legal ? legal_row + 4'd1 : 4'd0;
                    if (legal && legal_row == 4'd15) begin
                        aligned <= 1'b1;
                        window  <= 17'd0;
                    end
                end else begin
                    window <= {window[15:0], !legal};
                    if (lose) begin
                        aligned   <= 1'b0;
                        legal_row <= 4'd0;
                    end
                end
            end
        end
endmodule
