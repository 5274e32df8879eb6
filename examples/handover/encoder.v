// An encoder as a team of its own might have it: its names, one vector for the block, an active-low reset, and a clock enable
// in the place of a valid bit.
module tx_encoder (
    input             clk_390,
    input             rst_n,
    input             ce,
    input      [63:0] txd,      // lane 0 in bits 7:0
    input      [7:0]  txc,
    output reg [65:0] blk       // payload in bits 65:2, sync header in bits 1:0
);
    localparam [2:0] KIND_E = 3'd0, KIND_C = 3'd1, KIND_S = 3'd2, KIND_T = 3'd3, KIND_D = 3'd4;
    localparam [2:0] TX_INIT = 3'd0, TX_C = 3'd1, TX_D = 3'd2, TX_T = 3'd3, TX_E = 3'd4;
    localparam [63:0] EBLOCK = {{8{7'h1e}}, 8'h1e};                        // 49.2.13.2.1
    localparam [63:0] LBLOCK = {24'h010000, 4'h0, 4'h0, 24'h010000, 8'h55};

    // Table 49-1: {valid, code}
    function [7:0] code(input [7:0] c);
        case (c)
            8'h07: code = {1'b1, 7'h00};
            8'h06: code = {1'b1, 7'h06};
            8'hfe: code = {1'b1, 7'h1e};
            8'h1c: code = {1'b1, 7'h2d};
            8'h3c: code = {1'b1, 7'h33};
            8'h7c: code = {1'b1, 7'h4b};
            8'hbc: code = {1'b1, 7'h55};
            8'hdc: code = {1'b1, 7'h66};
            8'hf7: code = {1'b1, 7'h78};
            default: code = 8'h00;
        endcase
    endfunction

    function [7:0] term_type(input integer lane);
        case (lane)
            0: term_type = 8'h87;
            1: term_type = 8'h99;
            2: term_type = 8'haa;
            3: term_type = 8'hb4;
            4: term_type = 8'hcc;
            5: term_type = 8'hd2;
            6: term_type = 8'he1;
            default: term_type = 8'hff;
        endcase
    endfunction

    // what each lane carries
    reg  [7:0]  is_c, is_e, is_s, is_t, is_o;
    reg  [55:0] codes;  // seven bits a lane
    reg  [3:0]  o0, o4;
    reg  [7:0]  look;
    wire [7:0]  is_d = ~txc;
    integer     i, t;
    always @* begin
        for (i = 0; i < 8; i = i + 1) begin
            look              = code(txd[8*i +: 8]);
            codes[7*i +: 7]   = look[6:0];
            is_c[i]           = txc[i] & look[7];
            is_e[i]           = txc[i] & (txd[8*i +: 8] == 8'hfe);
            is_s[i]           = txc[i] & (txd[8*i +: 8] == 8'hfb);
            is_t[i]           = txc[i] & (txd[8*i +: 8] == 8'hfd);
            is_o[i]           = txc[i] & (txd[8*i +: 8] == 8'h9c || txd[8*i +: 8] == 8'h5c);
        end
        o0 = txd[7:0] == 8'h5c ? 4'hf : 4'h0;
        o4 = txd[39:32] == 8'h5c ? 4'hf : 4'h0;
    end

    // the formats of Figure 49-7
    reg [63:0] payload;
    reg [1:0]  header;
    reg [2:0]  kind;
    reg        fits;
    always @* begin
        payload = EBLOCK;
        header  = 2'b01;
        kind    = KIND_E;
        fits = 1'b0;
        if (&is_d) begin
            payload = txd;
            header  = 2'b10;
            kind    = KIND_D;
        end else if (&is_c) begin
            if (is_e == 8'h00) begin
                payload = {codes, 8'h1e};
                kind    = KIND_C;
            end
        end else if (&is_c[3:0] && is_o[4] && &is_d[7:5]) begin
            payload = {txd[63:40], o4, codes[27:0], 8'h2d};
            kind    = KIND_C;
        end else if (&is_c[3:0] && is_s[4] && &is_d[7:5]) begin
            payload = {txd[63:40], 4'h0, codes[27:0], 8'h33};
            kind    = KIND_S;
        end else if (is_o[0] && &is_d[3:1] && is_s[4] && &is_d[7:5]) begin
            payload = {txd[63:40], 4'h0, o0, txd[31:8], 8'h66};
            kind    = KIND_S;
        end else if (is_o[0] && &is_d[3:1] && is_o[4] && &is_d[7:5]) begin
            payload = {txd[63:40], o4, o0, txd[31:8], 8'h55};
            kind    = KIND_C;
        end else if (is_s[0] && &is_d[7:1]) begin
            payload = {txd[63:8], 8'h78};
            kind    = KIND_S;
        end else if (is_o[0] && &is_d[3:1] && &is_c[7:4]) begin
            payload = {codes[55:28], o0, txd[31:8], 8'h4b};
            kind    = KIND_C;
        end else begin
            for (t = 0; t < 8; t = t + 1) begin
                fits = is_t[t];
                for (i = 0; i < 8; i = i + 1)
                    if (i < t ? !is_d[i] : i > t && !is_c[i]) fits = 1'b0;
                if (fits) begin
                    payload      = 64'h0;
                    payload[7:0] = term_type(t);
                    kind         = KIND_T;
                    for (i = 0; i < 8; i = i + 1)
                        if (i < t) payload[8 + 8*i +: 8] = txd[8*i +: 8];
                        else if (i > t) payload[8 + 7*i +: 7] = codes[7*i +: 7];
                end
            end
        end
    end

    // Figure 49-16
    reg [2:0] state, next;
    always @*
        case (state)
            TX_D: next = kind == KIND_D ? TX_D : kind == KIND_T ? TX_T : TX_E;
            TX_E: next = kind == KIND_D ? TX_D : kind == KIND_T ? TX_T : kind == KIND_C ? TX_C : TX_E;
            default: next = kind == KIND_C ? TX_C : kind == KIND_S ? TX_D : TX_E;
        endcase

    always @(posedge clk_390)
        if (!rst_n) begin
            state <= TX_INIT;
            blk   <= {LBLOCK, 2'b01};
        end else if (ce) begin
            state <= next;
            blk   <= next == TX_E ? {EBLOCK, 2'b01} : {payload, header};
        end
endmodule
