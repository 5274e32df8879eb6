// Pseudo-random test pattern generator (IEEE 802.3 49.2.8). Latency 1 cycle.
module pcs_test_pattern #(
    parameter [57:0] SEED_A      = 58'h3c8b44dcab6804f,  // 52.9.1.1
    parameter [57:0] SEED_B      = 58'h34906bb85a38884,
    parameter        LOCAL_FAULT = 0
) (
    input             clk,
    input             rst,  // synchronous, active high
    input             enable,
    output reg [63:0] out_payload,
    output reg [1:0]  out_header,
    output reg        out_valid
);
    localparam [63:0] PATTERN = LOCAL_FAULT ? 64'h0100000001000055 : 64'h0;

    reg  [57:0] state;
    reg  [8:0]  count;  // 128 blocks of A, inverted A, B, inverted B

    wire [63:0] data = PATTERN ^ {64{count[7]}};
    reg  [121:0] line;  // bit by bit, as 49.2.6 defines it
    integer      i;
    always @* begin
        line = {64'h0, state};
        for (i = 0; i < 64; i = i + 1)
            line[58 + i] = data[i] ^ line[58 + i - 39] ^ line[i];
    end

    wire [8:0]  after = count + 9'd1;
    wire [57:0] seed  = (after[8] ? SEED_B : SEED_A) ^ {58{after[7]}};

    always @(posedge clk)
        if (rst) begin
            state       <= SEED_A;
            count       <= 9'd0;
            out_payload <= 64'h0;
            out_header  <= 2'b00;
            out_valid   <= 1'b0;
        end else begin
            out_valid   <= enable;
            out_payload <= enable ? line[121:58] : 64'h0;
            out_header  <= enable ? 2'b01 : 2'b00;
            if (enable) begin
                count <= after;
                state <= after[6:0] == 7'd0 ? seed : line[121:64];
            end
        end
endmodule
