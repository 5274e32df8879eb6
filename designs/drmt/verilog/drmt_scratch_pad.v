// Scratch pad of ENTRIES results, a power of two, with PORTS write and PORTS read ports (dRMT 5.1): 96 bits of action data and the instruction pointer.
// Latency 1 cycle; a read in the cycle of a write sees the old entry. Of two writes to an entry the higher port's is kept.
module drmt_scratch_pad #(
    parameter PORTS   = 8,
    parameter ENTRIES = 64
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] write_0_result_lo,
    input      [31:0] write_0_result_hi,
    input      [9:0]  write_0_result_pointer,
    input      [5:0]  write_0_entry,
    input             write_0_valid,
    input      [63:0] write_1_result_lo,
    input      [31:0] write_1_result_hi,
    input      [9:0]  write_1_result_pointer,
    input      [5:0]  write_1_entry,
    input             write_1_valid,
    input      [63:0] write_2_result_lo,
    input      [31:0] write_2_result_hi,
    input      [9:0]  write_2_result_pointer,
    input      [5:0]  write_2_entry,
    input             write_2_valid,
    input      [63:0] write_3_result_lo,
    input      [31:0] write_3_result_hi,
    input      [9:0]  write_3_result_pointer,
    input      [5:0]  write_3_entry,
    input             write_3_valid,
    input      [63:0] write_4_result_lo,
    input      [31:0] write_4_result_hi,
    input      [9:0]  write_4_result_pointer,
    input      [5:0]  write_4_entry,
    input             write_4_valid,
    input      [63:0] write_5_result_lo,
    input      [31:0] write_5_result_hi,
    input      [9:0]  write_5_result_pointer,
    input      [5:0]  write_5_entry,
    input             write_5_valid,
    input      [63:0] write_6_result_lo,
    input      [31:0] write_6_result_hi,
    input      [9:0]  write_6_result_pointer,
    input      [5:0]  write_6_entry,
    input             write_6_valid,
    input      [63:0] write_7_result_lo,
    input      [31:0] write_7_result_hi,
    input      [9:0]  write_7_result_pointer,
    input      [5:0]  write_7_entry,
    input             write_7_valid,
    input      [5:0]  read_0_entry,
    input      [5:0]  read_1_entry,
    input      [5:0]  read_2_entry,
    input      [5:0]  read_3_entry,
    input      [5:0]  read_4_entry,
    input      [5:0]  read_5_entry,
    input      [5:0]  read_6_entry,
    input      [5:0]  read_7_entry,
    output     [63:0] out_0_lo,
    output     [31:0] out_0_hi,
    output     [9:0]  out_0_pointer,
    output     [63:0] out_1_lo,
    output     [31:0] out_1_hi,
    output     [9:0]  out_1_pointer,
    output     [63:0] out_2_lo,
    output     [31:0] out_2_hi,
    output     [9:0]  out_2_pointer,
    output     [63:0] out_3_lo,
    output     [31:0] out_3_hi,
    output     [9:0]  out_3_pointer,
    output     [63:0] out_4_lo,
    output     [31:0] out_4_hi,
    output     [9:0]  out_4_pointer,
    output     [63:0] out_5_lo,
    output     [31:0] out_5_hi,
    output     [9:0]  out_5_pointer,
    output     [63:0] out_6_lo,
    output     [31:0] out_6_hi,
    output     [9:0]  out_6_pointer,
    output     [63:0] out_7_lo,
    output     [31:0] out_7_hi,
    output     [9:0]  out_7_pointer,
    output reg        clash
);
    localparam LAST = ENTRIES - 1;

    wire [106*PORTS-1:0] data;
    wire [6*PORTS-1:0]   to, from;
    wire [PORTS-1:0]     valid;
    assign data[106*0 +: 106] = {write_0_result_lo, write_0_result_hi, write_0_result_pointer};
    assign to[6*0 +: 6] = write_0_entry & LAST[5:0];
    assign valid[0] = write_0_valid;
    assign from[6*0 +: 6] = read_0_entry & LAST[5:0];
    assign data[106*1 +: 106] = {write_1_result_lo, write_1_result_hi, write_1_result_pointer};
    assign to[6*1 +: 6] = write_1_entry & LAST[5:0];
    assign valid[1] = write_1_valid;
    assign from[6*1 +: 6] = read_1_entry & LAST[5:0];
    assign data[106*2 +: 106] = {write_2_result_lo, write_2_result_hi, write_2_result_pointer};
    assign to[6*2 +: 6] = write_2_entry & LAST[5:0];
    assign valid[2] = write_2_valid;
    assign from[6*2 +: 6] = read_2_entry & LAST[5:0];
    assign data[106*3 +: 106] = {write_3_result_lo, write_3_result_hi, write_3_result_pointer};
    assign to[6*3 +: 6] = write_3_entry & LAST[5:0];
    assign valid[3] = write_3_valid;
    assign from[6*3 +: 6] = read_3_entry & LAST[5:0];
    assign data[106*4 +: 106] = {write_4_result_lo, write_4_result_hi, write_4_result_pointer};
    assign to[6*4 +: 6] = write_4_entry & LAST[5:0];
    assign valid[4] = write_4_valid;
    assign from[6*4 +: 6] = read_4_entry & LAST[5:0];
    assign data[106*5 +: 106] = {write_5_result_lo, write_5_result_hi, write_5_result_pointer};
    assign to[6*5 +: 6] = write_5_entry & LAST[5:0];
    assign valid[5] = write_5_valid;
    assign from[6*5 +: 6] = read_5_entry & LAST[5:0];
    assign data[106*6 +: 106] = {write_6_result_lo, write_6_result_hi, write_6_result_pointer};
    assign to[6*6 +: 6] = write_6_entry & LAST[5:0];
    assign valid[6] = write_6_valid;
    assign from[6*6 +: 6] = read_6_entry & LAST[5:0];
    assign data[106*7 +: 106] = {write_7_result_lo, write_7_result_hi, write_7_result_pointer};
    assign to[6*7 +: 6] = write_7_entry & LAST[5:0];
    assign valid[7] = write_7_valid;
    assign from[6*7 +: 6] = read_7_entry & LAST[5:0];

    reg [105:0] entry [0:ENTRIES-1];
    reg [106*PORTS-1:0] out;
    reg         twice;
    integer     i, j;
    always @* begin
        twice = 1'b0;
        for (i = 0; i < PORTS; i = i + 1)
            for (j = 0; j < i; j = j + 1)
                if (valid[i] && valid[j] && to[6*i +: 6] == to[6*j +: 6]) twice = 1'b1;
    end
    integer k;
    always @(posedge clk)
        if (rst) begin
            for (k = 0; k < ENTRIES; k = k + 1) entry[k] <= 106'd0;
            out   <= 0;
            clash <= 1'b0;
        end else begin
            for (k = 0; k < PORTS; k = k + 1) begin
                out[106*k +: 106] <= entry[from[6*k +: 6]];
                if (valid[k]) entry[to[6*k +: 6]] <= data[106*k +: 106];
            end
            clash <= twice;
        end

    assign {out_0_lo, out_0_hi, out_0_pointer} = out[106*0 +: 106];
    assign {out_1_lo, out_1_hi, out_1_pointer} = out[106*1 +: 106];
    assign {out_2_lo, out_2_hi, out_2_pointer} = out[106*2 +: 106];
    assign {out_3_lo, out_3_hi, out_3_pointer} = out[106*3 +: 106];
    assign {out_4_lo, out_4_hi, out_4_pointer} = out[106*4 +: 106];
    assign {out_5_lo, out_5_hi, out_5_pointer} = out[106*5 +: 106];
    assign {out_6_lo, out_6_hi, out_6_pointer} = out[106*6 +: 106];
    assign {out_7_lo, out_7_hi, out_7_pointer} = out[106*7 +: 106];
endmodule
