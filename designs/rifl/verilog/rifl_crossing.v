// The clock crossing of received words (RIFL §5.B): an asynchronous FIFO from the recovered clock to the transceiver clock, with pointers in
// Gray code through two flip-flops each. A word written at an edge of the one can be read after two edges of the other. The reader sees
// the oldest word in the cycle in which it takes it.
module rifl_crossing #(
    parameter WIDTH = 67,
    parameter DEPTH = 32  // a power of two
) (
    input                  write_clk,
    input                  write_rst,  // synchronous, active high, as read_rst
    input      [WIDTH-1:0] in,
    input                  push,
    output reg             ready,      // a word that comes while it is low is lost
    input                  read_clk,
    input                  read_rst,
    output     [WIDTH-1:0] out,
    output                 valid,
    input                  pop
);
    function integer log2(input integer n);
        for (log2 = 0; n > 1; log2 = log2 + 1) n = n >> 1;
    endfunction
    localparam A = log2(DEPTH);

    function [A:0] binary(input [A:0] gray);
        integer i;
        for (i = 0; i <= A; i = i + 1) binary[i] = ^(gray >> i);
    endfunction

    reg [WIDTH-1:0] memory[0:DEPTH-1];
    reg [A:0]       written, read;            // words so far, modulo twice the depth
    reg [A:0]       write_gray, read_gray;
    reg [A:0]       reader[0:1], writer[0:1];  // the other side's pointer

    wire         store        = push && ready;
    wire [A:0]   next_written = written + {{A{1'b0}}, store};
    wire [A:0]   waiting      = next_written - binary(reader[1]);
    always @(posedge write_clk)
        if (write_rst) begin
            written    <= 0;
            write_gray <= 0;
            reader[0]  <= 0;
            reader[1]  <= 0;
            ready      <= 1'b1;
        end else begin
            reader[0]  <= read_gray;
            reader[1]  <= reader[0];
            written    <= next_written;
            write_gray <= next_written ^ next_written >> 1;
            ready      <= waiting < DEPTH;
            if (store) memory[written[A-1:0]] <= in;
        end

    wire [A:0] next_read = read + {{A{1'b0}}, pop && valid};
    assign valid = writer[1] != read_gray;
    assign out   = memory[read[A-1:0]];
    always @(posedge read_clk)
        if (read_rst) begin
            read      <= 0;
            read_gray <= 0;
            writer[0] <= 0;
            writer[1] <= 0;
        end else begin
            writer[0] <= write_gray;
            writer[1] <= writer[0];
            read      <= next_read;
            read_gray <= next_read ^ next_read >> 1;
        end
endmodule
