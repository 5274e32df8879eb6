/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Spans has slices that begin where a signal says, and end at another.
module constructs_spans (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    reg [1:0] phase;
    reg [2:0] n1;
    always @(*)
        case (phase)
            2'h0: n1 = 3'h0;
            2'h1: n1 = 3'h3;
            default: n1 = 3'h4;
        endcase
    wire [2:0] n2 = n1;
    reg [1:0] o; // constructs.go:267
    always @(*)
        case (n2 + 3'h1)
            3'h0: o = 2'h2;
            3'h1: o = 2'h0;
            3'h2: o = 2'h3;
            3'h3: o = 2'h1;
            3'h4: o = 2'h2;
            default: o = 2'h1;
        endcase
    wire [1:0] o_2 = o; // constructs.go:267
    wire [3:0] again = 4'h1 << o_2; // constructs.go:269
    reg [1:0] o_3; // constructs.go:267
    always @(*)
        case (n2)
            3'h0: o_3 = 2'h2;
            3'h1: o_3 = 2'h0;
            3'h2: o_3 = 2'h3;
            3'h3: o_3 = 2'h1;
            default: o_3 = 2'h2;
        endcase
    wire [1:0] o_4 = o_3; // constructs.go:267
    wire n3 = o_4 == 2'h0;
    wire n4 = o_4 == 2'h1;
    wire n5 = o_4 == 2'h2;
    wire n6 = o_4 == 2'h3;
    reg n7;
    always @(*)
        case (o_2)
            2'h0: n7 = n3;
            2'h1: n7 = n4;
            2'h2: n7 = n5;
            default: n7 = n6;
        endcase
    wire n8 = n7;
    wire [3:0] n9 = n8 ? again : 4'h0;
    reg [1:0] o_5; // constructs.go:267
    always @(*)
        case (n2 + 3'h2)
            3'h0: o_5 = 2'h2;
            3'h1: o_5 = 2'h0;
            3'h2: o_5 = 2'h3;
            3'h3: o_5 = 2'h1;
            3'h4: o_5 = 2'h2;
            3'h5: o_5 = 2'h1;
            default: o_5 = 2'h0;
        endcase
    wire [1:0] o_6 = o_5; // constructs.go:267
    wire [3:0] again_2 = n9 | (4'h1 << o_6); // constructs.go:269
    wire n10 = n8 ? n3 : (n3 | (o_2 == 2'h0));
    wire n11 = n8 ? n4 : (n4 | (o_2 == 2'h1));
    wire n12 = n8 ? n5 : (n5 | (o_2 == 2'h2));
    wire n13 = n8 ? n6 : (n6 | (o_2 == 2'h3));
    reg n14;
    always @(*)
        case (o_6)
            2'h0: n14 = n10;
            2'h1: n14 = n11;
            2'h2: n14 = n12;
            default: n14 = n13;
        endcase
    wire n15 = n14;
    wire [3:0] n16 = n15 ? again_2 : n9;
    reg [1:0] o_7; // constructs.go:267
    always @(*)
        case (n2 + 3'h3)
            3'h0: o_7 = 2'h2;
            3'h1: o_7 = 2'h0;
            3'h2: o_7 = 2'h3;
            3'h3: o_7 = 2'h1;
            3'h4: o_7 = 2'h2;
            3'h5: o_7 = 2'h1;
            default: o_7 = 2'h0;
        endcase
    wire [1:0] o_8 = o_7; // constructs.go:267
    wire [3:0] again_3 = n16 | (4'h1 << o_8); // constructs.go:269
    wire n17 = n15 ? n10 : (n10 | (o_6 == 2'h0));
    wire n18 = n15 ? n11 : (n11 | (o_6 == 2'h1));
    wire n19 = n15 ? n12 : (n12 | (o_6 == 2'h2));
    wire n20 = n15 ? n13 : (n13 | (o_6 == 2'h3));
    reg n21;
    always @(*)
        case (o_8)
            2'h0: n21 = n17;
            2'h1: n21 = n18;
            2'h2: n21 = n19;
            default: n21 = n20;
        endcase
    wire n22 = n21;
    wire [3:0] n23 = n22 ? again_3 : n16;
    wire [3:0] n24 = {1'b0, n2};
    reg [1:0] o_9; // constructs.go:267
    always @(*)
        case (n24 + 4'h4)
            4'h0: o_9 = 2'h2;
            4'h1: o_9 = 2'h0;
            4'h2: o_9 = 2'h3;
            4'h3: o_9 = 2'h1;
            4'h4: o_9 = 2'h2;
            4'h5: o_9 = 2'h1;
            default: o_9 = 2'h0;
        endcase
    wire [1:0] o_10 = o_9; // constructs.go:267
    wire [3:0] again_4 = n23 | (4'h1 << o_10); // constructs.go:269
    wire n25 = n22 ? n17 : (n17 | (o_8 == 2'h0));
    wire n26 = n22 ? n18 : (n18 | (o_8 == 2'h1));
    wire n27 = n22 ? n19 : (n19 | (o_8 == 2'h2));
    wire n28 = n22 ? n20 : (n20 | (o_8 == 2'h3));
    reg n29;
    always @(*)
        case (o_10)
            2'h0: n29 = n25;
            2'h1: n29 = n26;
            2'h2: n29 = n27;
            default: n29 = n28;
        endcase
    wire n30 = n29;
    wire [3:0] n31 = n30 ? again_4 : n23;
    reg [1:0] o_11; // constructs.go:267
    always @(*)
        case (n24 + 4'h5)
            4'h0: o_11 = 2'h2;
            4'h1: o_11 = 2'h0;
            4'h2: o_11 = 2'h3;
            4'h3: o_11 = 2'h1;
            4'h4: o_11 = 2'h2;
            4'h5: o_11 = 2'h1;
            default: o_11 = 2'h0;
        endcase
    wire [1:0] o_12 = o_11; // constructs.go:267
    wire [3:0] again_5 = n31 | (4'h1 << o_12); // constructs.go:269
    wire n32 = n30 ? n25 : (n25 | (o_10 == 2'h0));
    wire n33 = n30 ? n26 : (n26 | (o_10 == 2'h1));
    wire n34 = n30 ? n27 : (n27 | (o_10 == 2'h2));
    wire n35 = n30 ? n28 : (n28 | (o_10 == 2'h3));
    reg n36;
    always @(*)
        case (o_12)
            2'h0: n36 = n32;
            2'h1: n36 = n33;
            2'h2: n36 = n34;
            default: n36 = n35;
        endcase
    wire n37 = n36;
    reg [2:0] n38;
    always @(*)
        case (phase)
            2'h0: n38 = 3'h1;
            2'h1: n38 = 3'h3;
            default: n38 = 3'h6;
        endcase
    wire [2:0] n39 = n38;
    wire n40 = 3'h5 < (n39 - n2);
    wire n41 = 3'h4 < (n39 - n2);
    wire n42 = 3'h3 < (n39 - n2);
    wire n43 = 3'h2 < (n39 - n2);
    wire n44 = 3'h1 < (n39 - n2);
    wire [3:0] n45 = n44 ? (n43 ? (n42 ? (n41 ? (n40 ? (n37 ? again_5 : n31) : n31) : n23) : n16) : n9) : 4'h0;
    wire n46 = (n39 - n2) == 3'h0;
    wire [3:0] n47 = in_b[0] ? (n46 ? 4'h0 : n45) : 4'h0;
    reg [1:0] o_13; // constructs.go:267
    always @(*)
        case (n39)
            3'h0: o_13 = 2'h2;
            3'h1: o_13 = 2'h0;
            3'h2: o_13 = 2'h3;
            3'h3: o_13 = 2'h1;
            3'h4: o_13 = 2'h2;
            3'h5: o_13 = 2'h1;
            default: o_13 = 2'h0;
        endcase
    wire [1:0] o_14 = o_13; // constructs.go:267
    wire [3:0] again_6 = n47 | (4'h1 << o_14); // constructs.go:269
    wire n48 = n43 ? (n42 ? (n41 ? (n40 ? (n37 ? n32 : (n32 | (o_12 == 2'h0))) : n32) : n25) : n17) : n10;
    wire n49 = in_b[0] & (~n46 & (n44 ? n48 : n3));
    wire n50 = n43 ? (n42 ? (n41 ? (n40 ? (n37 ? n33 : (n33 | (o_12 == 2'h1))) : n33) : n26) : n18) : n11;
    wire n51 = in_b[0] & (~n46 & (n44 ? n50 : n4));
    wire n52 = n43 ? (n42 ? (n41 ? (n40 ? (n37 ? n34 : (n34 | (o_12 == 2'h2))) : n34) : n27) : n19) : n12;
    wire n53 = in_b[0] & (~n46 & (n44 ? n52 : n5));
    wire n54 = n43 ? (n42 ? (n41 ? (n40 ? (n37 ? n35 : (n35 | (o_12 == 2'h3))) : n35) : n28) : n20) : n13;
    wire n55 = in_b[0] & (~n46 & (n44 ? n54 : n6));
    reg n56;
    always @(*)
        case (o_14)
            2'h0: n56 = n49;
            2'h1: n56 = n51;
            2'h2: n56 = n53;
            default: n56 = n55;
        endcase
    wire n57 = n56;
    wire [3:0] n58 = n57 ? again_6 : n47;
    reg [1:0] o_15; // constructs.go:267
    always @(*)
        case (n39 + 3'h1)
            3'h0: o_15 = 2'h2;
            3'h1: o_15 = 2'h0;
            3'h2: o_15 = 2'h3;
            3'h3: o_15 = 2'h1;
            3'h4: o_15 = 2'h2;
            3'h5: o_15 = 2'h1;
            default: o_15 = 2'h0;
        endcase
    wire [1:0] o_16 = o_15; // constructs.go:267
    wire [3:0] again_7 = n58 | (4'h1 << o_16); // constructs.go:269
    wire [1:0] n59 = {1'b0, n49};
    wire [1:0] n60 = n57 ? n59 : (o_14 == 2'h0 ? 2'h2 : n59);
    wire [1:0] n61 = {1'b0, n51};
    wire [1:0] n62 = n57 ? n61 : (o_14 == 2'h1 ? 2'h2 : n61);
    wire [1:0] n63 = {1'b0, n53};
    wire [1:0] n64 = n57 ? n63 : (o_14 == 2'h2 ? 2'h2 : n63);
    wire [1:0] n65 = {1'b0, n55};
    wire [1:0] n66 = n57 ? n65 : (o_14 == 2'h3 ? 2'h2 : n65);
    reg [1:0] n67;
    always @(*)
        case (o_16)
            2'h0: n67 = n60;
            2'h1: n67 = n62;
            2'h2: n67 = n64;
            default: n67 = n66;
        endcase
    wire [1:0] n68 = n67;
    wire n69 = n68 == 2'h0;
    wire [3:0] n70 = n69 ? n58 : again_7;
    wire [3:0] n71 = {1'b0, n39};
    reg [1:0] o_17; // constructs.go:267
    always @(*)
        case (n71 + 4'h2)
            4'h0: o_17 = 2'h2;
            4'h1: o_17 = 2'h0;
            4'h2: o_17 = 2'h3;
            4'h3: o_17 = 2'h1;
            4'h4: o_17 = 2'h2;
            4'h5: o_17 = 2'h1;
            default: o_17 = 2'h0;
        endcase
    wire [1:0] o_18 = o_17; // constructs.go:267
    wire [3:0] again_8 = n70 | (4'h1 << o_18); // constructs.go:269
    wire [1:0] n72 = n69 ? (o_16 == 2'h0 ? 2'h2 : n60) : n60;
    wire [1:0] n73 = n69 ? (o_16 == 2'h1 ? 2'h2 : n62) : n62;
    wire [1:0] n74 = n69 ? (o_16 == 2'h2 ? 2'h2 : n64) : n64;
    wire [1:0] n75 = n69 ? (o_16 == 2'h3 ? 2'h2 : n66) : n66;
    reg [1:0] n76;
    always @(*)
        case (o_18)
            2'h0: n76 = n72;
            2'h1: n76 = n73;
            2'h2: n76 = n74;
            default: n76 = n75;
        endcase
    wire [1:0] n77 = n76;
    wire n78 = n77 == 2'h0;
    wire [3:0] n79 = n78 ? n70 : again_8;
    reg [1:0] o_19; // constructs.go:267
    always @(*)
        case (n71 + 4'h3)
            4'h0: o_19 = 2'h2;
            4'h1: o_19 = 2'h0;
            4'h2: o_19 = 2'h3;
            4'h3: o_19 = 2'h1;
            4'h4: o_19 = 2'h2;
            4'h5: o_19 = 2'h1;
            default: o_19 = 2'h0;
        endcase
    wire [1:0] o_20 = o_19; // constructs.go:267
    wire [3:0] again_9 = n79 | (4'h1 << o_20); // constructs.go:269
    wire [1:0] n80 = n78 ? (o_18 == 2'h0 ? 2'h2 : n72) : n72;
    wire [1:0] n81 = n78 ? (o_18 == 2'h1 ? 2'h2 : n73) : n73;
    wire [1:0] n82 = n78 ? (o_18 == 2'h2 ? 2'h2 : n74) : n74;
    wire [1:0] n83 = n78 ? (o_18 == 2'h3 ? 2'h2 : n75) : n75;
    reg [1:0] n84;
    always @(*)
        case (o_20)
            2'h0: n84 = n80;
            2'h1: n84 = n81;
            2'h2: n84 = n82;
            default: n84 = n83;
        endcase
    wire [1:0] n85 = n84;
    wire n86 = n85 == 2'h0;
    wire [3:0] n87 = n86 ? n79 : again_9;
    reg [1:0] o_21; // constructs.go:267
    always @(*)
        case (n71 + 4'h4)
            4'h0: o_21 = 2'h2;
            4'h1: o_21 = 2'h0;
            4'h2: o_21 = 2'h3;
            4'h3: o_21 = 2'h1;
            4'h4: o_21 = 2'h2;
            4'h5: o_21 = 2'h1;
            default: o_21 = 2'h0;
        endcase
    wire [1:0] o_22 = o_21; // constructs.go:267
    wire [3:0] again_10 = n87 | (4'h1 << o_22); // constructs.go:269
    wire [1:0] n88 = n86 ? (o_20 == 2'h0 ? 2'h2 : n80) : n80;
    wire [1:0] n89 = n86 ? (o_20 == 2'h1 ? 2'h2 : n81) : n81;
    wire [1:0] n90 = n86 ? (o_20 == 2'h2 ? 2'h2 : n82) : n82;
    wire [1:0] n91 = n86 ? (o_20 == 2'h3 ? 2'h2 : n83) : n83;
    reg [1:0] n92;
    always @(*)
        case (o_22)
            2'h0: n92 = n88;
            2'h1: n92 = n89;
            2'h2: n92 = n90;
            default: n92 = n91;
        endcase
    wire [1:0] n93 = n92;
    wire n94 = n93 == 2'h0;
    wire [3:0] n95 = n94 ? n87 : again_10;
    reg [1:0] o_23; // constructs.go:267
    always @(*)
        case (n71 + 4'h5)
            4'h0: o_23 = 2'h2;
            4'h1: o_23 = 2'h0;
            4'h2: o_23 = 2'h3;
            4'h3: o_23 = 2'h1;
            4'h4: o_23 = 2'h2;
            4'h5: o_23 = 2'h1;
            default: o_23 = 2'h0;
        endcase
    wire [1:0] o_24 = o_23; // constructs.go:267
    wire [3:0] again_11 = n95 | (4'h1 << o_24); // constructs.go:269
    reg [1:0] n96;
    always @(*)
        case (o_24)
            2'h0: n96 = n94 ? (o_22 == 2'h0 ? 2'h2 : n88) : n88;
            2'h1: n96 = n94 ? (o_22 == 2'h1 ? 2'h2 : n89) : n89;
            2'h2: n96 = n94 ? (o_22 == 2'h2 ? 2'h2 : n90) : n90;
            default: n96 = n94 ? (o_22 == 2'h3 ? 2'h2 : n91) : n91;
        endcase
    wire [1:0] n97 = n96;
    wire n98 = n97 == 2'h0;
    reg [2:0] n99;
    always @(*)
        case ({phase, 1'b0} + 3'h2)
            3'h0: n99 = 3'h0;
            3'h1: n99 = 3'h1;
            3'h2, 3'h3: n99 = 3'h3;
            3'h4: n99 = 3'h4;
            3'h5: n99 = 3'h6;
            default: n99 = 3'h7;
        endcase
    wire [2:0] n100 = n99;
    wire n101 = 3'h5 < (n100 - n39);
    wire n102 = 3'h4 < (n100 - n39);
    wire n103 = 3'h3 < (n100 - n39);
    wire n104 = 3'h2 < (n100 - n39);
    wire n105 = 3'h1 < (n100 - n39);
    wire [3:0] n106 = n105 ? (n104 ? (n103 ? (n102 ? (n101 ? (n98 ? n95 : again_11) : n95) : n87) : n79) : n70) : n58;
    wire n107 = (n100 - n39) == 3'h0;
    wire [3:0] again_12 = in_b[1] ? (n107 ? n47 : n106) : n47; // constructs.go:280
    wire [6:0] sum = (n46 ? 7'h64 : 7'h0) + {4'h0, {1'b0, o_4} + 3'h1}; // constructs.go:273
    wire [6:0] sum_2 = sum + {4'h0, {1'b0, o_2} + 3'h1}; // constructs.go:273
    wire [6:0] n108 = n8 ? sum : sum_2;
    wire [6:0] sum_3 = n108 + {4'h0, {1'b0, o_6} + 3'h1}; // constructs.go:273
    wire [6:0] n109 = n15 ? n108 : sum_3;
    wire [6:0] sum_4 = n109 + {4'h0, {1'b0, o_8} + 3'h1}; // constructs.go:273
    wire [6:0] n110 = n22 ? n109 : sum_4;
    wire [6:0] sum_5 = n110 + {4'h0, {1'b0, o_10} + 3'h1}; // constructs.go:273
    wire [6:0] n111 = n30 ? n110 : sum_5;
    wire [6:0] sum_6 = n111 + {4'h0, {1'b0, o_12} + 3'h1}; // constructs.go:273
    wire [6:0] n112 = n44 ? (n43 ? (n42 ? (n41 ? (n40 ? (n37 ? n111 : sum_6) : n111) : n110) : n109) : n108) : sum;
    wire [7:0] n113 = {1'b0, in_b[0] ? (n46 ? 7'h64 : n112) : 7'h0};
    wire [7:0] sum_7 = n113 + 8'h64; // constructs.go:265
    wire [7:0] n114 = n107 ? sum_7 : n113;
    wire [7:0] sum_8 = n114 + {5'h0, {1'b0, o_14} + 3'h1}; // constructs.go:273
    wire [7:0] n115 = n57 ? n114 : sum_8;
    wire [7:0] sum_9 = n115 + {5'h0, {1'b0, o_16} + 3'h1}; // constructs.go:273
    wire [7:0] n116 = n69 ? sum_9 : n115;
    wire [7:0] sum_10 = n116 + {5'h0, {1'b0, o_18} + 3'h1}; // constructs.go:273
    wire [7:0] n117 = n78 ? sum_10 : n116;
    wire [7:0] sum_11 = n117 + {5'h0, {1'b0, o_20} + 3'h1}; // constructs.go:273
    wire [7:0] n118 = n86 ? sum_11 : n117;
    wire [7:0] sum_12 = n118 + {5'h0, {1'b0, o_22} + 3'h1}; // constructs.go:273
    wire [7:0] n119 = n94 ? sum_12 : n118;
    wire [7:0] sum_13 = n119 + {5'h0, {1'b0, o_24} + 3'h1}; // constructs.go:273
    wire [7:0] n120 = n105 ? (n104 ? (n103 ? (n102 ? (n101 ? (n98 ? sum_13 : n119) : n119) : n118) : n117) : n116) : n115;
    wire [7:0] sum_14 = in_b[1] ? (n107 ? sum_7 : n120) : n113; // constructs.go:280
    wire [1:0] phase_2 = phase + 2'h1; // constructs.go:277
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            phase <= 2'h0;
        end else begin
            out <= {12'h0, again_12, 8'h0, sum_14};
            if (phase == 2'h2) begin
                phase <= 2'h0;
            end else begin
                phase <= phase_2;
            end
        end
endmodule
