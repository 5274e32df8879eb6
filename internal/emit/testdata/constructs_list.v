/* verilator lint_off UNUSEDSIGNAL */ // not every bit of a port is read
// List is a slice in whose middle words come and go. Its free places are seen, too.
module constructs_list (
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
    reg [15:0] q_5;
    wire [2:0] free = 3'h6 - q_len; // moves.go:95
    wire n1 = 3'h1 < free;
    wire n2 = in_a[1:0] == 2'h0;
    wire n3 = in_b[2:0] < q_len;
    wire [2:0] n4 = n3 ? (q_len + 3'h7) : (n2 ? (n1 ? (q_len + 3'h2) : q_len) : q_len);
    wire n5 = q_len < in_b[2:0];
    wire n6 = 4'h7 < in_b;
    wire [2:0] n7 = n6 ? (n1 ? (n5 ? n4 : (q_len + 3'h2)) : n4) : n4;
    wire [2:0] n8 = q_len + 3'h1;
    wire n9 = free == 3'h0;
    wire [2:0] sum = in_take ? (n9 ? n7 : (n5 ? n7 : n8)) : n7; // moves.go:105
    wire n10 = in_b[2:0] == 3'h0;
    wire n11 = q_len == 3'h0;
    wire [3:0] n12 = {1'b0, q_len};
    wire [3:0] n13 = n12 + 4'hf;
    wire [15:0] n14 = n3 ? ($signed(4'h0) < $signed(n13) ? (n10 ? q_1 : q_0) : (n11 ? q_0 : 16'h0)) : (n2 ? (n1 ? (n11 ? in_a : q_0) : q_0) : q_0);
    wire [15:0] n15 = n10 ? in_a : q_0;
    wire [15:0] n16 = n6 ? (n1 ? (n5 ? n14 : n15) : n14) : n14;
    wire [15:0] v = in_take ? (n9 ? n16 : (n5 ? n16 : n15)) : n16; // moves.go:106
    wire [16:0] sum_2 = {12'h0, {2'h0, sum} * 5'h5} + {1'b0, v}; // moves.go:107
    wire n17 = 3'h1 < in_b[2:0];
    wire n18 = q_len == 3'h1;
    wire [15:0] n19 = n3 ? ($signed(4'h1) < $signed(n13) ? (n17 ? q_1 : q_2) : (3'h1 < q_len ? 16'h0 : q_1)) : (n2 ? (n1 ? (n11 ? ~in_a : (n18 ? in_a : q_1)) : q_1) : q_1);
    wire [15:0] n20 = {3'h0, in_a[15:3]};
    wire n21 = in_b[2:0] == 3'h1;
    wire [15:0] n22 = n6 ? (n1 ? (n5 ? n19 : (n17 ? q_1 : (n10 ? n20 : (n21 ? in_a : q_1)))) : n19) : n19;
    wire [3:0] n23 = {1'b0, in_b[2:0]};
    wire [3:0] n24 = n23 + 4'h1;
    wire [15:0] n25 = n9 ? n22 : (n5 ? n22 : (3'h1 < n8 ? (n17 ? q_1 : (n21 ? in_a : (4'h1 < n24 ? q_1 : q_0))) : q_1));
    wire [15:0] v_2 = in_take ? n25 : n22; // moves.go:106
    wire [18:0] sum_3 = ({2'h0, sum_2} * 19'h5) + {3'h0, v_2}; // moves.go:107
    wire n26 = 3'h2 < in_b[2:0];
    wire n27 = q_len == 3'h2;
    wire [15:0] n28 = n3 ? ($signed(4'h2) < $signed(n13) ? (n26 ? q_2 : q_3) : (3'h2 < q_len ? 16'h0 : q_2)) : (n2 ? (n1 ? (n18 ? ~in_a : (n27 ? in_a : q_2)) : q_2) : q_2);
    wire [3:0] n29 = n23 + 4'h2;
    wire n30 = in_b[2:0] == 3'h2;
    wire [3:0] n31 = n12 + 4'h2;
    wire [15:0] n32 = n5 ? n28 : (4'h2 < n31 ? (n26 ? q_2 : (n21 ? n20 : (n30 ? in_a : (4'h2 < n29 ? q_2 : q_0)))) : q_2);
    wire [15:0] n33 = n6 ? (n1 ? n32 : n28) : n28;
    wire [15:0] n34 = n9 ? n33 : (n5 ? n33 : (3'h2 < n8 ? (n26 ? q_2 : (n30 ? in_a : (4'h2 < n24 ? q_2 : q_1))) : q_2));
    wire [15:0] v_3 = in_take ? n34 : n33; // moves.go:106
    wire [20:0] sum_4 = ({2'h0, sum_3} * 21'h5) + {5'h0, v_3}; // moves.go:107
    wire n35 = 3'h3 < in_b[2:0];
    wire n36 = q_len == 3'h3;
    wire [15:0] n37 = n3 ? ($signed(4'h3) < $signed(n13) ? (n35 ? q_3 : q_4) : (3'h3 < q_len ? 16'h0 : q_3)) : (n2 ? (n1 ? (n27 ? ~in_a : (n36 ? in_a : q_3)) : q_3) : q_3);
    wire n38 = in_b[2:0] == 3'h3;
    wire [15:0] n39 = n5 ? n37 : (4'h3 < n31 ? (n35 ? q_3 : (n30 ? n20 : (n38 ? in_a : (4'h3 < n29 ? q_3 : q_1)))) : q_3);
    wire [15:0] n40 = n6 ? (n1 ? n39 : n37) : n37;
    wire [15:0] n41 = n9 ? n40 : (n5 ? n40 : (3'h3 < n8 ? (n35 ? q_3 : (n38 ? in_a : (4'h3 < n24 ? q_3 : q_2))) : q_3));
    wire [15:0] v_4 = in_take ? n41 : n40; // moves.go:106
    wire [23:0] sum_5 = ({3'h0, sum_4} * 24'h5) + {8'h0, v_4}; // moves.go:107
    wire n42 = 3'h4 < in_b[2:0];
    wire n43 = q_len == 3'h4;
    wire [15:0] n44 = n3 ? ($signed(4'h4) < $signed(n13) ? (n42 ? q_4 : q_5) : (3'h4 < q_len ? 16'h0 : q_4)) : (n2 ? (n1 ? (n36 ? ~in_a : (n43 ? in_a : q_4)) : q_4) : q_4);
    wire n45 = in_b[2:0] == 3'h4;
    wire [15:0] n46 = n5 ? n44 : (4'h4 < n31 ? (n42 ? q_4 : (n38 ? n20 : (n45 ? in_a : (4'h4 < n29 ? q_4 : q_2)))) : q_4);
    wire [15:0] n47 = n6 ? (n1 ? n46 : n44) : n44;
    wire [15:0] n48 = n9 ? n47 : (n5 ? n47 : (3'h4 < n8 ? (n42 ? q_4 : (n45 ? in_a : (4'h4 < n24 ? q_4 : q_3))) : q_4));
    wire [15:0] v_5 = in_take ? n48 : n47; // moves.go:106
    wire [25:0] sum_6 = ({2'h0, sum_5} * 26'h5) + {10'h0, v_5}; // moves.go:107
    wire [15:0] n49 = n3 ? (3'h5 < q_len ? 16'h0 : q_5) : (n2 ? (n1 ? (n43 ? ~in_a : (q_len == 3'h5 ? in_a : q_5)) : q_5) : q_5);
    wire n50 = in_b[2:0] == 3'h5;
    wire n51 = 3'h5 < in_b[2:0];
    wire [15:0] n52 = n5 ? n49 : (4'h5 < n31 ? (n51 ? q_5 : (n45 ? n20 : (n50 ? in_a : (4'h5 < n29 ? q_5 : q_3)))) : q_5);
    wire [15:0] n53 = n6 ? (n1 ? n52 : n49) : n49;
    wire [15:0] n54 = n9 ? n53 : (n5 ? n53 : (3'h5 < n8 ? (n51 ? q_5 : (n50 ? in_a : (4'h5 < n24 ? q_5 : q_4))) : q_5));
    wire [15:0] v_6 = in_take ? n54 : n53; // moves.go:106
    wire [27:0] sum_7 = ({2'h0, sum_6} * 28'h5) + {12'h0, v_6}; // moves.go:107
    always @(posedge clk)
        if (rst) begin
            out <= 32'h0;
            q_len <= 3'h0;
            q_0 <= 16'h0;
            q_1 <= 16'h0;
            q_2 <= 16'h0;
            q_3 <= 16'h0;
            q_4 <= 16'h0;
            q_5 <= 16'h0;
        end else begin
            out <= {4'h0, sum_7};
            if (in_take) begin
                if (n9) begin
                    q_len <= n7;
                    q_0 <= n16;
                    q_1 <= n22;
                    q_2 <= n33;
                    q_3 <= n40;
                    q_4 <= n47;
                    q_5 <= n53;
                end else begin
                    if (n5) begin
                        q_len <= n7;
                        q_0 <= n16;
                        q_1 <= n22;
                        q_2 <= n33;
                        q_3 <= n40;
                        q_4 <= n47;
                        q_5 <= n53;
                    end else begin
                        q_len <= n8;
                        q_0 <= n15;
                        if (3'h1 < n8) begin
                            if (!n17) begin
                                if (n21) begin
                                    q_1 <= in_a;
                                end else begin
                                    if (!(4'h1 < n24)) begin
                                        q_1 <= q_0;
                                    end
                                end
                            end
                        end
                        if (3'h2 < n8) begin
                            if (!n26) begin
                                if (n30) begin
                                    q_2 <= in_a;
                                end else begin
                                    if (!(4'h2 < n24)) begin
                                        q_2 <= q_1;
                                    end
                                end
                            end
                        end
                        if (3'h3 < n8) begin
                            if (!n35) begin
                                if (n38) begin
                                    q_3 <= in_a;
                                end else begin
                                    if (!(4'h3 < n24)) begin
                                        q_3 <= q_2;
                                    end
                                end
                            end
                        end
                        if (3'h4 < n8) begin
                            if (!n42) begin
                                if (n45) begin
                                    q_4 <= in_a;
                                end else begin
                                    if (!(4'h4 < n24)) begin
                                        q_4 <= q_3;
                                    end
                                end
                            end
                        end
                        if (3'h5 < n8) begin
                            if (!n51) begin
                                if (n50) begin
                                    q_5 <= in_a;
                                end else begin
                                    if (!(4'h5 < n24)) begin
                                        q_5 <= q_4;
                                    end
                                end
                            end
                        end
                    end
                end
            end else begin
                q_len <= n7;
                q_0 <= n16;
                q_1 <= n22;
                q_2 <= n33;
                q_3 <= n40;
                q_4 <= n47;
                q_5 <= n53;
            end
        end
endmodule
