// FIFO between two streams: DEPTH words and the register that offers the oldest. Latency 2 cycles.
module blocks_fifo #(
    parameter DEPTH = 16
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_data,
    input             in_valid,
    output            ready,
    output reg [63:0] out_data,
    output reg        out_valid,
    input             out_ready,
    output reg [15:0] level  // words held, without that at the output
);
    localparam A = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam [A-1:0] LAST = DEPTH[A-1:0] - 1'b1;

    reg [63:0]  memory[0:DEPTH-1];
    reg [A-1:0] head, tail;

    assign ready = level != DEPTH;
    wire push = in_valid && ready;
    wire free = !out_valid || out_ready;
    wire pop  = free && level != 16'd0;

    always @(posedge clk) begin
        if (push) memory[tail] <= in_data;
        if (rst) begin
            head      <= {A{1'b0}};
            tail      <= {A{1'b0}};
            level     <= 16'd0;
            out_data  <= 64'h0;
            out_valid <= 1'b0;
        end else begin
            if (push) tail <= tail == LAST ? {A{1'b0}} : tail + 1'b1;
            if (pop) head <= head == LAST ? {A{1'b0}} : head + 1'b1;
            level <= level + {15'd0, push} - {15'd0, pop};
            if (free) begin
                out_valid <= pop;
                out_data  <= pop ? memory[head] : 64'h0;
            end
        end
    end
endmodule
