/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Moves copies and clears parts of an array, some of which overlap.
module constructs_moves (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    reg [15:0] line_0;
    reg [15:0] line_1;
    reg [15:0] line_2;
    reg [15:0] line_3;
    reg [15:0] line_4;
    reg [15:0] line_5;
    reg [15:0] other_0;
    reg [15:0] other_1;
    reg [15:0] other_2;
    reg [15:0] other_3;
    reg [15:0] other_4;
    reg [15:0] other_5;
    wire n1 = in_b[1:0] == 2'h3;
    reg [15:0] n2;
    always @(*)
        case (in_a[2:0])
            3'h0: n2 = line_4;
            3'h1, 3'h2, 3'h3, 3'h4, 3'h5: n2 = line_5;
            3'h6: n2 = n1 ? in_a : line_5;
            default: n2 = line_5;
        endcase
    wire [15:0] n3 = n2;
    wire n4 = in_take & in_b[1];
    reg [15:0] n5;
    always @(*)
        case ({1'b0, n4, in_b[0]} + 3'h1)
            3'h0: n5 = line_0;
            3'h1: n5 = line_1;
            3'h2: n5 = line_2;
            3'h3: n5 = line_3;
            default: n5 = line_4;
        endcase
    wire [15:0] n6 = n5;
    wire [15:0] n7 = in_a ^ n6;
    wire [1:0] n8 = {n4, in_b[0]};
    wire n9 = n8 == 2'h3;
    wire n10 = in_b[1:0] == 2'h2;
    reg [15:0] n11;
    always @(*)
        case (in_a[2:0])
            3'h0: n11 = line_3;
            3'h1, 3'h2, 3'h3, 3'h4: n11 = line_4;
            3'h5: n11 = n9 ? n7 : line_4;
            3'h6: n11 = n10 ? in_a : line_4;
            default: n11 = line_4;
        endcase
    wire [15:0] n12 = n11;
    wire n13 = n8 == 2'h2;
    wire n14 = in_b[1:0] == 2'h1;
    reg [15:0] n15;
    always @(*)
        case (in_a[2:0])
            3'h0: n15 = line_2;
            3'h1, 3'h2: n15 = line_3;
            3'h3: n15 = line_2;
            3'h4: n15 = line_3;
            3'h5: n15 = n13 ? n7 : line_3;
            3'h6: n15 = n14 ? in_a : line_3;
            default: n15 = line_3;
        endcase
    wire [15:0] n16 = n15;
    wire [1:0] n17 = {1'b0, in_b[0]} + {1'b0, in_b[1]};
    reg [15:0] n18;
    always @(*)
        case (n17)
            2'h0: n18 = line_0;
            2'h1: n18 = line_1;
            default: n18 = line_2;
        endcase
    wire [15:0] n19 = n18;
    wire [15:0] n20 = in_a + n19;
    wire n21 = n17 == 2'h2;
    wire n22 = n8 == 2'h1;
    wire n23 = in_b[1:0] == 2'h0;
    reg [15:0] n24;
    always @(*)
        case (in_a[2:0])
            3'h0: n24 = line_1;
            3'h1, 3'h2: n24 = line_2;
            3'h3: n24 = line_1;
            3'h4: n24 = n21 ? n20 : line_2;
            3'h5: n24 = n22 ? n7 : line_2;
            3'h6: n24 = n23 ? in_a : line_2;
            default: n24 = line_2;
        endcase
    wire [15:0] n25 = n24;
    wire n26 = n17 == 2'h1;
    wire n27 = n8 == 2'h0;
    reg [15:0] n28;
    always @(*)
        case (in_a[2:0])
            3'h0: n28 = line_0;
            3'h1, 3'h2: n28 = line_1;
            3'h3: n28 = line_0;
            3'h4: n28 = n26 ? n20 : line_1;
            3'h5: n28 = n27 ? n7 : line_1;
            default: n28 = line_1;
        endcase
    wire [15:0] n29 = n28;
    wire n30 = 3'h6 < in_b[2:0];
    wire n31 = (in_b[2:0] == 3'h0) & ~n30;
    wire n32 = in_a[2:0] == 3'h2;
    wire n33 = in_a[2:0] == 3'h1;
    wire [7:0] n34 = n33 ? (n31 ? other_0[15:8] : line_0[15:8]) : (n32 ? (n31 ? other_0[15:8] : 8'h0) : other_0[15:8]);
    wire n35 = in_a[2:0] == 3'h0;
    wire [2:0] room = 3'h6 - {1'b0, n17}; // moves.go:64
    reg [2:0] room_2; // moves.go:75
    always @(*)
        case (in_a[2:0])
            3'h0, 3'h1, 3'h2, 3'h3: room_2 = 3'h0;
            3'h4: room_2 = room;
            default: room_2 = 3'h0;
        endcase
    wire [4:0] n36 = {2'h0, room_2} * 5'h5;
    wire n37 = n17 == 2'h0;
    reg [15:0] n38;
    always @(*)
        case (in_a[2:0])
            3'h0: n38 = in_a;
            3'h1, 3'h2, 3'h3: n38 = line_0;
            3'h4: n38 = n37 ? n20 : line_0;
            default: n38 = line_0;
        endcase
    wire [15:0] n39 = n38;
    wire [16:0] n40 = {12'h0, n36} + {1'b0, n39};
    wire [7:0] n41 = n33 ? (n31 ? other_0[7:0] : line_0[7:0]) : (n32 ? (n31 ? other_0[7:0] : 8'h0) : other_0[7:0]);
    wire [8:0] n42 = in_a[8:0] + n19[8:0];
    reg [8:0] n43;
    always @(*)
        case (in_a[2:0])
            3'h0: n43 = in_a[8:0];
            3'h1, 3'h2, 3'h3: n43 = line_0[8:0];
            3'h4: n43 = n37 ? n42 : line_0[8:0];
            default: n43 = line_0[8:0];
        endcase
    wire [8:0] n44 = {4'h0, n36} + n43;
    wire [27:0] n45 = {12'h0, n29} + ({3'h0, n35 ? other_0[15:8] : n34, n40[16:9] ^ (n35 ? other_0[7:0] : n41), n44} * 28'h5);
    wire [2:0] n = n30 ? 3'h6 : in_b[2:0]; // moves.go:48
    wire n46 = 3'h1 < n;
    wire [15:0] n47 = n35 ? other_1 : (n33 ? (n46 ? line_1 : other_1) : (n32 ? (n46 ? 16'h0 : other_1) : other_1));
    wire [8:0] n48 = in_a[8:0] ^ n6[8:0];
    reg [8:0] n49;
    always @(*)
        case (in_a[2:0])
            3'h0: n49 = line_0[8:0];
            3'h1, 3'h2: n49 = line_1[8:0];
            3'h3: n49 = line_0[8:0];
            3'h4: n49 = n26 ? n42 : line_1[8:0];
            3'h5: n49 = n27 ? n48 : line_1[8:0];
            default: n49 = line_1[8:0];
        endcase
    wire [8:0] n50 = (n44 * 9'h5) + n49;
    wire [29:0] n51 = {14'h0, n25} + ({2'h0, n45[27:25], n47 ^ n45[24:9], n50} * 30'h5);
    wire n52 = 3'h2 < n;
    wire [15:0] n53 = n35 ? other_2 : (n33 ? (n52 ? line_2 : other_2) : (n32 ? (n52 ? 16'h0 : other_2) : other_2));
    reg [8:0] n54;
    always @(*)
        case (in_a[2:0])
            3'h0: n54 = line_1[8:0];
            3'h1, 3'h2: n54 = line_2[8:0];
            3'h3: n54 = line_1[8:0];
            3'h4: n54 = n21 ? n42 : line_2[8:0];
            3'h5: n54 = n22 ? n48 : line_2[8:0];
            3'h6: n54 = n23 ? in_a[8:0] : line_2[8:0];
            default: n54 = line_2[8:0];
        endcase
    wire [8:0] n55 = (n50 * 9'h5) + n54;
    wire [31:0] sum = {2'h0, n51[29:25], n53 ^ n51[24:9], n55}; // moves.go:77
    wire [31:0] n56 = {16'h0, n16} + (sum * 32'h5);
    wire n57 = 3'h3 < n;
    wire [15:0] n58 = n35 ? other_3 : (n33 ? (n57 ? line_3 : other_3) : (n32 ? (n57 ? 16'h0 : other_3) : other_3));
    reg [8:0] n59;
    always @(*)
        case (in_a[2:0])
            3'h0: n59 = line_2[8:0];
            3'h1, 3'h2: n59 = line_3[8:0];
            3'h3: n59 = line_2[8:0];
            3'h4: n59 = line_3[8:0];
            3'h5: n59 = n13 ? n48 : line_3[8:0];
            3'h6: n59 = n14 ? in_a[8:0] : line_3[8:0];
            default: n59 = line_3[8:0];
        endcase
    wire [8:0] n60 = (n55 * 9'h5) + n59;
    wire [31:0] sum_2 = {n56[31:25], n58 ^ n56[24:9], n60}; // moves.go:77
    wire [31:0] n61 = {16'h0, n12} + (sum_2 * 32'h5);
    wire n62 = 3'h4 < n;
    wire [15:0] n63 = n35 ? other_4 : (n33 ? (n62 ? line_4 : other_4) : (n32 ? (n62 ? 16'h0 : other_4) : other_4));
    reg [8:0] n64;
    always @(*)
        case (in_a[2:0])
            3'h0: n64 = line_3[8:0];
            3'h1, 3'h2, 3'h3, 3'h4: n64 = line_4[8:0];
            3'h5: n64 = n9 ? n48 : line_4[8:0];
            3'h6: n64 = n10 ? in_a[8:0] : line_4[8:0];
            default: n64 = line_4[8:0];
        endcase
    wire [8:0] n65 = (n60 * 9'h5) + n64;
    wire [31:0] sum_3 = {n61[31:25], n63 ^ n61[24:9], n65}; // moves.go:77
    wire [31:0] n66 = {16'h0, n3} + (sum_3 * 32'h5);
    wire n67 = 3'h5 < n;
    wire [15:0] n68 = n35 ? other_5 : (n33 ? (n67 ? line_5 : other_5) : (n32 ? (n67 ? 16'h0 : other_5) : other_5));
    reg [8:0] n69;
    always @(*)
        case (in_a[2:0])
            3'h0: n69 = line_4[8:0];
            3'h1, 3'h2, 3'h3, 3'h4, 3'h5: n69 = line_5[8:0];
            3'h6: n69 = n1 ? in_a[8:0] : line_5[8:0];
            default: n69 = line_5[8:0];
        endcase
    wire [31:0] sum_4 = {n66[31:25], n68 ^ n66[24:9], (n65 * 9'h5) + n69}; // moves.go:77
    wire n70 = in_a[2:0] == 3'h3;
    wire n71 = in_a[2:0] == 3'h4;
    wire n72 = in_a[2:0] == 3'h5;
    wire n73 = in_a[2:0] == 3'h6;
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            line_0 <= 16'h0;
            line_1 <= 16'h0;
            line_2 <= 16'h0;
            line_3 <= 16'h0;
            line_4 <= 16'h0;
            line_5 <= 16'h0;
            other_0 <= 16'h0;
            other_1 <= 16'h0;
            other_2 <= 16'h0;
            other_3 <= 16'h0;
            other_4 <= 16'h0;
            other_5 <= 16'h0;
        end else begin
            out <= sum_4;
            if (n35) begin
                line_0 <= in_a;
                line_1 <= line_0;
                line_2 <= line_1;
                line_3 <= line_2;
                line_4 <= line_3;
                line_5 <= line_4;
            end else begin
                if (n33) begin
                    if (!n31) begin
                        other_0 <= line_0;
                    end
                    if (n46) begin
                        other_1 <= line_1;
                    end
                    if (n52) begin
                        other_2 <= line_2;
                    end
                    if (n57) begin
                        other_3 <= line_3;
                    end
                    if (n62) begin
                        other_4 <= line_4;
                    end
                    if (n67) begin
                        other_5 <= line_5;
                    end
                end else begin
                    if (n32) begin
                        if (!n31) begin
                            other_0 <= 16'h0;
                        end
                        if (n46) begin
                            other_1 <= 16'h0;
                        end
                        if (n52) begin
                            other_2 <= 16'h0;
                        end
                        if (n57) begin
                            other_3 <= 16'h0;
                        end
                        if (n62) begin
                            other_4 <= 16'h0;
                        end
                        if (n67) begin
                            other_5 <= 16'h0;
                        end
                    end else begin
                        if (n70) begin
                            line_1 <= line_0;
                            line_2 <= line_1;
                            line_3 <= line_2;
                        end else begin
                            if (n71) begin
                                if (n37) begin
                                    line_0 <= n20;
                                end
                                if (n26) begin
                                    line_1 <= n20;
                                end
                                if (n21) begin
                                    line_2 <= n20;
                                end
                            end else begin
                                if (n72) begin
                                    if (n27) begin
                                        line_1 <= n7;
                                    end
                                    if (n22) begin
                                        line_2 <= n7;
                                    end
                                    if (n13) begin
                                        line_3 <= n7;
                                    end
                                    if (n9) begin
                                        line_4 <= n7;
                                    end
                                end else begin
                                    if (n73) begin
                                        if (n23) begin
                                            line_2 <= in_a;
                                        end
                                        if (n14) begin
                                            line_3 <= in_a;
                                        end
                                        if (n10) begin
                                            line_4 <= in_a;
                                        end
                                        if (n1) begin
                                            line_5 <= in_a;
                                        end
                                    end
                                end
                            end
                        end
                    end
                end
            end
        end
endmodule
