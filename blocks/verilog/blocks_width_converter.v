// Words of IN bits become words of OUT bits, each 1 to 64, the first bit of the stream in bit 0. Latency 2 cycles.
module blocks_width_converter #(
    parameter IN  = 64,
    parameter OUT = 21
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_data,
    input             in_valid,
    output            ready,
    output reg [63:0] out_data,
    output reg        out_valid,
    input             out_ready,
    output reg [7:0]  held  // bits, without those at the output
);
    localparam [7:0] ROOM = OUT - 1 + IN;  // a word is taken while at most as many are held

    reg  [191:0] bits;
    wire         push = in_valid && ready;
    wire         free = !out_valid || out_ready;
    wire         pop  = free && held >= OUT;
    wire [191:0] rest = pop ? bits >> OUT : bits;
    wire [7:0]   left = pop ? held - OUT : held;
    wire [63:0]  word = in_data & ({64{1'b1}} >> (64 - IN));

    assign ready = held <= ROOM;

    always @(posedge clk)
        if (rst) begin
            bits      <= 192'h0;
            held      <= 8'd0;
            out_data  <= 64'h0;
            out_valid <= 1'b0;
        end else begin
            bits <= push ? rest | {128'h0, word} << left : rest;
            held <= push ? left + IN : left;
            if (free) begin
                out_valid <= pop;
                out_data  <= pop ? bits[63:0] & ({64{1'b1}} >> (64 - OUT)) : 64'h0;
            end
        end
endmodule
