// Written for the tests, with the ports of a combinational count of trailing or leading zeros, whose mode is an enumeration of a package.
package count_pkg;
  typedef enum logic {TRAILING_ZEROS = 1'b0, LEADING_ZEROS = 1'b1} mode_e;
endpackage
module lzc #(parameter int unsigned WIDTH = 64, parameter count_pkg::mode_e MODE = count_pkg::LEADING_ZEROS) (
    input logic [WIDTH-1:0] in_i, output logic [$clog2(WIDTH)-1:0] cnt_o, output logic empty_o);
  assign empty_o = ~|in_i;
  always_comb begin
    cnt_o = '1;  // of no bit at all it is no promise
    for (int i = WIDTH - 1; i >= 0; i--)
      if (in_i[MODE == count_pkg::LEADING_ZEROS ? WIDTH-1-i : i]) cnt_o = i[$clog2(WIDTH)-1:0];
  end
endmodule
