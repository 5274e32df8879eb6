// Grants are a matching, of what was demanded, and it becomes maximal. A grant makes a circuit of its source and destination, for as long as the
// chunk keeps them busy: no port is ever in two. One pair of ports and kind, any of them, is followed from the outside: if it has a demand, no
// circuit keeps its ports from the next iteration, and no other source comes free, then within BOUND cycles one of the two ports has a circuit.
// Any notifications may come in any cycle after the reset.
module proof #(parameter N = 2, ACTIVE = 1, CHUNK = 64) (input clk, input [N-1:0] valid, input [10*N-1:0] source_of, input [10*N-1:0] dest,
    input [8*N-1:0] id, input [N-1:0] is_read, input [N-1:0] long, input [16*N-1:0] bytes, input [7:0] any);
  localparam PORT = $clog2(N), PAIR = PORT + 1, PAIRS = 2 * N, COUNT = $clog2(ACTIVE + 1);
  localparam HOLD = CHUNK <= 40 ? 5 : (CHUNK + 7) / 8, TIME = $clog2(HOLD + 1);
  // A destination has 2N pairs, at most 1 << PAIR, and its list takes one of those that wait in a cycle. Then an iteration may be under way, for 2
  // more cycles. Each of N further iterations, of 3 cycles, gives a circuit to one of the ports, or to a source that the destination asks first.
  localparam BOUND = (1 << PAIR) + 2 + 3 * N;
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;
  (* keep *) wire [38*N-1:0] grant;
  (* keep *) wire [47*N-1:0] notify;
  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : port
      assign notify[47*n +: 47] = {valid[n], source_of[10*n +: 10], dest[10*n +: 10], id[8*n +: 8], is_read[n], long[n], bytes[16*n +: 16]};
    end
  endgenerate
  edm_scheduler_core #(.N(N), .ACTIVE(ACTIVE), .CHUNK(CHUNK)) dut (.clk(clk), .rst(rst), .notify(notify), .grant(grant), .refused());

  // circuits
  (* keep *) reg [TIME*N-1:0] left;  // cycles until each source may be in another one, counted from the grant's
  reg [PORT*N-1:0] with_dest;
  (* keep *) reg [N-1:0] granted, held, freed;
  reg [15:0] hold;
  reg [PORT*N-1:0] dest_of;
  reg [TIME*N-1:0] now;
  integer i, j;
  always @* begin
    granted = 0; now = left; dest_of = with_dest; freed = 0;
    for (i = 0; i < N; i = i + 1) begin
      granted[i] = grant[38*i + 37];
      hold = (grant[38*i + 2 +: 16] + 16'd7) >> 3;
      if (granted[i]) begin
        now[TIME*i +: TIME] = hold < 5 ? 5 : hold;
        dest_of[PORT*i +: PORT] = grant[38*i + 27 +: PORT];
      end
      held[i] = now[TIME*i +: TIME] > 3;  // the next iteration's grants, three cycles from its request on, come too soon
      freed[i] = now[TIME*i +: TIME] == 3;
    end
  end
  always @(posedge clk)
    if (rst) begin
      left <= 0; with_dest <= 0;
    end else begin
      with_dest <= dest_of;
      for (i = 0; i < N; i = i + 1) left[TIME*i +: TIME] <= now[TIME*i +: TIME] == 0 ? 0 : now[TIME*i +: TIME] - 1;
    end
  genvar s, t;
  generate
    for (s = 0; s < N; s = s + 1) begin : source
      always @* if (started)  // a source alone, a destination that exists
        assert (!granted[s] || left[TIME*s +: TIME] == 0 && grant[38*s + 27 +: 10] < N && grant[38*s + 2 +: 16] <= CHUNK);
      for (t = 0; t < s; t = t + 1) begin : other
        always @* if (started)
          assert (now[TIME*s +: TIME] == 0 || now[TIME*t +: TIME] == 0 || dest_of[PORT*s +: PORT] != dest_of[PORT*t +: PORT]);
      end
    end
  endgenerate

  // the pair that is followed
  reg [PORT-1:0] src, dst;
  reg read;
  always @(posedge clk) if (rst) {src, dst, read} <= any;
  always @* if (started) ports: assume (src < N && dst < N);
  reg [47*N-1:0] came;  // notifications of the cycle before: they and a grant are of the same edge
  reg [COUNT-1:0] pending;
  (* keep *) reg [COUNT-1:0] demand;
  reg of_pair, stuck;
  always @* begin
    of_pair = granted[src] && dest_of[PORT*src +: PORT] == dst && grant[38*src + 18] == read;
    demand = pending;
    if (of_pair && grant[38*src]) demand = demand - 1;
    for (j = 0; j < N; j = j + 1)
      if (came[47*j + 46] && came[47*j + 36 +: 10] == src && came[47*j + 26 +: 10] == dst && came[47*j + 17] == read && came[47*j +: 16] != 0 && demand != ACTIVE)
        demand = demand + 1;
    stuck = demand != 0 && !held[src];
    for (j = 0; j < N; j = j + 1)
      if (held[j] && dest_of[PORT*j +: PORT] == dst || freed[j] && j != src) stuck = 0;
  end
  localparam WAIT = $clog2(BOUND + 2);
  (* keep *) reg [WAIT-1:0] waited;
  always @(posedge clk)
    if (rst) begin
      came <= 0; pending <= 0; waited <= 0;
    end else begin
      came <= notify; pending <= demand;
      waited <= stuck ? waited + 1 : 0;
    end
  always @* if (started) begin
    demanded: assert (!of_pair || pending != 0);
    maximal: assert (waited <= BOUND);
    all_at_once: cover (granted == {N{1'b1}});
    waits_for_a_circuit: cover (waited == 3);
  end

  // inside
  localparam BUSY = $clog2(HOLD - 1);
  (* keep *) wire [1:0] state;
  (* keep *) wire [BUSY*N-1:0] busy;
  (* keep *) wire [PORT*N-1:0] peer, chosen;
  (* keep *) wire [PAIR*N-1:0] asked, gone;
  (* keep *) wire [N-1:0] asks, matched, remove, renew;
  (* keep *) wire [PAIRS*N-1:0] listed, waits;
  (* keep *) wire [PAIR*PAIRS*N-1:0] ahead;
  (* keep *) wire [COUNT*PAIRS*N-1:0] count;
`ifndef REFUTE  // helps the proof
  generate
    for (s = 0; s < N; s = s + 1) begin : inside
      wire [TIME-1:0] for_now = now[TIME*s +: TIME];
      wire [PORT-1:0] to = dest_of[PORT*s +: PORT], wants = chosen[PORT*s +: PORT];
      always @* if (started) begin
        assert (busy[BUSY*s +: BUSY] == (for_now > 2 ? for_now - 2 : 0) && for_now <= HOLD);
        assert (for_now <= 2 || peer[PORT*s +: PORT] == to);
        assert (!granted[s] || state == 0);
        assert (state != 2 || !matched[s] || wants < N && asks[wants] && asked[PAIR*wants + 1 +: PORT] == s);
      end
      wire [PORT-1:0] from = asked[PAIR*s + 1 +: PORT];  // s is a destination here and below
      reg [TIME-1:0] longest;
      always @* begin
        longest = now[TIME*from +: TIME];
        for (i = 0; i < N; i = i + 1)
          if (dest_of[PORT*i +: PORT] == s && now[TIME*i +: TIME] > longest) longest = now[TIME*i +: TIME];
      end
      always @* if (started)
        assert (!(remove[s] || renew[s]) || gone[PAIR*s +: PAIR] < PAIRS);
      always @* if (started)
        assert (state == 0 || !asks[s] || from < N && longest <= 3 - state && (state == 1 || matched[from]));
    end
  endgenerate
  // the pair followed
  wire [PAIR-1:0] pair = {src, read};
  wire [PORT+PAIR:0] at = dst * PAIRS + pair;
  wire of_gone = gone[PAIR*dst +: PAIR] == pair;
  wire goes = remove[dst] && of_gone, returns = renew[dst] && of_gone, stands = listed[at] && !goes;
  reg [TIME-1:0] circuit;  // of the destination
  reg [PORT:0] free;       // sources but its own
  reg [WAIT-1:0] most;     // cycles that it still waits
  always @* begin
    circuit = 0; free = 0;
    for (j = 0; j < N; j = j + 1) begin
      if (dest_of[PORT*j +: PORT] == dst && now[TIME*j +: TIME] > circuit) circuit = now[TIME*j +: TIME];
      if (j != src && !held[j]) free = free + 1;
    end
    most = 3 * free + 3;
    if (!stands) most = most + ahead[PAIR*at +: PAIR] + 3;
    else if (state != 0 && asks[dst]) most = (asked[PAIR*dst + 1 +: PORT] == src ? 3 : 3 * free + 3) - state;
    else if (state != 0) most = most + 3 - state;
  end
  always @* if (started) begin
    states: assert (state < 3);
    counts: assert (count[COUNT*at +: COUNT] == demand && demand <= ACTIVE);
    somewhere: assert (2'd0 + stands + returns + waits[at] == (demand != 0));
    leaves: assert (!goes || listed[at]);
    removing: assert (!remove[dst] || circuit >= 5);
    renewing: assert (!renew[dst] || circuit >= 4);
    asked_stands: assert (state == 0 || !asks[dst] || asked[PAIR*dst +: PAIR] != pair || stands);
    measure: assert (!stuck || waited + most <= BOUND);
  end
`endif
endmodule
