// Descrambler 1 + x^39 + x^58 (IEEE 802.3 49.2.10), 64 bits a cycle. Latency 1 cycle; next_* show the block on its way in.
module pcs_descrambler (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_payload,
    input      [1:0]  in_header,
    input             in_valid,
    output reg [63:0] out_payload,  // holds its block until the next valid one
    output reg [1:0]  out_header,
    output reg        out_valid,
    output     [63:0] next_payload,
    output     [1:0]  next_header,
    output            next_valid
);
    reg  [57:0]  state;                        // the last 58 bits received, the oldest in bit 0
    wire [121:0] line = {in_payload, state};   // bit 58 + i is bit i of the word

    genvar i;
    generate
        for (i = 0; i < 64; i = i + 1) begin : bits
            assign next_payload[i] = line[58 + i] ^ line[58 + i - 39] ^ line[i];
        end
    endgenerate
    assign next_header = in_header;
    assign next_valid  = in_valid;

    always @(posedge clk)
        if (rst) begin
            state       <= {58{1'b1}};
            out_payload <= 64'h0;
            out_header  <= 2'b00;
            out_valid   <= 1'b0;
        end else if (in_valid) begin
            state       <= in_payload[63:6];
            out_payload <= next_payload;
            out_header  <= next_header;
            out_valid   <= 1'b1;
        end
endmodule
