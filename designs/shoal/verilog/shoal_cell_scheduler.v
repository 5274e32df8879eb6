// Ready queue R of one neighbour, for local flows to up to NODES destinations (Shoal §3.3.3). Flows that may release a cell join it in the order of their
// destinations, each at most once, and leave it in the order in which they came, one a cycle, while no local cell is in Q. A flow
// without cells is dropped when its turn comes. Flows from NODES on are not looked at. Latency 1 cycle.
module shoal_cell_scheduler #(
    parameter NODES = 8
) (
    input            clk,
    input            rst,  // synchronous, active high
    input      [7:0] in_flows,
    input      [2:0] in_row,
    input            in_valid,
    input      [7:0] unsent,
    input            busy,
    output reg [2:0] out_dest,
    output reg       out_valid,
    output     [7:0] ready
);
    reg [2:0] queue [0:NODES-1];  // the oldest first
    reg [3:0] count;
    reg       held;               // a cell was bound in the last cycle: busy does not show it yet

    reg [2:0] q [0:NODES-1];
    reg [3:0] n;
    reg [7:0] has;
    wire      take = count != 4'd0 && !busy && !held;
    integer   i, k;

    always @* begin
        n   = take ? count - 4'd1 : count;
        has = 8'd0;
        for (i = 0; i < NODES; i = i + 1) begin
            q[i] = !take ? queue[i] : i == NODES - 1 ? 3'd0 : queue[(i + 1) % NODES];
            if (i < n) has[q[i]] = 1'b1;
        end
        for (k = 0; k < NODES; k = k + 1)
            if (in_valid && in_flows[k] && !has[k]) begin
                q[n[2:0]] = k[2:0];
                n         = n + 4'd1;
            end
    end

    assign ready = {4'd0, count};

    always @(posedge clk)
        if (rst) begin
            count     <= 4'd0;
            held      <= 1'b0;
            out_dest  <= 3'd0;
            out_valid <= 1'b0;
            for (i = 0; i < NODES; i = i + 1) queue[i] <= 3'd0;
        end else begin
            count     <= n;
            held      <= take && unsent[queue[0]];
            out_dest  <= take ? queue[0] : 3'd0;
            out_valid <= take && unsent[queue[0]];
            for (i = 0; i < NODES; i = i + 1) queue[i] <= q[i];
        end

    wire unused = &{1'b0, in_row};  // the row is the caller's
endmodule
