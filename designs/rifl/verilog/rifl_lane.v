// The logic of a single lane (RIFL Fig. 6), between the user's side and the transceiver: TX controller and flow control on the frame
// clock; width converters, scrambler and code generator on the transceiver clock, of which each WORDS-th edge is one of the frame clock;
// alignment, verification and descrambling on the recovered clock; compensation on a free-running one.
module rifl_lane #(
    parameter WORDS  = 4,   // of 64 bits a frame
    parameter S      = 6,   // bits of the frame ID
    parameter UP_BIT = 20,  // the link is up after 2^UP_BIT aligned cycles
    parameter PHASE  = 0    // the place in its frame that the aligner takes for that of the word that leaves it first
) (
    input                 frame_clk,
    input                 frame_rst,  // synchronous, active high, as the others; all end before one edge of the frame clock
    input                 transceiver_clk,
    input                 transceiver_rst,
    input                 recovered_clk,
    input                 recovered_rst,
    input                 free_clk,
    input                 free_rst,

    input  [64*WORDS-1:0] segment,         // an encoded data frame
    input                 segment_valid,
    output                accept,
    output                up,              // of this lane
    input                 all_up,          // of all lanes that are bonded
    output [64*WORDS-1:0] received,        // a data frame in its turn, up to the frame clock's edge
    output                received_valid,
    input  [15:0]         count,           // frames in the lane's flow-control buffer

    output [63:0]         to_line,         // a word a cycle of the transceiver clock
    input  [63:0]         from_line        // and of the recovered one
);
    // to the line
    wire [64*WORDS-1:0] frame;
    wire                pause_request, retransmit, missing, remote_paused, local_full, compensate;
    wire [11:0]         id;
    rifl_tx_controller #(.WORDS(WORDS), .S(S)) controller (
        .clk(frame_clk), .rst(frame_rst), .segment(segment), .valid(segment_valid), .ready(accept), .up(all_up),
        .pause_request(pause_request), .retransmit(retransmit), .missing(missing), .remote_paused(remote_paused),
        .local_full(local_full), .compensate(compensate), .frame(frame), .id_value(id),
        .state_value(), .state_data(), .state_again(), .state_pass()
    );
    wire [63:0] serial, scrambled;
    wire [11:0] serial_id, scrambled_id;
    wire        serial_first, serial_last, serial_valid, scrambled_first, scrambled_last, scrambled_valid;
    rifl_serialiser #(.WORDS(WORDS)) serialiser (
        .clk(transceiver_clk), .rst(transceiver_rst), .frame(frame), .id_value(id),
        .out_data(serial), .out_id(serial_id), .out_first(serial_first), .out_last(serial_last), .out_valid(serial_valid)
    );
    rifl_scrambler scrambler (
        .clk(transceiver_clk), .rst(transceiver_rst),
        .in_data(serial), .in_id(serial_id), .in_first(serial_first), .in_last(serial_last), .in_valid(serial_valid),
        .out_data(scrambled), .out_id(scrambled_id), .out_first(scrambled_first), .out_last(scrambled_last), .out_valid(scrambled_valid)
    );
    rifl_code_generator code_generator (
        .clk(transceiver_clk), .rst(transceiver_rst),
        .in_data(scrambled), .in_id(scrambled_id), .in_first(scrambled_first), .in_last(scrambled_last), .in_valid(scrambled_valid),
        .out_data(to_line), .out_id(), .out_first(), .out_last(), .out_valid()
    );

    // from the line
    wire [63:0] aligned_word, word;
    wire        aligned_first, aligned, alive, first, last, good, push, room, heard_pause, heard_retransmit, is_missing;
    rifl_aligner #(.WORDS(WORDS), .UP_BIT(UP_BIT), .PHASE(PHASE)) aligner (
        .clk(recovered_clk), .rst(recovered_rst), .in(from_line), .out_data(aligned_word), .out_first(aligned_first), .aligned(aligned), .up(alive)
    );
    rifl_receiver #(.WORDS(WORDS), .S(S)) receiver (
        .clk(recovered_clk), .rst(recovered_rst), .in_data(aligned_word), .in_first(aligned_first), .aligned(aligned), .up(alive),
        .ready(room), .out_data(word), .out_first(first), .out_last(last), .out_good(good), .push(push),
        .pause_request(heard_pause), .retransmit(heard_retransmit), .missing(is_missing), .frame_id(), .threshold(), .overflow()
    );
    wire [66:0] crossed;
    wire        crossed_valid, pop;
    rifl_crossing #(.WIDTH(67), .DEPTH(WORDS > 16 ? 2 * WORDS : 32)) crossing (
        .write_clk(recovered_clk), .write_rst(recovered_rst), .in({good, last, first, word}), .push(push), .ready(room),
        .read_clk(transceiver_clk), .read_rst(transceiver_rst), .out(crossed), .valid(crossed_valid), .pop(pop)
    );
    rifl_deserialiser #(.WORDS(WORDS)) deserialiser (
        .clk(transceiver_clk), .rst(transceiver_rst), .in_data(crossed[63:0]), .in_first(crossed[64]), .in_last(crossed[65]),
        .in_good(crossed[66]), .in_valid(crossed_valid), .pop(pop), .frame(received), .valid(received_valid)
    );
    rifl_flow_monitor #(.S(S)) flow_monitor (
        .clk(frame_clk), .rst(frame_rst), .valid(received_valid), .first(received[64*WORDS-1 -: 64]), .last(received[63:0]),
        .count(count), .remote_paused(remote_paused), .local_full(local_full)
    );

    // from the recovered clock to the frame clock
    rifl_synchroniser sync_up (.clk(frame_clk), .rst(frame_rst), .in(alive), .out(up));
    rifl_synchroniser sync_pause (.clk(frame_clk), .rst(frame_rst), .in(heard_pause), .out(pause_request));
    rifl_synchroniser sync_retrans (.clk(frame_clk), .rst(frame_rst), .in(heard_retransmit), .out(retransmit));
    rifl_synchroniser sync_missing (.clk(frame_clk), .rst(frame_rst), .in(is_missing), .out(missing));

    // clock compensation
    wire [3:0] ours, theirs;
    wire [1:0] request_frames;
    wire       request_toggle, done;
    rifl_frame_counter #(.WORDS(WORDS)) local_frames (.clk(transceiver_clk), .rst(transceiver_rst), .gray_value(ours));
    rifl_frame_counter #(.WORDS(WORDS)) remote_frames (.clk(recovered_clk), .rst(recovered_rst), .gray_value(theirs));
    rifl_compensation compensation (
        .clk(free_clk), .rst(free_rst), .local_value(ours), .remote_value(theirs), .done(done),
        .request_frames(request_frames), .request_toggle(request_toggle)
    );
    rifl_compensation_pulse pulse (
        .clk(frame_clk), .rst(frame_rst), .request_frames(request_frames), .request_toggle(request_toggle), .active(compensate), .done(done)
    );
endmodule
