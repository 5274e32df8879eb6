// Segment crossbar of PORTS x PORTS ports with SEGMENTS segments of WIDTH bits, one-to-one, set by a controller (dRMT 5.3). Latency STAGES
// cycles. Two sources for an output lane are reported and neither is delivered there; a word for several outputs goes nowhere.
//
// Lane n is segment n % SEGMENTS of port n / SEGMENTS: there are PORTS x SEGMENTS, and routes as many.
module xbar_segment #(
    parameter PORTS    = 4,
    parameter SEGMENTS = 2,
    parameter WIDTH    = 16,
    parameter STAGES   = 1
) (
    input              clk,
    input              rst,  // synchronous, active high
    input  [WIDTH-1:0] in_0_data,
    input              in_0_valid,
    input  [WIDTH-1:0] in_1_data,
    input              in_1_valid,
    input  [WIDTH-1:0] in_2_data,
    input              in_2_valid,
    input  [WIDTH-1:0] in_3_data,
    input              in_3_valid,
    input  [WIDTH-1:0] in_4_data,
    input              in_4_valid,
    input  [WIDTH-1:0] in_5_data,
    input              in_5_valid,
    input  [WIDTH-1:0] in_6_data,
    input              in_6_valid,
    input  [WIDTH-1:0] in_7_data,
    input              in_7_valid,
    input  [7:0]       route_0,  // bit o: to output port o
    input  [7:0]       route_1,  // bit o: to output port o
    input  [7:0]       route_2,  // bit o: to output port o
    input  [7:0]       route_3,  // bit o: to output port o
    input  [7:0]       route_4,  // bit o: to output port o
    input  [7:0]       route_5,  // bit o: to output port o
    input  [7:0]       route_6,  // bit o: to output port o
    input  [7:0]       route_7,  // bit o: to output port o
    output [WIDTH-1:0] out_0_data,
    output             out_0_valid,
    output [WIDTH-1:0] out_1_data,
    output             out_1_valid,
    output [WIDTH-1:0] out_2_data,
    output             out_2_valid,
    output [WIDTH-1:0] out_3_data,
    output             out_3_valid,
    output [WIDTH-1:0] out_4_data,
    output             out_4_valid,
    output [WIDTH-1:0] out_5_data,
    output             out_5_valid,
    output [WIDTH-1:0] out_6_data,
    output             out_6_valid,
    output [WIDTH-1:0] out_7_data,
    output             out_7_valid,
    output [1:0]       fault_kind,  // 1 contention, 2 several outputs, 3 lost
    output [15:0]      fault_output,
    output [15:0]      fault_first,
    output [15:0]      fault_second
);
    localparam LANES = PORTS * SEGMENTS;
    localparam L     = $clog2(LANES);
    localparam ROW   = LANES * (WIDTH + 1) + 50;  // what a register stage holds

    wire [LANES*WIDTH-1:0] data;
    wire [LANES-1:0]       valid;
    assign data[WIDTH*0 +: WIDTH] = in_0_data;
    assign valid[0] = in_0_valid;
    assign data[WIDTH*1 +: WIDTH] = in_1_data;
    assign valid[1] = in_1_valid;
    assign data[WIDTH*2 +: WIDTH] = in_2_data;
    assign valid[2] = in_2_valid;
    assign data[WIDTH*3 +: WIDTH] = in_3_data;
    assign valid[3] = in_3_valid;
    assign data[WIDTH*4 +: WIDTH] = in_4_data;
    assign valid[4] = in_4_valid;
    assign data[WIDTH*5 +: WIDTH] = in_5_data;
    assign valid[5] = in_5_valid;
    assign data[WIDTH*6 +: WIDTH] = in_6_data;
    assign valid[6] = in_6_valid;
    assign data[WIDTH*7 +: WIDTH] = in_7_data;
    assign valid[7] = in_7_valid;
    wire [LANES*PORTS-1:0] route;
    assign route[PORTS*0 +: PORTS] = route_0[PORTS-1:0];
    assign route[PORTS*1 +: PORTS] = route_1[PORTS-1:0];
    assign route[PORTS*2 +: PORTS] = route_2[PORTS-1:0];
    assign route[PORTS*3 +: PORTS] = route_3[PORTS-1:0];
    assign route[PORTS*4 +: PORTS] = route_4[PORTS-1:0];
    assign route[PORTS*5 +: PORTS] = route_5[PORTS-1:0];
    assign route[PORTS*6 +: PORTS] = route_6[PORTS-1:0];
    assign route[PORTS*7 +: PORTS] = route_7[PORTS-1:0];

    // the connections of this cycle, input lanes in order
    reg [PORTS-1:0]       to;
    reg [LANES*WIDTH-1:0] word;
    reg [LANES-1:0]       owned, clash;  // an output lane has a source; has two
    reg [LANES*L-1:0]     owner;         // which, L bits an output lane
    reg [1:0]             kind;
    reg [15:0]            where, first, second;
    integer               i, p, o, m;
    always @* begin
        word = 0; owned = 0; clash = 0; owner = 0;
        kind = 2'd0; where = 16'd0; first = 16'd0; second = 16'd0; o = 0; to = 0;
        for (i = 0; i < LANES; i = i + 1) if (valid[i]) begin
            to = route[PORTS*i +: PORTS];
            if (to == 0) begin
                if (kind == 2'd0) begin kind = 2'd3; first = i[15:0]; end
            end else if ((to & (to - 1)) != 0) begin
                if (kind == 2'd0) begin kind = 2'd2; first = i[15:0]; end
            end else for (p = 0; p < PORTS; p = p + 1) if (to[p]) begin
                o = SEGMENTS * p + i % SEGMENTS;
                if (owned[o]) begin
                    if (kind == 2'd0) begin
                        kind = 2'd1; where = o[15:0]; first = {{16-L{1'b0}}, owner[L*o +: L]}; second = i[15:0];
                    end
                    clash[o] = 1'b1;
                end else begin
                    owned[o]               = 1'b1;
                    owner[L*o +: L]        = i[L-1:0];
                    word[WIDTH*o +: WIDTH] = data[WIDTH*i +: WIDTH];
                end
            end
        end
    end

    reg [LANES*WIDTH-1:0] mask;  // of the output lanes that have one source
    always @*
        for (m = 0; m < LANES; m = m + 1) mask[WIDTH*m +: WIDTH] = {WIDTH{owned[m] & ~clash[m]}};

    reg  [STAGES*ROW-1:0]     line;  // the youngest stage in the low bits
    wire [(STAGES+1)*ROW-1:0] next = {line, word & mask, owned & ~clash, kind, where, first, second};
    always @(posedge clk) line <= rst ? 0 : next[STAGES*ROW-1:0];

    wire [LANES*WIDTH-1:0] out;
    wire [LANES-1:0]       out_valid;
    assign {out, out_valid, fault_kind, fault_output, fault_first, fault_second} = line[(STAGES-1)*ROW +: ROW];
    assign out_0_data = out[WIDTH*0 +: WIDTH];
    assign out_0_valid = out_valid[0];
    assign out_1_data = out[WIDTH*1 +: WIDTH];
    assign out_1_valid = out_valid[1];
    assign out_2_data = out[WIDTH*2 +: WIDTH];
    assign out_2_valid = out_valid[2];
    assign out_3_data = out[WIDTH*3 +: WIDTH];
    assign out_3_valid = out_valid[3];
    assign out_4_data = out[WIDTH*4 +: WIDTH];
    assign out_4_valid = out_valid[4];
    assign out_5_data = out[WIDTH*5 +: WIDTH];
    assign out_5_valid = out_valid[5];
    assign out_6_data = out[WIDTH*6 +: WIDTH];
    assign out_6_valid = out_valid[6];
    assign out_7_data = out[WIDTH*7 +: WIDTH];
    assign out_7_valid = out_valid[7];
endmodule
