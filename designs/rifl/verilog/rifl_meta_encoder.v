// Meta code encoding with a register after it (RIFL Table 1, Fig. 2). Latency 1 cycle.
module rifl_meta_encoder #(
    parameter WORDS = 4  // of 64 bits a frame
) (
    input                     clk,
    input                     rst,   // synchronous, active high
    input      [64*WORDS-1:0] data,  // byte 0 in bits 7:0
    input      [11:0]         control_bytes,
    input                     control_last,
    input                     control_valid,
    output reg [64*WORDS-1:0] frame
);
    localparam PAYLOAD = 8 * WORDS - 2;

    wire [64*WORDS-1:0] next;
    wire [7:0]          bytes = !control_valid ? 8'd0 : control_bytes > PAYLOAD ? PAYLOAD : control_bytes[7:0];
    rifl_encode #(WORDS) encode (.data(data[8*PAYLOAD-1:0]), .bytes(bytes), .last(control_last), .frame(next));

    always @(posedge clk)
        if (rst) frame <= 0;
        else     frame <= next;
endmodule
