// Pseudo-random test pattern checker (IEEE 802.3 49.2.12). Latency 1 cycle.
module pcs_pattern_checker #(
    parameter LOCAL_FAULT = 0
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_payload,
    input      [1:0]  in_header,
    input             in_valid,
    input             lock,
    output reg [15:0] errors
);
    localparam [63:0] PATTERN = LOCAL_FAULT ? 64'h0100000001000055 : 64'h0;

    reg [6:0] left;  // blocks left of the window that a first mismatch opened
    wire      mismatch = in_payload != PATTERN && in_payload != ~PATTERN;

    always @(posedge clk)
        if (rst) begin
            errors <= 16'd0;
            left   <= 7'd0;
        end else if (in_valid && lock) begin
            if (left != 7'd0) begin
                left <= left - 7'd1;
                if (mismatch && errors != 16'hffff) errors <= errors + 16'd1;
            end else if (mismatch) left <= 7'd127;
        end

    wire unused = ^in_header;
endmodule
