// Written for the tests, with the ports of a round-robin arbiter with the policy of a tree: after each grant its pointer moves by one, wherever the grant was.
module rr_arb_tree #(parameter int unsigned NumIn = 16) (
    input logic clk_i, input logic rst_ni, input logic flush_i, input logic [NumIn-1:0] req_i, output logic [NumIn-1:0] gnt_o,
    output logic req_o, input logic gnt_i, output logic [$clog2(NumIn)-1:0] idx_o);
  logic [NumIn-1:0] mask_q;
  wire [NumIn-1:0] masked = req_i & mask_q, from = |masked ? masked : req_i;
  always_comb begin
    idx_o = '1;
    for (int i = NumIn - 1; i >= 0; i--) if (from[i]) idx_o = i[$clog2(NumIn)-1:0];
  end
  assign req_o = |req_i, gnt_o = req_o ? NumIn'(1) << idx_o : '0;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) mask_q <= '1;
    else if (flush_i) mask_q <= '1;
    else if (req_o && gnt_i) mask_q <= mask_q == (NumIn'(1) << (NumIn-1)) ? '1 : mask_q << 1;
endmodule
