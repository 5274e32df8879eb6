// Counts the frames that a clock could carry, modulo 16 and in Gray code, for another clock to look at (RIFL §5.B). Latency 1 cycle.
module rifl_frame_counter #(
    parameter WORDS = 4  // of 64 bits a frame
) (
    input            clk,
    input            rst,  // synchronous, active high
    output reg [3:0] gray_value
);
    reg [4:0] at;
    reg [3:0] n;

    wire [3:0] next = n + 4'd1;
    always @(posedge clk)
        if (rst) begin
            at         <= 5'd0;
            n          <= 4'd0;
            gray_value <= 4'd0;
        end else if (at != WORDS - 1) at <= at + 5'd1;
        else begin
            at         <= 5'd0;
            n          <= next;
            gray_value <= next ^ next >> 1;
        end
endmodule
