// The user's side of the receiver (RIFL §4.D, §4.F, §5.A): the flow-control buffer of each lane, spatial channel bonding, meta code decoding,
// width conversion, and the output converter's own register. The lane with the highest number has a flit's first segment. A frame of an
// empty buffer is at the output two edges later.
module rifl_collector #(
    parameter WIDTH = 32,  // bytes of a user's beat, a power of two
    parameter LANES = 1,
    parameter WORDS = 4,   // of 64 bits a frame
    parameter S     = 6    // bits of the frame ID: a buffer has 16 entries in front of a memory of 2 * 2^S
) (
    input                           clk,
    input                           rst,    // synchronous, active high
    input      [64*WORDS*LANES-1:0] frame,  // lane 0 in the most significant bits
    input      [LANES-1:0]          valid,  // the same
    output reg [8*WIDTH-1:0]        data,   // byte 0 in bits 7:0
    output reg [11:0]               control_bytes,
    output reg                      control_last,
    output reg                      control_valid,
    input                           ready,
    output reg [16*LANES-1:0]       count,     // frames in the buffers, lane 0 in the most significant bits
    output reg [31:0]               overflow,  // frames lost for want of room
    output reg [16*LANES-1:0]       high       // the most that the buffers have held
);
    localparam F = 64 * WORDS, PAYLOAD = 8 * WORDS - 2, FLIT = LANES * PAYLOAD, HELD = FLIT + WIDTH;
    localparam DEPTH = 16 + (2 << S);

    // the buffers; k counts lanes from the highest down, as segments do
    wire [LANES-1:0]           there, take, bytes_last, lost;
    wire [F*LANES-1:0]         head;
    wire [8*PAYLOAD*LANES-1:0] bytes;
    wire [8*LANES-1:0]         bytes_n;
    wire [16*LANES-1:0]        next_count;

    genvar k;
    generate
        for (k = 0; k < LANES; k = k + 1) begin : buffer
            reg  [F-1:0] memory[0:DEPTH-1];
            reg  [15:0]  first, stored;
            wire [F-1:0] in   = frame[F*k +: F];
            wire         some = valid[k] && in[F-3 -: 2] != 2'b00;  // with meta 00 it is the flow monitor's, or nobody's
            wire [15:0]  left = stored - {15'd0, take[k]};          // a frame leaves before the next is stored
            wire         push = some && left != DEPTH;
            wire [15:0]  free = first + stored >= DEPTH ? first + stored - DEPTH : first + stored;
            assign there[k]               = stored != 16'd0;
            assign head[F*k +: F]         = memory[first[S+1:0]];
            assign lost[k]                = some && !push;
            assign next_count[16*k +: 16] = left + {15'd0, push};
            always @(posedge clk)
                if (rst) begin
                    first  <= 16'd0;
                    stored <= 16'd0;
                end else begin
                    stored <= next_count[16*k +: 16];
                    if (take[k]) first <= first == DEPTH - 1 ? 16'd0 : first + 16'd1;
                    if (push) memory[free[S+1:0]] <= in;
                end
            rifl_decode #(WORDS) decode (
                .frame(head[F*k +: F]), .data(bytes[8*PAYLOAD*k +: 8*PAYLOAD]), .bytes(bytes_n[8*k +: 8]), .last(bytes_last[k])
            );
        end
    endgenerate

    // the output converter
    reg [8*HELD-1:0] held;  // bytes that no beat has taken; the others are 0
    reg [11:0]       held_n;
    reg              ends;  // a packet ends with them

    wire        go    = !control_valid || ready;
    wire [11:0] shown = held_n < WIDTH ? held_n : WIDTH;
    // what is left of a packet goes alone, and makes room for the next flit
    wire [8*HELD-1:0] rest      = ends ? held >> {shown, 3'b000} : held;
    wire [11:0]       rest_n    = ends ? held_n - shown : held_n;
    wire              rest_ends = ends && rest_n != 12'd0;

    // a flit: all its segments, up to the one that ends the packet
    reg  [LANES-1:0]  wanted;
    reg  [8*HELD-1:0] joined;
    reg  [11:0]       joined_n;
    reg               joined_ends;
    wire              flit = go && !rest_ends && rest_n < WIDTH && (wanted & ~there) == 0;
    assign take = flit ? wanted : {LANES{1'b0}};
    integer w, i, j;
    reg     more;
    always @* begin
        more = 1'b1;
        for (w = 0; w < LANES; w = w + 1) begin
            wanted[w] = more;
            if (there[w] && bytes_last[w]) more = 1'b0;
        end
    end
    always @* begin
        joined      = rest;
        joined_n    = rest_n;
        joined_ends = rest_ends;
        for (i = 0; i < LANES; i = i + 1)
            if (take[i]) begin
                joined      = joined | {{(8*(HELD-PAYLOAD)){1'b0}}, bytes[8*PAYLOAD*i +: 8*PAYLOAD]} << {joined_n, 3'b000};
                joined_n    = joined_n + {4'd0, bytes_n[8*i +: 8]};
                joined_ends = bytes_last[i] && joined_n != 12'd0;
            end
    end

    wire        fresh   = !ends && (joined_ends || joined_n >= WIDTH);  // the beat has bytes of this flit
    wire        show    = ends || fresh;
    wire [11:0] n       = ends ? shown : joined_n < WIDTH ? joined_n : WIDTH;
    wire [11:0] after_n = fresh ? joined_n - n : joined_n;

    reg [31:0]         losses;
    reg [16*LANES-1:0] highest;
    always @* begin
        losses  = overflow;
        highest = high;
        for (j = 0; j < LANES; j = j + 1) begin
            losses = losses + {31'd0, lost[j]};
            if (next_count[16*j +: 16] > high[16*j +: 16]) highest[16*j +: 16] = next_count[16*j +: 16];
        end
    end

    always @(posedge clk)
        if (rst) begin
            held          <= 0;
            held_n        <= 12'd0;
            ends          <= 1'b0;
            data          <= 0;
            control_bytes <= 12'd0;
            control_last  <= 1'b0;
            control_valid <= 1'b0;
            count         <= 0;
            overflow      <= 32'd0;
            high          <= 0;
        end else begin
            if (go) begin
                held          <= fresh ? joined >> {n, 3'b000} : joined;
                held_n        <= after_n;
                ends          <= joined_ends && after_n != 12'd0;
                control_bytes <= show ? n : 12'd0;
                control_last  <= show && (ends ? held_n <= WIDTH : joined_ends && joined_n <= WIDTH);
                control_valid <= show;
                if (show) data <= ends ? held[8*WIDTH-1:0] : joined[8*WIDTH-1:0];
            end
            count    <= next_count;
            overflow <= losses;
            high     <= highest;
        end
endmodule
