/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Table decides by a switch, a table and a text.
module constructs_table (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    wire [3:0] n1 = {2'h0, in_b == 4'h1 ? 2'h0 : ((in_b == 4'h2 ? 2'h0 : ({1'b0, ~(in_b == 4'h9)} + 2'h1)) + 2'h1)};
    wire [3:0] n2 = (n1 * 4'h3) + {2'h0, in_b[3:2] == 2'h1 ? 2'h0 : ({1'b0, ~(in_b[3:2] == 2'h2)} + 2'h1)};
    wire [31:0] x = {8'h0, in_a, 8'h0}; // constructs.go:109
    wire [31:0] x_2 = {16'hffff, ~in_a}; // constructs.go:111
    reg [31:0] n3;
    always @(*)
        case (in_b)
            4'h0: n3 = 32'h5;
            4'h3: n3 = {16'h0, in_a};
            4'h7, 4'h8: n3 = x;
            4'hc: n3 = x_2;
            default: n3 = 32'h0;
        endcase
    reg [7:0] n4;
    always @(*)
        case (in_b)
            4'h0: n4 = 8'h7;
            4'h1: n4 = 8'h1;
            4'h2: n4 = 8'hc;
            4'h3: n4 = 8'hc8;
            4'h4: n4 = 8'h0;
            default: n4 = 8'h9;
        endcase
    wire [7:0] n5 = n4;
    wire [31:0] x_3 = n3 + {24'h0, n5}; // constructs.go:114
    wire n6 = in_b == 4'h7;
    wire n7 = in_b == 4'hc;
    wire n8 = in_b == 4'h8;
    wire n9 = in_b == 4'h3;
    wire n10 = in_b == 4'h0;
    wire n11 = in_b < 4'h6;
    wire [30:0] n12 = {7'h0, in_a, 8'h0};
    reg [30:0] n13;
    always @(*)
        case (in_b)
            4'h0: n13 = 31'h5;
            4'h3: n13 = {15'h0, in_a};
            4'h7, 4'h8: n13 = n12;
            4'hc: n13 = {15'h7fff, ~in_a};
            default: n13 = 31'h0;
        endcase
    wire [30:0] n14 = n13;
    wire [31:0] x_4 = {((n2 == 4'h2) | (n2 == 4'h5)) | (n11 ? x_3[31] : (((~n6 & (n7 & ~n8)) & ~n9) & ~n10)), n11 ? (n14 + {23'h0, n5}) : n14}; // constructs.go:119
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
        end else begin
            out <= x_4;
        end
endmodule
