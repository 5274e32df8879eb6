// Meta code decoding (RIFL Table 1, Fig. 2): a data frame as up to 8 * WORDS - 2 bytes. Combinational.
module rifl_decode #(
    parameter WORDS = 4  // of 64 bits a frame
) (
    input      [64*WORDS-1:0]  frame,
    output     [64*WORDS-17:0] data,   // byte 0 in bits 7:0; those that are not valid are 0
    output     [7:0]           bytes,
    output                     last
);
    localparam PAYLOAD = 8 * WORDS - 2;
    localparam [7:0] FULL = PAYLOAD[7:0];

    wire [1:0] meta   = frame[64*WORDS-3 -: 2];
    wire [7:0] format = frame[19:12];

    // a count that no sender sends is cut
    assign bytes = meta == 2'b00 ? 8'd0 : meta == 2'b10 ? (format < FULL ? format : FULL - 8'd1) : FULL;
    assign last  = meta[1];

    wire [8*PAYLOAD-1:0] turned;  // the first byte, which is the most significant of the frame, in bits 7:0
    genvar i;
    generate
        for (i = 0; i < PAYLOAD; i = i + 1) begin : turn
            assign turned[8*i +: 8] = frame[64*WORDS-5-8*i -: 8];
        end
    endgenerate
    assign data = turned & ~({(8*PAYLOAD){1'b1}} << {bytes, 3'b000});
endmodule
