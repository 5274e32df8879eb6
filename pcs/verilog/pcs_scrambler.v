// Self-synchronous scrambler 1 + x^39 + x^58 (IEEE 802.3 49.2.6), 64 bits a cycle. Latency 1 cycle.
module pcs_scrambler (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_payload,
    input      [1:0]  in_header,
    input             in_valid,
    output reg [63:0] out_payload,
    output reg [1:0]  out_header,
    output reg        out_valid
);
    reg  [57:0] state;  // the last 58 bits sent, the oldest in bit 0

    // what earlier words contribute, then what the word itself does
    wire [63:0] t = in_payload ^ {25'h0, state[57:19]} ^ {6'h0, state};
    wire [63:0] s = t ^ {t[24:0], 39'h0} ^ {t[5:0], 58'h0};

    always @(posedge clk)
        if (rst) begin
            state       <= {58{1'b1}};
            out_payload <= 64'h0;
            out_header  <= 2'b00;
            out_valid   <= 1'b0;
        end else begin
            out_payload <= in_valid ? s : in_payload;
            out_header  <= in_header;
            out_valid   <= in_valid;
            if (in_valid) state <= s[63:6];
        end
endmodule
