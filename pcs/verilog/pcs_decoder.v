// 64b/66b decoder (IEEE 802.3 49.2.11) with the receive state machine of Figure 49-17. Latency 1 cycle. A block at in_* is
// decoded in the cycle in which its successor shows at next_*.
module pcs_decoder (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_payload,
    input      [1:0]  in_header,
    input             in_valid,
    input      [63:0] next_payload,
    input      [1:0]  next_header,
    input             next_valid,
    input             lock,
    input             hi_ber,
    output reg [63:0] out_data,
    output reg [7:0]  out_ctrl,
    output reg        out_valid
);
    localparam [2:0] KIND_E = 3'd0, KIND_C = 3'd1, KIND_S = 3'd2, KIND_T = 3'd3, KIND_D = 3'd4;
    localparam [2:0] RX_INIT = 3'd0, RX_C = 3'd1, RX_D = 3'd2, RX_T = 3'd3, RX_E = 3'd4;
    localparam [63:0] EBLOCK = {8{8'hfe}};                      // 49.2.13.2.1
    localparam [63:0] LBLOCK = {2{32'h0100009c}};

    // Table 49-1: {valid, character}
    function [8:0] char(input [6:0] c);
        case (c)
            7'h00: char = {1'b1, 8'h07};
            7'h06: char = {1'b1, 8'h06};
            7'h1e: char = {1'b1, 8'hfe};
            7'h2d: char = {1'b1, 8'h1c};
            7'h33: char = {1'b1, 8'h3c};
            7'h4b: char = {1'b1, 8'h7c};
            7'h55: char = {1'b1, 8'hbc};
            7'h66: char = {1'b1, 8'hdc};
            7'h78: char = {1'b1, 8'hf7};
            default: char = 9'h000;
        endcase
    endfunction

    // lane of the terminate character, 8 for other types
    function [3:0] term_lane(input [7:0] c);
        case (c)
            8'h87: term_lane = 4'd0;
            8'h99: term_lane = 4'd1;
            8'haa: term_lane = 4'd2;
            8'hb4: term_lane = 4'd3;
            8'hcc: term_lane = 4'd4;
            8'hd2: term_lane = 4'd5;
            8'he1: term_lane = 4'd6;
            8'hff: term_lane = 4'd7;
            default: term_lane = 4'd8;
        endcase
    endfunction

    function o_ok(input [3:0] c);
        o_ok = c == 4'h0 || c == 4'hf;
    endfunction

    function [7:0] o_char(input [3:0] c);
        o_char = c == 4'hf ? 8'h5c : 8'h9c;
    endfunction

    // R_BLOCK_TYPE (49.2.13.2.3)
    function [2:0] classify(input [1:0] header, input [63:0] p);
        integer   i;
        reg [7:0] ok;     // lane i has a valid control code, if it has one
        reg [7:0] error;  // and that is /E/
        reg [8:0] look;
        reg       good;
        begin
            for (i = 0; i < 8; i = i + 1) begin
                look     = char(p[8 + 7*i +: 7]);
                ok[i]    = look[8];
                error[i] = look == {1'b1, 8'hfe};
            end
            classify = KIND_E;
            if (header == 2'b10) classify = KIND_D;
            else if (header == 2'b01)
                case (p[7:0])
                    8'h1e: if (&ok && error == 8'h00) classify = KIND_C;
                    8'h2d: if (&ok[3:0] && o_ok(p[39:36])) classify = KIND_C;
                    8'h33: if (&ok[3:0]) classify = KIND_S;
                    8'h66: if (o_ok(p[35:32])) classify = KIND_S;
                    8'h55: if (o_ok(p[35:32]) && o_ok(p[39:36])) classify = KIND_C;
                    8'h78: classify = KIND_S;
                    8'h4b: if (o_ok(p[35:32]) && &ok[7:4]) classify = KIND_C;
                    default:
                        if (term_lane(p[7:0]) != 4'd8) begin
                            good = 1'b1;
                            for (i = 0; i < 8; i = i + 1)
                                if (i[3:0] > term_lane(p[7:0]) && !ok[i]) good = 1'b0;
                            if (good) classify = KIND_T;
                        end
                endcase
        end
    endfunction

    // the characters of a block that is no error: {ctrl, data}
    function [71:0] decode(input [1:0] header, input [63:0] p);
        integer    i;
        reg [63:0] c;  // control characters of all lanes
        reg [63:0] d;
        reg [7:0]  k;
        reg [8:0]  look;
        begin
            for (i = 0; i < 8; i = i + 1) begin
                look         = char(p[8 + 7*i +: 7]);
                c[8*i +: 8]  = look[7:0];
            end
            if (header == 2'b10) begin
                d = p;
                k = 8'h00;
            end else
                case (p[7:0])
                    8'h1e: begin d = c; k = 8'hff; end
                    8'h2d: begin d = {p[63:40], o_char(p[39:36]), c[31:0]}; k = 8'h1f; end
                    8'h33: begin d = {p[63:40], 8'hfb, c[31:0]}; k = 8'h1f; end
                    8'h66: begin d = {p[63:40], 8'hfb, p[31:8], o_char(p[35:32])}; k = 8'h11; end
                    8'h55: begin d = {p[63:40], o_char(p[39:36]), p[31:8], o_char(p[35:32])}; k = 8'h11; end
                    8'h78: begin d = {p[63:8], 8'hfb}; k = 8'h01; end
                    8'h4b: begin d = {c[63:32], p[31:8], o_char(p[35:32])}; k = 8'hf1; end
                    default: begin
                        d = c;
                        k = 8'hff;
                        for (i = 0; i < 8; i = i + 1)
                            if (i[3:0] < term_lane(p[7:0])) begin
                                d[8*i +: 8] = p[8 + 8*i +: 8];
                                k[i]        = 1'b0;
                            end else if (i[3:0] == term_lane(p[7:0])) d[8*i +: 8] = 8'hfd;
                    end
                endcase
            decode = {k, d};
        end
    endfunction

    reg  [2:0] state, next, kind;  // kind: R_TYPE of the block at in_*, found when it was at next_*
    wire [2:0] kind_next = classify(next_header, next_payload);
    wire       well_ended = kind == KIND_T && (kind_next == KIND_S || kind_next == KIND_C);

    // Figure 49-17
    always @*
        case (state)
            RX_D: next = kind == KIND_D ? RX_D : well_ended ? RX_T : RX_E;
            RX_E: next = kind == KIND_D ? RX_D : well_ended ? RX_T : kind == KIND_C ? RX_C : RX_E;
            default: next = kind == KIND_C ? RX_C : kind == KIND_S ? RX_D : RX_E;
        endcase

    always @(posedge clk)
        if (rst) begin
            state     <= RX_INIT;
            kind      <= KIND_E;
            out_data  <= LBLOCK;
            out_ctrl  <= 8'h11;
            out_valid <= 1'b0;
        end else begin
            out_valid <= next_valid;
            if (next_valid) begin
                kind <= kind_next;
                if (!lock || hi_ber) begin
                    state    <= RX_INIT;
                    out_data <= LBLOCK;
                    out_ctrl <= 8'h11;
                end else begin
                    state                <= next;
                    {out_ctrl, out_data} <= next == RX_E ? {8'hff, EBLOCK} : decode(in_header, in_payload);
                end
            end
        end

    wire unused = in_valid;  // a block that is not valid has no kind
endmodule
