// Gearbox from blocks of 66 bits to line words of WIDTH bits (IEEE 802.3 49.2.7), WIDTH below 66. out_lo has a word's low
// bits, the first on the line in bit 0. Words flow without a gap once WIDTH + 65 bits are held.
module pcs_tx_gearbox #(
    parameter WIDTH = 64
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_payload,
    input      [1:0]  in_header,
    input             in_valid,
    output reg [63:0] out_lo,
    output reg [1:0]  out_hi,
    output reg        out_valid,
    output reg        enable  // head of the transmit path: start a word
);
    reg  [319:0] held;
    reg  [8:0]   n;
    reg  [7:0]   credit;
    reg          flowing;

    wire         flow   = flowing || n >= WIDTH + 65;
    wire         pop    = flow && n >= WIDTH;
    wire [319:0] rest   = pop ? held >> WIDTH : held;
    wire [8:0]   left   = pop ? n - WIDTH : n;
    wire [65:0]  block  = {in_payload, in_header};
    wire [7:0]   earned = credit + WIDTH;

    always @(posedge clk)
        if (rst) begin
            held      <= 320'h0;
            n         <= 9'd0;
            credit    <= 8'd0;
            flowing   <= 1'b0;
            out_lo    <= 64'h0;
            out_hi    <= 2'b00;
            out_valid <= 1'b0;
            enable    <= 1'b0;
        end else begin
            enable    <= earned >= 66;
            credit    <= earned >= 66 ? earned - 8'd66 : earned;
            flowing   <= flow;
            out_valid <= pop;
            out_lo    <= pop ? held[WIDTH-1:0] : {WIDTH{1'b0}};
            out_hi    <= 2'b00;
            held      <= in_valid ? rest | {254'h0, block} << left : rest;
            n         <= in_valid ? left + 9'd66 : left;
        end
endmodule
