// Flow control of a lane on the frame clock (RIFL §4.D): takes the notifications out of the data frames that come, and says when the far
// end has to pause. Latency 1 cycle.
module rifl_flow_monitor #(
    parameter S = 6  // bits of the frame ID: the buffer's memory has 2 * 2^S frames
) (
    input             clk,
    input             rst,    // synchronous, active high
    input             valid,  // of the frame
    input      [63:0] first,  // its first word
    input      [63:0] last,
    input      [15:0] count,  // frames that the lane's buffer holds
    output reg        remote_paused,
    output reg        local_full
);
    localparam MEMORY = 2 << S, ON = 2 * MEMORY / 3, OFF = MEMORY / 3;

    wire [7:0] format = last[19:12];
    wire       notice = valid && first[61:60] == 2'b00 && (format == 8'h01 || format == 8'h02);

    always @(posedge clk)
        if (rst) begin
            remote_paused <= 1'b0;
            local_full    <= 1'b0;
        end else begin
            if (notice) remote_paused <= format == 8'h01;
            if (count > ON) local_full <= 1'b1;
            else if (count < OFF) local_full <= 1'b0;
        end
endmodule
