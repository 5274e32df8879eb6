// Round-robin arbiter of N requesters. The grant is combinational; the pointer moves past it if it is accepted.
module blocks_arbiter #(
    parameter N = 16  // 1 to 64
) (
    input         clk,
    input         rst,  // synchronous, active high
    input  [63:0] request,
    input         accept,
    output [63:0] grant_one_hot,
    output [5:0]  grant_index,  // 0 without a grant
    output        grant_valid
);
    reg  [5:0]  next;  // wins if it requests
    wire [63:0] asked = request & ({64{1'b1}} >> (64 - N));
    wire [63:0] ahead = asked & ({64{1'b1}} << next);
    wire [63:0] from  = ahead != 64'h0 ? ahead : asked;

    reg     [5:0] lowest;
    integer       i;
    always @* begin
        lowest = 6'd0;
        for (i = 63; i >= 0; i = i - 1)
            if (from[i]) lowest = i[5:0];
    end

    assign grant_valid   = asked != 64'h0;
    assign grant_index   = lowest;
    assign grant_one_hot = from & (~from + 64'd1);

    always @(posedge clk)
        if (rst) next <= 6'd0;
        else if (grant_valid && accept) next <= lowest == N - 1 ? 6'd0 : lowest + 6'd1;
endmodule
