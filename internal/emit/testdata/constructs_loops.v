/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Loops has loops that end by constants, by a value's range, by a return, and by the bits of a mask.
module constructs_loops (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    wire n1 = (((((in_a[15] & ~in_a[14]) & ~in_a[13]) & ~in_a[12]) & ~in_a[11]) & ~in_a[10]) & ~in_a[9];
    wire n2 = ((((((n1 & ~in_a[8]) & ~in_a[7]) & ~in_a[6]) & ~in_a[5]) & ~in_a[4]) & ~in_a[3]) & ~in_a[2];
    wire n3 = ((((((in_a[14] & ~in_a[13]) & ~in_a[12]) & ~in_a[11]) & ~in_a[10]) & ~in_a[9]) & ~in_a[8]) & ~in_a[7];
    wire n4 = ((((((n3 & ~in_a[6]) & ~in_a[5]) & ~in_a[4]) & ~in_a[3]) & ~in_a[2]) & ~in_a[1]) & ~in_a[0];
    wire n5 = ((((((in_a[13] & ~in_a[12]) & ~in_a[11]) & ~in_a[10]) & ~in_a[9]) & ~in_a[8]) & ~in_a[7]) & ~in_a[6];
    wire [4:0] n6 = (((((n5 & ~in_a[5]) & ~in_a[4]) & ~in_a[3]) & ~in_a[2]) & ~in_a[1]) & ~in_a[0] ? 5'hd : (n4 ? 5'he : ((n2 & ~in_a[1]) & ~in_a[0] ? 5'hf : 5'h10));
    wire n7 = ((((((in_a[12] & ~in_a[11]) & ~in_a[10]) & ~in_a[9]) & ~in_a[8]) & ~in_a[7]) & ~in_a[6]) & ~in_a[5];
    wire n8 = ((((((in_a[11] & ~in_a[10]) & ~in_a[9]) & ~in_a[8]) & ~in_a[7]) & ~in_a[6]) & ~in_a[5]) & ~in_a[4];
    wire [4:0] n9 = (((n8 & ~in_a[3]) & ~in_a[2]) & ~in_a[1]) & ~in_a[0] ? 5'hb : (((((n7 & ~in_a[4]) & ~in_a[3]) & ~in_a[2]) & ~in_a[1]) & ~in_a[0] ? 5'hc : n6);
    wire n10 = ((((((in_a[10] & ~in_a[9]) & ~in_a[8]) & ~in_a[7]) & ~in_a[6]) & ~in_a[5]) & ~in_a[4]) & ~in_a[3];
    wire n11 = ((((((in_a[9] & ~in_a[8]) & ~in_a[7]) & ~in_a[6]) & ~in_a[5]) & ~in_a[4]) & ~in_a[3]) & ~in_a[2];
    wire [4:0] n12 = (n11 & ~in_a[1]) & ~in_a[0] ? 5'h9 : (((n10 & ~in_a[2]) & ~in_a[1]) & ~in_a[0] ? 5'ha : n9);
    wire n13 = ((((((in_a[8] & ~in_a[7]) & ~in_a[6]) & ~in_a[5]) & ~in_a[4]) & ~in_a[3]) & ~in_a[2]) & ~in_a[1];
    wire n14 = ((((((in_a[7] & ~in_a[6]) & ~in_a[5]) & ~in_a[4]) & ~in_a[3]) & ~in_a[2]) & ~in_a[1]) & ~in_a[0];
    wire [4:0] n15 = (((((in_a[6] & ~in_a[5]) & ~in_a[4]) & ~in_a[3]) & ~in_a[2]) & ~in_a[1]) & ~in_a[0] ? 5'h6 : (n14 ? 5'h7 : (n13 & ~in_a[0] ? 5'h8 : n12));
    wire [4:0] n16 = (((in_a[4] & ~in_a[3]) & ~in_a[2]) & ~in_a[1]) & ~in_a[0] ? 5'h4 : (((((in_a[5] & ~in_a[4]) & ~in_a[3]) & ~in_a[2]) & ~in_a[1]) & ~in_a[0] ? 5'h5 : n15);
    wire [4:0] n17 = (in_a[2] & ~in_a[1]) & ~in_a[0] ? 5'h2 : (((in_a[3] & ~in_a[2]) & ~in_a[1]) & ~in_a[0] ? 5'h3 : n16);
    wire [4:0] sum = in_a[0] ? 5'h0 : (in_a[1] & ~in_a[0] ? 5'h1 : n17); // constructs.go:137
    wire [5:0] sum_2 = ({1'b0, sum} * 6'h3) + {2'h0, in_b}; // constructs.go:139
    wire [4:0] n18 = {1'b0, in_b};
    wire [4:0] i_2 = n18 + 5'h1; // constructs.go:138
    wire [7:0] sum_3 = ({2'h0, sum_2} * 8'h3) + {3'h0, i_2}; // constructs.go:139
    wire [4:0] i_3 = n18 + 5'h2; // constructs.go:138
    wire [9:0] sum_4 = ({2'h0, sum_3} * 10'h3) + {5'h0, i_3}; // constructs.go:139
    wire [4:0] i_4 = n18 + 5'h3; // constructs.go:138
    wire [10:0] sum_5 = ({1'b0, sum_4} * 11'h3) + {6'h0, i_4}; // constructs.go:139
    wire [4:0] i_5 = n18 + 5'h4; // constructs.go:138
    wire [12:0] sum_6 = ({2'h0, sum_5} * 13'h3) + {8'h0, i_5}; // constructs.go:139
    wire [4:0] i_6 = n18 + 5'h5; // constructs.go:138
    wire [14:0] sum_7 = ({2'h0, sum_6} * 15'h3) + {10'h0, i_6}; // constructs.go:139
    wire [4:0] i_7 = n18 + 5'h6; // constructs.go:138
    wire [15:0] sum_8 = ({1'b0, sum_7} * 16'h3) + {11'h0, i_7}; // constructs.go:139
    wire [4:0] i_8 = n18 + 5'h7; // constructs.go:138
    wire [17:0] sum_9 = ({2'h0, sum_8} * 18'h3) + {13'h0, i_8}; // constructs.go:139
    wire [4:0] i_9 = n18 + 5'h8; // constructs.go:138
    wire [18:0] sum_10 = ({1'b0, sum_9} * 19'h3) + {14'h0, i_9}; // constructs.go:139
    wire [4:0] i_10 = n18 + 5'h9; // constructs.go:138
    wire [20:0] sum_11 = ({2'h0, sum_10} * 21'h3) + {16'h0, i_10}; // constructs.go:139
    wire [4:0] i_11 = n18 + 5'ha; // constructs.go:138
    wire [22:0] sum_12 = ({2'h0, sum_11} * 23'h3) + {18'h0, i_11}; // constructs.go:139
    wire [4:0] i_12 = n18 + 5'hb; // constructs.go:138
    wire [23:0] sum_13 = ({1'b0, sum_12} * 24'h3) + {19'h0, i_12}; // constructs.go:139
    wire [4:0] i_13 = n18 + 5'hc; // constructs.go:138
    wire [25:0] sum_14 = ({2'h0, sum_13} * 26'h3) + {21'h0, i_13}; // constructs.go:139
    wire [4:0] i_14 = n18 + 5'hd; // constructs.go:138
    wire [26:0] sum_15 = ({1'b0, sum_14} * 27'h3) + {22'h0, i_14}; // constructs.go:139
    wire [4:0] i_15 = n18 + 5'he; // constructs.go:138
    wire [28:0] sum_16 = ({2'h0, sum_15} * 29'h3) + {24'h0, i_15}; // constructs.go:139
    wire [29:0] n19 = {1'b0, sum_16};
    wire [4:0] i_16 = n18 + 5'hf; // constructs.go:138
    wire [29:0] sum_17 = (n19 * 30'h3) + {25'h0, i_16}; // constructs.go:139
    wire [29:0] n20 = i_14 < 5'h10 ? (i_15 < 5'h10 ? (i_16 < 5'h10 ? sum_17 : n19) : {3'h0, sum_15}) : {4'h0, sum_14};
    wire [29:0] n21 = i_11 < 5'h10 ? (i_12 < 5'h10 ? (i_13 < 5'h10 ? n20 : {6'h0, sum_13}) : {7'h0, sum_12}) : {9'h0, sum_11};
    wire [29:0] n22 = i_8 < 5'h10 ? (i_9 < 5'h10 ? (i_10 < 5'h10 ? n21 : {11'h0, sum_10}) : {12'h0, sum_9}) : {14'h0, sum_8};
    wire [29:0] n23 = i_5 < 5'h10 ? (i_6 < 5'h10 ? (i_7 < 5'h10 ? n22 : {15'h0, sum_7}) : {17'h0, sum_6}) : {19'h0, sum_5};
    wire [29:0] n24 = i_2 < 5'h10 ? (i_3 < 5'h10 ? (i_4 < 5'h10 ? n23 : {20'h0, sum_4}) : {22'h0, sum_3}) : {24'h0, sum_2};
    wire [4:0] n25 = in_a[11] ? 5'h1 : (in_a[12] ? 5'h2 : (in_a[13] ? 5'h3 : (in_a[14] ? 5'h4 : (in_a[15] ? 5'h5 : 5'h10))));
    wire [29:0] sum_18 = n24 + {17'h0, in_a[10] ? 5'h0 : n25, 8'h0}; // constructs.go:142
    wire [5:0] n26 = in_a[15:10] + 6'h3f;
    wire n27 = in_a[15] & n26[5];
    wire n28 = in_a[14] & n26[4];
    wire n29 = in_a[13] & n26[3];
    wire n30 = in_a[12] & n26[2];
    wire n31 = in_a[11] & n26[1];
    wire [29:0] n32 = {17'h0, n31 ? 5'h1 : (n30 ? 5'h2 : (n29 ? 5'h3 : (n28 ? 5'h4 : (n27 ? 5'h5 : 5'h10)))), 8'h0};
    wire [29:0] sum_19 = sum_18 + n32; // constructs.go:142
    wire [5:0] rest = in_a[15:10] & n26; // constructs.go:141
    wire [5:0] n33 = rest + 6'h3f;
    wire n34 = n27 & n33[5];
    wire n35 = n28 & n33[4];
    wire n36 = n29 & n33[3];
    wire n37 = n30 & n33[2];
    wire n38 = n31 & n33[1];
    wire [29:0] n39 = {17'h0, n38 ? 5'h1 : (n37 ? 5'h2 : (n36 ? 5'h3 : (n35 ? 5'h4 : (n34 ? 5'h5 : 5'h10)))), 8'h0};
    wire [29:0] sum_20 = sum_19 + n39; // constructs.go:142
    wire [5:0] rest_2 = rest & n33; // constructs.go:141
    wire [5:0] n40 = rest_2 + 6'h3f;
    wire n41 = n34 & n40[5];
    wire n42 = n35 & n40[4];
    wire n43 = n36 & n40[3];
    wire n44 = n37 & n40[2];
    wire n45 = n38 & n40[1];
    wire [29:0] n46 = {17'h0, n45 ? 5'h1 : (n44 ? 5'h2 : (n43 ? 5'h3 : (n42 ? 5'h4 : (n41 ? 5'h5 : 5'h10)))), 8'h0};
    wire [29:0] sum_21 = sum_20 + n46; // constructs.go:142
    wire [5:0] rest_3 = rest_2 & n40; // constructs.go:141
    wire [5:0] n47 = rest_3 + 6'h3f;
    wire n48 = n41 & n47[5];
    wire n49 = n42 & n47[4];
    wire n50 = n43 & n47[3];
    wire n51 = n44 & n47[2];
    wire n52 = n45 & n47[1];
    wire [29:0] n53 = {17'h0, n52 ? 5'h1 : (n51 ? 5'h2 : (n50 ? 5'h3 : (n49 ? 5'h4 : (n48 ? 5'h5 : 5'h10)))), 8'h0};
    wire [29:0] sum_22 = sum_21 + n53; // constructs.go:142
    wire [5:0] rest_4 = rest_3 & n47; // constructs.go:141
    wire [5:0] n54 = rest_4 + 6'h3f;
    wire [4:0] n55 = n51 & n54[2] ? 5'h2 : (n50 & n54[3] ? 5'h3 : (n49 & n54[4] ? 5'h4 : (n48 & n54[5] ? 5'h5 : 5'h10)));
    wire [29:0] sum_23 = sum_22 + {17'h0, n52 & n54[1] ? 5'h1 : n55, 8'h0}; // constructs.go:142
    wire [5:0] rest_5 = rest_4 & n54; // constructs.go:141
    wire [29:0] n56 = rest_2 == 6'h0 ? sum_19 : (rest_3 == 6'h0 ? sum_20 : (rest_4 == 6'h0 ? sum_21 : (rest_5 == 6'h0 ? sum_22 : sum_23)));
    wire [29:0] sum_24 = in_a[15:10] == 6'h0 ? n24 : (rest == 6'h0 ? sum_18 : n56); // constructs.go:144
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
        end else begin
            out <= {2'h0, sum_24};
        end
endmodule
