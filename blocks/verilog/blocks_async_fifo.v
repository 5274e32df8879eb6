// Dual-clock FIFO of DEPTH words with Gray-coded pointers and two flip-flops for each. A word written at a write edge can be read
// after 3 read edges at the earliest. Both resets hold until the first edges of both clocks.
module blocks_async_fifo #(
    parameter DEPTH = 8  // a power of two, 2 to 1024
) (
    input             write_clk,
    input             write_rst,    // synchronous, active high, as the other
    input      [63:0] write_data,
    input             write_push,
    output reg        write_ready,  // a word is taken at an edge before which push and ready are set
    input             read_clk,
    input             read_rst,
    input             read_pop,     // takes the word that is shown
    output reg [63:0] read_data,
    output reg        read_valid
);
    localparam A = $clog2(DEPTH);

    function [A:0] binary(input [A:0] gray);
        integer i;
        begin
            binary[A] = gray[A];
            for (i = A - 1; i >= 0; i = i - 1) binary[i] = binary[i+1] ^ gray[i];
        end
    endfunction

    reg [63:0] memory[0:DEPTH-1];
    reg [A:0]  written, taken;            // words so far
    reg [A:0]  write_gray, read_gray;     // the same, for the other side
    reg [A:0]  reader_0, reader_1;        // read_gray on the write clock
    reg [A:0]  writer_0, writer_1;        // write_gray on the read clock

    wire         push  = write_push && write_ready;
    wire [A:0]   after = written + {{A{1'b0}}, push};
    wire [A:0]   held  = after - binary(reader_1);
    always @(posedge write_clk) begin
        if (push) memory[written[A-1:0]] <= write_data;
        if (write_rst) begin
            written     <= {A+1{1'b0}};
            write_gray  <= {A+1{1'b0}};
            reader_0    <= {A+1{1'b0}};
            reader_1    <= {A+1{1'b0}};
            write_ready <= 1'b1;
        end else begin
            {reader_1, reader_0} <= {reader_0, read_gray};
            written     <= after;
            write_gray  <= after ^ {1'b0, after[A:1]};
            write_ready <= !held[A];  // less than DEPTH
        end
    end

    wire         show = !read_valid || read_pop;
    wire         next = show && binary(writer_1) != taken;
    wire [A:0]   gone = taken + {{A{1'b0}}, next};
    always @(posedge read_clk)
        if (read_rst) begin
            taken      <= {A+1{1'b0}};
            read_gray  <= {A+1{1'b0}};
            writer_0   <= {A+1{1'b0}};
            writer_1   <= {A+1{1'b0}};
            read_data  <= 64'h0;
            read_valid <= 1'b0;
        end else begin
            {writer_1, writer_0} <= {writer_0, write_gray};
            taken     <= gone;
            read_gray <= gone ^ {1'b0, gone[A:1]};
            if (show) read_valid <= next;
            if (next) read_data <= memory[taken[A-1:0]];
        end
endmodule
