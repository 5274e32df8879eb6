// Counter of a DTP port with the delays to NODES nodes, at most 16. A probe that is heard tells the sender's counter and what the sender saw of this one.
// What this one sees is the delay and the difference of the counters; half of the sum of both less alpha is the delay. A probe moves the counter
// by at most one: two steps where it is late, none where it is early. With mode_max it never stands still (DTP). Latency 1 cycle.
// A probe from another node is seen, but moves nothing.
module shoal_time_counter #(
    parameter NODES = 16
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [23:0] heard_count,
    input      [15:0] heard_value,
    input      [3:0]  heard_from,
    input             heard_valid,
    input             mode_learn,
    input             mode_follow,
    input             mode_max,
    input      [3:0]  mode_master,
    input      [63:0] set_count,
    input             set_valid,
    input      [7:0]  alpha,
    output reg [63:0] count,
    output reg [15:0] seen_value,
    output reg [3:0]  seen_from,
    output reg        seen_valid,
    output reg [31:0] total,
    output reg [15:0] known
);
    localparam [15:0] NONE = 16'hffff;

    reg [15:0] delay [0:NODES-1];

    wire [15:0] seen    = count[15:0] - heard_count[15:0];
    wire [15:0] both    = seen + heard_value - {8'd0, alpha};  // modulo 2^16: delays are below 2^15
    wire [15:0] late    = delay[heard_from] - seen;
    wire        follows = heard_valid && mode_follow && known[heard_from] && (mode_max || heard_from == mode_master);
    wire        learns  = heard_valid && {1'b0, heard_from} < NODES && mode_learn && heard_value != NONE;

    reg [63:0] step;
    reg [31:0] sum;
    integer    i;

    always @* begin
        step = 64'd1;
        if (follows && !late[15] && late != 16'd0) step = 64'd2;
        if (follows && late[15] && !mode_max) step = 64'd0;
        sum = 32'd0;
        for (i = 0; i < NODES; i = i + 1) sum = sum + {16'd0, delay[i]};
    end

    always @(posedge clk)
        if (rst) begin
            count      <= 64'd0;
            seen_value <= 16'd0;
            seen_from  <= 4'd0;
            seen_valid <= 1'b0;
            total      <= 32'd0;
            known      <= 16'd0;
            for (i = 0; i < NODES; i = i + 1) delay[i] <= 16'd0;
        end else begin
            count      <= set_valid ? set_count : count + step;
            seen_value <= seen;
            seen_from  <= heard_from;
            seen_valid <= heard_valid;
            total      <= sum;
            if (learns) begin
                delay[heard_from] <= {1'b0, both[15:1]};
                known[heard_from] <= 1'b1;
            end
        end

    wire unused = &{1'b0, heard_count[23:16]};  // delays and differences are short
endmodule
