// Crossbar of a 4-port circuit switch (Shoal §4.1): four 4:1 multiplexers, four select registers, and the schedule that loads
// them. Latency 1 cycle.
//
// The registers have the first slot's circuits until the bootstrap word comes; the word after it is the first of slot 1. They change
// at the edge that takes the last word of a slot. A leaf's LOW ports go to nodes: what comes from them, up, and what goes to them, down,
// have a slot counter each, started by the bootstrap word that comes that way. LOW is 0 in a spine, which has one direction.
//
// A realign word starts its direction anew, whether it runs or not: the word after it is the first of slot 1.
//
// IMAGE has the slots, the first in the low bits; a slot has three bits for each egress port, egress 0 in the low ones: whether
// there is a circuit, and the ingress port.
module shoal_circuit_switch #(
    parameter SLOTS  = 8,
    parameter CYCLES = 12,
    parameter LOW    = 2,
    parameter [12*SLOTS-1:0] IMAGE = {12'h977, 12'hb37, 12'hb37, 12'h97e, 12'hb37, 12'hb37, 12'h106, 12'h97e}
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
    localparam [72:0] REALIGN   = {1'b1, 8'h11, 64'h0248539c0248539c};

    wire [72:0] word_0 = {in_0_valid, in_0_ctrl, in_0_data};
    wire [72:0] word_1 = {in_1_valid, in_1_ctrl, in_1_data};
    wire [72:0] word_2 = {in_2_valid, in_2_ctrl, in_2_data};
    wire [72:0] word_3 = {in_3_valid, in_3_ctrl, in_3_data};
    wire [3:0]  boot   = {filled_3 && word_3 == BOOTSTRAP, filled_2 && word_2 == BOOTSTRAP,
                          filled_1 && word_1 == BOOTSTRAP, filled_0 && word_0 == BOOTSTRAP};
    wire [3:0]  again  = {filled_3 && word_3 == REALIGN, filled_2 && word_2 == REALIGN,
                          filled_1 && word_1 == REALIGN, filled_0 && word_0 == REALIGN};

    localparam [3:0]  FROM_NODES = LOW == 0 ? 4'hf : (4'd1 << LOW) - 4'd1;      // ports
    localparam [11:0] TO_NODES   = (12'd1 << (3 * LOW)) - 12'd1;                // bits of selects

    wire up_again   = |(again & FROM_NODES);
    wire down_again = |(again & ~FROM_NODES);

    reg        up_running, down_running;
    reg [11:0] up_cycle, down_cycle;
    reg [11:0] up_slot, down_slot;
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

    wire [11:0] up_next   = up_slot == SLOTS - 1 ? 12'd0 : up_slot + 12'd1;
    wire [11:0] down_next = down_slot == SLOTS - 1 ? 12'd0 : down_slot + 12'd1;
    wire        up_last   = up_running && up_cycle + 12'd1 >= CYCLES;
    wire        down_last = down_running && down_cycle + 12'd1 >= CYCLES;

    always @(posedge clk)
        if (rst) begin
            up_running   <= 1'b0;
            up_cycle     <= 12'd0;
            up_slot      <= 12'd0;
            down_running <= 1'b0;
            down_cycle   <= 12'd0;
            down_slot    <= 12'd0;
            selects      <= IMAGE[11:0];
            {out_0_valid, out_0_ctrl, out_0_data} <= IDLE;
            {out_1_valid, out_1_ctrl, out_1_data} <= IDLE;
            {out_2_valid, out_2_ctrl, out_2_data} <= IDLE;
            {out_3_valid, out_3_ctrl, out_3_data} <= IDLE;
        end else begin
            {out_0_valid, out_0_ctrl, out_0_data} <= pass(selects[2:0]);
            {out_1_valid, out_1_ctrl, out_1_data} <= pass(selects[5:3]);
            {out_2_valid, out_2_ctrl, out_2_data} <= pass(selects[8:6]);
            {out_3_valid, out_3_ctrl, out_3_data} <= pass(selects[11:9]);
            if (up_again) begin
                up_running <= 1'b1;
                up_cycle   <= 12'd0;
                up_slot    <= 12'd0;
            end else begin
                if (!up_running) up_running <= |(boot & FROM_NODES);
                else up_cycle <= up_last ? 12'd0 : up_cycle + 12'd1;
                if (up_last) up_slot <= up_next;
            end

            if (down_again) begin
                down_running <= 1'b1;
                down_cycle   <= 12'd0;
                down_slot    <= 12'd0;
            end else begin
                if (!down_running) down_running <= |(boot & ~FROM_NODES);
                else down_cycle <= down_last ? 12'd0 : down_cycle + 12'd1;
                if (down_last) down_slot <= down_next;
            end

            selects <= (down_again ? IMAGE[11:0] : down_last ? IMAGE[12*down_next +: 12] : selects) & TO_NODES
                     | (up_again   ? IMAGE[11:0] : up_last   ? IMAGE[12*up_next   +: 12] : selects) & ~TO_NODES;
        end
endmodule
