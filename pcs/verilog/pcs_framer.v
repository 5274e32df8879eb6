// MAC transmit onto XGMII: preamble, padding, FCS, gap with deficit idle count (IEEE 802.3 4.2.3, 46.3.1). Latency 1 cycle
// from a frame's first beat to the word with its /S/, if the line is idle.
module pcs_framer (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_data,
    input      [7:0]  in_keep,
    input             in_last,
    input             in_valid,
    input      [2:0]  in_fault,  // not used: received frames have it
    input             enable,
    output reg [63:0] out_data,
    output reg [7:0]  out_ctrl,
    output reg        out_valid,
    output reg        ready
);
    // The character queue is written as a program on small counts: blocking assignments, and widths as Verilog extends them.
    /* verilator lint_off WIDTH */
    /* verilator lint_off BLKSEQ */
    localparam [1:0] GAP = 2'd0, DATA = 2'd1, FCS = 2'd2, DROP = 2'd3;
    localparam [63:0] IDLE = {8{8'h07}}, PREAMBLE = 64'hd5555555555555fb;

    reg [1:0]   state;
    reg [72:0]  beat0, beat1;  // {last, keep, data}, the older in beat0
    reg [1:0]   beats;
    reg [191:0] q;             // characters not yet sent, then zeros
    reg [23:0]  qk;
    reg [5:0]   n;
    reg [31:0]  crc;
    reg [6:0]   sent;          // frame bytes, counted to 64
    integer     gap;
    reg [2:0]   deficit;
    integer     i, step;

    // the low k characters of a word
    task push(input [63:0] data, input [7:0] ctrl, input [3:0] k);
        begin
            q  = q | {128'h0, data & ~(64'hffffffffffffffff << 8 * k)} << 8 * n;
            qk = qk | {16'h0, ctrl & ~(8'hff << k)} << n;
            n  = n + k;
        end
    endtask

    task append(input [63:0] data, input [3:0] k);
        begin
            push(data, 8'h00, k);
            for (i = 0; i < 64; i = i + 1)
                crc = i < 8 * k ? (crc >> 1) ^ ((crc[0] ^ data[i]) ? 32'hedb88320 : 32'h0) : crc;
            sent = sent + k > 7'd64 ? 7'd64 : sent + k;
        end
    endtask

    task terminate;
        reg [1:0] excess;
        begin
            excess  = n[1:0];  // the gap of 12 is a multiple of 4
            gap     = 12 - excess;
            deficit = deficit + excess;
            if (deficit >= 3'd4) begin
                deficit = deficit - 3'd4;
                gap     = gap + 4;
            end
            push({56'h0, 8'hfd}, 8'hff, 4'd1);
            gap = gap - 1;
        end
    endtask

    task drop_beat;
        begin
            beat0 = beat1;
            beats = beats - 2'd1;
        end
    endtask

    function [3:0] count(input [7:0] keep);
        integer b;
        begin
            count = 4'd0;
            for (b = 0; b < 8; b = b + 1) count = count + {3'd0, keep[b]};
        end
    endfunction

    task extend;
        reg last;
        begin
            case (state)
                GAP:
                    if (gap > 0) begin
                        if (gap < 8 - n) begin
                            step = gap;
                        end else begin
                            step = 8 - n;
                        end
                        push(IDLE, 8'hff, step[3:0]);
                        gap = gap - step;
                    end else if (beats == 2'd0) push(IDLE, 8'hff, 4'd8 - n[3:0]);
                    else begin
                        push(PREAMBLE, 8'h01, 4'd8);
                        state = DATA;
                        crc   = 32'hffffffff;
                        sent  = 7'd0;
                    end
                DATA:
                    if (beats == 2'd0) begin  // underrun
                        push({8{8'hfe}}, 8'hff, 4'd1);
                        terminate;
                        state = DROP;
                    end else begin
                        last = beat0[72];
                        append(beat0[63:0], count(beat0[71:64]));
                        drop_beat;
                        if (last) state = FCS;
                    end
                FCS:
                    if (sent < 7'd60) append(64'h0, 7'd60 - sent > 7'd8 ? 4'd8 : 4'd12 - sent[3:0]);
                    else begin
                        push({32'h0, ~crc}, 8'h00, 4'd4);
                        terminate;
                        state = GAP;
                    end
                DROP: begin
                    push(IDLE, 8'hff, 4'd1);
                    gap = gap - 1;
                    if (beats != 2'd0) begin
                        last = beat0[72];
                        drop_beat;
                        if (last) begin
                            state = GAP;
                            if (gap < 0) gap = 0;
                            gap = gap + (-(n + gap) & 3);  // up to a multiple of 4
                        end
                    end
                end
            endcase
        end
    endtask

    integer turn;
    always @(posedge clk)
        if (rst) begin
            state = GAP;
            beats = 2'd0;
            beat0 = 73'h0;
            beat1 = 73'h0;
            q     = 192'h0;
            qk    = 24'h0;
            n     = 6'd0;
            gap   = 0;
            sent  = 7'd0;
            crc   = 32'h0;
            deficit = 3'd0;
            out_data  <= IDLE;
            out_ctrl  <= 8'hff;
            out_valid <= 1'b0;
            ready     <= 1'b1;
        end else begin
            if (in_valid && ready) begin
                if (beats == 2'd0) beat0 = {in_last, in_keep, in_data};
                else beat1 = {in_last, in_keep, in_data};
                beats = beats + 2'd1;
            end
            out_valid <= enable;
            if (enable) begin
                for (turn = 0; turn < 9; turn = turn + 1)
                    if (n < 6'd8) extend;
                out_data <= q[63:0];
                out_ctrl <= qk[7:0];
                q  = q >> 64;
                qk = qk >> 8;
                n  = n - 6'd8;
            end else begin
                out_data <= 64'h0;
                out_ctrl <= 8'h00;
            end
            ready <= beats < 2'd2;
        end

    wire unused = |in_fault;
endmodule
