// Key generation (dRMT 5.1): each of the ten bytes of a key segment is any byte of the header vector of one of two packets. Here a vector
// has 64 bytes and there are two segments; bytes beyond the vector are 0. Latency 1 cycle.
module drmt_key_generator (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] first_0,   // bytes 0 to 7
    input      [63:0] first_1,   // bytes 8 to 15
    input      [63:0] first_2,   // bytes 16 to 23
    input      [63:0] first_3,   // bytes 24 to 31
    input      [63:0] first_4,   // bytes 32 to 39
    input      [63:0] first_5,   // bytes 40 to 47
    input      [63:0] first_6,   // bytes 48 to 55
    input      [63:0] first_7,   // bytes 56 to 63
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
    output reg [63:0] key_0_data_lo,
    output reg [15:0] key_0_data_hi,
    output reg        key_0_valid,
    output reg [63:0] key_1_data_lo,
    output reg [15:0] key_1_data_hi,
    output reg        key_1_valid
);
    wire [511:0] first  = {first_7, first_6, first_5, first_4, first_3, first_2, first_1, first_0};
    wire [511:0] second = {second_7, second_6, second_5, second_4, second_3, second_2, second_1, second_0};
    wire [179:0] sel    = {config_1_hi, config_1_lo, config_0_hi, config_0_lo};
    wire [1:0]   packet = {config_1_second, config_0_second};
    wire [1:0]   enable = {config_1_enable, config_0_enable};

    reg [159:0] key;
    reg [511:0] vector;
    reg [8:0]   at;
    integer     s, k;
    always @* begin
        key    = 160'd0;
        vector = 512'd0;
        at     = 9'd0;
        for (s = 0; s < 2; s = s + 1) begin
            vector = packet[s] ? second : first;
            for (k = 0; k < 10; k = k + 1) begin
                at = sel[90*s + 9*k +: 9];
                if (enable[s] && at < 9'd64) key[80*s + 8*k +: 8] = vector[8*at[5:0] +: 8];
            end
        end
    end
    always @(posedge clk)
        if (rst) {key_1_valid, key_1_data_hi, key_1_data_lo, key_0_valid, key_0_data_hi, key_0_data_lo} <= 162'd0;
        else     {key_1_valid, key_1_data_hi, key_1_data_lo, key_0_valid, key_0_data_hi, key_0_data_lo} <=
                 {enable[1], key[159:80], enable[0], key[79:0]};
endmodule
