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
    wire [2:0] n1 = {phase, 1'b0};
    reg [2:0] n2;
    always @(*)
        case (n1)
            3'h0: n2 = 3'h0;
            3'h1: n2 = 3'h1;
            3'h2, 3'h3: n2 = 3'h3;
            default: n2 = 3'h4;
        endcase
    wire [2:0] n3 = n2;
    reg [1:0] o; // constructs.go:240
    always @(*)
        case (n3 + 3'h1)
            3'h0: o = 2'h2;
            3'h1: o = 2'h0;
            3'h2: o = 2'h3;
            3'h3: o = 2'h1;
            3'h4: o = 2'h2;
            default: o = 2'h1;
        endcase
    wire [1:0] o_2 = o; // constructs.go:240
    wire [3:0] again = 4'h1 << o_2; // constructs.go:242
    reg [1:0] o_3; // constructs.go:240
    always @(*)
        case (n3)
            3'h0: o_3 = 2'h2;
            3'h1: o_3 = 2'h0;
            3'h2: o_3 = 2'h3;
            3'h3: o_3 = 2'h1;
            default: o_3 = 2'h2;
        endcase
    wire [1:0] o_4 = o_3; // constructs.go:240
    wire n4 = o_4 == 2'h0;
    wire n5 = o_4 == 2'h1;
    wire n6 = o_4 == 2'h2;
    wire n7 = o_4 == 2'h3;
    reg n8;
    always @(*)
        case (o_2)
            2'h0: n8 = n4;
            2'h1: n8 = n5;
            2'h2: n8 = n6;
            default: n8 = n7;
        endcase
    wire n9 = n8;
    wire [3:0] n10 = n9 ? again : 4'h0;
    reg [1:0] o_5; // constructs.go:240
    always @(*)
        case (n3 + 3'h2)
            3'h0: o_5 = 2'h2;
            3'h1: o_5 = 2'h0;
            3'h2: o_5 = 2'h3;
            3'h3: o_5 = 2'h1;
            3'h4: o_5 = 2'h2;
            3'h5: o_5 = 2'h1;
            default: o_5 = 2'h0;
        endcase
    wire [1:0] o_6 = o_5; // constructs.go:240
    wire [3:0] again_2 = n10 | (4'h1 << o_6); // constructs.go:242
    wire n11 = n9 ? n4 : (n4 | (o_2 == 2'h0));
    wire n12 = n9 ? n5 : (n5 | (o_2 == 2'h1));
    wire n13 = n9 ? n6 : (n6 | (o_2 == 2'h2));
    wire n14 = n9 ? n7 : (n7 | (o_2 == 2'h3));
    reg n15;
    always @(*)
        case (o_6)
            2'h0: n15 = n11;
            2'h1: n15 = n12;
            2'h2: n15 = n13;
            default: n15 = n14;
        endcase
    wire n16 = n15;
    wire [3:0] n17 = n16 ? again_2 : n10;
    reg [1:0] o_7; // constructs.go:240
    always @(*)
        case (n3 + 3'h3)
            3'h0: o_7 = 2'h2;
            3'h1: o_7 = 2'h0;
            3'h2: o_7 = 2'h3;
            3'h3: o_7 = 2'h1;
            3'h4: o_7 = 2'h2;
            3'h5: o_7 = 2'h1;
            default: o_7 = 2'h0;
        endcase
    wire [1:0] o_8 = o_7; // constructs.go:240
    wire [3:0] again_3 = n17 | (4'h1 << o_8); // constructs.go:242
    wire n18 = n16 ? n11 : (n11 | (o_6 == 2'h0));
    wire n19 = n16 ? n12 : (n12 | (o_6 == 2'h1));
    wire n20 = n16 ? n13 : (n13 | (o_6 == 2'h2));
    wire n21 = n16 ? n14 : (n14 | (o_6 == 2'h3));
    reg n22;
    always @(*)
        case (o_8)
            2'h0: n22 = n18;
            2'h1: n22 = n19;
            2'h2: n22 = n20;
            default: n22 = n21;
        endcase
    wire n23 = n22;
    wire [3:0] n24 = n23 ? again_3 : n17;
    wire [3:0] n25 = {1'b0, n3};
    reg [1:0] o_9; // constructs.go:240
    always @(*)
        case (n25 + 4'h4)
            4'h0: o_9 = 2'h2;
            4'h1: o_9 = 2'h0;
            4'h2: o_9 = 2'h3;
            4'h3: o_9 = 2'h1;
            4'h4: o_9 = 2'h2;
            4'h5: o_9 = 2'h1;
            default: o_9 = 2'h0;
        endcase
    wire [1:0] o_10 = o_9; // constructs.go:240
    wire [3:0] again_4 = n24 | (4'h1 << o_10); // constructs.go:242
    wire n26 = n23 ? n18 : (n18 | (o_8 == 2'h0));
    wire n27 = n23 ? n19 : (n19 | (o_8 == 2'h1));
    wire n28 = n23 ? n20 : (n20 | (o_8 == 2'h2));
    wire n29 = n23 ? n21 : (n21 | (o_8 == 2'h3));
    reg n30;
    always @(*)
        case (o_10)
            2'h0: n30 = n26;
            2'h1: n30 = n27;
            2'h2: n30 = n28;
            default: n30 = n29;
        endcase
    wire n31 = n30;
    wire [3:0] n32 = n31 ? again_4 : n24;
    reg [1:0] o_11; // constructs.go:240
    always @(*)
        case (n25 + 4'h5)
            4'h0: o_11 = 2'h2;
            4'h1: o_11 = 2'h0;
            4'h2: o_11 = 2'h3;
            4'h3: o_11 = 2'h1;
            4'h4: o_11 = 2'h2;
            4'h5: o_11 = 2'h1;
            default: o_11 = 2'h0;
        endcase
    wire [1:0] o_12 = o_11; // constructs.go:240
    wire [3:0] again_5 = n32 | (4'h1 << o_12); // constructs.go:242
    wire n33 = n31 ? n26 : (n26 | (o_10 == 2'h0));
    wire n34 = n31 ? n27 : (n27 | (o_10 == 2'h1));
    wire n35 = n31 ? n28 : (n28 | (o_10 == 2'h2));
    wire n36 = n31 ? n29 : (n29 | (o_10 == 2'h3));
    reg n37;
    always @(*)
        case (o_12)
            2'h0: n37 = n33;
            2'h1: n37 = n34;
            2'h2: n37 = n35;
            default: n37 = n36;
        endcase
    wire n38 = n37;
    reg [2:0] n39;
    always @(*)
        case (n1 + 3'h1)
            3'h0: n39 = 3'h0;
            3'h1: n39 = 3'h1;
            3'h2, 3'h3: n39 = 3'h3;
            3'h4: n39 = 3'h4;
            default: n39 = 3'h6;
        endcase
    wire [2:0] n40 = n39;
    wire [3:0] n41 = {1'b0, n40};
    wire [3:0] n42 = n41 - n25;
    wire n43 = $signed(4'h5) < $signed(n42);
    wire n44 = $signed(4'h4) < $signed(n42);
    wire n45 = $signed(4'h3) < $signed(n42);
    wire n46 = $signed(4'h2) < $signed(n42);
    wire n47 = $signed(4'h1) < $signed(n42);
    wire [3:0] n48 = n47 ? (n46 ? (n45 ? (n44 ? (n43 ? (n38 ? again_5 : n32) : n32) : n24) : n17) : n10) : 4'h0;
    wire n49 = $signed(4'h0) < $signed(n42);
    wire [3:0] n50 = in_b[0] ? (n49 ? n48 : 4'h0) : 4'h0;
    reg [1:0] o_13; // constructs.go:240
    always @(*)
        case (n40)
            3'h0: o_13 = 2'h2;
            3'h1: o_13 = 2'h0;
            3'h2: o_13 = 2'h3;
            3'h3: o_13 = 2'h1;
            3'h4: o_13 = 2'h2;
            3'h5: o_13 = 2'h1;
            default: o_13 = 2'h0;
        endcase
    wire [1:0] o_14 = o_13; // constructs.go:240
    wire [3:0] again_6 = n50 | (4'h1 << o_14); // constructs.go:242
    wire n51 = n46 ? (n45 ? (n44 ? (n43 ? (n38 ? n33 : (n33 | (o_12 == 2'h0))) : n33) : n26) : n18) : n11;
    wire n52 = in_b[0] & (n49 & (n47 ? n51 : n4));
    wire n53 = n46 ? (n45 ? (n44 ? (n43 ? (n38 ? n34 : (n34 | (o_12 == 2'h1))) : n34) : n27) : n19) : n12;
    wire n54 = in_b[0] & (n49 & (n47 ? n53 : n5));
    wire n55 = n46 ? (n45 ? (n44 ? (n43 ? (n38 ? n35 : (n35 | (o_12 == 2'h2))) : n35) : n28) : n20) : n13;
    wire n56 = in_b[0] & (n49 & (n47 ? n55 : n6));
    wire n57 = n46 ? (n45 ? (n44 ? (n43 ? (n38 ? n36 : (n36 | (o_12 == 2'h3))) : n36) : n29) : n21) : n14;
    wire n58 = in_b[0] & (n49 & (n47 ? n57 : n7));
    reg n59;
    always @(*)
        case (o_14)
            2'h0: n59 = n52;
            2'h1: n59 = n54;
            2'h2: n59 = n56;
            default: n59 = n58;
        endcase
    wire n60 = n59;
    wire [3:0] n61 = n60 ? again_6 : n50;
    reg [1:0] o_15; // constructs.go:240
    always @(*)
        case (n40 + 3'h1)
            3'h0: o_15 = 2'h2;
            3'h1: o_15 = 2'h0;
            3'h2: o_15 = 2'h3;
            3'h3: o_15 = 2'h1;
            3'h4: o_15 = 2'h2;
            3'h5: o_15 = 2'h1;
            default: o_15 = 2'h0;
        endcase
    wire [1:0] o_16 = o_15; // constructs.go:240
    wire [3:0] again_7 = n61 | (4'h1 << o_16); // constructs.go:242
    wire [1:0] n62 = {1'b0, n52};
    wire [1:0] n63 = n60 ? n62 : (o_14 == 2'h0 ? 2'h2 : n62);
    wire [1:0] n64 = {1'b0, n54};
    wire [1:0] n65 = n60 ? n64 : (o_14 == 2'h1 ? 2'h2 : n64);
    wire [1:0] n66 = {1'b0, n56};
    wire [1:0] n67 = n60 ? n66 : (o_14 == 2'h2 ? 2'h2 : n66);
    wire [1:0] n68 = {1'b0, n58};
    wire [1:0] n69 = n60 ? n68 : (o_14 == 2'h3 ? 2'h2 : n68);
    reg [1:0] n70;
    always @(*)
        case (o_16)
            2'h0: n70 = n63;
            2'h1: n70 = n65;
            2'h2: n70 = n67;
            default: n70 = n69;
        endcase
    wire [1:0] n71 = n70;
    wire n72 = n71 == 2'h0;
    wire [3:0] n73 = n72 ? n61 : again_7;
    reg [1:0] o_17; // constructs.go:240
    always @(*)
        case (n41 + 4'h2)
            4'h0: o_17 = 2'h2;
            4'h1: o_17 = 2'h0;
            4'h2: o_17 = 2'h3;
            4'h3: o_17 = 2'h1;
            4'h4: o_17 = 2'h2;
            4'h5: o_17 = 2'h1;
            default: o_17 = 2'h0;
        endcase
    wire [1:0] o_18 = o_17; // constructs.go:240
    wire [3:0] again_8 = n73 | (4'h1 << o_18); // constructs.go:242
    wire [1:0] n74 = n72 ? (o_16 == 2'h0 ? 2'h2 : n63) : n63;
    wire [1:0] n75 = n72 ? (o_16 == 2'h1 ? 2'h2 : n65) : n65;
    wire [1:0] n76 = n72 ? (o_16 == 2'h2 ? 2'h2 : n67) : n67;
    wire [1:0] n77 = n72 ? (o_16 == 2'h3 ? 2'h2 : n69) : n69;
    reg [1:0] n78;
    always @(*)
        case (o_18)
            2'h0: n78 = n74;
            2'h1: n78 = n75;
            2'h2: n78 = n76;
            default: n78 = n77;
        endcase
    wire [1:0] n79 = n78;
    wire n80 = n79 == 2'h0;
    wire [3:0] n81 = n80 ? n73 : again_8;
    reg [1:0] o_19; // constructs.go:240
    always @(*)
        case (n41 + 4'h3)
            4'h0: o_19 = 2'h2;
            4'h1: o_19 = 2'h0;
            4'h2: o_19 = 2'h3;
            4'h3: o_19 = 2'h1;
            4'h4: o_19 = 2'h2;
            4'h5: o_19 = 2'h1;
            default: o_19 = 2'h0;
        endcase
    wire [1:0] o_20 = o_19; // constructs.go:240
    wire [3:0] again_9 = n81 | (4'h1 << o_20); // constructs.go:242
    wire [1:0] n82 = n80 ? (o_18 == 2'h0 ? 2'h2 : n74) : n74;
    wire [1:0] n83 = n80 ? (o_18 == 2'h1 ? 2'h2 : n75) : n75;
    wire [1:0] n84 = n80 ? (o_18 == 2'h2 ? 2'h2 : n76) : n76;
    wire [1:0] n85 = n80 ? (o_18 == 2'h3 ? 2'h2 : n77) : n77;
    reg [1:0] n86;
    always @(*)
        case (o_20)
            2'h0: n86 = n82;
            2'h1: n86 = n83;
            2'h2: n86 = n84;
            default: n86 = n85;
        endcase
    wire [1:0] n87 = n86;
    wire n88 = n87 == 2'h0;
    wire [3:0] n89 = n88 ? n81 : again_9;
    reg [1:0] o_21; // constructs.go:240
    always @(*)
        case (n41 + 4'h4)
            4'h0: o_21 = 2'h2;
            4'h1: o_21 = 2'h0;
            4'h2: o_21 = 2'h3;
            4'h3: o_21 = 2'h1;
            4'h4: o_21 = 2'h2;
            4'h5: o_21 = 2'h1;
            default: o_21 = 2'h0;
        endcase
    wire [1:0] o_22 = o_21; // constructs.go:240
    wire [3:0] again_10 = n89 | (4'h1 << o_22); // constructs.go:242
    wire [1:0] n90 = n88 ? (o_20 == 2'h0 ? 2'h2 : n82) : n82;
    wire [1:0] n91 = n88 ? (o_20 == 2'h1 ? 2'h2 : n83) : n83;
    wire [1:0] n92 = n88 ? (o_20 == 2'h2 ? 2'h2 : n84) : n84;
    wire [1:0] n93 = n88 ? (o_20 == 2'h3 ? 2'h2 : n85) : n85;
    reg [1:0] n94;
    always @(*)
        case (o_22)
            2'h0: n94 = n90;
            2'h1: n94 = n91;
            2'h2: n94 = n92;
            default: n94 = n93;
        endcase
    wire [1:0] n95 = n94;
    wire n96 = n95 == 2'h0;
    wire [3:0] n97 = n96 ? n89 : again_10;
    reg [1:0] o_23; // constructs.go:240
    always @(*)
        case (n41 + 4'h5)
            4'h0: o_23 = 2'h2;
            4'h1: o_23 = 2'h0;
            4'h2: o_23 = 2'h3;
            4'h3: o_23 = 2'h1;
            4'h4: o_23 = 2'h2;
            4'h5: o_23 = 2'h1;
            default: o_23 = 2'h0;
        endcase
    wire [1:0] o_24 = o_23; // constructs.go:240
    wire [3:0] again_11 = n97 | (4'h1 << o_24); // constructs.go:242
    wire [1:0] n98 = n96 ? (o_22 == 2'h0 ? 2'h2 : n90) : n90;
    wire [1:0] n99 = n96 ? (o_22 == 2'h1 ? 2'h2 : n91) : n91;
    wire [1:0] n100 = n96 ? (o_22 == 2'h2 ? 2'h2 : n92) : n92;
    wire [1:0] n101 = n96 ? (o_22 == 2'h3 ? 2'h2 : n93) : n93;
    reg [1:0] n102;
    always @(*)
        case (o_24)
            2'h0: n102 = n98;
            2'h1: n102 = n99;
            2'h2: n102 = n100;
            default: n102 = n101;
        endcase
    wire [1:0] n103 = n102;
    wire n104 = n103 == 2'h0;
    wire [3:0] n105 = n104 ? n97 : again_11;
    reg [1:0] o_25; // constructs.go:240
    always @(*)
        case (n41 + 4'h6)
            4'h0: o_25 = 2'h2;
            4'h1: o_25 = 2'h0;
            4'h2: o_25 = 2'h3;
            4'h3: o_25 = 2'h1;
            4'h4: o_25 = 2'h2;
            4'h5: o_25 = 2'h1;
            default: o_25 = 2'h0;
        endcase
    wire [1:0] o_26 = o_25; // constructs.go:240
    wire [3:0] again_12 = n105 | (4'h1 << o_26); // constructs.go:242
    reg [1:0] n106;
    always @(*)
        case (o_26)
            2'h0: n106 = n104 ? (o_24 == 2'h0 ? 2'h2 : n98) : n98;
            2'h1: n106 = n104 ? (o_24 == 2'h1 ? 2'h2 : n99) : n99;
            2'h2: n106 = n104 ? (o_24 == 2'h2 ? 2'h2 : n100) : n100;
            default: n106 = n104 ? (o_24 == 2'h3 ? 2'h2 : n101) : n101;
        endcase
    wire [1:0] n107 = n106;
    wire n108 = n107 == 2'h0;
    reg [2:0] n109;
    always @(*)
        case (n1 + 3'h2)
            3'h0: n109 = 3'h0;
            3'h1: n109 = 3'h1;
            3'h2, 3'h3: n109 = 3'h3;
            3'h4: n109 = 3'h4;
            3'h5: n109 = 3'h6;
            default: n109 = 3'h7;
        endcase
    wire [2:0] n110 = n109;
    wire [3:0] n111 = {1'b0, n110} - n41;
    wire n112 = $signed(4'h6) < $signed(n111);
    wire n113 = $signed(4'h5) < $signed(n111);
    wire n114 = $signed(4'h4) < $signed(n111);
    wire n115 = $signed(4'h3) < $signed(n111);
    wire n116 = $signed(4'h2) < $signed(n111);
    wire [3:0] n117 = n116 ? (n115 ? (n114 ? (n113 ? (n112 ? (n108 ? n105 : again_12) : n105) : n97) : n89) : n81) : n73;
    wire n118 = $signed(4'h1) < $signed(n111);
    wire n119 = $signed(4'h0) < $signed(n111);
    wire [3:0] again_13 = in_b[1] ? (n119 ? (n118 ? n117 : n61) : n50) : n50; // constructs.go:253
    wire [4:0] n120 = {2'h0, n40};
    wire [6:0] n121 = (n120 - {2'h0, n3}) == 5'h0 ? 7'h64 : 7'h0;
    wire [6:0] sum = n121 + {4'h0, {1'b0, o_4} + 3'h1}; // constructs.go:246
    wire [6:0] sum_2 = sum + {4'h0, {1'b0, o_2} + 3'h1}; // constructs.go:246
    wire [6:0] n122 = n9 ? sum : sum_2;
    wire [6:0] sum_3 = n122 + {4'h0, {1'b0, o_6} + 3'h1}; // constructs.go:246
    wire [6:0] n123 = n16 ? n122 : sum_3;
    wire [6:0] sum_4 = n123 + {4'h0, {1'b0, o_8} + 3'h1}; // constructs.go:246
    wire [6:0] n124 = n23 ? n123 : sum_4;
    wire [6:0] sum_5 = n124 + {4'h0, {1'b0, o_10} + 3'h1}; // constructs.go:246
    wire [6:0] n125 = n31 ? n124 : sum_5;
    wire [6:0] sum_6 = n125 + {4'h0, {1'b0, o_12} + 3'h1}; // constructs.go:246
    wire [6:0] n126 = n47 ? (n46 ? (n45 ? (n44 ? (n43 ? (n38 ? n125 : sum_6) : n125) : n124) : n123) : n122) : sum;
    wire [7:0] n127 = {1'b0, in_b[0] ? (n49 ? n126 : n121) : 7'h0};
    wire [7:0] sum_7 = n127 + 8'h64; // constructs.go:238
    wire [7:0] n128 = ({2'h0, n110} - n120) == 5'h0 ? sum_7 : n127;
    wire [7:0] sum_8 = n128 + {5'h0, {1'b0, o_14} + 3'h1}; // constructs.go:246
    wire [7:0] n129 = n60 ? n128 : sum_8;
    wire [7:0] sum_9 = n129 + {5'h0, {1'b0, o_16} + 3'h1}; // constructs.go:246
    wire [7:0] n130 = n72 ? sum_9 : n129;
    wire [7:0] sum_10 = n130 + {5'h0, {1'b0, o_18} + 3'h1}; // constructs.go:246
    wire [7:0] n131 = n80 ? sum_10 : n130;
    wire [7:0] sum_11 = n131 + {5'h0, {1'b0, o_20} + 3'h1}; // constructs.go:246
    wire [7:0] n132 = n88 ? sum_11 : n131;
    wire [7:0] sum_12 = n132 + {5'h0, {1'b0, o_22} + 3'h1}; // constructs.go:246
    wire [7:0] n133 = n96 ? sum_12 : n132;
    wire [7:0] sum_13 = n133 + {5'h0, {1'b0, o_24} + 3'h1}; // constructs.go:246
    wire [7:0] n134 = n104 ? sum_13 : n133;
    wire [7:0] sum_14 = n134 + {5'h0, {1'b0, o_26} + 3'h1}; // constructs.go:246
    wire [7:0] n135 = n116 ? (n115 ? (n114 ? (n113 ? (n112 ? (n108 ? sum_14 : n134) : n134) : n133) : n132) : n131) : n130;
    wire [7:0] sum_15 = in_b[1] ? (n119 ? (n118 ? n135 : n129) : n128) : n127; // constructs.go:253
    wire [1:0] phase_2 = phase + 2'h1; // constructs.go:250
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            phase <= 2'h0;
        end else begin
            out <= {12'h0, again_13, 8'h0, sum_15};
            if (phase == 2'h2) begin
                phase <= 2'h0;
            end else begin
                phase <= phase_2;
            end
        end
endmodule
