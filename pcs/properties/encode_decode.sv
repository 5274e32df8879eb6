// Encoder and decoder give one word for each word, a cycle later. What the encoder takes as legal, the decoder gives back. It gives error characters for
// a word that is illegal in its place, and for a T after which no C or S comes. Scrambler and gearbox between them are left out. Which words are
// legal, and in which order, is said here anew, by IEEE 802.3 49.2.13.2.3 and Figures 49-16 and 49-17.
module proof (input clk, input [63:0] data, input [7:0] ctrl, input valid);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  wire [63:0] payload, back;
  wire [1:0]  header;
  wire        sent, given;
  wire [7:0]  back_ctrl;
  pcs_encoder encoder (.clk(clk), .rst(rst), .in_data(data), .in_ctrl(ctrl), .in_valid(valid), .out_payload(payload), .out_header(header), .out_valid(sent));

  // the descrambler's register: it holds its block until the next valid one
  reg [63:0] held;
  reg [1:0]  held_header;
  always @(posedge clk)
    if (rst) {held, held_header} <= 0;
    else if (sent) {held, held_header} <= {payload, header};
  pcs_decoder decoder (.clk(clk), .rst(rst), .in_payload(held), .in_header(held_header), .in_valid(1'b1), .next_payload(payload), .next_header(header),
      .next_valid(sent), .lock(1'b1), .hi_ber(1'b0), .out_data(back), .out_ctrl(back_ctrl), .out_valid(given));

  // a word's characters, lane 0 last as in a number
  localparam [1:0] IDLE = 0, FRAME = 1, LOST = 2;  // what came last: C or T, S or D, a word that is illegal here
  localparam [2:0] E = 0, C = 1, S = 2, T = 3, D = 4;
  function [2:0] kind(input [7:0] k, input [63:0] w);
    reg [7:0] c, o, s, t, err;
    integer   i;
    begin
      for (i = 0; i < 8; i = i + 1) begin
        err[i] = k[i] && w[8*i +: 8] == 8'hfe;
        c[i] = k[i] && (w[8*i +: 8] == 8'h07 || w[8*i +: 8] == 8'h06 || w[8*i +: 8] == 8'h1c || w[8*i +: 8] == 8'h3c || w[8*i +: 8] == 8'h7c
            || w[8*i +: 8] == 8'hbc || w[8*i +: 8] == 8'hdc || w[8*i +: 8] == 8'hf7 || w[8*i +: 8] == 8'hfe);  // Table 49-1
        o[i] = k[i] && (w[8*i +: 8] == 8'h9c || w[8*i +: 8] == 8'h5c);
        s[i] = k[i] && w[8*i +: 8] == 8'hfb;
        t[i] = k[i] && w[8*i +: 8] == 8'hfd;
      end
      kind = k == 8'h00 ? D
           : c == 8'hff && err == 0 ? C
           : k == 8'h1f && c[3:0] == 4'hf && o[4] || k == 8'h11 && o[0] && o[4] || k == 8'hf1 && o[0] && c[7:4] == 4'hf ? C
           : k == 8'h01 && s[0] || k == 8'h1f && c[3:0] == 4'hf && s[4] || k == 8'h11 && o[0] && s[4] ? S
           : k == 8'hff && t[0] && c[7:1] == 7'h7f || k == 8'hfe && t[1] && c[7:2] == 6'h3f || k == 8'hfc && t[2] && c[7:3] == 5'h1f
             || k == 8'hf8 && t[3] && c[7:4] == 4'hf || k == 8'hf0 && t[4] && c[7:5] == 3'h7 || k == 8'he0 && t[5] && c[7:6] == 2'h3
             || k == 8'hc0 && t[6] && c[7] || k == 8'h80 && t[7] ? T
           : E;
    end
  endfunction

  // the transmitter (Figure 49-16), and the word at its output
  reg [1:0]  place;
  reg [71:0] word1;
  reg [2:0]  was1;  // E where the word is illegal in its place
  wire [2:0] is   = kind(ctrl, data);
  wire       fits = place == IDLE ? is == C || is == S : place == FRAME ? is == D || is == T : is == C || is == D || is == T;
  always @(posedge clk)
    if (rst) begin
      place <= IDLE; was1 <= E;
    end else if (valid) begin
      word1 <= {ctrl, data};
      was1  <= fits ? is : E;
      place <= !fits ? LOST : is == C || is == T ? IDLE : FRAME;
    end

  // the receiver (Figure 49-17), which sees one word more: a T counts if C or S follows. The register before it has no block after the
  // reset, so no frame can start with the first word.
  reg [1:0]  seen;
  reg [71:0] word2, word3;
  reg [2:0]  was2;
  reg        good;
  wire       ends  = was2 == T && (was1 == C || was1 == S);
  wire       taken = seen == IDLE ? was2 == C || was2 == S : seen == FRAME ? was2 == D || ends : was2 == C || was2 == D || ends;
  always @(posedge clk)
    if (rst) begin
      seen <= IDLE; was2 <= E; good <= 0;
    end else if (sent) begin
      word2 <= word1;
      was2  <= was1;
      word3 <= word2;
      good  <= taken;
      seen  <= !taken ? LOST : was2 == C || was2 == T ? IDLE : FRAME;
    end

  // a gearbox leaves out one cycle now and then; that two never follow each other bounds how long a word stays, and so the induction
  reg gap, put, passed;
  always @(posedge clk) begin
    gap    <= !rst && !valid;
    put    <= !rst && valid;
    passed <= !rst && sent;
  end
  always @* assume (valid || !gap);

  (* keep *) wire [2:0] encoder_state, decoder_state, decoder_kind;
  always @* if (started) begin
    encoded: assert (sent == put);
    decoded: assert (given == passed);
    if (given) identity: assert ({back_ctrl, back} == (good ? word3 : {8'hff, {8{8'hfe}}}));  // EBLOCK_R, 49.2.13.2.1
    word: cover (given && good);
`ifndef REFUTE
    transmitter: assert (place == (encoder_state == 2 ? FRAME : encoder_state == 4 ? LOST : IDLE));
    receiver: assert (seen == (decoder_state == 2 ? FRAME : decoder_state == 4 ? LOST : IDLE));
    same_kind: assert (decoder_kind == was2);
`endif
  end
endmodule
