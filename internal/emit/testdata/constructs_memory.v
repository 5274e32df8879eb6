/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Memory is written at one address a cycle.
module constructs_memory (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    reg [15:0] words [0:15];
    integer i;
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            for (i = 0; i < 16; i = i + 1)
                words[i] <= 16'h0;
        end else begin
            out <= {16'h0, words[in_b]};
            if (in_take)
                words[in_b] <= in_a;
        end
endmodule
