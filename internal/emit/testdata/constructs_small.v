/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Small has numbers of every width and sign, shifted by signals, compared, divided and converted.
module constructs_small (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    reg [7:0] a;
    reg [7:0] b;
    reg [31:0] c;
    wire [7:0] a_2 = in_a[7:0] + a; // constructs.go:322
    wire [7:0] n1 = $signed(a_2) >>> in_b;
    wire [7:0] b_2 = in_a[15:8] + (b * 8'h3); // constructs.go:323
    wire [9:0] r = {{2{n1[7]}}, n1} + {2'h0, b_2 << in_b}; // constructs.go:326
    wire [31:0] n2 = {{22{r[9]}}, r};
    wire n3 = $signed(a_2) < $signed(b_2);
    wire n4 = n3 ? ~r[5] : r[5];
    wire n5 = n3 ? ~r[3] : r[3];
    wire n6 = n3 ? ~r[1] : r[1];
    wire n7 = n1[0] + ((in_a[8] + b[0]) << in_b);
    wire [31:0] n8 = {n2[31:15], n3 ? ~n2[14] : n2[14], n2[13], n3 ? ~n2[12] : n2[12], n2[11], n3 ? ~n2[10] : n2[10], r[9], n3 ? ~r[8:7] : r[8:7], r[6], n4, r[4], n5, r[2], n6, n7};
    wire n9 = b_2 < a_2;
    wire [31:0] r_2 = n9 ? n8 : (n8 + 32'h7); // constructs.go:334
    wire [31:0] n10 = $signed({{24{a_2[7]}}, a_2}) >>> in_b;
    wire [31:0] c_2 = {{16{in_a[15]}}, in_a} ^ ((c << in_b) ^ n10); // constructs.go:324
    wire [63:0] d = ({{56{a_2[7]}}, a_2} * {{32{c_2[31]}}, c_2}) - {56'h0, b_2}; // constructs.go:325
    wire n11 = $signed(c_2) < $signed(32'hfffffc18);
    wire [31:0] n12 = $signed(c_2) / $signed(32'h7);
    wire [7:0] n13 = $signed(a_2) % $signed(8'h5);
    wire [31:0] r_3 = (n11 ? r_2 : (d[63] ? ~r_2 : r_2)) + (n12 ^ {{24{n13[7]}}, n13}); // constructs.go:336
    wire [7:0] n14 = $signed(8'hfd) < $signed(a_2) ? 8'hfd : a_2;
    wire [7:0] n15 = b_2 < 8'h9 ? 8'h9 : b_2;
    wire [9:0] n16 = {{2{n14[7]}}, n14} + {2'h0, n15};
    wire [31:0] n17 = {{22{n16[9]}}, n16};
    wire [3:0] n18 = in_b % 4'h3;
    reg [7:0] n19;
    always @(*)
        case (n18[1:0])
            2'h0: n19 = b_2;
            2'h1: n19 = a_2;
            default: n19 = {4'h0, in_b};
        endcase
    wire [7:0] n20 = n19;
    wire [1:0] n21 = n16[9:8];
    wire [7:0] n22 = r_3[15:8] ^ {{6{n21[1]}}, n21};
    wire [7:0] n23 = {n3 ? ~r[7] : r[7], r[6], n4, r[4], n5, r[2], n6, n7};
    wire [7:0] n24 = n9 ? n23 : (n23 + 8'h7);
    wire [31:0] n25 = {(r_3[31:16] ^ n17[31:16]) ^ d[34:19], (in_take ? (~n20 & n22) : n22) ^ d[18:11], (((n11 ? n24 : (d[63] ? ~n24 : n24)) + (n13 ^ n12[7:0])) ^ (n14 + n15)) ^ d[10:3]};
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            a <= 8'h0;
            b <= 8'h0;
            c <= 32'h0;
        end else begin
            out <= n25;
            a <= a_2;
            b <= b_2;
            c <= c_2;
        end
endmodule
