/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Handed has two memories: a word goes from one to the other in the cycle in which the next one is written. The words
// differ after the reset.
module constructs_handed (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    reg [15:0] from [0:7];
    reg [15:0] to [0:7];
    integer i;
    wire [15:0] n1 = from[in_b[2:0]];
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            from[0] <= 16'h1;
            from[1] <= 16'h2;
            from[2] <= 16'h5;
            from[3] <= 16'ha;
            from[4] <= 16'h11;
            from[5] <= 16'h1a;
            from[6] <= 16'h25;
            from[7] <= 16'h32;
            for (i = 0; i < 8; i = i + 1)
                to[i] <= 16'h0;
        end else begin
            out <= {to[in_b[2:0]], n1};
            if (!in_take)
                from[in_b[2:0]] <= in_a;
            if (!in_take)
                to[in_b[3:1]] <= n1;
        end
endmodule
