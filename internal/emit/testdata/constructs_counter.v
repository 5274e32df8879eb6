/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Counter counts to 10 and begins again: its register has four bits.
module constructs_counter (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    reg [3:0] n;
    wire [3:0] n1 = in_take ? (n == 4'ha ? 4'h0 : (n + 4'h1)) : n;
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            n <= 4'h0;
        end else begin
            out <= {28'h0, n1};
            if (in_take) begin
                if (n == 4'ha) begin
                    n <= 4'h0;
                end else begin
                    n <= n + 4'h1;
                end
            end
        end
endmodule
