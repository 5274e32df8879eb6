// Central scheduler for 4 ports (EDM §3.1.2): priority-based parallel iterative matching, least remaining bytes first, 3 cycles an iteration.
module edm_scheduler #(
    parameter ACTIVE = 2,   // notifications a pair
    parameter CHUNK  = 64   // bytes
) (
    input         clk,
    input         rst,  // synchronous, active high
    input         notify_0_valid,
    input  [9:0]  notify_0_source,
    input  [9:0]  notify_0_dest,
    input  [7:0]  notify_0_id,
    input         notify_0_read,
    input  [15:0] notify_0_bytes,
    input         notify_0_long,
    input         notify_1_valid,
    input  [9:0]  notify_1_source,
    input  [9:0]  notify_1_dest,
    input  [7:0]  notify_1_id,
    input         notify_1_read,
    input  [15:0] notify_1_bytes,
    input         notify_1_long,
    input         notify_2_valid,
    input  [9:0]  notify_2_source,
    input  [9:0]  notify_2_dest,
    input  [7:0]  notify_2_id,
    input         notify_2_read,
    input  [15:0] notify_2_bytes,
    input         notify_2_long,
    input         notify_3_valid,
    input  [9:0]  notify_3_source,
    input  [9:0]  notify_3_dest,
    input  [7:0]  notify_3_id,
    input         notify_3_read,
    input  [15:0] notify_3_bytes,
    input         notify_3_long,
    output        grant_0_valid,
    output [9:0]  grant_0_dest,
    output [7:0]  grant_0_id,
    output        grant_0_read,
    output [15:0] grant_0_bytes,
    output        grant_0_first,
    output        grant_0_last,
    output        grant_1_valid,
    output [9:0]  grant_1_dest,
    output [7:0]  grant_1_id,
    output        grant_1_read,
    output [15:0] grant_1_bytes,
    output        grant_1_first,
    output        grant_1_last,
    output        grant_2_valid,
    output [9:0]  grant_2_dest,
    output [7:0]  grant_2_id,
    output        grant_2_read,
    output [15:0] grant_2_bytes,
    output        grant_2_first,
    output        grant_2_last,
    output        grant_3_valid,
    output [9:0]  grant_3_dest,
    output [7:0]  grant_3_id,
    output        grant_3_read,
    output [15:0] grant_3_bytes,
    output        grant_3_first,
    output        grant_3_last,
    output [31:0] refused
);
    localparam N = 4;
    wire [47*N-1:0] notify;
    wire [38*N-1:0] grant;
    assign notify[47*0 +: 47] = {notify_0_valid, notify_0_source, notify_0_dest, notify_0_id, notify_0_read, notify_0_long, notify_0_bytes};
    assign notify[47*1 +: 47] = {notify_1_valid, notify_1_source, notify_1_dest, notify_1_id, notify_1_read, notify_1_long, notify_1_bytes};
    assign notify[47*2 +: 47] = {notify_2_valid, notify_2_source, notify_2_dest, notify_2_id, notify_2_read, notify_2_long, notify_2_bytes};
    assign notify[47*3 +: 47] = {notify_3_valid, notify_3_source, notify_3_dest, notify_3_id, notify_3_read, notify_3_long, notify_3_bytes};
    assign {grant_0_valid, grant_0_dest, grant_0_id, grant_0_read, grant_0_bytes, grant_0_first, grant_0_last} = grant[38*0 +: 38];
    assign {grant_1_valid, grant_1_dest, grant_1_id, grant_1_read, grant_1_bytes, grant_1_first, grant_1_last} = grant[38*1 +: 38];
    assign {grant_2_valid, grant_2_dest, grant_2_id, grant_2_read, grant_2_bytes, grant_2_first, grant_2_last} = grant[38*2 +: 38];
    assign {grant_3_valid, grant_3_dest, grant_3_id, grant_3_read, grant_3_bytes, grant_3_first, grant_3_last} = grant[38*3 +: 38];
    edm_scheduler_core #(.N(N), .ACTIVE(ACTIVE), .CHUNK(CHUNK)) core (.clk(clk), .rst(rst), .notify(notify), .grant(grant), .refused(refused));
endmodule

// The scheduler of N ports. A destination has a pair for each source and kind, writes or reads. Messages of a pair are served in order: the oldest
// stands in the destination's list. Each has the time at which it came: who leads the list is found by comparing all pairs, not by keeping them
// in order. The list takes one operation a cycle: after a grant the one that takes its pair out, then the one that puts in what is left of the pair;
// in other cycles the pair that has waited longest comes in.
module edm_scheduler_core #(
    parameter N      = 4,
    parameter ACTIVE = 2,
    parameter CHUNK  = 64
) (
    input                 clk,
    input                 rst,
    input      [47*N-1:0] notify,  // by the port on which it comes: {valid, source, dest, id, read, long, bytes}
    output reg [38*N-1:0] grant,   // by source: {valid, dest, id, read, bytes, first, last}
    output reg [31:0]     refused
);
    /* verilator lint_off WIDTH */
    /* verilator lint_off BLKSEQ */
    localparam PAIRS = 2 * N, ALL = N * PAIRS;     // pairs of a destination, of all
    localparam PORT = $clog2(N), PAIR = PORT + 1;  // widths of a port, and of a pair of one destination: {source, read}
    localparam COUNT = $clog2(ACTIVE + 1), WAITING = $clog2(PAIRS + 1);
    localparam RANK = 25 + 32;                     // of a message, the least leads: {bytes that remain, time at which it came}
    localparam LONGEST = CHUNK <= 40 ? 3 : (CHUNK + 7) / 8 - 2, BUSY = $clog2(LONGEST + 1);
    localparam [15:0] PIECE = 16'd61440;           // what a long message's notification asks for
    localparam [1:0] REQUEST = 2'd0, GRANT = 2'd1, ACCEPT = 2'd2;

    // of each pair
    reg  [COUNT-1:0]   count[0:ALL-1];          // messages
    reg                begun[0:ALL-1];          // a chunk of the oldest was granted
    reg  [7:0]         id[0:ALL*ACTIVE-1];      // of messages, the oldest first
    reg  [15:0]        left[0:ALL*ACTIVE-1];    // bytes that remain of what is asked for
    reg  [23:0]        after[0:ALL*ACTIVE-1];   // and bytes of the message after them
    reg  [31:0]        since[0:ALL*ACTIVE-1];
    reg  [ALL-1:0]     listed, waits;           // it stands in the list, or waits for it
    reg  [PAIR-1:0]    ahead[0:ALL-1];          // pairs of the destination that wait and came before it
    // of each destination
    reg  [WAITING-1:0] waiting[0:N-1];          // pairs that wait
    reg  [N-1:0]       remove, renew;           // operations after a grant
    reg  [PAIR-1:0]    gone[0:N-1];             // their pair
    reg  [N-1:0]       asks;
    reg  [PAIR-1:0]    asked[0:N-1];            // the pair that it asks for
    reg  [RANK-1:0]    rank[0:N-1];             // and its message's rank
    // of each source
    reg  [N-1:0]       matched;
    reg  [PORT-1:0]    chosen[0:N-1];           // its destination, in the iteration going on
    reg  [BUSY-1:0]    busy[0:N-1];             // cycles left
    reg  [PORT-1:0]    peer[0:N-1];             // its destination, as long as it is busy
    reg  [1:0]         state;
    reg  [31:0]        stamp;

    integer d, s, i, j, k, m;
    reg  [N-1:0]          src_free, dst_free, pops, leaves, taken, joins;
    reg                   any, valid, read, long;
    reg  [PAIR-1:0]       least;
    reg  [PORT-1:0]       to;
    reg  [RANK-1:0]       key, best;
    reg  [15:0]           chunk, cycles, bytes;
    reg  [23:0]           whole;
    reg  [9:0]            source, dest;
    reg  [7:0]            name;
    reg  [PORT+PAIR-1:0]  at;
    reg  [PORT-1:0]       to_of[0:N-1];
    reg  [PORT+PAIR-1:0]  at_of[0:N-1];
    reg  [COUNT-1:0]      stays;
    reg  [WAITING-1:0]    place;
    reg  [31:0]           now, wrong;

    always @(posedge clk)
        if (rst) begin
            for (k = 0; k < ALL; k = k + 1) count[k] <= {COUNT{1'b0}};
            for (d = 0; d < N; d = d + 1) begin
                waiting[d] <= {WAITING{1'b0}};
                busy[d] <= {BUSY{1'b0}};
            end
            listed <= {ALL{1'b0}};
            waits <= {ALL{1'b0}};
            remove <= {N{1'b0}};
            renew <= {N{1'b0}};
            asks <= {N{1'b0}};
            matched <= {N{1'b0}};
            state <= REQUEST;
            stamp <= 32'd0;
            grant <= {38*N{1'b0}};
            refused <= 32'd0;
        end else begin
            // ports are free again in this cycle if their chunk has passed when the next iteration grants
            src_free = {N{1'b1}};
            dst_free = {N{1'b1}};
            for (s = 0; s < N; s = s + 1) begin
                if (busy[s] != 0) busy[s] <= busy[s] - 1'b1;
                if (busy[s] > 1) begin
                    src_free[s] = 1'b0;
                    dst_free[peer[s]] = 1'b0;
                end
            end

            // each list takes one operation
            pops = {N{1'b0}};
            for (d = 0; d < N; d = d + 1)
                if (remove[d]) begin
                    listed[d*PAIRS + gone[d]] <= 1'b0;
                    remove[d] <= 1'b0;
                end else if (renew[d]) begin
                    listed[d*PAIRS + gone[d]] <= 1'b1;
                    renew[d] <= 1'b0;
                end else if (waits[d*PAIRS +: PAIRS] != 0) begin
                    pops[d] = 1'b1;
                    waiting[d] <= waiting[d] - 1'b1;
                    for (k = d * PAIRS; k < (d + 1) * PAIRS; k = k + 1)
                        if (waits[k]) begin
                            ahead[k] <= ahead[k] - 1'b1;
                            if (ahead[k] == 0) begin
                                waits[k] <= 1'b0;
                                listed[k] <= 1'b1;
                            end
                        end
                end

            leaves = {N{1'b0}};
            grant <= {38*N{1'b0}};
            case (state)
                REQUEST: begin  // each destination asks for the least of those whose source is free
                    for (d = 0; d < N; d = d + 1) begin
                        any = 1'b0;
                        least = {PAIR{1'b0}};
                        best = {RANK{1'b0}};
                        if (dst_free[d])
                            for (k = 0; k < PAIRS; k = k + 1) begin
                                m = (d * PAIRS + k) * ACTIVE;
                                key = {{1'b0, after[m]} + left[m], since[m]};
                                if (listed[d*PAIRS + k] && src_free[k/2] && (!any || key < best)) begin
                                    any = 1'b1;
                                    least = k;
                                    best = key;
                                end
                            end
                        asks[d] <= any;
                        asked[d] <= least;
                        rank[d] <= best;
                        if (any) state <= GRANT;
                    end
                end
                GRANT: begin  // each source chooses the least of those who ask it
                    for (s = 0; s < N; s = s + 1) begin
                        any = 1'b0;
                        to = {PORT{1'b0}};
                        best = {RANK{1'b0}};
                        for (d = 0; d < N; d = d + 1)
                            if (asks[d] && asked[d] >> 1 == s && (!any || rank[d] < best)) begin
                                any = 1'b1;
                                to = d;
                                best = rank[d];
                            end
                        matched[s] <= any;
                        chosen[s] <= to;
                    end
                    state <= ACCEPT;
                end
                default: begin
                    for (s = 0; s < N; s = s + 1)
                        if (matched[s]) begin
                            to = chosen[s];
                            k = to * PAIRS + asked[to];
                            m = k * ACTIVE;
                            leaves[to] = left[m] <= CHUNK;
                            chunk = leaves[to] ? left[m] : CHUNK;
                            cycles = (chunk + 16'd7) >> 3;
                            dest = to;
                            grant[38*s +: 38] <= {1'b1, dest, id[m], asked[to][0], chunk, !begun[k], leaves[to]};
                            left[m] <= left[m] - chunk;
                            begun[k] <= !leaves[to];
                            if (leaves[to]) begin
                                count[k] <= count[k] - 1'b1;
                                for (i = 0; i < ACTIVE - 1; i = i + 1) begin
                                    id[m+i] <= id[m+i+1];
                                    left[m+i] <= left[m+i+1];
                                    after[m+i] <= after[m+i+1];
                                    since[m+i] <= since[m+i+1];
                                end
                            end
                            remove[to] <= 1'b1;
                            renew[to] <= !leaves[to] || count[k] != 1;
                            gone[to] <= asked[to];
                            busy[s] <= cycles < 16'd5 ? 16'd3 : cycles - 16'd2;  // the next iteration grants 2 cycles later
                            peer[s] <= to;
                        end
                    state <= REQUEST;
                end
            endcase

            // what comes in waits for the next cycle
            now = stamp;
            wrong = refused;
            taken = {N{1'b0}};
            joins = {N{1'b0}};
            for (i = 0; i < N; i = i + 1) begin
                {valid, source, dest, name, read, long, bytes} = notify[47*i +: 47];
                at = dest[PORT-1:0] * PAIRS + {source[PORT-1:0], read};
                to = dest;
                to_of[i] = to;
                at_of[i] = at;
                stays = count[at];
                place = waiting[to];
                if (leaves[to] && asked[to] == {source[PORT-1:0], read}) stays = stays - 1'b1;
                if (pops[to]) place = place - 1'b1;
                for (j = 0; j < i; j = j + 1) begin
                    if (taken[j] && at_of[j] == at) stays = stays + 1'b1;
                    if (joins[j] && to_of[j] == to) place = place + 1'b1;
                end
                if (valid)
                    if (source < N && dest < N && bytes != 16'd0 && stays != ACTIVE) begin
                        m = at * ACTIVE + stays;
                        whole = {bytes, 8'd0};  // of a long message
                        id[m] <= name;
                        left[m] <= long ? PIECE : bytes;
                        after[m] <= long && whole > PIECE ? whole - PIECE : 24'd0;
                        since[m] <= now;
                        now = now + 32'd1;
                        count[at] <= stays + 1'b1;
                        taken[i] = 1'b1;
                        if (stays == 0) begin
                            begun[at] <= 1'b0;
                            waits[at] <= 1'b1;
                            ahead[at] <= place;
                            waiting[to] <= place + 1'b1;
                            joins[i] = 1'b1;
                        end
                    end else wrong = wrong + 32'd1;
            end
            stamp <= now;
            refused <= wrong;
        end
endmodule
