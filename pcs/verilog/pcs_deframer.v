// MAC receive from XGMII: finds frames, checks and strips the FCS (IEEE 802.3 4.2.4, 46.3.2). out_fault comes with out_last:
// 0 none, 1 FCS, 2 code error, 3 runt, 4 preamble.
module pcs_deframer (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_data,
    input      [7:0]  in_ctrl,
    input             in_valid,
    output reg [63:0] out_data,
    output reg [7:0]  out_keep,
    output reg        out_last,
    output reg        out_valid,
    output reg [2:0]  out_fault
);
    // The character queue is written as a program on small counts: blocking assignments, and widths as Verilog extends them.
    /* verilator lint_off WIDTH */
    /* verilator lint_off BLKSEQ */
    localparam [1:0] IDLE = 2'd0, HALF = 2'd1, DATA = 2'd2;
    localparam [63:0] PREAMBLE = 64'hd5555555555555fb;
    localparam [31:0] RESIDUE = 32'hdebb20e3;  // the register after a good FCS (3.2.9, least significant bit first)

    reg [1:0]   state;
    reg [191:0] q;      // frame bytes not yet delivered
    reg [5:0]   n;
    reg [31:0]  crc;
    reg [6:0]   got;    // frame bytes, counted to 64
    reg         flush;  // the frame has ended
    reg [2:0]   fault;
    reg [3:0]   k;
    reg         given;
    integer     i;

    task take(input [63:0] data, input [3:0] bytes);
        begin
            for (i = 0; i < 8; i = i + 1)
                if (i < bytes) q[8*(n + i) +: 8] = data[8*i +: 8];
            n   = n + bytes;
            got = got + bytes > 7'd64 ? 7'd64 : got + bytes;
            for (i = 0; i < 64; i = i + 1)
                if (i < 8 * bytes) crc = (crc >> 1) ^ ((crc[0] ^ data[i]) ? 32'hedb88320 : 32'h0);
        end
    endtask

    task finish(input [2:0] f);
        begin
            state = IDLE;
            flush = 1'b1;
            fault = f != 3'd0 ? f : crc != RESIDUE ? 3'd1 : got < 7'd64 ? 3'd3 : 3'd0;
        end
    endtask

    task start;
        if (in_ctrl != 8'h00 && in_ctrl != 8'hff) begin
            if (in_ctrl[3:0] == 4'h1 && in_data[7:0] == 8'hfb) begin
                if (in_ctrl == 8'h01 && in_data == PREAMBLE) begin
                    state = DATA;
                    crc   = 32'hffffffff;
                    got   = 7'd0;
                end else if (!flush) finish(3'd4);
            end else if (in_ctrl[7:4] == 4'h1 && in_data[39:32] == 8'hfb) state = HALF;
        end
    endtask

    always @(posedge clk)
        if (rst) begin
            state = IDLE;
            q     = 192'h0;
            n     = 6'd0;
            crc   = 32'h0;
            got   = 7'd0;
            flush = 1'b0;
            fault = 3'd0;
            out_data  <= 64'h0;
            out_keep  <= 8'h00;
            out_last  <= 1'b0;
            out_valid <= 1'b0;
            out_fault <= 3'd0;
        end else begin
            out_data  <= 64'h0;
            out_keep  <= 8'h00;
            out_last  <= 1'b0;
            out_valid <= 1'b0;
            out_fault <= 3'd0;
            given = 1'b0;
            if (in_valid) begin
                if (flush) begin  // the last beat of the frame before, without its FCS
                    k = n > 6'd4 ? n[3:0] - 4'd4 : 4'd0;
                    for (i = 0; i < 8; i = i + 1)
                        if (i < k) begin
                            out_data[8*i +: 8] <= q[8*i +: 8];
                            out_keep[i]        <= 1'b1;
                        end
                    out_last  <= 1'b1;
                    out_valid <= 1'b1;
                    out_fault <= fault;
                    given = 1'b1;
                    flush = 1'b0;
                    n     = 6'd0;
                end
                case (state)
                    IDLE: start;
                    HALF:
                        if (in_ctrl == 8'h00 && in_data[31:0] == PREAMBLE[63:32]) begin
                            state = DATA;
                            crc   = 32'hffffffff;
                            got   = 7'd0;
                            take({32'h0, in_data[63:32]}, 4'd4);
                        end else begin
                            finish(3'd4);
                            start;
                        end
                    default: begin
                        k = 4'd8;
                        for (i = 7; i >= 0; i = i - 1)
                            if (in_ctrl[i]) k = i[3:0];
                        take(in_data, k);
                        if (k != 4'd8) begin
                            if (in_data[8*k[2:0] +: 8] == 8'hfd) finish(3'd0);
                            else begin
                                finish(3'd2);
                                start;
                            end
                        end
                    end
                endcase
                if (!given && (n > 6'd12 || flush && n == 6'd12)) begin  // more than an FCS is held after them
                    out_data  <= q[63:0];
                    out_keep  <= 8'hff;
                    out_valid <= 1'b1;
                    q = q >> 64;
                    n = n - 6'd8;
                    if (flush && n <= 6'd4) begin
                        out_last  <= 1'b1;
                        out_fault <= fault;
                        flush = 1'b0;
                        n     = 6'd0;
                    end
                end
            end
        end
endmodule
