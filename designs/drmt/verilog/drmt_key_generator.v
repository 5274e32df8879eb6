// Key generation (dRMT 5.1): each of the ten bytes of a key segment is any byte of the header vector of one of two packets. A
// vector has WORDS words of 8 bytes, at most 64, and there are SEGMENTS segments; bytes beyond the vector are 0. Latency 1 cycle.
module drmt_key_generator #(
    parameter WORDS    = 8,
    parameter SEGMENTS = 2
) (
    input             clk,
    input             rst,  // synchronous, active high
    // the words of the first packet, the first bytes in the low bits
    input      [63:0] first_0,
    input      [63:0] first_1,
    input      [63:0] first_2,
    input      [63:0] first_3,
    input      [63:0] first_4,
    input      [63:0] first_5,
    input      [63:0] first_6,
    input      [63:0] first_7,
    input      [63:0] second_0,
    input      [63:0] second_1,
    input      [63:0] second_2,
    input      [63:0] second_3,
    input      [63:0] second_4,
    input      [63:0] second_5,
    input      [63:0] second_6,
    input      [63:0] second_7,
    input      [62:0] config_0_lo,  // bytes 0 to 6 of the key, 9 bits each
    input      [26:0] config_0_hi,  // bytes 7 to 9
    input             config_0_second,
    input             config_0_enable,
    input      [62:0] config_1_lo,  // bytes 0 to 6 of the key, 9 bits each
    input      [26:0] config_1_hi,  // bytes 7 to 9
    input             config_1_second,
    input             config_1_enable,
    output     [63:0] key_0_data_lo,
    output     [15:0] key_0_data_hi,
    output            key_0_valid,
    output     [63:0] key_1_data_lo,
    output     [15:0] key_1_data_hi,
    output            key_1_valid
);
    wire [64*WORDS-1:0]    first, second;
    wire [90*SEGMENTS-1:0] sel;
    wire [SEGMENTS-1:0]    packet, enable;
    assign first[64*0 +: 64] = first_0;
    assign second[64*0 +: 64] = second_0;
    assign first[64*1 +: 64] = first_1;
    assign second[64*1 +: 64] = second_1;
    assign first[64*2 +: 64] = first_2;
    assign second[64*2 +: 64] = second_2;
    assign first[64*3 +: 64] = first_3;
    assign second[64*3 +: 64] = second_3;
    assign first[64*4 +: 64] = first_4;
    assign second[64*4 +: 64] = second_4;
    assign first[64*5 +: 64] = first_5;
    assign second[64*5 +: 64] = second_5;
    assign first[64*6 +: 64] = first_6;
    assign second[64*6 +: 64] = second_6;
    assign first[64*7 +: 64] = first_7;
    assign second[64*7 +: 64] = second_7;
    assign sel[90*0 +: 90] = {config_0_hi, config_0_lo};
    assign packet[0] = config_0_second;
    assign enable[0] = config_0_enable;
    assign sel[90*1 +: 90] = {config_1_hi, config_1_lo};
    assign packet[1] = config_1_second;
    assign enable[1] = config_1_enable;

    reg [80*SEGMENTS-1:0] made;
    reg [64*WORDS-1:0]    vector;
    reg [8:0]             at;
    integer               s, k;
    always @* begin
        made   = 0;
        vector = 0;
        at     = 9'd0;
        for (s = 0; s < SEGMENTS; s = s + 1) begin
            vector = packet[s] ? second : first;
            for (k = 0; k < 10; k = k + 1) begin
                at = sel[90*s + 9*k +: 9];
                if (enable[s] && {1'b0, at} < 8*WORDS) made[80*s + 8*k +: 8] = vector[8*at +: 8];
            end
        end
    end
    reg [80*SEGMENTS-1:0] out;
    reg [SEGMENTS-1:0]    out_valid;
    always @(posedge clk)
        if (rst) {out_valid, out} <= 0;
        else     {out_valid, out} <= {enable, made};

    assign {key_0_data_hi, key_0_data_lo} = out[80*0 +: 80];
    assign key_0_valid = out_valid[0];
    assign {key_1_data_hi, key_1_data_lo} = out[80*1 +: 80];
    assign key_1_valid = out_valid[1];
endmodule
