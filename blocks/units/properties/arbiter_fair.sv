// One grant, to a requester; and whoever goes on requesting is granted after at most N - 1 accepted grants to others.
module proof (input clk, input [63:0] request, input accept, input [5:0] who);
  localparam N = 8;
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  wire [63:0] grant;
  wire [5:0]  index;
  wire        valid;
  blocks_arbiter #(.N(N)) arbiter (.clk(clk), .rst(rst), .request(request), .accept(accept), .grant_one_hot(grant), .grant_index(index), .grant_valid(valid));

  // the one that waits is any of them, and goes on requesting
  reg [5:0] waits;
  always @(posedge clk) if (rst) waits <= who;
  always @* assume (!(rst && who >= N) && (rst || request[waits]));
  reg [3:0] others;  // accepted grants to others since its own
  always @(posedge clk)
    if (rst) others <= 0;
    else if (accept && valid) others <= index == waits ? 0 : others + 1;
  always @* if (started) begin
    one_hot: assert ((grant & (grant - 1)) == 0);
    asked: assert ((grant & ~request) == 0 && (grant >> N) == 0);
    work: assert (valid == ((request & ((1 << N) - 1)) != 0) && valid == (grant != 0));
    place: assert (!valid || grant[index]);
    fair: assert (others < N);
    longest: cover (others == N - 1);
  end
endmodule
