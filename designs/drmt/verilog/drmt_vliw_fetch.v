// VLIW instruction memory (dRMT 5.1, Figure 11): a slice of ENTRIES instructions for each of SLICES ALUs, addressed by one of eight instruction pointers, which the select
// table's entry of the program counter chooses. Latency 1 cycle; a read in the cycle of a load sees the old entry.
module drmt_vliw_fetch #(
    parameter SLICES  = 4,   // at most 32
    parameter ENTRIES = 32   // at most 1024
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [4:0]  counter_count,
    input      [9:0]  pointer_0_entry,
    input      [9:0]  pointer_1_entry,
    input      [9:0]  pointer_2_entry,
    input      [9:0]  pointer_3_entry,
    input      [9:0]  pointer_4_entry,
    input      [9:0]  pointer_5_entry,
    input      [9:0]  pointer_6_entry,
    input      [9:0]  pointer_7_entry,
    input      [31:0] load_bits,
    input      [9:0]  load_entry,   // or the program counter, for a select
    input      [4:0]  load_slice,
    input             load_select,
    input             load_valid,
    output     [31:0] out_0_bits,
    output     [31:0] out_1_bits,
    output     [31:0] out_2_bits,
    output     [31:0] out_3_bits
);
    wire [79:0] pointer = {pointer_7_entry, pointer_6_entry, pointer_5_entry, pointer_4_entry, pointer_3_entry, pointer_2_entry, pointer_1_entry, pointer_0_entry};

    reg [32*SLICES*ENTRIES-1:0] slice;   // slice s, entry e: word ENTRIES s + e
    reg [3*32*SLICES-1:0]       select;  // slice s, counter c: field 32 s + c
    reg [32*SLICES-1:0]         word, out;
    reg [9:0]                   p;
    integer                     s;
    always @* begin
        word = 0;
        p    = 10'd0;
        for (s = 0; s < SLICES; s = s + 1) begin
            p = pointer[10*select[3*(32*s + {27'd0, counter_count}) +: 3] +: 10];
            if ({1'b0, p} < ENTRIES) word[32*s +: 32] = slice[32*(ENTRIES*s + {22'd0, p}) +: 32];
        end
    end
    always @(posedge clk)
        if (rst) begin
            slice  <= 0;
            select <= 0;
            out    <= 0;
        end else begin
            out <= word;
            if (load_valid && {1'b0, load_slice} < SLICES) begin
                if (load_select)                        select[3*(32*load_slice + load_entry[4:0]) +: 3] <= load_bits[2:0];
                else if ({1'b0, load_entry} < ENTRIES)  slice[32*(ENTRIES*load_slice + load_entry) +: 32] <= load_bits;
            end
        end

    assign out_0_bits = out[32*0 +: 32];
    assign out_1_bits = out[32*1 +: 32];
    assign out_2_bits = out[32*2 +: 32];
    assign out_3_bits = out[32*3 +: 32];
endmodule
