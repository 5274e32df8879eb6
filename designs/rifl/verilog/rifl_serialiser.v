// The TX width converter (RIFL §5.B, Fig. 6): a frame of the frame clock as WORDS words of the transceiver clock. Each edge of the frame
// clock is one of the transceiver clock, so nothing is synchronised. Latency 1 cycle from a frame to its first word.
module rifl_serialiser #(
    parameter WORDS = 4  // of 64 bits a frame
) (
    input                     clk,    // the transceiver's
    input                     rst,    // synchronous, active high; the edge after it sends word 0
    input      [64*WORDS-1:0] frame,  // word 0 in the most significant bits
    input      [11:0]         id_value,
    output reg [63:0]         out_data,
    output reg [11:0]         out_id,
    output reg                out_first,
    output reg                out_last,
    output reg                out_valid
);
    reg [4:0] at;

    wire [64*WORDS-1:0] rest = frame << {at, 6'd0};  // word at in the most significant bits

    always @(posedge clk)
        if (rst) begin
            at        <= 5'd0;
            out_data  <= 64'd0;
            out_id    <= 12'd0;
            out_first <= 1'b0;
            out_last  <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            at        <= at == WORDS - 1 ? 5'd0 : at + 5'd1;
            out_data  <= rest[64*WORDS-1 -: 64];
            out_id    <= id_value;
            out_first <= at == 5'd0;
            out_last  <= at == WORDS - 1;
            out_valid <= 1'b1;
        end
endmodule
