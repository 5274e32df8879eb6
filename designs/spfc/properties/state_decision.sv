// The state decision does what the paper's prose and the truth table of its Figure 10 say (SPFC IV.B, V.A). The table's rows are written in
// the order in which they act in a cycle: the window's end, the cells that leave, RESUME, PAUSE.
module proof (input clk, input [13:0] window, input [13:0] threshold, input pause, input resume, input [7:0] cells);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  wire        paused, victim, over;
  wire [13:0] count;
  spfc_state_decision dut (.clk(clk), .rst(rst), .config_window(window), .config_threshold(threshold), .events_pause(pause),
      .events_resume(resume), .events_cells(cells), .out_paused(paused), .out_victim(victim), .out_over(over), .out_count(count));

  // a window has as many cycles as was said at its start, at least one, and wants as many cells, at least one
  reg [14:0] age, length, enough, left;
  reg        is_paused, is_victim;
  wire       ends = age + 1 >= length;

  reg [14:0] next_enough, next_left;
  reg        next_paused, next_victim;
  always @* begin
    next_enough = enough; next_left = left; next_paused = is_paused; next_victim = is_victim;
    if (ends) begin
      next_victim = left >= enough && !is_paused;
      next_left   = 0;
      next_enough = threshold < 1 ? 1 : threshold;
    end
    next_left = next_left + cells > next_enough ? next_enough : next_left + cells;  // saturates
    if (resume) next_paused = 0;
    if (pause) next_paused = 1;
    if (next_left >= next_enough) next_victim = 1;
    if (next_paused) next_victim = 0;  // reset dominates
  end
  always @(posedge clk)
    if (rst) begin
      age <= 0; length <= 0; enough <= 1; left <= 0; is_paused <= 0; is_victim <= 0;
    end else begin
      age       <= ends ? 0 : age + 1;
      length    <= ends ? window : length;
      enough    <= next_enough;
      left      <= next_left;
      is_paused <= next_paused;
      is_victim <= next_victim;
    end

  (* keep *) wire [13:0] clock, held;  // the timeout clock, and the threshold of this window
  always @* if (started) begin
    same_paused: assert (paused == is_paused);
    same_victim: assert (victim == is_victim);
    same_over: assert (over == (left >= enough));
    same_count: assert (count == left);
    is_one: cover (victim && count != 0);
    dominates: cover (paused && over);
`ifndef REFUTE
    same_limit: assert (held == enough && enough >= 1);
    same_clock: assert (clock + age + 1 == (length < 1 ? 15'd1 : length));
`endif
  end
endmodule
