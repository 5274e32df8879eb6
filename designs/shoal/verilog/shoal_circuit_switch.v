// Crossbar of a circuit switch of PORTS ports (Shoal §4.1): for each a multiplexer over all, a select register, and the schedule that loads
// it. Latency 1 cycle.
//
// The registers have the first slot's circuits until the bootstrap word comes; the word after it is the first of slot 1. They change
// at the edge that takes the last word of a slot. A leaf's LOW ports go to nodes: what comes from them, up, and what goes to them, down,
// have a slot counter each, started by the bootstrap word that comes that way. LOW is 0 in a spine, which has one direction.
//
// A realign word starts its direction anew, whether it runs or not: the word after it is the first of slot 1.
//
// CYCLES is the length of a slot, at most 4095. IMAGE has the slots, the first in the low bits; a slot has 1 + $clog2(PORTS) bits for each egress
// port, egress 0 in the low ones: whether there is a circuit, and the ingress port.
module shoal_circuit_switch #(
    parameter PORTS  = 4,
    parameter SLOTS  = 8,
    parameter CYCLES = 12,
    parameter LOW    = 2,
    parameter [(1+$clog2(PORTS))*PORTS*SLOTS-1:0] IMAGE = {12'h977, 12'hb37, 12'hb37, 12'h97e, 12'hb37, 12'hb37, 12'h106, 12'h97e}
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
    output     [63:0] out_0_data,
    output     [7:0]  out_0_ctrl,
    output            out_0_valid,
    output     [63:0] out_1_data,
    output     [7:0]  out_1_ctrl,
    output            out_1_valid,
    output     [63:0] out_2_data,
    output     [7:0]  out_2_ctrl,
    output            out_2_valid,
    output     [63:0] out_3_data,
    output     [7:0]  out_3_ctrl,
    output            out_3_valid
);
    localparam [72:0] IDLE      = {1'b1, 8'hff, 64'h0707070707070707};
    localparam [72:0] BOOTSTRAP = {1'b1, 8'h11, 64'h0148539c0148539c};
    localparam [72:0] REALIGN   = {1'b1, 8'h11, 64'h0248539c0248539c};

    localparam W    = 1 + $clog2(PORTS);  // bits of a select
    localparam SLOT = W * PORTS;

    wire [73*PORTS-1:0] word;
    wire [PORTS-1:0]    filled, boot, again;
    assign word[73*0 +: 73] = {in_0_valid, in_0_ctrl, in_0_data};
    assign filled[0] = filled_0;
    assign boot[0] = filled_0 && {in_0_valid, in_0_ctrl, in_0_data} == BOOTSTRAP;
    assign again[0] = filled_0 && {in_0_valid, in_0_ctrl, in_0_data} == REALIGN;
    assign word[73*1 +: 73] = {in_1_valid, in_1_ctrl, in_1_data};
    assign filled[1] = filled_1;
    assign boot[1] = filled_1 && {in_1_valid, in_1_ctrl, in_1_data} == BOOTSTRAP;
    assign again[1] = filled_1 && {in_1_valid, in_1_ctrl, in_1_data} == REALIGN;
    assign word[73*2 +: 73] = {in_2_valid, in_2_ctrl, in_2_data};
    assign filled[2] = filled_2;
    assign boot[2] = filled_2 && {in_2_valid, in_2_ctrl, in_2_data} == BOOTSTRAP;
    assign again[2] = filled_2 && {in_2_valid, in_2_ctrl, in_2_data} == REALIGN;
    assign word[73*3 +: 73] = {in_3_valid, in_3_ctrl, in_3_data};
    assign filled[3] = filled_3;
    assign boot[3] = filled_3 && {in_3_valid, in_3_ctrl, in_3_data} == BOOTSTRAP;
    assign again[3] = filled_3 && {in_3_valid, in_3_ctrl, in_3_data} == REALIGN;

    localparam [PORTS-1:0] FROM_NODES = LOW == 0 ? {PORTS{1'b1}} : (1 << LOW) - 1;
    localparam [SLOT-1:0]  TO_NODES   = (1 << (W * LOW)) - 1;  // bits of selects

    wire up_again   = |(again & FROM_NODES);
    wire down_again = |(again & ~FROM_NODES);

    reg               up_running, down_running;
    reg [11:0]        up_cycle, down_cycle;
    reg [11:0]        up_slot, down_slot;
    reg [SLOT-1:0]    selects;
    reg [73*PORTS-1:0] out;
    assign {out_0_valid, out_0_ctrl, out_0_data} = out[73*0 +: 73];
    assign {out_1_valid, out_1_ctrl, out_1_data} = out[73*1 +: 73];
    assign {out_2_valid, out_2_ctrl, out_2_data} = out[73*2 +: 73];
    assign {out_3_valid, out_3_ctrl, out_3_data} = out[73*3 +: 73];

    // one multiplexer
    function [72:0] pass(input [W-1:0] sel);
        pass = sel[W-1] && filled[sel[W-2:0]] ? word[73*sel[W-2:0] +: 73] : IDLE;
    endfunction

    wire [11:0] up_next   = up_slot == SLOTS - 1 ? 12'd0 : up_slot + 12'd1;
    wire [11:0] down_next = down_slot == SLOTS - 1 ? 12'd0 : down_slot + 12'd1;
    wire        up_last   = up_running && up_cycle + 12'd1 >= CYCLES;
    wire        down_last = down_running && down_cycle + 12'd1 >= CYCLES;

    integer e;
    always @(posedge clk)
        if (rst) begin
            up_running   <= 1'b0;
            up_cycle     <= 12'd0;
            up_slot      <= 12'd0;
            down_running <= 1'b0;
            down_cycle   <= 12'd0;
            down_slot    <= 12'd0;
            selects      <= IMAGE[SLOT-1:0];
            out          <= {PORTS{IDLE}};
        end else begin
            for (e = 0; e < PORTS; e = e + 1) out[73*e +: 73] <= pass(selects[W*e +: W]);
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

            selects <= (down_again ? IMAGE[SLOT-1:0] : down_last ? IMAGE[SLOT*down_next +: SLOT] : selects) & TO_NODES
                     | (up_again   ? IMAGE[SLOT-1:0] : up_last   ? IMAGE[SLOT*up_next   +: SLOT] : selects) & ~TO_NODES;
        end
endmodule
