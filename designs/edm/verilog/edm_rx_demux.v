// Receive demultiplexer of EDM (§3.2.3), between descrambler and decoder: takes the memory blocks out of the line, and keeps a
// frame until its end, so that its blocks leave in consecutive cycles. Latency 1 cycle for memory blocks, 2 from a frame's last
// block to its first at frame_*. next_* is the block after that.
//
// corrupt is high for a cycle after a block that cannot be right: bad sync header, unknown type, data outside of frames and
// messages, an end without a start, a start where none can be; that ends the message that was open. A data message may be broken
// off, by a block without sync header, which goes on as its end, or by another start. A frame that is open when such a block comes, or that has more than MAX_FRAME blocks, is cut: up to its end, a block of /E/ stands for what follows.
module edm_rx_demux #(
    parameter MAX_FRAME = 24,  // at least 2
    parameter [7:0] MS  = 8'h1d,
    parameter [7:0] MT  = 8'h2e,
    parameter [7:0] MST = 8'h48,
    parameter [7:0] N   = 8'h7b,
    parameter [7:0] G   = 8'h84
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_payload,
    input      [1:0]  in_header,
    input             in_valid,
    output reg [63:0] control_payload,
    output reg [1:0]  control_header,
    output reg        control_valid,
    output reg [63:0] data_payload,
    output reg [1:0]  data_header,
    output reg        data_valid,
    output            push,  // data_valid
    output reg [63:0] frame_payload,
    output reg [1:0]  frame_header,
    output            frame_valid,
    output     [63:0] next_payload,
    output     [1:0]  next_header,
    output            next_valid,
    output reg        corrupt
);
    localparam [65:0] IDLE  = {2'b01, 64'h1e};
    localparam [65:0] ERROR = {2'b01, {8{7'h1e}}, 8'h1e};

    // What the block is

    function code_ok(input [6:0] c);  // Table 49-1
        case (c)
            7'h00, 7'h06, 7'h1e, 7'h2d, 7'h33, 7'h4b, 7'h55, 7'h66, 7'h78: code_ok = 1'b1;
            default: code_ok = 1'b0;
        endcase
    endfunction

    wire [63:0] p = in_payload;
    wire [7:0]  ok;     // the control codes of each lane
    wire [7:0]  error;  // which are /E/
    genvar lane;
    generate
        for (lane = 0; lane < 8; lane = lane + 1) begin : codes
            assign ok[lane]    = code_ok(p[8+7*lane +: 7]);
            assign error[lane] = p[8+7*lane +: 7] == 7'h1e;
        end
    endgenerate
    wire o0_ok = p[35:32] == 4'h0 || p[35:32] == 4'hf;
    wire o4_ok = p[39:36] == 4'h0 || p[39:36] == 4'hf;

    // Figure 49-7, by block type field
    reg s_type, t_type, c_type;
    always @* begin
        s_type = 1'b0;
        t_type = 1'b0;
        c_type = 1'b0;
        case (p[7:0])
            8'h1e: c_type = &ok && error == 8'h00;
            8'h2d: c_type = &ok[3:0] && o4_ok;
            8'h55: c_type = o0_ok && o4_ok;
            8'h4b: c_type = &ok[7:4] && o0_ok;
            8'h33: s_type = &ok[3:0];
            8'h66: s_type = o0_ok;
            8'h78: s_type = 1'b1;
            8'h87: t_type = &ok[7:1];
            8'h99: t_type = &ok[7:2];
            8'haa: t_type = &ok[7:3];
            8'hb4: t_type = &ok[7:4];
            8'hcc: t_type = &ok[7:5];
            8'hd2: t_type = &ok[7:6];
            8'he1: t_type = ok[7];
            8'hff: t_type = 1'b1;
            default: ;
        endcase
    end

    wire is_control = in_valid && in_header == 2'b01;
    wire is_data    = in_valid && in_header == 2'b10;
    wire is_bad     = in_valid && in_header[0] == in_header[1];
    wire is_ms      = is_control && p[7:0] == MS;
    wire is_mt      = is_control && p[7:0] == MT;
    wire is_single  = is_control && p[7:0] == MST;
    wire is_ng      = is_control && (p[7:0] == N || p[7:0] == G);
    wire is_memory  = is_ms || is_mt || is_single || is_ng;
    wire is_s       = is_control && !is_memory && s_type;
    wire is_t       = is_control && !is_memory && t_type;
    wire is_none    = is_control && !is_memory && !s_type && !t_type && !c_type;
    wire is_request = p[10:8] == 3'd0 || p[10:8] == 3'd3;  // RREQ, RMWREQ

    // Where it belongs
    reg in_control, in_data;  // a message is open
    reg in_frame, cut;        // a frame is; it has lost a block

    wire starts   = is_ms || is_single;
    wire belongs  = is_data || is_mt;  // to the message that is open
    wire to_control = is_ng || starts && is_request || belongs && in_control;
    wire to_data    = starts && !is_request || belongs && !in_control && in_data || is_bad && in_data;  // which ends there
    wire to_frame   = is_data && !in_control && !in_data && in_frame;

    wire wrong = is_bad || is_none
        || belongs && !in_control && !in_data && !to_frame
        || (starts || is_ng) && in_control
        || is_s && in_frame
        || is_t && !in_frame;
    wire early = (is_s || is_t) && in_control;  // the message has no end; a data message may be broken off

    // Frames: a ring in which the one that comes follows those that leave, and the end of each is marked. As one block leaves for
    // each that comes, a frame finds as many places as the longest needs, which is cut: MAX_FRAME - 1 blocks, /E/, its end.
    localparam PLACE = $clog2(MAX_FRAME + 1), LAST = MAX_FRAME, MOST = MAX_FRAME - 1;

    reg [66:0]      ring[0:MAX_FRAME];  // {last, block}
    reg [PLACE-1:0] first, free;          // the oldest block, the next free place
    reg [PLACE-1:0] kept;                 // blocks of the frame that comes
    reg [PLACE-1:0] whole;                // frames that have their end
    reg [65:0]      ahead;

    wire opens = is_s && !in_frame;
    wire ends  = is_t && in_frame;
    wire fits  = kept < MOST[PLACE-1:0];
    wire cuts  = in_frame && !cut && (wrong || to_frame && !fits);
    wire store = opens || ends || cuts || to_frame && !cut;

    wire releases = whole != {PLACE{1'b0}} || ends;
    wire leaves   = releases && ring[first][66];  // the last of a frame

    function [PLACE-1:0] after(input [PLACE-1:0] place);
        after = place == LAST[PLACE-1:0] ? {PLACE{1'b0}} : place + 1'b1;
    endfunction

    assign push        = data_valid;
    assign frame_valid = 1'b1;
    assign next_valid  = 1'b1;
    assign {next_header, next_payload} = ahead;

    always @(posedge clk)
        if (rst) begin
            {control_valid, control_header, control_payload} <= 67'd0;
            {data_valid, data_header, data_payload}          <= 67'd0;
            {frame_header, frame_payload}                    <= IDLE;
            ahead      <= IDLE;
            corrupt    <= 1'b0;
            in_control <= 1'b0;
            in_data    <= 1'b0;
            in_frame   <= 1'b0;
            cut        <= 1'b0;
            first      <= {PLACE{1'b0}};
            free       <= {PLACE{1'b0}};
            kept       <= {PLACE{1'b0}};
            whole      <= {PLACE{1'b0}};
        end else begin
            {control_valid, control_header, control_payload} <= to_control ? {1'b1, in_header, in_payload} : 67'd0;
            {data_valid, data_header, data_payload}          <= to_data ? {1'b1, in_header, in_payload} : 67'd0;
            {frame_header, frame_payload}                    <= ahead;
            corrupt                                          <= wrong || early;

            if (starts || is_ng) in_control <= is_ms && is_request;
            else if (is_mt || is_s || is_t) in_control <= 1'b0;
            if (starts && !is_request) in_data <= is_ms;
            else if (is_mt && !in_control || is_s || is_t || is_bad) in_data <= 1'b0;

            if (opens) in_frame <= 1'b1;
            else if (is_t) in_frame <= 1'b0;
            if (opens) cut <= 1'b0;
            else if (cuts) cut <= 1'b1;

            if (store) begin
                ring[free] <= {ends, cuts ? ERROR : {in_header, in_payload}};
                free       <= after(free);
                kept       <= opens ? {{PLACE-1{1'b0}}, 1'b1} : kept + 1'b1;
            end
            ahead <= releases ? ring[first][65:0] : IDLE;
            if (releases) first <= after(first);
            whole <= whole + {{PLACE-1{1'b0}}, ends} - {{PLACE-1{1'b0}}, leaves};
        end
endmodule
