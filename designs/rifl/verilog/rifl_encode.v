// Meta code encoding (RIFL Table 1, Fig. 2): up to 8 * WORDS - 2 bytes as a data frame, the code's place left 0. Combinational.
module rifl_encode #(
    parameter WORDS = 4  // of 64 bits a frame
) (
    input  [64*WORDS-17:0] data,   // byte 0 in bits 7:0
    input  [7:0]           bytes,  // valid ones, at most 8 * WORDS - 2
    input                  last,   // they end a packet
    output [64*WORDS-1:0]  frame
);
    localparam PAYLOAD = 8 * WORDS - 2;

    wire       full = bytes == PAYLOAD;
    wire [1:0] meta = bytes == 8'd0 ? 2'b00 : last ? {1'b1, full} : 2'b01;

    // bytes after the last are 0
    wire [8*PAYLOAD-1:0] kept = data & ~({(8*PAYLOAD){1'b1}} << {bytes, 3'b000});

    wire [8*PAYLOAD-1:0] turned;  // the first byte in the most significant bits
    genvar i;
    generate
        for (i = 0; i < PAYLOAD; i = i + 1) begin : turn
            assign turned[8*(PAYLOAD-1-i) +: 8] = kept[8*i +: 8];
        end
    endgenerate

    wire [8*PAYLOAD-1:0] payload = {turned[8*PAYLOAD-1:8], meta == 2'b10 ? bytes : turned[7:0]};  // the format code

    assign frame = {2'b01, meta, payload, 12'h000};
endmodule
