// What goes in comes out, unchanged and in order. One word, any of them, is followed from the outside: how many words are to be taken
// before it is counted when it goes in.
module proof (input clk, input [63:0] data, input push, input take, input follow);
  localparam A = 2, DEPTH = 1 << A;
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  wire        ready, valid;
  wire [63:0] out;
  wire [15:0] level;
  blocks_fifo #(.DEPTH(DEPTH)) fifo (.clk(clk), .rst(rst), .in_data(data), .in_valid(push), .ready(ready), .out_data(out), .out_valid(valid),
      .out_ready(take), .level(level));

  wire in = push && ready, gone = valid && take;
  reg [A+1:0] inside, before;  // words in the FIFO; of them, those before the followed one
  reg         following;
  reg [63:0]  word;
  reg         kept;  // an offer was not taken
  reg [63:0]  offer;
  reg         waiting;  // there was a word behind the output
  always @(posedge clk)
    if (rst) begin
      inside <= 0; following <= 0; kept <= 0; waiting <= 0;
    end else begin
      inside  <= inside + in - gone;
      kept    <= valid && !take;
      offer   <= out;
      waiting <= level != 0;
      if (!following) begin
        following <= in && follow;
        word      <= data;
        before    <= inside - gone;
      end else if (gone) begin
        following <= before != 0;
        before    <= before - 1;
      end
    end

  // inside: where the followed word lies
  (* keep *) wire [A-1:0]        head, tail;
  (* keep *) wire [64*DEPTH-1:0] memory;
  wire [A-1:0] place = head + before - valid;
  always @* if (started) begin
    bounds: assert (level <= DEPTH && ready == (level != DEPTH));
    count: assert (inside == level + valid);
    if (kept) stays: assert (valid && out == offer);
    if (waiting) offers: assert (valid);
    if (following && before == 0 && valid) order: assert (out == word);
    fills: cover (level == DEPTH);
`ifndef REFUTE
    distance: assert (tail == head + level[A-1:0]);
    if (following) behind: assert (before < inside);
    if (following && !(before == 0 && valid)) lies: assert (memory[64 * place +: 64] == word);
`endif
  end
endmodule
