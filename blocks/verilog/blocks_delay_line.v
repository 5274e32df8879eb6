// Delay of exactly CYCLES cycles, at least 1. The registers start with zeros.
module blocks_delay_line #(
    parameter CYCLES = 7
) (
    input         clk,
    input         rst,  // synchronous, active high
    input  [63:0] in,
    output [63:0] out
);
    reg     [63:0] line[0:CYCLES-1];
    integer        i;

    assign out = line[CYCLES-1];

    always @(posedge clk)
        for (i = 0; i < CYCLES; i = i + 1)
            line[i] <= rst ? 64'h0 : i == 0 ? in : line[i == 0 ? 0 : i-1];
endmodule
