// An output lane gives the word of its one source. Of two sources neither is delivered there, and a fault says so; without a fault every word is
// delivered. One output lane, any of them, is followed from the outside. Three crossbars of 4 ports with 2 segments have the same words: the
// one-to-one and the one-to-many, with the same routes, and the one with connections for each cycle of a period of 3.
module proof (input clk, input [15:0] data, input [7:0] valid, input [31:0] route, input [2:0] any);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;
  reg [2:0] lane;
  always @(posedge clk) if (rst) lane <= any;

`define IN(k) .in_``k``_data(data[2*k +: 2]), .in_``k``_valid(valid[k]),
`define ROUTE(k) .route_``k``({4'd0, route[4*k +: 4]}),
`define OUT(name, k) .out_``k``_data(name``_data[2*k +: 2]), .out_``k``_valid(name``_valid[k]),
`define PORTS(name) .clk(clk), .rst(rst), `IN(0) `IN(1) `IN(2) `IN(3) `IN(4) `IN(5) `IN(6) `IN(7) \
      `OUT(name, 0) `OUT(name, 1) `OUT(name, 2) `OUT(name, 3) `OUT(name, 4) `OUT(name, 5) `OUT(name, 6) `OUT(name, 7) \
      .fault_kind(name``_kind), .fault_output(name``_output), .fault_first(name``_first), .fault_second(name``_second)
`define ROUTES `ROUTE(0) `ROUTE(1) `ROUTE(2) `ROUTE(3) `ROUTE(4) `ROUTE(5) `ROUTE(6) `ROUTE(7)
`define FOLLOWED(name) .out_data(name``_data), .out_valid(name``_valid), .kind(name``_kind), .at(name``_output), \
      .first(name``_first), .second(name``_second)
  wire [15:0] one_data, many_data, turn_data;
  wire [7:0]  one_valid, many_valid, turn_valid;
  wire [1:0]  one_kind, many_kind, turn_kind;
  wire [15:0] one_output, many_output, turn_output, one_first, many_first, turn_first, one_second, many_second, turn_second;
  xbar_segment #(.PORTS(4), .SEGMENTS(2), .WIDTH(2), .STAGES(1)) one (`ROUTES `PORTS(one));
  follow #(0, 1) f_one (.clk(clk), .rst(rst), .lane(lane), .data(data), .valid(valid), .to(route), `FOLLOWED(one));
  xbar_segment_multicast #(.PORTS(4), .SEGMENTS(2), .WIDTH(2), .STAGES(2)) many (`ROUTES `PORTS(many));
  follow #(1, 2) f_many (.clk(clk), .rst(rst), .lane(lane), .data(data), .valid(valid), .to(route), `FOLLOWED(many));
  xbar_segment_periodic #(.PORTS(4), .SEGMENTS(2), .WIDTH(2), .STAGES(1)) turn (`PORTS(turn));

  (* keep *) wire [1:0] phase;  // inside: that of the periodic crossbar
  // what its lanes send to in the cycle, lane 0 in the lowest bits
  reg [1:0] turn_of;
  always @(posedge clk) turn_of <= rst || turn_of == 2 ? 0 : turn_of + 1;
  wire [31:0] due = turn_of == 0 ? 32'h21188442 : turn_of == 1 ? 32'h90800f00 : 32'h88442211;
  follow #(1, 1) f_turn (.clk(clk), .rst(rst), .lane(lane), .data(data), .valid(valid), .to(due), `FOLLOWED(turn));
`ifndef REFUTE  // helps the proof
  always @* if (started) phases: assert (turn_of < 3 && turn_of == phase);
`endif
endmodule

// What a crossbar gives an output lane, CYCLES after its words came in. Lane n is segment n % 2 of port n / 2.
module follow #(parameter MANY = 0, CYCLES = 1) (input clk, input rst, input [2:0] lane, input [15:0] data, input [7:0] valid, input [31:0] to,
    input [15:0] out_data, input [7:0] out_valid, input [1:0] kind, input [15:0] at, input [15:0] first, input [15:0] second);
  reg started = 0;
  always @(posedge clk) started <= 1;

  // the input lanes of its segment, one a port
  reg [3:0] sends;    // a word to this lane, by port
  reg [1:0] word;     // all of them
  reg       refused;  // a word has nowhere to go, or too many places
  reg [3:0] ports;
  integer   p;
  always @* begin
    sends = 0; word = 0; refused = 0;
    for (p = 0; p < 4; p = p + 1) begin
      ports = lane[0] ? to[8*p + 4 +: 4] : to[8*p +: 4];
      if (lane[0] ? valid[2*p + 1] : valid[2*p])
        if (ports == 0 || !MANY && (ports & (ports - 4'd1)) != 0) refused = 1;
        else if (ports[lane[2:1]]) begin
          sends[p] = 1;
          word = word | (lane[0] ? data[4*p + 2 +: 2] : data[4*p +: 2]);
        end
    end
  end

  reg [6:0] was_0, was_1;
  always @(posedge clk)
    if (rst) begin
      was_0 <= 0; was_1 <= 0;
    end else begin
      was_0 <= {sends, word, refused};
      was_1 <= was_0;
    end
  wire [6:0] was   = CYCLES == 1 ? was_0 : was_1;
  wire [3:0] sent  = was[6:3];
  wire [3:0] later = sent & (sent - 4'd1), lowest = sent & ~later, next = later & ~(later & (later - 4'd1));
  wire       alone = sent != 0 && later == 0, meet = later != 0;
  always @* if (started) begin
    lone: cover (alone && was[2:1] != 0);
    clash: cover (meet);
    there: assert (out_valid[lane] == alone);
    word_here: assert (out_data[2*lane +: 2] == (alone ? was[2:1] : 2'd0));
    told: assert (!(meet || was[0]) || kind != 0);
    names: assert (kind != 1 || at != lane ||
        meet && first < 8 && lowest[first[2:1]] && first[0] == lane[0] && second < 8 && next[second[2:1]] && second[0] == lane[0]);
    known: assert (kind != 1 || at < 8);
  end
endmodule
