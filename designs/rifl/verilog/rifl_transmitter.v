// TX controller with its retransmission buffer, for frames of 256 bits (RIFL §4.A, §4.C, Fig. 4), as the published core behaves.
// A frame leaves in every cycle, unscrambled and without its code. Latency 1 cycle.
module rifl_transmitter #(
    parameter S = 5  // bits of the frame ID
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] segment_0,
    input      [63:0] segment_1,
    input      [63:0] segment_2,
    input      [63:0] segment_3,
    input             valid,
    output            ready,
    input             up,
    input             pause_request,
    input             retransmit,
    input             missing,
    input             remote_paused,
    input             local_full,
    input      [15:0] compensate,  // Gray code
    output reg [63:0] frame_0,
    output reg [63:0] frame_1,
    output reg [63:0] frame_2,
    output reg [63:0] frame_3,
    output reg [11:0] id_value,
    output reg [2:0]  state_value,
    output reg        state_data,
    output reg        state_again
);
    localparam IDS = 1 << S;
    localparam [15:0] IDLE = 16'h0001, PAUSE_REQUEST = 16'h0002, RETRANS_REQUEST = 16'h0008;
    localparam [2:0] INIT = 0, SEND_PAUSE = 1, PAUSE = 2, RETRANS = 3, SEND_RETRANS = 4, NORMAL = 5;

    reg [255:0] buffer[0:IDS-1];
    reg [S-1:0] id;
    reg [S:0]   init, start, resume;
    reg [S+2:0] pass;
    reg         full;
    reg [15:0]  served;

    // how many frames without data the clock compensation has asked for
    reg [15:0] asked;
    integer    i;
    always @* begin
        asked[15] = compensate[15];
        for (i = 14; i >= 0; i = i - 1) asked[i] = asked[i+1] ^ compensate[i];
    end
    wire idle_please = asked != served;

    wire [2:0] state = init != 0               ? INIT
                     : !up                     ? SEND_PAUSE
                     : pause_request           ? PAUSE
                     : retransmit || pass != 0 ? RETRANS
                     : missing                 ? SEND_RETRANS
                     :                           NORMAL;

    // what the state before resume is counted sees: an error of our own in this cycle starts the count
    wire [S:0] rest = missing ? IDS[S:0] : resume != 0 && state != NORMAL ? resume - 1'b1 : resume;

    // NORMAL, by priority
    wire notify  = state == NORMAL && !idle_please && local_full != full;
    wire resting = rest != 0 || remote_paused;
    wire free    = state == NORMAL && !idle_please && local_full == full && !resting;
    assign ready = free && start == 0;

    wire again = state == RETRANS && pass < 2 * IDS && !pass[0];
    wire data  = notify || free || again;
    wire user  = ready && valid;

    wire [15:0]  key     = state == INIT || state == SEND_PAUSE ? PAUSE_REQUEST
                         : state == SEND_RETRANS || state == RETRANS && missing ? RETRANS_REQUEST : IDLE;
    wire [7:0]   format  = !notify ? 8'h00 : local_full ? 8'h01 : 8'h02;
    wire [255:0] frame   = !data ? {2'b10, key, 238'd0}
                         : user  ? {segment_0, segment_1, segment_2, segment_3}
                         : again ? buffer[id]
                         :         {2'b01, 234'd0, format, 12'h000};

    always @(posedge clk)
        if (rst) begin
            id          <= {S{1'b0}};
            init        <= IDS[S:0];
            start       <= IDS[S:0];
            resume      <= {(S+1){1'b0}};
            pass        <= {(S+3){1'b0}};
            full        <= 1'b0;
            served      <= 16'd0;
            {frame_0, frame_1, frame_2, frame_3} <= {2'b10, PAUSE_REQUEST, 238'd0};
            id_value    <= 12'd0;
            state_value <= INIT;
            state_data  <= 1'b0;
            state_again <= 1'b0;
        end else begin
            if (init != 0) begin
                init <= init - 1'b1;
                buffer[init[S-1:0]] <= {2'b01, 254'd0};  // invalid frames fill the buffer
            end
            if (notify) full <= local_full;
            if (free && start != 0) start <= start - 1'b1;
            resume <= state == NORMAL && rest != 0 ? rest - 1'b1 : rest;
            if (state == RETRANS) pass <= pass == 5 * IDS / 2 ? {(S+3){1'b0}} : pass + 1'b1;
            if (data) begin
                id <= id + 1'b1;
                buffer[id] <= frame;
            end else if (idle_please) served <= served + 16'd1;
            {frame_0, frame_1, frame_2, frame_3} <= frame;
            id_value    <= {{(12-S){1'b0}}, id};
            state_value <= state;
            state_data  <= data;
            state_again <= again;
        end
endmodule
