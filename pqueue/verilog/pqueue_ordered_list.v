// Ordered list of CAPACITY entries: a row of registers that shift (EDM §3.1.2). An operation takes 2 cycles, one may start in
// every cycle; the highest eligible entry takes 1. Insert and delete together are delete.
module pqueue_ordered_list #(
    parameter CAPACITY = 16
) (
    input             clk,
    input             rst,  // synchronous, active high
    input             op_insert,
    input             op_delete,
    input      [15:0] op_key,
    input      [5:0]  op_id,
    input      [3:0]  op_flow,
    input      [15:0] eligible,
    output reg        result_valid,
    output reg [1:0]  result_outcome,  // 0 done, 1 full, 2 duplicate, 3 missing
    output reg        highest_valid,
    output reg [15:0] highest_key,
    output reg [5:0]  highest_id,
    output reg [3:0]  highest_flow,
    output reg [7:0]  length
);
    // the first cycle: the operation is held
    reg        insert, delete;
    reg [15:0] key;
    reg [5:0]  id;
    reg [3:0]  flow;

    // entry 0 leads; those in use come first
    reg [CAPACITY-1:0] used;
    reg [25:0]         entry[0:CAPACITY-1];  // {key, id, flow}

    // the second cycle: every entry compares itself, and takes its neighbour's value if it has to move
    reg [CAPACITY-1:0] same, behind;  // has the ID; stands behind the new entry
    reg                found;
    integer            i;
    always @* begin
        for (i = 0; i < CAPACITY; i = i + 1) begin
            same[i]   = used[i] && entry[i][9:4] == id;
            behind[i] = !used[i] || entry[i][25:10] > key;
        end
        found = |same;
    end

    reg [CAPACITY-1:0] gone;  // at or behind the deleted entry
    integer            j;
    always @* begin
        gone[0] = same[0];
        for (j = 1; j < CAPACITY; j = j + 1) gone[j] = gone[j-1] | same[j];
    end

    wire full    = used[CAPACITY-1];
    wire inserts = insert && !delete && !found && !full;
    wire deletes = delete && found;

    reg        hit;
    reg [25:0] best;
    integer    k;
    always @* begin
        hit  = 1'b0;
        best = 26'd0;
        for (k = CAPACITY - 1; k >= 0; k = k - 1)
            if (used[k] && eligible[entry[k][3:0]]) begin
                hit  = 1'b1;
                best = entry[k];
            end
    end

    integer n;
    always @(posedge clk)
        if (rst) begin
            insert         <= 1'b0;
            delete         <= 1'b0;
            key            <= 16'd0;
            id             <= 6'd0;
            flow           <= 4'd0;
            used           <= {CAPACITY{1'b0}};
            result_valid   <= 1'b0;
            result_outcome <= 2'd0;
            highest_valid  <= 1'b0;
            highest_key    <= 16'd0;
            highest_id     <= 6'd0;
            highest_flow   <= 4'd0;
            length         <= 8'd0;
        end else begin
            insert <= op_insert;
            delete <= op_delete;
            key    <= op_key;
            id     <= op_id;
            flow   <= op_flow;

            result_valid   <= insert || delete;
            result_outcome <= delete ? (found ? 2'd0 : 2'd3) : insert ? (found ? 2'd2 : full ? 2'd1 : 2'd0) : 2'd0;
            if (inserts) begin
                length <= length + 8'd1;
                used   <= {used[CAPACITY-2:0], 1'b1};
            end else if (deletes) begin
                length <= length - 8'd1;
                used   <= used >> 1;
            end
            for (n = 0; n < CAPACITY; n = n + 1)
                if (inserts && behind[n]) entry[n] <= n == 0 || !behind[n == 0 ? 0 : n-1] ? {key, id, flow} : entry[n == 0 ? 0 : n-1];
                else if (deletes && gone[n] && n < CAPACITY - 1) entry[n] <= entry[n == CAPACITY-1 ? n : n+1];

            highest_valid                           <= hit;
            {highest_key, highest_id, highest_flow} <= best;
        end
endmodule
