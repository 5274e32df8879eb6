// The ordered list holds what was inserted and not deleted, in the order of keys; among equal keys the older comes first. Two IDs, any two, are
// followed from the outside, by the operations that name them.
module proof (input clk, input insert, input delete, input [15:0] key, input [5:0] id, input [3:0] flow, input [15:0] eligible, input [5:0] a, input [5:0] b);
  localparam N = 4;
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  wire        done, some;
  wire [1:0]  outcome;
  wire [15:0] best_key;
  wire [5:0]  best_id;
  wire [3:0]  best_flow;
  wire [7:0]  length;
  pqueue_ordered_list #(.CAPACITY(N)) list (.clk(clk), .rst(rst), .op_insert(insert), .op_delete(delete), .op_key(key), .op_id(id), .op_flow(flow),
      .eligible(eligible), .result_valid(done), .result_outcome(outcome), .highest_valid(some), .highest_key(best_key), .highest_id(best_id),
      .highest_flow(best_flow), .length(length));

  // the operation acts in its second cycle; insert and delete together are delete
  reg        put, take;
  reg [15:0] with_key;
  reg [5:0]  of;
  reg [3:0]  with_flow;
  always @(posedge clk) begin
    put  <= !rst && insert && !delete;
    take <= !rst && delete;
    {with_key, of, with_flow} <= {key, id, flow};
  end
  reg [5:0] ida, idb;
  always @(posedge clk) if (rst) {ida, idb} <= {a, b};
  always @* assume (!rst || a != b);

  reg        ina, inb, older;  // in the list; a came before b
  reg [15:0] keya, keyb;
  reg [3:0]  flowa, flowb;
  reg        acted;    // an operation acted in the cycle before
  reg        asked;    // and it was of a
  reg [1:0]  wanted;   // what it should have said
  // what the list held a cycle ago and might have shown: the highest entry is of that
  reg        wasa, wasb, were_older;
  reg [15:0] was_keya, was_keyb;
  reg [3:0]  was_flowa, was_flowb;
  reg        any;
  always @(posedge clk)
    if (rst) begin
      ina <= 0; inb <= 0; acted <= 0; asked <= 0; wasa <= 0; wasb <= 0; any <= 0;
    end else begin
      if (put && of == ida && !ina && length < N) {ina, older, keya, flowa} <= {1'b1, 1'b0, with_key, with_flow};
      if (put && of == idb && !inb && length < N) {inb, older, keyb, flowb} <= {1'b1, 1'b1, with_key, with_flow};
      if (take && of == ida) ina <= 0;
      if (take && of == idb) inb <= 0;
      acted  <= put || take;
      asked  <= (put || take) && of == ida;
      wanted <= take ? (ina ? 0 : 3) : ina ? 2 : length == N ? 1 : 0;
      {wasa, wasb, were_older} <= {ina && eligible[flowa], inb && eligible[flowb], older};
      {was_keya, was_keyb, was_flowa, was_flowb} <= {keya, keyb, flowa, flowb};
      any <= length != 0 && eligible == 16'hffff;
    end

  (* keep *) wire [N-1:0]    used;
  (* keep *) wire [26*N-1:0] entry;
  integer i, j;
  reg [7:0] n, at_a, at_b;  // entries; those with the ID
  reg       full_first, sorted, once, stable, same;
  always @* begin
    n = 0; at_a = 0; at_b = 0; full_first = 1; sorted = 1; once = 1; stable = 1; same = 1;
    for (i = 0; i < N; i = i + 1) if (used[i]) begin
      n    = n + 1;
      at_a = at_a + (entry[26*i+4 +: 6] == ida);
      at_b = at_b + (entry[26*i+4 +: 6] == idb);
      if (entry[26*i+4 +: 6] == ida && entry[26*i +: 26] != {keya, ida, flowa} || entry[26*i+4 +: 6] == idb && entry[26*i +: 26] != {keyb, idb, flowb}) same = 0;
      if (i > 0) begin
        if (!used[i-1]) full_first = 0;
        if (entry[26*(i-1)+10 +: 16] > entry[26*i+10 +: 16]) sorted = 0;
      end
      for (j = 0; j < i; j = j + 1) begin  // j leads i
        if (entry[26*i+4 +: 6] == entry[26*j+4 +: 6]) once = 0;
        if (entry[26*i+4 +: 6] == ida && entry[26*j+4 +: 6] == idb && keya == keyb && older) stable = 0;
        if (entry[26*i+4 +: 6] == idb && entry[26*j+4 +: 6] == ida && keya == keyb && !older) stable = 0;
      end
    end
  end
  always @* if (started) begin
    bounds: assert (length <= N && length == n);
    holes: assert (full_first);
    order: assert (sorted);
    unique_ids: assert (once);
    age: assert (stable);
    unchanged: assert (same);
    complete: assert (at_a == ina && at_b == inb);
    full: cover (length == N && ina && inb && keya == keyb);
`ifndef REFUTE
    apart: assert (ida != idb);
`endif
    answered: assert (done == acted);
    if (asked) said: assert (outcome == wanted);
    if (any) found: assert (some);
    if (some && best_id == ida) may_go: assert (wasa && best_key == was_keya && best_flow == was_flowa);
    if (wasa) leads: assert (some && best_key <= was_keya);
    if (wasa && wasb && was_keya == was_keyb && were_older) oldest: assert (best_id != idb);
  end
endmodule
