// Feedback matrix of one node of NODES, with Equation 2 and the 2^age rule over it (Shoal §3.3.2, §3.3.3): which local flows may release a
// cell to the neighbour of a row. Latency 1 cycle.
//
// An entry is the epoch in which Equation 2 is met with an empty local queue: epoch + length + drains - 1 of the feedback. Epochs are
// compared modulo 2^16. Sent, then feedback, take effect after the query of their cycle. What names a row or a
// destination from NODES on is not looked at; of such a row no flow may send. The 2^age rule counts for the first AGES epochs of a flow, at most 11:
// a length has 11 bits.
module shoal_release_logic #(
    parameter NODES = 8,
    parameter AGES  = 11
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [2:0]  feedback_row,
    input      [2:0]  feedback_dest,
    input      [10:0] feedback_length,
    input      [15:0] feedback_epoch,
    input      [1:0]  feedback_drains,
    input             feedback_valid,
    input      [2:0]  sent_row,
    input      [2:0]  sent_dest,
    input             sent_valid,
    input      [2:0]  query_row,
    input      [10:0] query_length,
    input      [15:0] query_epoch,
    input      [7:0]  query_unsent,
    input             query_valid,
    input      [2:0]  started_dest,
    input      [15:0] started_epoch,
    input             started_valid,
    output reg [7:0]  eligible_flows,
    output reg [2:0]  eligible_row,
    output reg        eligible_valid
);
    localparam [10:0] FEEDBACK_MAX = 11'd2044;  // codes lie above

    reg [15:0] due [0:NODES*NODES-1];    // by row and destination
    reg [NODES*NODES-1:0] waiting;       // subflows whose feedback is to come
    reg [NODES*NODES-1:0] met;           // subflows without a bound
    reg [15:0] started [0:NODES-1];      // epoch, by destination

    reg [7:0]  flows;
    reg [15:0] left, age;
    integer    k;

    always @* begin
        flows = 8'd0;
        left  = 16'd0;
        age   = 16'd0;
        for (k = 0; k < NODES; k = k + 1) begin
            left = query_epoch + {5'd0, query_length} - due[NODES*query_row + k];
            age  = query_epoch - started[k];
            if ({1'b0, query_row} < NODES && query_unsent[k] && !waiting[NODES*query_row + k] && (!left[15] || met[NODES*query_row + k])
                && !(age < AGES && {5'd0, query_length} > (16'd1 << age[3:0])))
                flows[k] = 1'b1;
        end
    end

    integer i;
    always @(posedge clk)
        if (rst) begin
            eligible_flows <= 8'd0;
            eligible_row   <= 3'd0;
            eligible_valid <= 1'b0;
            waiting        <= 0;
            met            <= {NODES*NODES{1'b1}};
            for (i = 0; i < NODES*NODES; i = i + 1) due[i] <= 16'd0;
            for (i = 0; i < NODES; i = i + 1) started[i] <= 16'd0;
        end else begin
            eligible_flows <= flows;
            eligible_row   <= query_row;
            eligible_valid <= query_valid;
            if (started_valid && {1'b0, started_dest} < NODES) started[started_dest] <= started_epoch;
            if (sent_valid && {1'b0, sent_row} < NODES && {1'b0, sent_dest} < NODES) waiting[NODES*sent_row + sent_dest] <= 1'b1;
            if (feedback_valid && {1'b0, feedback_row} < NODES && {1'b0, feedback_dest} < NODES) begin
                waiting[NODES*feedback_row + feedback_dest] <= 1'b0;
                met[NODES*feedback_row + feedback_dest]     <= feedback_length > FEEDBACK_MAX;
                if (feedback_length <= FEEDBACK_MAX)
                    due[NODES*feedback_row + feedback_dest] <= feedback_epoch + {5'd0, feedback_length} + {14'd0, feedback_drains} - 16'd1;
            end
        end
endmodule
