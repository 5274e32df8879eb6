// A register whose clock is an enable: it takes its input in the steps in which the enable is 1, and keeps its value in others.
(* techmap_celltype = "$dff" *)
module goldwire_enable (CLK, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1'b1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire _TECHMAP_FAIL_ = !CLK_POLARITY;
  \$ff #(.WIDTH(WIDTH)) _TECHMAP_REPLACE_ (.D(CLK ? D : Q), .Q(Q));
endmodule
