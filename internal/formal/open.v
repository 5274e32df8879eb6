// What RTL leaves open is x here, so that it becomes any value later: a bit read from outside of a vector, and what is divided by zero. Yosys
// would take a value of its own choice.
module \$shiftx (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] y;
  \$shiftx #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) inner (.A(A), .B(B), .Y(y));
  // wide enough for a place, its sign, and the vector's end
  localparam W = (B_WIDTH > $clog2(A_WIDTH + Y_WIDTH) ? B_WIDTH : $clog2(A_WIDTH + Y_WIDTH)) + 2;
  wire signed [W-1:0] from = {{(W-B_WIDTH){B_SIGNED && B[B_WIDTH-1]}}, B};
  genvar i;
  generate
    for (i = 0; i < Y_WIDTH; i = i + 1) begin : bits
      localparam signed [W-1:0] FIRST = -i;
      localparam signed [W-1:0] END = A_WIDTH - i;
      assign Y[i] = from < FIRST || from >= END ? 1'bx : y[i];
    end
  endgenerate
endmodule

(* techmap_celltype = "$div $mod $divfloor $modfloor" *)
module open_division (A, B, Y);
  parameter _TECHMAP_CELLTYPE_ = "";
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] y;
  generate
    case (_TECHMAP_CELLTYPE_)
      "$div": \$div #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) inner (.A(A), .B(B), .Y(y));
      "$mod": \$mod #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) inner (.A(A), .B(B), .Y(y));
      "$divfloor": \$divfloor #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) inner (.A(A), .B(B), .Y(y));
      "$modfloor": \$modfloor #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) inner (.A(A), .B(B), .Y(y));
    endcase
  endgenerate
  assign Y = B == 0 ? {Y_WIDTH{1'bx}} : y;
endmodule
