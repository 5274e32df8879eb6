// State decision of SPFC for one ingress port (Figure 10), a cycle a cell slot: timeout clock TC, ingress rate counter IRC, state holder
// SH, and the flag between PAUSE and RESUME that resets SH. A window's last cycle is that of tc == 0; the next edge loads SH from the
// count, clears the count, and takes a new configuration. Latency 1 cycle.
module spfc_state_decision (
    input             clk,
    input             rst,  // synchronous, active high
    input      [13:0] config_window,
    input      [13:0] config_threshold,
    input             events_pause,
    input             events_resume,
    input      [7:0]  events_cells,
    output reg        out_paused,
    output reg        out_victim,  // SH
    output reg        out_over,    // IRC's output
    output reg [13:0] out_count    // IRC
);
    reg [13:0] tc;
    reg [13:0] threshold;

    wire        timeout = tc == 14'd0;
    wire [13:0] limit   = !timeout ? threshold : config_threshold == 14'd0 ? 14'd1 : config_threshold;
    wire [14:0] sum     = {1'b0, timeout ? 14'd0 : out_count} + {7'd0, events_cells};
    wire        reached = sum >= {1'b0, limit};
    wire        paused  = events_pause || out_paused && !events_resume;
    // what SH holds on: the last window's verdict, or itself
    wire        held    = timeout ? out_over && !out_paused : out_victim;

    always @(posedge clk)
        if (rst) begin
            tc         <= 14'd0;
            threshold  <= 14'd1;
            out_paused <= 1'b0;
            out_victim <= 1'b0;
            out_over   <= 1'b0;
            out_count  <= 14'd0;
        end else begin
            tc         <= !timeout ? tc - 14'd1 : config_window == 14'd0 ? 14'd0 : config_window - 14'd1;
            threshold  <= limit;
            out_paused <= paused;
            out_victim <= !events_pause && held || !paused && reached;
            out_over   <= reached;
            out_count  <= reached ? limit : sum[13:0];
        end
endmodule
