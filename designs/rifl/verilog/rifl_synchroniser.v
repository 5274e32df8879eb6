// A slow flag in another clock's domain: two flip-flops. Latency 2 cycles, 3 if the first just misses the change.
module rifl_synchroniser (
    input      clk,
    input      rst,  // synchronous, active high
    input      in,   // of another clock
    output reg out
);
    reg meta;

    always @(posedge clk)
        if (rst) {out, meta} <= 2'b00;
        else     {out, meta} <= {meta, in};
endmodule
