// TX controller with its retransmission buffer (RIFL §4.A, §4.C, Fig. 4), as the published core behaves. A frame leaves in every
// cycle, unscrambled and without its code. Latency 1 cycle.
//
// The safe one never makes an old frame look new. A pass leaves the oldest frame out, whose ID is that of the next new one, and has a tail of
// 2^S frames. No user's frame has the first 2^S IDs.
module rifl_tx_controller #(
    parameter WORDS = 4,  // of 64 bits a frame
    parameter S     = 5,  // bits of the frame ID
    parameter SAFE  = 0   // 1: the safe profile
) (
    input                     clk,
    input                     rst,      // synchronous, active high
    input      [64*WORDS-1:0] segment,  // an encoded data frame
    input                     valid,
    output                    ready,
    input                     up,       // of all lanes of the group
    input                     pause_request,
    input                     retransmit,
    input                     missing,
    input                     remote_paused,
    input                     local_full,
    input                     compensate,
    output reg [64*WORDS-1:0] frame,
    output reg [11:0]         id_value,
    output reg [2:0]          state_value,
    output reg                state_data,
    output reg                state_again,
    output reg [13:0]         state_pass
);
    localparam IDS = 1 << S, F = 64 * WORDS;
    localparam LAST = SAFE != 0 ? 3 * IDS - 1 : 5 * IDS / 2;  // frame of a pass
    localparam [15:0] IDLE = 16'h0001, PAUSE_REQUEST = 16'h0010, RETRANS_REQUEST = 16'h1000;
    localparam [2:0] INIT = 0, SEND_PAUSE = 1, PAUSE = 2, RETRANS = 3, SEND_RETRANS = 4, NORMAL = 5;

    reg [F-1:0] buffer[0:IDS-1];
    reg [S-1:0] id;
    reg [S:0]   init, start, resume;  // frames of each still to come
    reg [S+2:0] pass;
    reg         full;
    reg         filled;  // there was a data frame with each ID

    wire [2:0] state = init != 0               ? INIT
                     : !up                     ? SEND_PAUSE
                     : pause_request           ? PAUSE
                     : retransmit || pass != 0 ? RETRANS
                     : missing                 ? SEND_RETRANS
                     :                           NORMAL;

    // NORMAL, by priority
    wire may    = state == NORMAL && !compensate;
    wire notify = may && local_full != full;
    wire open   = may && local_full == full && !remote_paused;
    wire free   = open && resume == 0;
    assign ready = free && start == 0;

    wire turn  = state == RETRANS && pass < 2 * IDS && !pass[0];  // of a data frame
    wire skip  = SAFE != 0 && turn && pass == 0 && filled;
    wire again = turn && !skip;
    wire data  = notify || free || again;
    wire user  = ready && valid;

    wire [15:0]  key    = state == INIT || state == SEND_PAUSE ? PAUSE_REQUEST
                        : state == SEND_RETRANS || state == RETRANS && missing ? RETRANS_REQUEST : IDLE;
    wire [7:0]   format = !notify ? 8'h00 : local_full ? 8'h01 : 8'h02;
    wire [F-1:0] next   = !data ? {2'b10, key, {(F-18){1'b0}}}
                        : user  ? segment
                        : again ? buffer[id]
                        :         {2'b01, {(F-22){1'b0}}, format, 12'h000};

    always @(posedge clk)
        if (rst) begin
            id          <= {S{1'b0}};
            init        <= IDS[S:0];
            start       <= IDS[S:0];
            resume      <= {(S+1){1'b0}};
            pass        <= {(S+3){1'b0}};
            full        <= 1'b0;
            filled      <= 1'b0;
            frame       <= {2'b10, PAUSE_REQUEST, {(F-18){1'b0}}};
            id_value    <= 12'd0;
            state_value <= INIT;
            state_data  <= 1'b0;
            state_again <= 1'b0;
            state_pass  <= 14'd0;
        end else begin
            if (init != 0) begin
                init <= init - 1'b1;
                buffer[init[S-1:0]] <= {2'b01, {(F-2){1'b0}}};  // invalid frames fill the buffer
            end
            if (notify) full <= local_full;
            if ((SAFE != 0 ? free : open) && start != 0) start <= start - 1'b1;  // in the core the idles after an error count too
            if (missing) resume <= IDS[S:0];
            else if (state == NORMAL && resume != 0) resume <= resume - 1'b1;
            if (state == RETRANS) pass <= pass == LAST ? {(S+3){1'b0}} : pass + 1'b1;
            if (data || skip) id <= id + 1'b1;
            if (data) buffer[id] <= next;
            if (data && !again && id == IDS - 1) filled <= 1'b1;
            frame       <= next;
            id_value    <= {{(12-S){1'b0}}, id};
            state_value <= state;
            state_data  <= data;
            state_again <= again;
            state_pass  <= {{(11-S){1'b0}}, pass};
        end
endmodule
