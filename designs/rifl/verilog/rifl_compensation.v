// Clock compensation (RIFL §4.E, §5.B) on a free-running clock: compares how many frames the transmitter's clock and the recovered one could
// have carried. Which side is the faster one is decided once, at the first difference; that side asks for as many frames without
// data as it gains, at most three at a time, handed over when request_toggle changes and done follows it.
module rifl_compensation (
    input            clk,
    input            rst,           // synchronous, active high
    input      [3:0] local_value,   // Gray codes of other clocks
    input      [3:0] remote_value,
    input            done,          // of another clock
    output reg [1:0] request_frames,
    output reg       request_toggle
);
    function [3:0] binary(input [3:0] gray);
        binary = {gray[3], ^gray[3:2], ^gray[3:1], ^gray};
    endfunction

    reg [19:0]        ours, theirs;            // five flip-flops for each counter
    reg [3:0]         last_ours, last_theirs;
    reg [1:0]         answer;
    reg signed [31:0] owed;                    // frames gained and not yet asked for
    reg               decided, faster;

    wire [3:0] now_ours = binary(ours[19:16]), now_theirs = binary(theirs[19:16]);
    wire [3:0] gain_ours = now_ours - last_ours, gain_theirs = now_theirs - last_theirs;
    wire signed [31:0] due  = owed + $signed({28'd0, gain_ours}) - $signed({28'd0, gain_theirs});
    wire               fast = decided ? faster : due > 0;
    wire               ask  = fast && due > 0 && answer[1] == request_toggle;
    wire [1:0]         step = due > 3 ? 2'd3 : due[1:0];

    always @(posedge clk)
        if (rst) begin
            ours           <= 20'd0;
            theirs         <= 20'd0;
            last_ours      <= 4'd0;
            last_theirs    <= 4'd0;
            answer         <= 2'b00;
            owed           <= 32'sd0;
            decided        <= 1'b0;
            faster         <= 1'b0;
            request_frames <= 2'd0;
            request_toggle <= 1'b0;
        end else begin
            ours        <= {ours[15:0], local_value};
            theirs      <= {theirs[15:0], remote_value};
            last_ours   <= now_ours;
            last_theirs <= now_theirs;
            answer      <= {answer[0], done};
            owed        <= ask ? due - $signed({30'd0, step}) : due;
            if (!decided && due != 0) begin
                decided <= 1'b1;
                faster  <= due > 0;
            end
            if (ask) begin
                request_frames <= step;
                request_toggle <= !request_toggle;
            end
        end
endmodule
