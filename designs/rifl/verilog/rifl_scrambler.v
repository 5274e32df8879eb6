// Self-synchronous scrambler 1 + x^13 + x^33 (RIFL §5.B), a word of 64 bits a cycle, the most significant bit first. The SYN
// and the verification code pass as they are. Latency 1 cycle.
module rifl_scrambler (
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
    reg [32:0] state;  // the last 33 bits sent, the latest in bit 0

    // 62 bits after the SYN, 64, or 52 before the code, in the low bits
    wire [63:0] d = in_first ? {2'b00, in_data[61:0]} : in_last ? {12'h000, in_data[63:12]} : in_data;
    wire [63:0] e = in_first ? {2'b00, state, 29'd0} ^ {2'b00, state[12:0], 49'd0}
                  : in_last  ? {12'h000, state, 19'd0} ^ {12'h000, state[12:0], 39'd0}
                  :            {state, 31'd0} ^ {state[12:0], 51'd0};

    // earlier bits of the same word: 1/(1+u) = (1+u)(1+u^2)(1+u^4), u being a shift by 13 and one by 33
    wire [63:0] t = d ^ e;
    wire [63:0] a = t ^ {13'd0, t[63:13]} ^ {33'd0, t[63:33]};
    wire [63:0] b = a ^ {26'd0, a[63:26]};
    wire [63:0] s = b ^ {52'd0, b[63:52]};

    always @(posedge clk)
        if (rst) begin
            state     <= 33'd0;
            out_data  <= 64'd0;
            out_id    <= 12'd0;
            out_first <= 1'b0;
            out_last  <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            out_data  <= !in_valid ? in_data : in_first ? {in_data[63:62], s[61:0]} : in_last ? {s[51:0], in_data[11:0]} : s;
            out_id    <= in_id;
            out_first <= in_first;
            out_last  <= in_last;
            out_valid <= in_valid;
            if (in_valid) state <= s[32:0];
        end
endmodule
