// Meta code decoding with a register after it (RIFL Table 1, Fig. 2). Control frames and those without valid data give no beat.
// Latency 1 cycle.
module rifl_meta_decoder #(
    parameter WORDS = 4  // of 64 bits a frame
) (
    input                     clk,
    input                     rst,  // synchronous, active high
    input      [64*WORDS-1:0] frame,
    output reg [64*WORDS-1:0] data,  // byte 0 in bits 7:0
    output reg [11:0]         control_bytes,
    output reg                control_last,
    output reg                control_valid
);
    wire [64*WORDS-17:0] next;
    wire [7:0]           bytes;
    wire                 last;
    rifl_decode #(WORDS) decode (.frame(frame), .data(next), .bytes(bytes), .last(last));

    wire valid = frame[64*WORDS-1 -: 2] == 2'b01 && frame[64*WORDS-3 -: 2] != 2'b00;

    always @(posedge clk)
        if (rst) begin
            data          <= 0;
            control_bytes <= 12'd0;
            control_last  <= 1'b0;
            control_valid <= 1'b0;
        end else begin
            data          <= valid ? {16'd0, next} : 0;
            control_bytes <= valid ? {4'd0, bytes} : 12'd0;
            control_last  <= valid && last;
            control_valid <= valid;
        end
endmodule
