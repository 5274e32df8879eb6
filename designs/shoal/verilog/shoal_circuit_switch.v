// Crossbar of a 4-port circuit switch (Shoal §4.1): four 4:1 multiplexers, four select registers, and the schedule that loads
// them. Latency 1 cycle.
//
// The registers have the first slot's circuits until the bootstrap word comes at any port; the word after it is the first of
// slot 1. They change at the edge that takes the last word of a slot. IMAGE has the slots, the first in the low bits; a slot has three bits
// for each egress port, egress 0 in the low ones: whether there is a circuit, and the ingress port.
module shoal_circuit_switch #(
    parameter SLOTS  = 7,
    parameter CYCLES = 12,
    parameter [12*SLOTS-1:0] IMAGE = {12'h9f5, 12'h9f5, 12'hb3e, 12'hb3e, 12'hd67, 12'hd67, 12'hfac}
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_0_data,
    input      [7:0]  in_0_ctrl,
    input             in_0_valid,
    input      [63:0] in_1_data,
    input      [7:0]  in_1_ctrl,
    input             in_1_valid,
    input      [63:0] in_2_data,
    input      [7:0]  in_2_ctrl,
    input             in_2_valid,
    input      [63:0] in_3_data,
    input      [7:0]  in_3_ctrl,
    input             in_3_valid,
    input             filled_0,
    input             filled_1,
    input             filled_2,
    input             filled_3,
    output reg [63:0] out_0_data,
    output reg [7:0]  out_0_ctrl,
    output reg        out_0_valid,
    output reg [63:0] out_1_data,
    output reg [7:0]  out_1_ctrl,
    output reg        out_1_valid,
    output reg [63:0] out_2_data,
    output reg [7:0]  out_2_ctrl,
    output reg        out_2_valid,
    output reg [63:0] out_3_data,
    output reg [7:0]  out_3_ctrl,
    output reg        out_3_valid
);
    localparam [72:0] IDLE      = {1'b1, 8'hff, 64'h0707070707070707};
    localparam [72:0] BOOTSTRAP = {1'b1, 8'h11, 64'h0148539c0148539c};

    wire [72:0] word_0 = {in_0_valid, in_0_ctrl, in_0_data};
    wire [72:0] word_1 = {in_1_valid, in_1_ctrl, in_1_data};
    wire [72:0] word_2 = {in_2_valid, in_2_ctrl, in_2_data};
    wire [72:0] word_3 = {in_3_valid, in_3_ctrl, in_3_data};
    wire        start  = filled_0 && word_0 == BOOTSTRAP || filled_1 && word_1 == BOOTSTRAP
                      || filled_2 && word_2 == BOOTSTRAP || filled_3 && word_3 == BOOTSTRAP;

    reg        running;
    reg [11:0] cycle;
    reg [11:0] slot;
    reg [11:0] selects;

    // one multiplexer
    function [72:0] pass(input [2:0] sel);
        case (sel)
            3'd4:    pass = filled_0 ? word_0 : IDLE;
            3'd5:    pass = filled_1 ? word_1 : IDLE;
            3'd6:    pass = filled_2 ? word_2 : IDLE;
            3'd7:    pass = filled_3 ? word_3 : IDLE;
            default: pass = IDLE;
        endcase
    endfunction

    wire [11:0] next = slot == SLOTS - 1 ? 12'd0 : slot + 12'd1;

    always @(posedge clk)
        if (rst) begin
            running <= 1'b0;
            cycle   <= 12'd0;
            slot    <= 12'd0;
            selects <= IMAGE[11:0];
            {out_0_valid, out_0_ctrl, out_0_data} <= IDLE;
            {out_1_valid, out_1_ctrl, out_1_data} <= IDLE;
            {out_2_valid, out_2_ctrl, out_2_data} <= IDLE;
            {out_3_valid, out_3_ctrl, out_3_data} <= IDLE;
        end else begin
            {out_0_valid, out_0_ctrl, out_0_data} <= pass(selects[2:0]);
            {out_1_valid, out_1_ctrl, out_1_data} <= pass(selects[5:3]);
            {out_2_valid, out_2_ctrl, out_2_data} <= pass(selects[8:6]);
            {out_3_valid, out_3_ctrl, out_3_data} <= pass(selects[11:9]);
            if (!running) running <= start;
            else if (cycle + 12'd1 < CYCLES) cycle <= cycle + 12'd1;
            else begin
                cycle   <= 12'd0;
                slot    <= next;
                selects <= IMAGE[12*next +: 12];
            end
        end
endmodule
