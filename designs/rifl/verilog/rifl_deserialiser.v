// The RX width converter (RIFL §5.B, Fig. 6): words of data frames as they come out of the clock crossing become frames. All words but
// the last go into the converter as they come; the last waits for the frame clock, of which each edge is one in WORDS of ours. So a
// frame stands at the output, without a register of its own, until the frame clock has taken it.
module rifl_deserialiser #(
    parameter WORDS = 4  // of 64 bits a frame
) (
    input                 clk,  // the transceiver's
    input                 rst,  // synchronous, active high; the frame clock has an edge with the last of each WORDS edges after it
    input  [63:0]         in_data,
    input                 in_first,
    input                 in_last,
    input                 in_good,  // of the last word: the frame is the one that is due
    input                 in_valid,
    output                pop,
    output [64*WORDS-1:0] frame,    // word 0 in the most significant bits
    output                valid
);
    reg [4:0]           edges, at;
    reg [64*WORDS-65:0] words;  // of the frame so far, the latest in the least significant bits

    wire frame_edge = edges == WORDS - 1;
    assign pop   = in_valid && (!in_last || frame_edge);
    assign frame = {words, in_data};  // with the last word
    assign valid = in_valid && in_last && in_good && at == WORDS - 1;

    // a frame of which a word found no room may be followed by the next without an end: only as many words as stand before the last count
    wire [4:0] place = in_first ? 5'd0 : at;
    always @(posedge clk)
        if (rst) begin
            edges <= 5'd0;
            at    <= 5'd0;
            words <= 0;
        end else begin
            edges <= frame_edge ? 5'd0 : edges + 5'd1;
            if (pop && place < WORDS) begin
                at <= place + 5'd1;
                if (!in_last) words <= frame[64*WORDS-65:0];
            end
        end
endmodule
