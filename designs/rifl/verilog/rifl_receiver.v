// The RX domain after the aligner (RIFL Fig. 6): verification code validator (Listing 1), descrambler, control event monitor. A word
// of 64 bits a cycle. Latency 1 cycle, for the monitor's flags one more.
module rifl_receiver #(
    parameter WORDS = 4,  // of 64 bits a frame
    parameter S     = 5   // bits of the frame ID
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_data,
    input             in_first,
    input             aligned,
    input             up,
    input             ready,  // of the clock crossing
    output reg [63:0] out_data,
    output reg        out_first,
    output reg        out_last,
    output reg        out_good,
    output reg        push,
    output reg        pause_request,
    output reg        retransmit,
    output            missing,
    output     [15:0] frame_id,
    output     [15:0] threshold,
    output reg [31:0] overflow
);
    localparam [15:0] IDLE = 16'h0001, PAUSE = 16'h0010, RETRANS = 16'h1000;

    localparam [11:0] POLY = 12'h02f;

    // the bits of a word that bit n of its CRC is the parity of: bit i stands for x^(i+12)
    function [63:0] taps(input [3:0] n);
        integer    i;
        reg [11:0] r;
        begin
            r = POLY;
            for (i = 0; i < 64; i = i + 1) begin
                taps[i] = r[n];
                r       = {r[10:0], 1'b0} ^ (r[11] ? POLY : 12'h000);
            end
        end
    endfunction
    localparam [63:0] T0 = taps(4'd0), T1 = taps(4'd1), T2 = taps(4'd2), T3 = taps(4'd3), T4 = taps(4'd4), T5 = taps(4'd5), T6 = taps(4'd6), T7 = taps(4'd7),
        T8 = taps(4'd8), T9 = taps(4'd9), T10 = taps(4'd10), T11 = taps(4'd11);

    function [11:0] step(input [11:0] state, input [63:0] word);
        reg [63:0] w;
        begin
            w    = word ^ {state, 52'd0};
            step = {^(w & T11), ^(w & T10), ^(w & T9), ^(w & T8), ^(w & T7), ^(w & T6), ^(w & T5), ^(w & T4), ^(w & T3), ^(w & T2), ^(w & T1), ^(w & T0)};
        end
    endfunction

    // the word's place in its frame; a frame during which the aligner slides into another word has one word more
    reg  [4:0] next;
    wire [4:0] at    = in_first ? 5'd0 : next;
    wire       first = at == 5'd0, last = at == WORDS - 1;

    // descrambler
    reg  [32:0] state;
    wire [63:0] d = first ? {2'b00, in_data[61:0]} : last ? {12'h000, in_data[63:12]} : in_data;
    wire [63:0] e = first ? {2'b00, state, 29'd0} ^ {2'b00, state[12:0], 49'd0}
                  : last  ? {12'h000, state, 19'd0} ^ {12'h000, state[12:0], 39'd0}
                  :         {state, 31'd0} ^ {state[12:0], 51'd0};
    wire [63:0] p = d ^ {13'd0, d[63:13]} ^ {33'd0, d[63:33]} ^ e;
    wire [63:0] plain = first ? {in_data[63:62], p[61:0]} : last ? {p[51:0], 12'h000} : p;

    // what the frame is, from its first word on
    reg  was_data, was_judged;
    wire data   = in_first ? in_data[63:62] == 2'b01 : was_data;
    wire judged = in_first ? up : was_judged;

    // verifier
    reg  [11:0]  crc;
    wire [11:0]  next_crc = step(first ? 12'h000 : crc, last ? {in_data[63:12], 12'h000} : in_data);
    wire [11:0]  residue  = next_crc ^ in_data[11:0];
    wire         good;
    rifl_verifier #(.S(S)) verifier (
        .clk(clk), .rst(rst), .judge(last && judged), .residue(residue), .data(data), .good(good), .missing(missing), .frame_id(frame_id), .threshold(threshold)
    );

    // the monitor looks at the first word of a frame as it leaves the descrambler
    reg  [3:0]  pause_n, retrans_n;
    reg  [4:0]  regular_n;
    wire [15:0] key     = out_data[61:46];
    wire        control = out_data[63:62] == 2'b10;
    wire        quiet   = regular_n == 5'd16;
    wire [3:0]  pause_next   = !aligned ? 4'd0 : !out_first ? pause_n
                             : control ? (key != PAUSE ? 4'd0 : pause_n == 4'd8 ? 4'd8 : pause_n + 4'd1) : quiet ? 4'd0 : pause_n;
    wire [3:0]  retrans_next = !aligned ? 4'd0 : !out_first ? retrans_n
                             : control ? (key != RETRANS ? 4'd0 : retrans_n == 4'd8 ? 4'd8 : retrans_n + 4'd1) : quiet ? 4'd0 : retrans_n;
    wire [4:0]  regular_next = !aligned ? 5'd0 : !out_first ? regular_n
                             : key != IDLE && out_data[63:62] != 2'b01 ? 5'd0 : quiet ? regular_n : regular_n + 5'd1;

    always @(posedge clk)
        if (rst) begin
            next          <= 5'd0;
            state         <= 33'd0;
            was_data      <= 1'b0;
            was_judged    <= 1'b0;
            crc           <= 12'h000;
            pause_n       <= 4'd0;
            retrans_n     <= 4'd0;
            regular_n     <= 5'd0;
            out_data      <= 64'd0;
            out_first     <= 1'b0;
            out_last      <= 1'b0;
            out_good      <= 1'b0;
            push          <= 1'b0;
            pause_request <= 1'b0;
            retransmit    <= 1'b0;
            overflow      <= 32'd0;
        end else begin
            if (push && !ready) overflow <= overflow + 32'd1;
            next       <= last ? 5'd0 : at + 5'd1;
            state      <= d[32:0];
            was_data   <= data;
            was_judged <= judged;
            crc        <= next_crc;
            out_data      <= plain;
            out_first     <= in_first;
            out_last      <= last;
            out_good      <= good;
            push          <= data && judged;
            pause_n       <= pause_next;
            retrans_n     <= retrans_next;
            regular_n     <= regular_next;
            pause_request <= pause_next == 4'd8;
            retransmit    <= retrans_next == 4'd8;
        end
endmodule
