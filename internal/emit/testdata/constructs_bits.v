/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Bits calls each function of math/bits that is logic, on each width.
module constructs_bits (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    reg [31:0] sum;
    wire [1:0] n1 = {1'b0, in_a[0]};
    wire [2:0] n2 = in_a[5] ? 3'h6 : (in_a[4] ? 3'h5 : (in_a[3] ? 3'h4 : {1'b0, in_a[2] ? 2'h3 : (in_a[1] ? 2'h2 : n1)}));
    wire [3:0] n3 = in_a[7] ? 4'h8 : {1'b0, in_a[6] ? 3'h7 : n2};
    wire [3:0] n4 = in_a[12] ? 4'hd : (in_a[11] ? 4'hc : (in_a[10] ? 4'hb : (in_a[9] ? 4'ha : (in_a[8] ? 4'h9 : n3))));
    wire [4:0] s = in_a[15] ? 5'h10 : {1'b0, in_a[14] ? 4'hf : (in_a[13] ? 4'he : n4)}; // constructs.go:294
    wire [9:0] s_2 = ({5'h0, s} * 10'h21) + {6'h0, n3}; // constructs.go:295
    wire n5 = in_a[0] | in_a[1];
    wire [3:0] n6 = in_a[5] ? 4'h9 : (in_a[4] ? 4'h8 : {1'b0, in_a[3] ? 3'h7 : (in_a[2] ? 3'h6 : {n5, 1'b0, in_a[1]})});
    wire [3:0] n7 = in_a[2] ? 4'hb : (in_a[1] ? 4'ha : (in_a[0] ? 4'h9 : (in_a[7] ? 4'hb : (in_a[6] ? 4'ha : n6))));
    wire [5:0] n8 = {in_a[6] | (in_a[5] | (in_a[4] | (in_a[3] | (in_a[2] | n5)))), 1'b0, in_a[6] ? 4'hf : (in_a[5] ? 4'he : (in_a[4] ? 4'hd : (in_a[3] ? 4'hc : n7)))};
    wire [5:0] n9 = in_a[11] ? 6'h34 : (in_a[10] ? 6'h33 : (in_a[9] ? 6'h32 : (in_a[8] ? 6'h31 : (in_a[7] ? 6'h30 : n8))));
    wire [5:0] n10 = in_a[15] ? 6'h38 : (in_a[14] ? 6'h37 : (in_a[13] ? 6'h36 : (in_a[12] ? 6'h35 : n9)));
    wire [14:0] s_3 = ({5'h0, s_2} * 15'h21) + {9'h0, n10}; // constructs.go:296
    wire [4:0] n11 = in_a[4] ? 5'hb : (in_a[3] ? 5'hc : (in_a[2] ? 5'hd : (in_a[1] ? 5'he : (in_a[0] ? 5'hf : 5'h10))));
    wire [4:0] n12 = in_a[9] ? 5'h6 : (in_a[8] ? 5'h7 : (in_a[7] ? 5'h8 : (in_a[6] ? 5'h9 : (in_a[5] ? 5'ha : n11))));
    wire [4:0] n13 = in_a[14] ? 5'h1 : (in_a[13] ? 5'h2 : (in_a[12] ? 5'h3 : (in_a[11] ? 5'h4 : (in_a[10] ? 5'h5 : n12))));
    wire [4:0] n14 = in_a[15] ? 5'h0 : n13;
    wire [19:0] s_4 = ({5'h0, s_3} * 20'h21) + {15'h0, n14}; // constructs.go:297
    wire [5:0] n15 = in_a[4] ? 6'h16 : (in_a[3] ? 6'h17 : (in_a[2] ? 6'h18 : (in_a[1] ? 6'h19 : (in_a[0] ? 6'h1a : 6'h20))));
    wire [5:0] n16 = in_a[9] ? 6'h11 : (in_a[8] ? 6'h12 : (in_a[7] ? 6'h13 : (in_a[6] ? 6'h14 : (in_a[5] ? 6'h15 : n15))));
    wire [5:0] n17 = in_a[14] ? 6'hc : (in_a[13] ? 6'hd : (in_a[12] ? 6'he : (in_a[11] ? 6'hf : (in_a[10] ? 6'h10 : n16))));
    wire [5:0] n18 = in_a[15] ? 6'hb : n17;
    wire [24:0] s_5 = ({5'h0, s_4} * 25'h21) + {19'h0, n18}; // constructs.go:298
    wire [3:0] n19 = in_a[3] ? 4'h3 : (in_a[4] ? 4'h4 : (in_a[5] ? 4'h5 : (in_a[6] ? 4'h6 : (in_a[7] ? 4'h7 : 4'h8))));
    wire [3:0] n20 = in_a[0] ? 4'h0 : (in_a[1] ? 4'h1 : (in_a[2] ? 4'h2 : n19));
    wire [29:0] s_6 = ({5'h0, s_5} * 30'h21) + {26'h0, n20}; // constructs.go:299
    wire [2:0] n21 = in_a[11] ? 3'h3 : (in_a[12] ? 3'h3 : (in_a[13] ? 3'h3 : (in_a[14] ? 3'h3 : (in_a[15] ? 3'h3 : 3'h4))));
    wire [2:0] n22 = in_a[11] ? 3'h3 : (in_a[12] ? 3'h4 : (in_a[13] ? 3'h5 : (in_a[14] ? 3'h6 : (in_a[15] ? 3'h7 : 3'h0))));
    wire [6:0] n23 = {in_a[8] ? 3'h3 : (in_a[9] ? 3'h3 : (in_a[10] ? 3'h3 : n21)), 1'b0, in_a[8] ? 3'h0 : (in_a[9] ? 3'h1 : (in_a[10] ? 3'h2 : n22))};
    wire [6:0] n24 = in_a[3] ? 7'h2b : (in_a[4] ? 7'h2c : (in_a[5] ? 7'h2d : (in_a[6] ? 7'h2e : (in_a[7] ? 7'h2f : n23))));
    wire [6:0] n25 = in_a[6] ? 7'h9 : (in_a[7] ? 7'ha : (in_a[0] ? 7'h28 : (in_a[1] ? 7'h29 : (in_a[2] ? 7'h2a : n24))));
    wire [6:0] n26 = in_a[1] ? 7'h4 : (in_a[2] ? 7'h5 : (in_a[3] ? 7'h6 : (in_a[4] ? 7'h7 : (in_a[5] ? 7'h8 : n25))));
    wire [6:0] n27 = in_a[0] ? 7'h3 : n26;
    wire [31:0] s_7 = ({2'h0, s_6} * 32'h21) + {25'h0, n27}; // constructs.go:300
    wire [1:0] n28 = {1'b0, in_a[1]};
    wire [1:0] n29 = {1'b0, in_a[2]};
    wire [1:0] n30 = {1'b0, in_a[3]};
    wire [1:0] n31 = {1'b0, in_a[4]};
    wire [1:0] n32 = {1'b0, in_a[5]};
    wire [1:0] n33 = {1'b0, in_a[6]};
    wire [1:0] n34 = {1'b0, in_a[7]};
    wire [3:0] n35 = {1'b0, {1'b0, n1 + n28} + {1'b0, n29 + n30}} + {1'b0, {1'b0, n31 + n32} + {1'b0, n33 + n34}};
    wire [3:0] n36 = {1'b0, {1'b0, {1'b0, in_a[8]} + {1'b0, in_a[9]}} + {1'b0, {1'b0, in_a[10]} + {1'b0, in_a[11]}}};
    wire [2:0] n37 = {1'b0, {1'b0, in_a[12]} + {1'b0, in_a[13]}} + {1'b0, {1'b0, in_a[14]} + {1'b0, in_a[15]}};
    wire [4:0] n38 = {1'b0, n35} + {1'b0, n36 + {1'b0, n37}};
    wire [3:0] n39 = {2'h0, n34 + (n32 + n33)} + {1'b0, ({1'b0, n28 + n29} + {1'b0, n30 + n31}) + {2'h0, in_a[0]}};
    wire [4:0] n40 = n38 + {1'b0, n39};
    wire [31:0] s_8 = ((s_7 * 32'h21) + {27'h0, n38}) + {27'h0, n40}; // constructs.go:301
    wire [31:0] n41 = (s_8 * 32'h21) + {24'h0, in_a[0], in_a[1], in_a[2], in_a[3], in_a[4], in_a[5], in_a[6], in_a[7]};
    wire [31:0] n42 = {16'h0, in_a[0], in_a[1], in_a[2], in_a[3], in_a[4], in_a[5], in_a[6], in_a[7], in_a[8], in_a[9], in_a[10], in_a[11], in_a[12], in_a[13], in_a[14], in_a[15]};
    wire [31:0] s_9 = n41 + n42; // constructs.go:302
    wire [7:0] n43 = (((((({3'h0, s} * 8'h21) + {4'h0, n3}) * 8'h21) + {2'h0, n10}) * 8'h21) + {3'h0, n14}) * 8'h21;
    wire [7:0] n44 = ((((((n43 + {2'h0, n18}) * 8'h21) + {4'h0, n20}) * 8'h21) + {1'b0, n27}) * 8'h21) + {3'h0, n38};
    wire [7:0] n45 = {in_a[0], in_a[1], in_a[2], in_a[3], in_a[4], in_a[5], in_a[6], in_a[7]} + ((n44 + {3'h0, n40}) * 8'h21);
    wire [31:0] s_10 = {in_a[0] ^ s_9[31], s_9[30:24], in_a[8:1] ^ s_9[23:16], s_9[15], in_a[15:9] ^ s_9[14:8], n45 + {in_a[8], in_a[9], in_a[10], in_a[11], in_a[12], in_a[13], in_a[14], in_a[15]}}; // constructs.go:303
    wire [31:0] s_11 = s_10 + {in_a[2:0], 13'h0, in_a[10:8], in_a[7:0] ^ in_a[15:8], in_a[15:11] ^ in_a[7:3]}; // constructs.go:304
    wire [31:0] sum_2 = s_11 + {1'b0, sum[31:1]}; // constructs.go:305
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            sum <= 32'h0;
        end else begin
            out <= sum_2;
            sum <= sum_2;
        end
endmodule
