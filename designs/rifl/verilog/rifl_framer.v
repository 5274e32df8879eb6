// The user's side of the transmitter (RIFL §4.F, §5.A): width conversion from beats of WIDTH bytes to flits of LANES payloads, spatial
// channel bonding, meta code encoding. A flit goes to all its lanes at once or waits; its first segment goes to the lane with the
// highest number. Packets never share a flit. Combinational from beat to segments.
module rifl_framer #(
    parameter WIDTH = 32,  // bytes of a user's beat, a power of two
    parameter LANES = 1,
    parameter WORDS = 4    // of 64 bits a frame
) (
    input                         clk,
    input                         rst,    // synchronous, active high
    input  [8*WIDTH-1:0]          data,   // byte 0 in bits 7:0
    input  [11:0]                 control_bytes,
    input                         control_last,
    input                         control_valid,
    output                        ready,
    output [64*WORDS*LANES-1:0]   segment,  // lane 0 in the most significant bits
    output [LANES-1:0]            valid,    // as in segment: lane 0 in the most significant bit
    input  [LANES-1:0]            accept    // the same
);
    localparam PAYLOAD = 8 * WORDS - 2, FLIT = LANES * PAYLOAD, HELD = FLIT + WIDTH;

    reg [8*HELD-1:0] held;  // bytes that no flit has taken; the others are 0
    reg [11:0]       held_n;
    reg              ends;  // a packet ends with them

    // the beat follows what is held
    wire [11:0]       n      = !control_valid ? 12'd0 : control_bytes > WIDTH ? WIDTH : control_bytes;
    wire [8*HELD-1:0] beat   = {{(8*FLIT){1'b0}}, data} & ~({(8*HELD){1'b1}} << {n, 3'b000});
    wire              alone  = ends || held_n >= FLIT;  // the next flit is of held bytes only
    wire [8*HELD-1:0] joined = alone ? held : held | beat << {held_n, 3'b000};
    wire [11:0]       total  = alone ? held_n : held_n + n;
    wire              end_in = alone ? ends : control_valid && control_last;

    wire        absorb = !alone && control_valid && total < FLIT && !control_last;  // not a flit yet
    wire        go     = &accept;
    wire        leave  = go && (alone || control_valid && !absorb);
    wire [11:0] size   = !leave ? 12'd0 : total < FLIT ? total : FLIT;
    wire        last   = end_in && total <= FLIT;
    assign ready = !alone && (absorb || go);

    genvar k;
    generate
        for (k = 0; k < LANES; k = k + 1) begin : part  // the k-th segment, for the lane with the k-th highest number
            wire [11:0] from  = k * PAYLOAD;
            wire [11:0] rest  = size > from ? size - from : 12'd0;
            wire [7:0]  bytes = rest > PAYLOAD ? PAYLOAD : rest[7:0];
            assign valid[k] = rest != 12'd0;
            rifl_encode #(WORDS) encode (
                .data(joined[8*PAYLOAD*k +: 8*PAYLOAD]), .bytes(bytes), .last(last && rest <= PAYLOAD), .frame(segment[64*WORDS*k +: 64*WORDS])
            );
        end
    endgenerate

    wire        taken = ready && control_valid;
    wire [11:0] left  = (alone || taken ? total : held_n) - size;
    always @(posedge clk)
        if (rst) begin
            held   <= 0;
            held_n <= 12'd0;
            ends   <= 1'b0;
        end else if (alone || taken) begin
            held   <= joined >> {size, 3'b000};
            held_n <= left;
            ends   <= end_in && left != 12'd0;
        end
endmodule
