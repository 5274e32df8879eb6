// Two rings of 16 words that are turned against each other: the model begins at place 0 whenever it is empty, the RTL written by hand goes
// on round the ring. While word i of one lies at place i - TURN of the other, they are equal after one step, too: their words are where they
// were, or at most one word is held. With RESET the first step is the reset, after which nothing is held.
module proof #(parameter TURN = 0, parameter RESET = 0) (input clk, input [63:0] in_data, input in_valid, input out_ready);
  reg [1:0] step = 0;
  always @(posedge clk) if (step < 2) step <= step + 1'b1;
  (* keep *) wire rst = RESET && step == 0;

  wire        hand_ready, made_ready, hand_valid, made_valid;
  wire [63:0] hand_data, made_data;
  wire [15:0] hand_level, made_level;
  hand hand (.clk(clk), .rst(rst), .in_data(in_data), .in_valid(in_valid), .ready(hand_ready), .out_data(hand_data), .out_valid(hand_valid),
      .out_ready(out_ready), .level(hand_level));
  made made (.clk(clk), .rst(rst), .in_data(in_data), .in_valid(in_valid), .ready(made_ready), .out_data(made_data), .out_valid(made_valid),
      .out_ready(out_ready), .level(made_level));

  (* keep *) wire [3:0]    head, tail, q_head;
  (* keep *) wire [4:0]    q_n;
  (* keep *) wire [1023:0] memory, q_buf;
  wire equal = hand_ready == made_ready && hand_valid == made_valid && hand_data == made_data && hand_level == made_level;
  wire bound = hand_level <= 16 && q_n == hand_level[4:0] && tail == head + q_n[3:0];
  wire [3:0] turn = head - q_head;
  wire [15:0] same;  // the word that lies there in the RTL, if one does
  genvar i;
  for (i = 0; i < 16; i = i + 1) begin : word
    wire [3:0] before = i - head, place = i - TURN;
    assign same[i] = before >= q_n || memory[64 * i +: 64] == q_buf[64 * place +: 64];
  end
  wire one = q_n == 0 || q_n == 1 && memory[64 * head +: 64] == q_buf[64 * q_head +: 64];
  always @* begin
    if (step == 0 && !RESET) before: assume (equal && bound && turn == TURN && &same);
    if (step == 1) after: assert (equal && bound && (RESET ? q_n == 0 : one || turn == TURN && &same));
  end
endmodule
