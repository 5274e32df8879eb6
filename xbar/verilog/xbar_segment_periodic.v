// Segment crossbar of 4 x 4 ports with 2 segments, one-to-many, with connections for each cycle of a period of 3 (dRMT 5.3).
// Latency 1 cycle. Two sources for an output lane are reported and neither is delivered there.
module xbar_segment_periodic (
    input             clk,
    input             rst,  // synchronous, active high
    input      [15:0] in_0_data,  // lane 0: port 0, segment 0
    input             in_0_valid,
    input      [15:0] in_1_data,  // lane 1: port 0, segment 1
    input             in_1_valid,
    input      [15:0] in_2_data,  // lane 2: port 1, segment 0
    input             in_2_valid,
    input      [15:0] in_3_data,  // lane 3: port 1, segment 1
    input             in_3_valid,
    input      [15:0] in_4_data,  // lane 4: port 2, segment 0
    input             in_4_valid,
    input      [15:0] in_5_data,  // lane 5: port 2, segment 1
    input             in_5_valid,
    input      [15:0] in_6_data,  // lane 6: port 3, segment 0
    input             in_6_valid,
    input      [15:0] in_7_data,  // lane 7: port 3, segment 1
    input             in_7_valid,
    output reg [15:0] out_0_data,
    output reg        out_0_valid,
    output reg [15:0] out_1_data,
    output reg        out_1_valid,
    output reg [15:0] out_2_data,
    output reg        out_2_valid,
    output reg [15:0] out_3_data,
    output reg        out_3_valid,
    output reg [15:0] out_4_data,
    output reg        out_4_valid,
    output reg [15:0] out_5_data,
    output reg        out_5_valid,
    output reg [15:0] out_6_data,
    output reg        out_6_valid,
    output reg [15:0] out_7_data,
    output reg        out_7_valid,
    output reg [1:0]  fault_kind,  // 1 contention, 2 several outputs, 3 lost
    output reg [15:0] fault_output,
    output reg [15:0] fault_first,
    output reg [15:0] fault_second
);
    wire [127:0] data  = {in_7_data, in_6_data, in_5_data, in_4_data, in_3_data, in_2_data, in_1_data, in_0_data};
    wire [7:0]   valid = {in_7_valid, in_6_valid, in_5_valid, in_4_valid, in_3_valid, in_2_valid, in_1_valid, in_0_valid};
    // the connections of a cycle of the period: for each input lane the output ports, lane 7 first
    reg [1:0]  phase;
    reg [31:0] route;
    always @*
        case (phase)
            2'd0:    route = {4'b0010, 4'b0001, 4'b0001, 4'b1000, 4'b1000, 4'b0100, 4'b0100, 4'b0010};
            2'd1:    route = {4'b1001, 4'b0000, 4'b1000, 4'b0000, 4'b0000, 4'b1111, 4'b0000, 4'b0000};
            default: route = {4'b1000, 4'b1000, 4'b0100, 4'b0100, 4'b0010, 4'b0010, 4'b0001, 4'b0001};
        endcase
    always @(posedge clk) phase <= rst || phase == 2'd2 ? 2'd0 : phase + 2'd1;

    reg [3:0]   to;

    // the connections of this cycle, input lanes in order
    reg [127:0] word;
    reg [7:0]   owned, clash;  // an output lane has a source; has two
    reg [23:0]  owner;         // which, 3 bits an output lane
    reg [1:0]   kind;
    reg [15:0]  where, first, second;
    integer     i, p, o, m;
    always @* begin
        word = 128'd0; owned = 8'd0; clash = 8'd0; owner = 24'd0;
        kind = 2'd0; where = 16'd0; first = 16'd0; second = 16'd0; o = 0; to = 4'd0;
        for (i = 0; i < 8; i = i + 1) if (valid[i]) begin
            to = route[4*i +: 4];
            if (to == 4'd0) begin
                if (kind == 2'd0) begin kind = 2'd3; first = i[15:0]; end
            end else for (p = 0; p < 4; p = p + 1) if (to[p]) begin
                o = 2 * p + i % 2;
                if (owned[o]) begin
                    if (kind == 2'd0) begin
                        kind = 2'd1; where = o[15:0]; first = {13'd0, owner[3*o +: 3]}; second = i[15:0];
                    end
                    clash[o] = 1'b1;
                end else begin
                    owned[o]         = 1'b1;
                    owner[3*o +: 3]  = i[2:0];
                    word[16*o +: 16] = data[16*i +: 16];
                end
            end
        end
    end

    reg [127:0] mask;  // of the output lanes that have one source
    always @*
        for (m = 0; m < 8; m = m + 1) mask[16*m +: 16] = {16{owned[m] & ~clash[m]}};

    always @(posedge clk)
        if (rst) begin
            {out_7_data, out_6_data, out_5_data, out_4_data,
             out_3_data, out_2_data, out_1_data, out_0_data} <= 128'd0;
            {out_7_valid, out_6_valid, out_5_valid, out_4_valid, out_3_valid, out_2_valid, out_1_valid, out_0_valid} <= 8'd0;
            {fault_kind, fault_output, fault_first, fault_second} <= 50'd0;
        end else begin
            {out_7_data, out_6_data, out_5_data, out_4_data,
             out_3_data, out_2_data, out_1_data, out_0_data} <= word & mask;
            {out_7_valid, out_6_valid, out_5_valid, out_4_valid, out_3_valid, out_2_valid, out_1_valid, out_0_valid} <= owned & ~clash;
            {fault_kind, fault_output, fault_first, fault_second} <= {kind, where, first, second};
        end
endmodule
