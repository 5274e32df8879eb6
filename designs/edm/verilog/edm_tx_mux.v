// Transmit multiplexer of EDM (§3.2.3), between encoder and scrambler: each cycle one block of control (/N/, /G/, requests), of
// data (chunks of RRES and WREQ), of a frame, or idle. Latency 1 cycle.
//
// A message is not interrupted, but control may stand between two blocks of data; a message whose next block is not there makes
// the line idle. Idle blocks of the MAC are dropped. If not STRICT, a frame that has waited while memory sent gets as many
// blocks, up to 64, when no message is open. hold_* lets up to SLACK more blocks come; what finds no room is lost. What frame_enable
// enables comes 3 edges later.
module edm_tx_mux #(
    parameter DEPTH      = 16,  // blocks of control and of data that may wait
    parameter SLACK      = 6,
    parameter STRICT     = 0,   // frames only if there is nothing else
    parameter DATA_FIRST = 0,   // data before control
    parameter [7:0] MS   = 8'h1d,
    parameter [7:0] MT   = 8'h2e
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] control_payload,
    input      [1:0]  control_header,
    input             control_valid,
    input      [63:0] data_payload,
    input      [1:0]  data_header,
    input             data_valid,
    input      [63:0] frame_payload,
    input      [1:0]  frame_header,
    input             frame_valid,
    output reg [63:0] out_payload,
    output reg [1:0]  out_header,
    output            out_valid,
    output reg        hold_control,
    output reg        hold_data,
    output reg        frame_enable
);
    localparam [1:0]  CONTROL = 2'b01;  // sync header
    localparam [63:0] IDLE    = 64'h1e;
    localparam        FRAMES  = 4;      // blocks of frames that may wait
    localparam [6:0]  MOST    = 7'd64;  // owed

    // Three queues. A block that comes can leave in the same cycle.
    wire        control_any, data_any, frame_any;  // there is a block
    wire [65:0] control_head, data_head, frame_head;
    wire        control_pop, data_pop, frame_pop;
    wire [15:0] control_left, data_left, frame_left;  // blocks that stay

    wire frame_push = frame_valid && {frame_header, frame_payload} != {CONTROL, IDLE};

    edm_tx_mux_queue #(.DEPTH(DEPTH)) control_queue (
        .clk(clk), .rst(rst), .push(control_valid), .in({control_header, control_payload}),
        .any(control_any), .head(control_head), .pop(control_pop), .left(control_left)
    );
    edm_tx_mux_queue #(.DEPTH(DEPTH)) data_queue (
        .clk(clk), .rst(rst), .push(data_valid), .in({data_header, data_payload}),
        .any(data_any), .head(data_head), .pop(data_pop), .left(data_left)
    );
    edm_tx_mux_queue #(.DEPTH(FRAMES)) frame_queue (
        .clk(clk), .rst(rst), .push(frame_push), .in({frame_header, frame_payload}),
        .any(frame_any), .head(frame_head), .pop(frame_pop), .left(frame_left)
    );

    // Who has the line
    reg       in_control, in_data;  // a message is open
    reg [6:0] owed;                 // blocks to frames

    wire frame_may = frame_any && !in_control && !in_data;
    wire frame_due = frame_may && STRICT == 0 && owed != 7'd0;
    wire data_may  = data_any && !in_control;

    assign control_pop = control_any && (in_control || !frame_due && !(DATA_FIRST != 0 && data_any));
    assign data_pop    = data_may && !frame_due && (DATA_FIRST != 0 || !control_any);
    assign frame_pop   = frame_may && (frame_due || !control_any && !data_any);

    wire broken = data_pop && data_head[65] == data_head[64];  // no sync header: the message is broken off
    wire memory = control_pop || data_pop && !broken;

    reg enabled;  // frame_enable a cycle ago
    wire [15:0] coming = {15'd0, frame_enable} + {15'd0, enabled};

    assign out_valid = 1'b1;

    always @(posedge clk)
        if (rst) begin
            out_payload  <= IDLE;
            out_header   <= CONTROL;
            hold_control <= 1'b0;
            hold_data    <= 1'b0;
            frame_enable <= 1'b1;
            enabled      <= 1'b0;
            in_control   <= 1'b0;
            in_data      <= 1'b0;
            owed         <= 7'd0;
        end else begin
            {out_header, out_payload} <= control_pop ? control_head : broken ? {CONTROL, IDLE} : data_pop ? data_head : frame_pop ? frame_head : {CONTROL, IDLE};

            if (control_pop && control_head[65:64] == CONTROL) begin
                if (control_head[7:0] == MS) in_control <= 1'b1;
                if (control_head[7:0] == MT) in_control <= 1'b0;
            end
            if (data_pop && data_head[65:64] == CONTROL) begin
                if (data_head[7:0] == MS) in_data <= 1'b1;
                if (data_head[7:0] == MT) in_data <= 1'b0;
            end
            if (broken) in_data <= 1'b0;

            if (frame_due) owed <= owed - 7'd1;
            else if (memory && frame_any && owed != MOST) owed <= owed + 7'd1;
            else if (memory && !frame_any && owed != 7'd0) owed <= owed - 7'd1;

            hold_control <= control_left + SLACK >= DEPTH;
            hold_data    <= data_left + SLACK >= DEPTH;
            frame_enable <= frame_left + coming < FRAMES;
            enabled      <= frame_enable;
        end
endmodule

// Queue of DEPTH blocks, from whose input a block falls through. A full one takes nothing.
module edm_tx_mux_queue #(
    parameter DEPTH = 16
) (
    input         clk,
    input         rst,
    input         push,
    input  [65:0] in,
    input         pop,
    output        any,
    output [65:0] head,
    output [15:0] left  // blocks held after the edge
);
    localparam PLACE = $clog2(DEPTH), LAST = DEPTH - 1;

    reg [65:0]      memory[0:DEPTH-1];
    reg [15:0]      count;
    reg [PLACE-1:0] first, free;  // the oldest block, the next free place

    wire take = push && count != DEPTH;

    function [PLACE-1:0] after(input [PLACE-1:0] place);
        after = place == LAST[PLACE-1:0] ? {PLACE{1'b0}} : place + 1'b1;
    endfunction

    assign any  = push || count != 16'd0;
    assign head = count == 16'd0 ? in : memory[first];
    assign left = count + {15'd0, take} - {15'd0, pop};

    always @(posedge clk)
        if (rst) begin
            count <= 16'd0;
            first <= {PLACE{1'b0}};
            free  <= {PLACE{1'b0}};
        end else begin
            count <= left;
            if (take) begin
                memory[free] <= in;
                free         <= after(free);
            end
            if (pop) first <= after(first);
        end
endmodule
