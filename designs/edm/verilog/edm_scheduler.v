// Central scheduler for 4 ports (EDM §3.1.2): priority-based parallel iterative matching, least remaining bytes first, 3 cycles an
// iteration. A message is a slot of its pair: of a source, a destination and a kind, writes or reads; the oldest of a pair can be asked
// for. Each has the time at which it came: who leads is found by comparing all slots, not by keeping them in order. A destination's list
// takes one operation a cycle: after a grant the one that takes its message out, then the one that puts what is left of the pair in.
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
    output reg [31:0] refused
);
    /* verilator lint_off WIDTH */
    /* verilator lint_off BLKSEQ */
    localparam N = 4, PAIRS = 2 * N, SLOTS = PAIRS * ACTIVE, ALL = N * SLOTS;  // of a destination, of all
    localparam [15:0] PIECE = 16'd61440;  // what a long message's notification asks for
    localparam [1:0] REQUEST = 2'd0, GRANT = 2'd1, ACCEPT = 2'd2;

    wire [46:0] notify[0:N-1];  // {valid, source, dest, id, read, long, bytes}
    assign notify[0] = {notify_0_valid, notify_0_source, notify_0_dest, notify_0_id, notify_0_read, notify_0_long, notify_0_bytes};
    assign notify[1] = {notify_1_valid, notify_1_source, notify_1_dest, notify_1_id, notify_1_read, notify_1_long, notify_1_bytes};
    assign notify[2] = {notify_2_valid, notify_2_source, notify_2_dest, notify_2_id, notify_2_read, notify_2_long, notify_2_bytes};
    assign notify[3] = {notify_3_valid, notify_3_source, notify_3_dest, notify_3_id, notify_3_read, notify_3_long, notify_3_bytes};
    reg  [37:0] grant[0:N-1];   // {valid, dest, id, read, bytes, first, last}
    assign {grant_0_valid, grant_0_dest, grant_0_id, grant_0_read, grant_0_bytes, grant_0_first, grant_0_last} = grant[0];
    assign {grant_1_valid, grant_1_dest, grant_1_id, grant_1_read, grant_1_bytes, grant_1_first, grant_1_last} = grant[1];
    assign {grant_2_valid, grant_2_dest, grant_2_id, grant_2_read, grant_2_bytes, grant_2_first, grant_2_last} = grant[2];
    assign {grant_3_valid, grant_3_dest, grant_3_id, grant_3_read, grant_3_bytes, grant_3_first, grant_3_last} = grant[3];

    reg         listed[0:ALL-1], begun[0:ALL-1];
    reg [7:0]   id[0:ALL-1];
    integer     oldest[0:N*PAIRS-1], count[0:N*PAIRS-1];  // of each pair, by destination, source and kind
    reg [15:0]  left[0:ALL-1];   // bytes that remain of what is asked for
    reg [23:0]  after[0:ALL-1];  // and bytes of its message after them
    reg [24:0]  size;
    reg [31:0]  since[0:ALL-1];
    reg [31:0]  stamp;
    integer     fifo[0:ALL-1];  // of each destination: slots that wait for the list
    integer     head[0:N-1], waiting[0:N-1];
    reg         remove[0:N-1], renew[0:N-1];  // operations after a grant
    integer     gone[0:N-1], next[0:N-1];    // their slots

    reg [N-1:0] src_free, dst_free, asks;
    integer     asked[0:N-1];   // of each destination: the slot it asks for
    reg [24:0]  key[0:N-1];
    reg [31:0]  age[0:N-1];
    integer     peer[0:N-1];    // of each busy source
    reg [15:0]  busy[0:N-1];    // cycles left
    reg [1:0]   state;
    reg [N-1:0] matched;        // sources, in the iteration going on
    integer     chosen[0:N-1];

    integer d, s, k, m, p, slot, pair, e;
    reg [15:0] chunk, hold;

    // Each list takes one operation.
    task operate;
        for (e = 0; e < N; e = e + 1)
            if (remove[e]) begin
                listed[gone[e]] = 1'b0;
                remove[e] = 1'b0;
            end else if (renew[e]) begin
                listed[next[e]] = 1'b1;
                renew[e] = 1'b0;
            end else if (waiting[e] != 0) begin
                listed[e * SLOTS + fifo[e * SLOTS + head[e]]] = 1'b1;
                head[e] = (head[e] + 1) % SLOTS;
                waiting[e] = waiting[e] - 1;
            end
    endtask

    always @(posedge clk)
        if (rst) begin
            for (k = 0; k < ALL; k = k + 1) begin
                listed[k] = 1'b0;
                begun[k] = 1'b0;
                id[k] = 8'd0;
                left[k] = 16'd0;
                after[k] = 24'd0;
                since[k] = 32'd0;
                fifo[k] = 0;
            end
            for (k = 0; k < N * PAIRS; k = k + 1) begin
                oldest[k] = 0;
                count[k] = 0;
            end
            for (d = 0; d < N; d = d + 1) begin
                head[d] = 0;
                waiting[d] = 0;
                remove[d] = 1'b0;
                renew[d] = 1'b0;
                gone[d] = 0;
                next[d] = 0;
                busy[d] = 16'd0;
                peer[d] = 0;
                asked[d] = 0;
                key[d] = 25'd0;
                age[d] = 32'd0;
                chosen[d] = 0;
                grant[d] <= 38'd0;
            end
            stamp = 32'd0;
            src_free = {N{1'b1}};
            dst_free = {N{1'b1}};
            asks = {N{1'b0}};
            matched = {N{1'b0}};
            state = REQUEST;
            refused <= 32'd0;
        end else begin
            for (s = 0; s < N; s = s + 1) begin
                grant[s] <= 38'd0;
                if (busy[s] != 16'd0) begin
                    busy[s] = busy[s] - 16'd1;
                    if (busy[s] == 16'd0) begin
                        src_free[s] = 1'b1;
                        dst_free[peer[s]] = 1'b1;
                    end
                end
            end
            case (state)
                REQUEST: begin
                    asks = {N{1'b0}};
                    for (d = 0; d < N; d = d + 1)
                        if (dst_free[d])
                            for (k = 0; k < SLOTS; k = k + 1) begin
                                m = d * SLOTS + k;
                                size = left[m] + after[m];
                                if (listed[m] && src_free[k / (2 * ACTIVE)] && (!asks[d] || size < key[d]
                                        || size == key[d] && since[m] < since[d * SLOTS + asked[d]])) begin
                                    asks[d] = 1'b1;
                                    asked[d] = k;
                                    key[d] = size;
                                    age[d] = since[m];
                                end
                            end
                    if (asks != {N{1'b0}}) state = GRANT;
                    operate;
                end
                GRANT: begin
                    matched = {N{1'b0}};
                    for (d = 0; d < N; d = d + 1) begin
                        s = asked[d] / (2 * ACTIVE);
                        if (asks[d] && (!matched[s] || key[d] < key[chosen[s]]
                                || key[d] == key[chosen[s]] && age[d] < age[chosen[s]])) begin
                            matched[s] = 1'b1;
                            chosen[s] = d;
                        end
                    end
                    state = ACCEPT;
                    operate;
                end
                default: begin
                    operate;  // the lists have what is accepted now from the next cycle on
                    for (s = 0; s < N; s = s + 1)
                        if (matched[s]) begin
                            d = chosen[s];
                            m = d * SLOTS + asked[d];
                            chunk = left[m] > CHUNK ? CHUNK : left[m];
                            left[m] = left[m] - chunk;
                            k = asked[d] / ACTIVE;
                            grant[s] <= {1'b1, d[9:0], id[m], k[0], chunk, !begun[m], left[m] == 16'd0};
                            begun[m] = 1'b1;
                            remove[d] = 1'b1;
                            gone[d] = m;
                            p = k;
                            k = d * PAIRS + p;
                            if (left[m] == 16'd0) begin
                                oldest[k] = (oldest[k] + 1) % ACTIVE;
                                count[k] = count[k] - 1;
                            end
                            renew[d] = count[k] != 0;
                            next[d] = d * SLOTS + p * ACTIVE + oldest[k];
                            hold = (chunk + 16'd7) >> 3;
                            busy[s] = hold < 16'd5 ? 16'd3 : hold - 16'd2;  // the next iteration grants 2 cycles later
                            peer[s] = d;
                            src_free[s] = 1'b0;
                            dst_free[d] = 1'b0;
                        end
                    state = REQUEST;
                end
            endcase
            // what comes in waits for the next cycle
            k = 0;
            for (p = 0; p < N; p = p + 1)
                if (notify[p][46]) begin
                    s = notify[p][45:36];
                    d = notify[p][35:26];
                    pair = d * PAIRS + 2 * s + notify[p][17];
                    if (s >= N || d >= N || notify[p][15:0] == 16'd0) k = k + 1;
                    else if (count[pair] == ACTIVE) k = k + 1;
                    else begin
                        slot = (2 * s + notify[p][17]) * ACTIVE + (oldest[pair] + count[pair]) % ACTIVE;
                        m = d * SLOTS + slot;
                        begun[m] = 1'b0;
                        id[m] = notify[p][25:18];
                        left[m] = notify[p][16] ? PIECE : notify[p][15:0];
                        size = {1'b0, notify[p][15:0], 8'd0};
                        after[m] = notify[p][16] && size > PIECE ? size - PIECE : 24'd0;
                        since[m] = stamp;
                        stamp = stamp + 32'd1;
                        if (count[pair] == 0) begin
                            fifo[d * SLOTS + (head[d] + waiting[d]) % SLOTS] = slot;
                            waiting[d] = waiting[d] + 1;
                        end
                        count[pair] = count[pair] + 1;
                    end
                end
            refused <= refused + k;
        end
endmodule
