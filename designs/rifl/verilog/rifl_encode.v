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

    reg [8*PAYLOAD-1:0] payload;  // the first byte in the most significant bits
    integer             i;
    always @* begin
        for (i = 0; i < PAYLOAD; i = i + 1)
            payload[8*(PAYLOAD-1-i) +: 8] = i < bytes ? data[8*i +: 8] : 8'h00;
        if (meta == 2'b10) payload[7:0] = bytes;  // the format code
    end

    assign frame = {2'b01, meta, payload, 12'h000};
endmodule
