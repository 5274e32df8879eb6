// VLIW instruction memory (dRMT 5.1, Figure 11): a slice for each ALU, addressed by one of eight instruction pointers, which the select
// table's entry of the program counter chooses. Latency 1 cycle; a read in the cycle of a load sees the old entry.
module drmt_vliw_fetch (
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
    output reg [31:0] out_0_bits,
    output reg [31:0] out_1_bits,
    output reg [31:0] out_2_bits,
    output reg [31:0] out_3_bits
);
    wire [79:0] pointer = {pointer_7_entry, pointer_6_entry, pointer_5_entry, pointer_4_entry, pointer_3_entry, pointer_2_entry, pointer_1_entry, pointer_0_entry};

    reg [4095:0] slice;   // slice s, entry e: word 32 s + e
    reg [383:0]  select;  // slice s, counter c: field 32 s + c
    reg [127:0] word;
    reg [9:0]   p;
    integer     s;
    wire [6:0]  to = {load_slice[1:0], load_entry[4:0]};
    always @* begin
        word = 128'd0;
        p    = 10'd0;
        for (s = 0; s < 4; s = s + 1) begin
            p = pointer[10*select[3*(32*s + {27'd0, counter_count}) +: 3] +: 10];
            if (p < 10'd32) word[32*s +: 32] = slice[32*(32*s + {22'd0, p}) +: 32];
        end
    end
    always @(posedge clk)
        if (rst) begin
            slice  <= 4096'd0;
            select <= 384'd0;
            {out_3_bits, out_2_bits, out_1_bits, out_0_bits} <= 128'd0;
        end else begin
            {out_3_bits, out_2_bits, out_1_bits, out_0_bits} <= word;
            if (load_valid && load_slice < 5'd4) begin
                if (load_select)              select[3*to +: 3]  <= load_bits[2:0];
                else if (load_entry < 10'd32) slice[32*to +: 32] <= load_bits;
            end
        end
endmodule
