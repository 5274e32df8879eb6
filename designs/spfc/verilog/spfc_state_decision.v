// State decision of SPFC for one ingress port (Figure 10), a cycle a cell slot: timeout clock TC, ingress rate counter IRC, state holder
// SH, and the flag between PAUSE and RESUME that resets SH. A window's last cycle is that of tc == 0; the next edge loads SH from the
// count, clears the count, and takes a new configuration. Latency 1 cycle.
//
// BITS is that of TC and IRC; of the configuration as many low bits count. The others are readings of the paper. LATCH: only a PAUSE resets SH,
// not the end of a window below the count. COUNT_OLD: what is dequeued in the cycle after tc == 0 belongs to the window before. RESUME_WAITS: a
// count that was reached during the pause makes a victim with the next dequeue, not with the RESUME. SAMPLE_ONLY: only a window's end does.
module spfc_state_decision #(
    parameter BITS         = 14,
    parameter LATCH        = 0,
    parameter COUNT_OLD    = 0,
    parameter RESUME_WAITS = 0,
    parameter SAMPLE_ONLY  = 0
) (
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

    localparam [13:0] MOST = (14'd1 << BITS) - 14'd1;

    wire [13:0] window  = config_window & MOST;
    wire [13:0] wanted  = config_threshold & MOST;
    wire        timeout = tc == 14'd0;
    wire [13:0] limit   = !timeout ? threshold : wanted == 14'd0 ? 14'd1 : wanted;
    wire        old     = timeout && COUNT_OLD != 0;  // the events belong to the window that ends
    wire [13:0] bound   = old ? threshold : limit;
    wire [14:0] sum     = {1'b0, timeout && !old ? 14'd0 : out_count} + {7'd0, events_cells};
    wire        reached = sum >= {1'b0, bound};
    wire        paused  = events_pause || out_paused && !events_resume;
    // what SH holds on: the last window's verdict, or itself
    wire        held    = timeout && !old ? out_over && !out_paused || out_victim && LATCH != 0 : out_victim;
    wire        may     = RESUME_WAITS == 0 ? !paused : !events_pause && !out_paused && events_cells != 8'd0;
    wire        victim  = !events_pause && held || SAMPLE_ONLY == 0 && may && reached;

    always @(posedge clk)
        if (rst) begin
            tc         <= 14'd0;
            threshold  <= 14'd1;
            out_paused <= 1'b0;
            out_victim <= 1'b0;
            out_over   <= 1'b0;
            out_count  <= 14'd0;
        end else begin
            tc         <= !timeout ? tc - 14'd1 : window == 14'd0 ? 14'd0 : window - 14'd1;
            threshold  <= limit;
            out_paused <= paused;
            out_victim <= old ? reached && !paused || victim && LATCH != 0 : victim;
            out_over   <= reached && !old;
            out_count  <= old ? 14'd0 : reached ? bound : sum[13:0];
        end
endmodule
