/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Signed has numbers below zero.
module constructs_signed (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    reg [15:0] level;
    wire [5:0] level_2 = {2'h0, in_b} + 6'h38; // constructs.go:162
    wire [15:0] step = $signed(in_a) / $signed(16'h7); // constructs.go:156
    wire [15:0] step_2 = $signed(16'h0 - step) % $signed(16'h64); // constructs.go:158
    wire [15:0] step_3 = in_take ? step_2 : step; // constructs.go:160
    wire [15:0] n1 = step_3 + level;
    wire [14:0] n2 = $signed(n1[15:1]) < $signed(15'h7ed4) ? {{9{level_2[5]}}, level_2} : n1[15:1];
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            level <= 16'h0;
        end else begin
            out <= {{17{n2[14]}}, n2};
            level <= {{1{n2[14]}}, n2};
        end
endmodule
