// Memory of DEPTH words with a read port and a write port. A block RAM has no reset: flags say which words were written since; others
// read as 0. Latency LATENCY cycles from read to out.
module blocks_ram #(
    parameter DEPTH       = 64,  // a power of two
    parameter LATENCY     = 2,
    parameter WRITE_FIRST = 0    // 1: a read of the address that is being written gets the new word
) (
    input         clk,
    input         rst,  // synchronous, active high
    input  [15:0] read_addr,
    input         read_valid,
    input  [15:0] write_addr,
    input  [63:0] write_data,
    input         write_valid,
    output [63:0] out_data,
    output        out_valid
);
    localparam A = $clog2(DEPTH);

    reg [63:0]      memory[0:DEPTH-1];
    reg [DEPTH-1:0] written;

    wire [A-1:0] from = read_addr[A-1:0];
    wire [A-1:0] to   = write_addr[A-1:0];
    wire [63:0]  old  = written[from] ? memory[from] : 64'h0;
    wire [63:0]  word = WRITE_FIRST != 0 && write_valid && from == to ? write_data : old;

    reg     [64:0] pipe[0:LATENCY-1];  // valid, data
    integer        i;
    assign {out_valid, out_data} = pipe[LATENCY-1];

    always @(posedge clk) begin
        if (write_valid) memory[to] <= write_data;
        if (rst) written <= {DEPTH{1'b0}};
        else if (write_valid) written[to] <= 1'b1;
        for (i = 0; i < LATENCY; i = i + 1)
            pipe[i] <= rst ? 65'h0 : i != 0 ? pipe[i == 0 ? 0 : i-1] : read_valid ? {1'b1, word} : 65'h0;
    end

    wire unused = ^{read_addr, write_addr};
endmodule
