// Lowest of 64 requests. Latency 1 cycle.
module blocks_priority_encoder (
    input             clk,
    input             rst,        // synchronous, active high
    input      [63:0] in,
    output reg [5:0]  out_index,  // 0 if there is no request
    output reg        out_valid
);
    integer   i;
    reg [5:0] lowest;

    always @* begin
        lowest = 6'd0;
        for (i = 63; i >= 0; i = i - 1)
            if (in[i]) lowest = i[5:0];
    end

    always @(posedge clk)
        if (rst) begin
            out_index <= 6'd0;
            out_valid <= 1'b0;
        end else begin
            out_index <= lowest;
            out_valid <= |in;
        end
endmodule
