/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// Queue is a slice that grows within its capacity.
module constructs_queue (
    input clk,
    input rst,
    input [15:0] in_a,
    input [3:0] in_b,
    input in_take,
    output reg [31:0] out
);
    reg [2:0] q_len;
    reg [15:0] q_0;
    reg [15:0] q_1;
    reg [15:0] q_2;
    reg [15:0] q_3;
    reg [15:0] q_4;
    wire [3:0] n1 = {1'b0, q_len};
    wire [3:0] n2 = n1 + 4'hf;
    wire n3 = 4'h7 < in_b;
    wire n4 = q_len == 3'h0;
    wire [3:0] n5 = n4 ? n1 : (n3 ? n2 : n1);
    wire n6 = q_len < 3'h5;
    wire [3:0] sum = in_take ? (n6 ? {1'b0, q_len + 3'h1} : n5) : n5; // constructs.go:159
    wire [28:0] n7 = {{25{sum[3]}}, sum};
    wire [12:0] n8 = {{9{sum[3]}}, sum};
    wire n9 = q_len == 3'h1;
    wire [2:0] n10 = n4 ? q_0[15:13] : (n3 ? (n4 ? q_0[15:13] : (n9 ? q_0[15:13] : q_1[15:13])) : q_0[15:13]);
    wire [2:0] n11 = n8[12:10] ^ (in_take ? (n6 ? (n4 ? in_a[15:13] : q_0[15:13]) : n10) : n10);
    wire [9:0] n12 = {{6{sum[3]}}, sum};
    wire [2:0] n13 = n4 ? q_0[12:10] : (n3 ? (n4 ? q_0[12:10] : (n9 ? q_0[12:10] : q_1[12:10])) : q_0[12:10]);
    wire [4:0] n14 = {2'h0, q_len} + 5'h1f;
    wire n15 = 64'h1 < {{59{n14[4]}}, n14};
    wire n16 = 3'h1 < q_len;
    wire [2:0] n17 = n4 ? q_1[15:13] : (n3 ? (n16 ? (n15 ? q_2[15:13] : q_1[15:13]) : q_1[15:13]) : q_1[15:13]);
    wire [2:0] n18 = (n12[9:7] ^ (in_take ? (n6 ? (n4 ? in_a[12:10] : q_0[12:10]) : n13) : n13)) ^ (in_take ? (n6 ? (n9 ? in_a[15:13] : q_1[15:13]) : n17) : n17);
    wire [6:0] n19 = {{3{sum[3]}}, sum};
    wire [2:0] n20 = n4 ? q_0[9:7] : (n3 ? (n4 ? q_0[9:7] : (n9 ? q_0[9:7] : q_1[9:7])) : q_0[9:7]);
    wire [2:0] n21 = n4 ? q_1[12:10] : (n3 ? (n16 ? (n15 ? q_2[12:10] : q_1[12:10]) : q_1[12:10]) : q_1[12:10]);
    wire [2:0] n22 = (n19[6:4] ^ (in_take ? (n6 ? (n4 ? in_a[9:7] : q_0[9:7]) : n20) : n20)) ^ (in_take ? (n6 ? (n9 ? in_a[12:10] : q_1[12:10]) : n21) : n21);
    wire n23 = q_len == 3'h2;
    wire n24 = 64'h2 < {{59{n14[4]}}, n14};
    wire n25 = 3'h2 < q_len;
    wire [2:0] n26 = n4 ? q_2[15:13] : (n3 ? (n25 ? (n24 ? q_3[15:13] : q_2[15:13]) : q_2[15:13]) : q_2[15:13]);
    wire [2:0] n27 = n22 ^ (in_take ? (n6 ? (n23 ? in_a[15:13] : q_2[15:13]) : n26) : n26);
    wire [2:0] n28 = q_len + 3'h1;
    wire [2:0] n29 = {1'b0, q_len[2:1]};
    wire [2:0] n30 = n4 ? n29 : (n3 ? n2[3:1] : n29);
    wire [2:0] n31 = n4 ? q_0[6:4] : (n3 ? (n4 ? q_0[6:4] : (n9 ? q_0[6:4] : q_1[6:4])) : q_0[6:4]);
    wire [2:0] n32 = (in_take ? (n6 ? {1'b0, n28[2:1]} : n30) : n30) ^ (in_take ? (n6 ? (n4 ? in_a[6:4] : q_0[6:4]) : n31) : n31);
    wire [2:0] n33 = n4 ? q_1[9:7] : (n3 ? (n16 ? (n15 ? q_2[9:7] : q_1[9:7]) : q_1[9:7]) : q_1[9:7]);
    wire [2:0] n34 = n4 ? q_2[12:10] : (n3 ? (n25 ? (n24 ? q_3[12:10] : q_2[12:10]) : q_2[12:10]) : q_2[12:10]);
    wire [2:0] n35 = (n32 ^ (in_take ? (n6 ? (n9 ? in_a[9:7] : q_1[9:7]) : n33) : n33)) ^ (in_take ? (n6 ? (n23 ? in_a[12:10] : q_2[12:10]) : n34) : n34);
    wire n36 = q_len == 3'h3;
    wire n37 = 64'h3 < {{59{n14[4]}}, n14};
    wire n38 = 3'h3 < q_len;
    wire [2:0] n39 = n4 ? q_3[15:13] : (n3 ? (n38 ? (n37 ? q_4[15:13] : q_3[15:13]) : q_3[15:13]) : q_3[15:13]);
    wire n40 = n4 ? q_len[0] : (n3 ? (q_len[0] + 1'b1) : q_len[0]);
    wire n41 = n4 ? q_0[3] : (n3 ? (n4 ? q_0[3] : (n9 ? q_0[3] : q_1[3])) : q_0[3]);
    wire n42 = (in_take ? (n6 ? n28[0] : n40) : n40) ^ (in_take ? (n6 ? (n4 ? in_a[3] : q_0[3]) : n41) : n41);
    wire n43 = n4 ? q_1[6] : (n3 ? (n16 ? (n15 ? q_2[6] : q_1[6]) : q_1[6]) : q_1[6]);
    wire n44 = n4 ? q_2[9] : (n3 ? (n25 ? (n24 ? q_3[9] : q_2[9]) : q_2[9]) : q_2[9]);
    wire n45 = (n42 ^ (in_take ? (n6 ? (n9 ? in_a[6] : q_1[6]) : n43) : n43)) ^ (in_take ? (n6 ? (n23 ? in_a[9] : q_2[9]) : n44) : n44);
    wire n46 = n4 ? q_3[12] : (n3 ? (n38 ? (n37 ? q_4[12] : q_3[12]) : q_3[12]) : q_3[12]);
    wire n47 = q_len == 3'h4;
    wire n48 = (n45 ^ (in_take ? (n6 ? (n36 ? in_a[12] : q_3[12]) : n46) : n46)) ^ (in_take ? (n6 ? (n47 ? in_a[15] : q_4[15]) : q_4[15]) : q_4[15]);
    wire [2:0] n49 = n4 ? q_0[2:0] : (n3 ? (n4 ? q_0[2:0] : (n9 ? q_0[2:0] : q_1[2:0])) : q_0[2:0]);
    wire [2:0] n50 = in_take ? (n6 ? (n4 ? in_a[2:0] : q_0[2:0]) : n49) : n49;
    wire [2:0] n51 = n4 ? q_1[5:3] : (n3 ? (n16 ? (n15 ? q_2[5:3] : q_1[5:3]) : q_1[5:3]) : q_1[5:3]);
    wire [2:0] n52 = n50 ^ (in_take ? (n6 ? (n9 ? in_a[5:3] : q_1[5:3]) : n51) : n51);
    wire [2:0] n53 = n4 ? q_2[8:6] : (n3 ? (n25 ? (n24 ? q_3[8:6] : q_2[8:6]) : q_2[8:6]) : q_2[8:6]);
    wire [2:0] n54 = n52 ^ (in_take ? (n6 ? (n23 ? in_a[8:6] : q_2[8:6]) : n53) : n53);
    wire [2:0] n55 = n4 ? q_3[11:9] : (n3 ? (n38 ? (n37 ? q_4[11:9] : q_3[11:9]) : q_3[11:9]) : q_3[11:9]);
    wire [2:0] n56 = n54 ^ (in_take ? (n6 ? (n36 ? in_a[11:9] : q_3[11:9]) : n55) : n55);
    wire [2:0] n57 = n4 ? q_1[2:0] : (n3 ? (n16 ? (n15 ? q_2[2:0] : q_1[2:0]) : q_1[2:0]) : q_1[2:0]);
    wire [2:0] n58 = in_take ? (n6 ? (n9 ? in_a[2:0] : q_1[2:0]) : n57) : n57;
    wire [2:0] n59 = n4 ? q_2[5:3] : (n3 ? (n25 ? (n24 ? q_3[5:3] : q_2[5:3]) : q_2[5:3]) : q_2[5:3]);
    wire [2:0] n60 = n58 ^ (in_take ? (n6 ? (n23 ? in_a[5:3] : q_2[5:3]) : n59) : n59);
    wire [2:0] n61 = n4 ? q_3[8:6] : (n3 ? (n38 ? (n37 ? q_4[8:6] : q_3[8:6]) : q_3[8:6]) : q_3[8:6]);
    wire [2:0] n62 = n60 ^ (in_take ? (n6 ? (n36 ? in_a[8:6] : q_3[8:6]) : n61) : n61);
    wire [2:0] n63 = n4 ? q_2[2:0] : (n3 ? (n25 ? (n24 ? q_3[2:0] : q_2[2:0]) : q_2[2:0]) : q_2[2:0]);
    wire [2:0] n64 = in_take ? (n6 ? (n23 ? in_a[2:0] : q_2[2:0]) : n63) : n63;
    wire [2:0] n65 = n4 ? q_3[5:3] : (n3 ? (n38 ? (n37 ? q_4[5:3] : q_3[5:3]) : q_3[5:3]) : q_3[5:3]);
    wire [2:0] n66 = n64 ^ (in_take ? (n6 ? (n36 ? in_a[5:3] : q_3[5:3]) : n65) : n65);
    wire [2:0] n67 = n4 ? q_3[2:0] : (n3 ? (n38 ? (n37 ? q_4[2:0] : q_3[2:0]) : q_3[2:0]) : q_3[2:0]);
    wire [2:0] n68 = in_take ? (n6 ? (n36 ? in_a[2:0] : q_3[2:0]) : n67) : n67;
    wire [31:0] sum_2 = {n7[16:13], n11, n18, n27, n35 ^ (in_take ? (n6 ? (n36 ? in_a[15:13] : q_3[15:13]) : n39) : n39), n48, n56 ^ (in_take ? (n6 ? (n47 ? in_a[14:12] : q_4[14:12]) : q_4[14:12]) : q_4[14:12]), n62 ^ (in_take ? (n6 ? (n47 ? in_a[11:9] : q_4[11:9]) : q_4[11:9]) : q_4[11:9]), n66 ^ (in_take ? (n6 ? (n47 ? in_a[8:6] : q_4[8:6]) : q_4[8:6]) : q_4[8:6]), n68 ^ (in_take ? (n6 ? (n47 ? in_a[5:3] : q_4[5:3]) : q_4[5:3]) : q_4[5:3]), in_take ? (n6 ? (n47 ? in_a[2:0] : q_4[2:0]) : q_4[2:0]) : q_4[2:0]}; // constructs.go:161
    wire [3:0] n69 = n4 ? q_0[6:3] : (n3 ? (n4 ? q_0[6:3] : (n9 ? q_0[6:3] : q_1[6:3])) : q_0[6:3]);
    wire [3:0] n70 = n4 ? q_1[9:6] : (n3 ? (n16 ? (n15 ? q_2[9:6] : q_1[9:6]) : q_1[9:6]) : q_1[9:6]);
    wire [3:0] n71 = (sum ^ (in_take ? (n6 ? (n4 ? in_a[6:3] : q_0[6:3]) : n69) : n69)) ^ (in_take ? (n6 ? (n9 ? in_a[9:6] : q_1[9:6]) : n70) : n70);
    wire [3:0] n72 = n4 ? q_2[12:9] : (n3 ? (n25 ? (n24 ? q_3[12:9] : q_2[12:9]) : q_2[12:9]) : q_2[12:9]);
    wire [3:0] n73 = n4 ? q_3[15:12] : (n3 ? (n38 ? (n37 ? q_4[15:12] : q_3[15:12]) : q_3[15:12]) : q_3[15:12]);
    wire [3:0] n74 = (n71 ^ (in_take ? (n6 ? (n23 ? in_a[12:9] : q_2[12:9]) : n72) : n72)) ^ (in_take ? (n6 ? (n36 ? in_a[15:12] : q_3[15:12]) : n73) : n73);
    wire [31:0] sum_3 = {n7[19:13], n11, n18, n27, n74, n56, n62, n66, n68}; // constructs.go:161
    wire [6:0] n75 = n4 ? q_0[9:3] : (n3 ? (n4 ? q_0[9:3] : (n9 ? q_0[9:3] : q_1[9:3])) : q_0[9:3]);
    wire [6:0] n76 = n4 ? q_1[12:6] : (n3 ? (n16 ? (n15 ? q_2[12:6] : q_1[12:6]) : q_1[12:6]) : q_1[12:6]);
    wire [6:0] n77 = (n19 ^ (in_take ? (n6 ? (n4 ? in_a[9:3] : q_0[9:3]) : n75) : n75)) ^ (in_take ? (n6 ? (n9 ? in_a[12:6] : q_1[12:6]) : n76) : n76);
    wire [6:0] n78 = n4 ? q_2[15:9] : (n3 ? (n25 ? (n24 ? q_3[15:9] : q_2[15:9]) : q_2[15:9]) : q_2[15:9]);
    wire [31:0] sum_4 = {n7[22:13], n11, n18, n77 ^ (in_take ? (n6 ? (n23 ? in_a[15:9] : q_2[15:9]) : n78) : n78), n54, n60, n64}; // constructs.go:161
    wire [9:0] n79 = n4 ? q_0[12:3] : (n3 ? (n4 ? q_0[12:3] : (n9 ? q_0[12:3] : q_1[12:3])) : q_0[12:3]);
    wire [9:0] n80 = n4 ? q_1[15:6] : (n3 ? (n16 ? (n15 ? q_2[15:6] : q_1[15:6]) : q_1[15:6]) : q_1[15:6]);
    wire [9:0] n81 = (n12 ^ (in_take ? (n6 ? (n4 ? in_a[12:3] : q_0[12:3]) : n79) : n79)) ^ (in_take ? (n6 ? (n9 ? in_a[15:6] : q_1[15:6]) : n80) : n80);
    wire [31:0] sum_5 = {n7[25:13], n11, n81, n52, n58}; // constructs.go:161
    wire [12:0] n82 = n4 ? q_0[15:3] : (n3 ? (n4 ? q_0[15:3] : (n9 ? q_0[15:3] : q_1[15:3])) : q_0[15:3]);
    wire [31:0] sum_6 = {n7[28:13], n8 ^ (in_take ? (n6 ? (n4 ? in_a[15:3] : q_0[15:3]) : n82) : n82), n50}; // constructs.go:161
    wire [2:0] n83 = n4 ? q_len : (n3 ? (q_len + 3'h7) : q_len);
    wire [15:0] n84 = n4 ? q_0 : (n3 ? (n4 ? q_0 : (n9 ? q_0 : q_1)) : q_0);
    wire [15:0] n85 = n4 ? q_1 : (n3 ? (n16 ? (n15 ? q_2 : q_1) : q_1) : q_1);
    wire [15:0] n86 = n4 ? q_2 : (n3 ? (n25 ? (n24 ? q_3 : q_2) : q_2) : q_2);
    wire [15:0] n87 = n4 ? q_3 : (n3 ? (n38 ? (n37 ? q_4 : q_3) : q_3) : q_3);
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            q_len <= 3'h0;
            q_0 <= 16'h0;
            q_1 <= 16'h0;
            q_2 <= 16'h0;
            q_3 <= 16'h0;
            q_4 <= 16'h0;
        end else begin
            if ($signed(4'h0) < $signed(sum)) begin
                if ($signed(4'h1) < $signed(sum)) begin
                    if ($signed(4'h2) < $signed(sum)) begin
                        if ($signed(4'h3) < $signed(sum)) begin
                            if ($signed(4'h4) < $signed(sum)) begin
                                out <= sum_2;
                            end else begin
                                out <= sum_3;
                            end
                        end else begin
                            out <= sum_4;
                        end
                    end else begin
                        out <= sum_5;
                    end
                end else begin
                    out <= sum_6;
                end
            end else begin
                out <= {{28{sum[3]}}, sum};
            end
            if (in_take) begin
                if (n6) begin
                    q_len <= n28;
                    if (n4) begin
                        q_0 <= in_a;
                    end
                    if (n9) begin
                        q_1 <= in_a;
                    end
                    if (n23) begin
                        q_2 <= in_a;
                    end
                    if (n36) begin
                        q_3 <= in_a;
                    end
                    if (n47) begin
                        q_4 <= in_a;
                    end
                end else begin
                    q_len <= n83;
                    q_0 <= n84;
                    q_1 <= n85;
                    q_2 <= n86;
                    q_3 <= n87;
                end
            end else begin
                q_len <= n83;
                q_0 <= n84;
                q_1 <= n85;
                q_2 <= n86;
                q_3 <= n87;
            end
        end
endmodule
