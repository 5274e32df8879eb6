// An output lane gives the word of its one source. Of two sources neither is delivered there, and a fault says so; without a fault every word is
// delivered. One output lane, any of them, is followed from the outside. Two crossbars of 2 ports with 2 segments have the same words and routes:
// the one-to-one and the one-to-many.
module proof (input clk, input [31:0] data, input [3:0] valid, input [7:0] route, input [1:0] any);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;
  reg [1:0] lane;
  always @(posedge clk) if (rst) lane <= any;

`define IN(k) .in_``k``_data(data[8*k +: 8]), .in_``k``_valid(valid[k]), .route_``k``({6'd0, route[2*k +: 2]}),
`define NONE(k) .in_``k``_data(8'd0), .in_``k``_valid(1'b0), .route_``k``(8'd0),
`define OUT(name, k) .out_``k``_data(name``_data[8*k +: 8]), .out_``k``_valid(name``_valid[k]),
`define PORTS(name) .clk(clk), .rst(rst), `IN(0) `IN(1) `IN(2) `IN(3) `NONE(4) `NONE(5) `NONE(6) `NONE(7) \
      `OUT(name, 0) `OUT(name, 1) `OUT(name, 2) `OUT(name, 3) \
      .fault_kind(name``_kind), .fault_output(name``_output), .fault_first(name``_first), .fault_second(name``_second)
  wire [31:0] one_data, many_data;
  wire [3:0]  one_valid, many_valid;
  wire [1:0]  one_kind, many_kind;
  wire [15:0] one_output, many_output, one_first, many_first, one_second, many_second;
  xbar_segment #(.PORTS(2), .SEGMENTS(2), .WIDTH(8), .STAGES(1)) one (`PORTS(one));
  xbar_segment_multicast #(.PORTS(2), .SEGMENTS(2), .WIDTH(8), .STAGES(2)) many (`PORTS(many));

  follow #(0, 1) f_one (.clk(clk), .rst(rst), .lane(lane), .data(data), .valid(valid), .to(route),
      .out_data(one_data), .out_valid(one_valid), .kind(one_kind), .at(one_output), .first(one_first), .second(one_second));
  follow #(1, 2) f_many (.clk(clk), .rst(rst), .lane(lane), .data(data), .valid(valid), .to(route),
      .out_data(many_data), .out_valid(many_valid), .kind(many_kind), .at(many_output), .first(many_first), .second(many_second));
endmodule

// What a crossbar gives an output lane, CYCLES after its words came in. Lane n is segment n % 2 of port n / 2.
module follow #(parameter MANY = 0, CYCLES = 1) (input clk, input rst, input [1:0] lane, input [31:0] data, input [3:0] valid, input [7:0] to,
    input [31:0] out_data, input [3:0] out_valid, input [1:0] kind, input [15:0] at, input [15:0] first, input [15:0] second);
  reg started = 0;
  always @(posedge clk) started <= 1;

  // the input lanes of its segment, one a port
  wire [1:0] ports_0 = lane[0] ? to[3:2] : to[1:0], ports_1 = lane[0] ? to[7:6] : to[5:4];
  wire [7:0] data_0 = lane[0] ? data[15:8] : data[7:0], data_1 = lane[0] ? data[31:24] : data[23:16];
  wire [1:0] some = lane[0] ? {valid[3], valid[1]} : {valid[2], valid[0]};
  wire [1:0] legal = {ports_1 != 0 && (MANY || ports_1 != 3), ports_0 != 0 && (MANY || ports_0 != 3)};
  wire [1:0] sends = some & legal & {ports_1[lane[1]], ports_0[lane[1]]};  // a word to this lane
  wire [7:0] word  = {8{sends[0]}} & data_0 | {8{sends[1]}} & data_1;
  wire       refused = (some & ~legal) != 0;  // a word has nowhere to go, or too many places

  reg [10:0] was_0, was_1;
  always @(posedge clk)
    if (rst) begin
      was_0 <= 0; was_1 <= 0;
    end else begin
      was_0 <= {sends, word, refused};
      was_1 <= was_0;
    end
  wire [10:0] was   = CYCLES == 1 ? was_0 : was_1;
  wire        alone = was[10] ^ was[9], meet = was[10] && was[9];
  always @* if (started) begin
    lone: cover (alone && was[8:1] != 0);
    clash: cover (meet);
    there: assert (out_valid[lane] == alone);
    word_here: assert (out_data[8*lane +: 8] == (alone ? was[8:1] : 8'd0));
    told: assert (!(meet || was[0]) || kind != 0);
    names: assert (kind != 1 || at != lane || meet && first == {15'd0, lane[0]} && second == {14'd0, 1'b1, lane[0]});
    known: assert (kind != 1 || at < 4);
  end
endmodule
