// The RX domain behind the aligner (RIFL Fig. 6): verification code validator (Listing 1), descrambler, control event and flow
// control monitors. A word of 64 bits a cycle. Latency 1 cycle.
module rifl_receiver #(
    parameter S = 5  // bits of the frame ID
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_data,
    input      [11:0] in_id,  // not used
    input             in_first,
    input             in_last,
    input             in_valid,
    input             aligned,
    input             ready,  // of the clock crossing
    output reg [63:0] out_data,
    output reg        out_first,
    output reg        out_last,
    output reg        out_deliver,
    output reg        push,
    output reg        up,
    output reg        pause_request,
    output reg        retransmit,
    output reg        missing,
    output reg        remote_paused,
    output reg [31:0] overflow
);
    localparam [15:0] IDLE = 16'h0001, PAUSE = 16'h0002, RETRANS = 16'h0008;

    localparam [11:0] POLY = 12'h02f;

    // the bits of a word that bit n of its CRC is the parity of: bit i stands for x^(i+12)
    function [63:0] taps(input [3:0] n);
        integer    i;
        reg [11:0] r;
        begin
            r = POLY;
            for (i = 0; i < 64; i = i + 1) begin
                taps[i] = r[n];
                r       = {r[10:0], 1'b0} ^ (r[11] ? POLY : 12'h000);
            end
        end
    endfunction
    localparam [63:0] T0 = taps(4'd0), T1 = taps(4'd1), T2 = taps(4'd2), T3 = taps(4'd3), T4 = taps(4'd4), T5 = taps(4'd5), T6 = taps(4'd6), T7 = taps(4'd7),
        T8 = taps(4'd8), T9 = taps(4'd9), T10 = taps(4'd10), T11 = taps(4'd11);

    function [11:0] step(input [11:0] state, input [63:0] word);
        reg [63:0] w;
        begin
            w    = word ^ {state, 52'd0};
            step = {^(w & T11), ^(w & T10), ^(w & T9), ^(w & T8), ^(w & T7), ^(w & T6), ^(w & T5), ^(w & T4), ^(w & T3), ^(w & T2), ^(w & T1), ^(w & T0)};
        end
    endfunction

    // descrambler
    reg  [32:0] state;
    wire [63:0] d = in_first ? {2'b00, in_data[61:0]} : in_last ? {12'h000, in_data[63:12]} : in_data;
    wire [63:0] e = in_first ? {2'b00, state, 29'd0} ^ {2'b00, state[12:0], 49'd0}
                  : in_last  ? {12'h000, state, 19'd0} ^ {12'h000, state[12:0], 39'd0}
                  :            {state, 31'd0} ^ {state[12:0], 51'd0};
    wire [63:0] p = d ^ {13'd0, d[63:13]} ^ {33'd0, d[63:33]} ^ e;
    wire [63:0] plain = in_first ? {in_data[63:62], p[61:0]} : in_last ? {p[51:0], in_data[11:0]} : p;

    // what the frame is, from its first word on
    reg         was_data;
    reg  [15:0] was_key;
    reg  [1:0]  was_meta;
    wire        legal = plain[63] ^ plain[62];
    wire        data  = in_first ? plain[63:62] == 2'b01 : was_data;
    wire [15:0] key   = in_first ? (legal ? plain[61:46] : 16'h0000) : was_key;
    wire [1:0]  meta  = in_first ? plain[61:60] : was_meta;

    // verifier
    reg  [11:0]  crc;
    reg  [S-1:0] frame_id, threshold;
    reg          error;
    wire [11:0]  next_crc = step(in_first ? 12'h000 : crc, in_last ? {in_data[63:12], 12'h000} : in_data);
    wire [11:0]  residue  = next_crc ^ in_data[11:0];
    wire         ok       = residue == {{(12-S){1'b0}}, frame_id};

    // the link is up when the leaky counter is full, until it is empty
    reg  [3:0] level;
    reg        alive;
    wire [3:0] next_level = aligned ? (level == 4'd15 ? level : level + 4'd1) : (level == 4'd0 ? level : level - 4'd1);
    wire       next_alive = next_level == 4'd15 || (next_level != 4'd0 && alive);

    wire finish  = in_valid && in_last;
    wire judge   = finish && next_alive;
    wire deliver = judge && ok && data && frame_id == threshold;
    wire user    = deliver && meta != 2'b00;
    wire next_paused = deliver && meta == 2'b00 && plain[19:12] == 8'h01 ? 1'b1
                     : deliver && meta == 2'b00 && plain[19:12] == 8'h02 ? 1'b0 : paused;
    reg  paused;
    wire next_error = !judge ? error : !ok ? 1'b1 : threshold == frame_id + {{(S-1){1'b0}}, 1'b1} ? 1'b0 : error;

    // requests are forgotten while nothing can be heard
    wire deaf    = finish && !(aligned && next_alive);
    wire hears   = finish && aligned && next_alive;
    wire control = hears && !data && key != 16'h0000;
    wire pause_flag, retrans_flag;
    rifl_monitor pause_monitor (
        .clk(clk), .rst(rst || deaf), .data(hears && data), .control(control),
        .same(key == PAUSE), .idle(key == IDLE), .next_flag(pause_flag)
    );
    rifl_monitor retrans_monitor (
        .clk(clk), .rst(rst || deaf), .data(hears && data), .control(control),
        .same(key == RETRANS), .idle(key == IDLE), .next_flag(retrans_flag)
    );

    always @(posedge clk)
        if (rst) begin
            state         <= 33'd0;
            was_data      <= 1'b0;
            was_key       <= 16'h0000;
            was_meta      <= 2'b00;
            crc           <= 12'h000;
            frame_id      <= {S{1'b0}};
            threshold     <= 16;
            error         <= 1'b0;
            level         <= 4'd0;
            alive         <= 1'b0;
            paused        <= 1'b0;
            out_data      <= 64'd0;
            out_first     <= 1'b0;
            out_last      <= 1'b0;
            out_deliver   <= 1'b0;
            push          <= 1'b0;
            up            <= 1'b0;
            pause_request <= 1'b0;
            retransmit    <= 1'b0;
            missing       <= 1'b0;
            remote_paused <= 1'b0;
            overflow      <= 32'd0;
        end else begin
            if (push && !ready) overflow <= overflow + 32'd1;
            if (finish) begin
                level <= next_level;
                alive <= next_alive;
            end
            if (judge) begin
                error    <= next_error;
                frame_id <= !ok ? threshold - 16 : data ? frame_id + 1'b1 : frame_id;
                if (deliver) threshold <= threshold + 1'b1;
            end
            paused <= next_paused;
            if (!in_valid)
                push <= 1'b0;
            else begin
                state         <= d[32:0];
                was_data      <= data;
                was_key       <= key;
                was_meta      <= meta;
                crc           <= next_crc;
                out_data      <= plain;
                out_first     <= in_first;
                out_last      <= in_last;
                out_deliver   <= user;
                push          <= data && (finish ? next_alive : alive);
                up            <= finish ? next_alive : alive;
                pause_request <= pause_flag;
                retransmit    <= retrans_flag;
                missing       <= next_error;
                remote_paused <= next_paused;
            end
        end
endmodule

// A request is believed after eight control frames in a row with its key; any other one takes it back, and so does a data frame
// behind 16 idle or data frames.
module rifl_monitor (
    input  clk,
    input  rst,
    input  data,
    input  control,
    input  same,  // the control frame has the key
    input  idle,
    output next_flag
);
    reg       flag;
    reg [3:0] count;
    reg [4:0] quiet;

    wire forget = data && quiet == 5'd16;
    assign next_flag = rst || forget ? 1'b0 : control ? same && count >= 4'd7 : flag;

    always @(posedge clk)
        if (rst) begin
            flag  <= 1'b0;
            count <= 4'd0;
            quiet <= 5'd0;
        end else begin
            flag <= next_flag;
            if (forget || control && !same) count <= 4'd0;
            else if (control && count < 4'd8) count <= count + 4'd1;
            if (control && !idle) quiet <= 5'd0;
            else if ((data || control) && quiet < 5'd16) quiet <= quiet + 5'd1;
        end
endmodule
