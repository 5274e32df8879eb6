// PFC threshold of an ingress queue, all in cells: alpha times the free pool with alpha = 2^shift (DT), a static one (ST), or the whole
// pool for a victim; and what follows from it for a packet. Latency 1 cycle. BITS is that of a count of cells: of the inputs as many low bits
// count.
module spfc_threshold_comparator #(
    parameter BITS = 19
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [18:0] config_pool,
    input      [18:0] config_static,
    input      [3:0]  config_shift,  // two's complement
    input             config_fixed,
    input      [18:0] query_shared,
    input      [18:0] query_used,
    input      [7:0]  query_add,
    input             query_victim,
    input      [7:0]  offset,
    output reg [25:0] out_threshold,
    output reg        out_fits,
    output reg        out_over,
    output reg        out_clear
);
    localparam [18:0] MOST = (19'd1 << BITS) - 19'd1;

    wire [18:0] pool   = config_pool & MOST;
    wire [18:0] fixed  = config_static & MOST;
    wire [18:0] shared = query_shared & MOST;
    wire [18:0] own    = query_used & MOST;

    wire        full  = shared >= pool;
    wire [18:0] left  = full ? 19'd0 : pool - shared;
    wire [3:0]  right = 4'd0 - config_shift;
    wire [25:0] alpha = config_shift[3] ? {7'd0, left >> right} : {7'd0, left} << config_shift[2:0];
    wire [25:0] limit = config_fixed ? {7'd0, fixed} : query_victim ? {7'd0, pool} : alpha;
    wire [25:0] used  = {7'd0, own};
    wire [25:0] grown = used + {18'd0, query_add};

    // A queue without cells in the pool is never over, and one that is over is never clear: a port does not flap in a full pool.
    wire over = own != 19'd0 && (used >= limit || full);

    always @(posedge clk)
        if (rst) begin
            out_threshold <= 26'd0;
            out_fits      <= 1'b0;
            out_over      <= 1'b0;
            out_clear     <= 1'b0;
        end else begin
            out_threshold <= limit;
            out_fits      <= grown == 26'd0 || grown <= limit && {11'd0, query_add} <= left;
            out_over      <= over;
            out_clear     <= own == 19'd0 || !over && used + {18'd0, offset} <= limit && {11'd0, offset} <= left;
        end
endmodule
