`timescale 1ns / 1ps
// A PCS from one XGMII to another: transmit side, a line, receive side. Words of the XGMII come when enable is 1.
module pcs_top (
    input         clk,
    input         rst,
    input  [63:0] tx_data,
    input  [7:0]  tx_ctrl,
    output        tx_enable,
    output [63:0] rx_data,
    output [7:0]  rx_ctrl,
    output        rx_valid,
    output        lock,
    output        block_sent,
    output        block_received
);
    reg tx_valid;
    always @(posedge clk) tx_valid <= !rst && tx_enable;

    wire [63:0] encoded, scrambled, line, received, plain, next;
    wire [1:0] encoded_header, scrambled_header, line_hi, received_header, plain_header, next_header;
    wire encoded_valid, scrambled_valid, line_valid, received_valid, plain_valid, next_valid, slip;

    pcs_encoder encoder (.clk(clk), .rst(rst), .in_data(tx_data), .in_ctrl(tx_ctrl), .in_valid(tx_valid),
        .out_payload(encoded), .out_header(encoded_header), .out_valid(encoded_valid));
    pcs_scrambler scrambler (.clk(clk), .rst(rst), .in_payload(encoded), .in_header(encoded_header),
        .in_valid(encoded_valid), .out_payload(scrambled), .out_header(scrambled_header), .out_valid(scrambled_valid));
    pcs_tx_gearbox #(.WIDTH(64)) tx_gearbox (.clk(clk), .rst(rst), .in_payload(scrambled), .in_header(scrambled_header),
        .in_valid(scrambled_valid), .out_lo(line), .out_hi(line_hi), .out_valid(line_valid), .enable(tx_enable));
    pcs_rx_gearbox #(.WIDTH(64), .SKEW(13)) rx_gearbox (.clk(clk), .rst(rst), .in_lo(line), .in_hi(line_hi),
        .in_valid(line_valid), .slip(slip), .out_payload(received), .out_header(received_header),
        .out_valid(received_valid));
    pcs_block_sync block_sync (.clk(clk), .rst(rst), .in_payload(received), .in_header(received_header),
        .in_valid(received_valid), .lock(lock), .slip(slip));
    pcs_descrambler descrambler (.clk(clk), .rst(rst), .in_payload(received), .in_header(received_header),
        .in_valid(received_valid), .out_payload(plain), .out_header(plain_header), .out_valid(plain_valid),
        .next_payload(next), .next_header(next_header), .next_valid(next_valid));
    pcs_decoder decoder (.clk(clk), .rst(rst), .in_payload(plain), .in_header(plain_header), .in_valid(plain_valid),
        .next_payload(next), .next_header(next_header), .next_valid(next_valid), .lock(lock), .hi_ber(1'b0),
        .out_data(rx_data), .out_ctrl(rx_ctrl), .out_valid(rx_valid));

    assign block_sent = scrambled_valid;
    assign block_received = plain_valid;
endmodule
