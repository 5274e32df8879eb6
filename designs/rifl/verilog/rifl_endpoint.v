// A RIFL endpoint (Fig. 6): the user's side on the frame clock, which bonds the lanes, and the logic of each lane. Vectors over lanes have
// lane 0 in the most significant place.
module rifl_endpoint #(
    parameter LANES  = 1,
    parameter WORDS  = 4,   // of 64 bits a frame
    parameter S      = 6,   // bits of the frame ID
    parameter WIDTH  = 32,  // bytes of a user's beat, a power of two
    parameter UP_BIT = 20,  // the link is up after 2^UP_BIT aligned cycles
    parameter [5*LANES-1:0] PHASE = 0  // of each lane: the place in its frame that the aligner takes for that of the word that leaves it first
) (
    input                 frame_clk,
    input                 frame_rst,  // synchronous, active high, as the others; all end before one edge of the frame clock
    input                 transceiver_clk,
    input                 transceiver_rst,
    input  [LANES-1:0]    recovered_clk,
    input  [LANES-1:0]    recovered_rst,
    input                 free_clk,
    input                 free_rst,

    input  [8*WIDTH-1:0]  in_data,    // AXI4-Stream on the frame clock; byte 0 in bits 7:0
    input  [11:0]         in_bytes,
    input                 in_last,
    input                 in_valid,
    output                in_ready,
    output [8*WIDTH-1:0]  out_data,
    output [11:0]         out_bytes,
    output                out_last,
    output                out_valid,
    input                 out_ready,
    output [31:0]         overflow,   // frames that found no room for the user's stalls; 0 in a link that is well sized

    output [64*LANES-1:0] to_line,    // a word a cycle of the transceiver clock
    input  [64*LANES-1:0] from_line   // and of the recovered ones
);
    localparam F = 64 * WORDS;

    wire [F*LANES-1:0]  segment, received;
    wire [LANES-1:0]    segment_valid, accept, up, received_valid;
    wire [16*LANES-1:0] count;
    rifl_framer #(.WIDTH(WIDTH), .LANES(LANES), .WORDS(WORDS)) framer (
        .clk(frame_clk), .rst(frame_rst), .data(in_data), .control_bytes(in_bytes), .control_last(in_last), .control_valid(in_valid),
        .ready(in_ready), .segment(segment), .valid(segment_valid), .accept(accept)
    );
    genvar k;
    generate
        for (k = 0; k < LANES; k = k + 1) begin : single
            rifl_lane #(.WORDS(WORDS), .S(S), .UP_BIT(UP_BIT), .PHASE(PHASE[5*k +: 5])) lane (
                .frame_clk(frame_clk), .frame_rst(frame_rst), .transceiver_clk(transceiver_clk), .transceiver_rst(transceiver_rst),
                .recovered_clk(recovered_clk[k]), .recovered_rst(recovered_rst[k]), .free_clk(free_clk), .free_rst(free_rst),
                .segment(segment[F*k +: F]), .segment_valid(segment_valid[k]), .accept(accept[k]), .up(up[k]), .all_up(&up),
                .received(received[F*k +: F]), .received_valid(received_valid[k]), .count(count[16*k +: 16]),
                .to_line(to_line[64*k +: 64]), .from_line(from_line[64*k +: 64])
            );
        end
    endgenerate
    rifl_collector #(.WIDTH(WIDTH), .LANES(LANES), .WORDS(WORDS), .S(S)) collector (
        .clk(frame_clk), .rst(frame_rst), .frame(received), .valid(received_valid),
        .data(out_data), .control_bytes(out_bytes), .control_last(out_last), .control_valid(out_valid), .ready(out_ready),
        .count(count), .overflow(overflow), .high()
    );
endmodule
