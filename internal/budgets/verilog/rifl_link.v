// A RIFL link of the project's reference RTL: two endpoints and the lines between them. Both ends have the same crystal, so clocks that
// always rise together are one.
module rifl_link #(parameter LANES = 1, WORDS = 4, S = 6, WIDTH = 32, UP_BIT = 12, PHASE = 0, LINE = 24) (
    input                    frame_clk,
    input                    transceiver_clk,
    input                    recovered_clk,
    input                    free_clk,
    input                    rst,

    input  [8*WIDTH-1:0]     in_data_0,    // the next beat that end 0's user offers
    input  [11:0]            in_bytes_0,
    input                    in_last_0,
    output                   next_0,       // it is taken into the user's register at the frame clock's edge
    output [8*WIDTH-1:0]     out_data_0,   // the beat that the user takes at that edge
    output [11:0]            out_bytes_0,
    output                   out_last_0,
    output                   out_valid_0,
    output [31:0]            overflow_0,

    input  [8*WIDTH-1:0]     in_data_1,    // the next beat that end 1's user offers
    input  [11:0]            in_bytes_1,
    input                    in_last_1,
    output                   next_1,       // it is taken into the user's register at the frame clock's edge
    output [8*WIDTH-1:0]     out_data_1,   // the beat that the user takes at that edge
    output [11:0]            out_bytes_1,
    output                   out_last_1,
    output                   out_valid_1,
    output [31:0]            overflow_1,

    input  [63:0]            flip  // bits of the word that enters the last register of the line to end 1, lane 0, at the next edge
);
    wire [64*LANES-1:0] east, west, arrived_0, arrived_1;
    rifl_user_end #(.LANES(LANES), .WORDS(WORDS), .S(S), .WIDTH(WIDTH), .UP_BIT(UP_BIT), .PHASE(PHASE)) end_0 (
        .frame_clk(frame_clk), .transceiver_clk(transceiver_clk), .recovered_clk(recovered_clk), .free_clk(free_clk), .rst(rst),
        .in_data(in_data_0), .in_bytes(in_bytes_0), .in_last(in_last_0), .next(next_0), .out_data(out_data_0), .out_bytes(out_bytes_0),
        .out_last(out_last_0), .out_valid(out_valid_0), .overflow(overflow_0), .to_line(east), .from_line(arrived_0)
    );
    rifl_user_end #(.LANES(LANES), .WORDS(WORDS), .S(S), .WIDTH(WIDTH), .UP_BIT(UP_BIT), .PHASE(PHASE)) end_1 (
        .frame_clk(frame_clk), .transceiver_clk(transceiver_clk), .recovered_clk(recovered_clk), .free_clk(free_clk), .rst(rst),
        .in_data(in_data_1), .in_bytes(in_bytes_1), .in_last(in_last_1), .next(next_1), .out_data(out_data_1), .out_bytes(out_bytes_1),
        .out_last(out_last_1), .out_valid(out_valid_1), .overflow(overflow_1), .to_line(west), .from_line(arrived_1)
    );
    genvar k;
    generate
        for (k = 0; k < LANES; k = k + 1) begin : lane
            rifl_line #(LINE) to_0 (recovered_clk, west[64*k +: 64], 64'd0, arrived_0[64*k +: 64]);
            // lane 0 is the most significant
            rifl_line #(LINE) to_1 (recovered_clk, east[64*k +: 64], k == LANES - 1 ? flip : 64'd0, arrived_1[64*k +: 64]);
        end
    endgenerate
endmodule

// An endpoint and its user's registers. All that comes from outside goes into a register first: Verilator computes what is combinational from
// a top module's inputs anew in each evaluation.
module rifl_user_end #(parameter LANES = 1, WORDS = 4, S = 6, WIDTH = 32, UP_BIT = 12, PHASE = 0) (
    input                    frame_clk,
    input                    transceiver_clk,
    input                    recovered_clk,
    input                    free_clk,
    input                    rst,
    input      [8*WIDTH-1:0] in_data,
    input      [11:0]        in_bytes,
    input                    in_last,
    output                   next,
    output     [8*WIDTH-1:0] out_data,
    output     [11:0]        out_bytes,
    output                   out_last,
    output                   out_valid,
    output     [31:0]        overflow,
    output     [64*LANES-1:0] to_line,
    input      [64*LANES-1:0] from_line
);
    reg [8*WIDTH-1:0] data;
    reg [11:0]        bytes;
    reg               last, valid, reads;
    wire              ready, shown;
    assign next      = !valid || ready;
    assign out_valid = shown && reads;
    always @(posedge frame_clk)
        if (rst) begin
            data  <= 0;
            bytes <= 12'd0;
            last  <= 1'b0;
            valid <= 1'b0;
            reads <= 1'b0;
        end else begin
            reads <= 1'b1;
            if (next) begin
                data  <= in_data;
                bytes <= in_bytes;
                last  <= in_last;
                valid <= 1'b1;
            end
        end
    rifl_endpoint #(.LANES(LANES), .WORDS(WORDS), .S(S), .WIDTH(WIDTH), .UP_BIT(UP_BIT), .PHASE({LANES{PHASE[4:0]}})) endpoint (
        .frame_clk(frame_clk), .frame_rst(rst), .transceiver_clk(transceiver_clk), .transceiver_rst(rst),
        .recovered_clk({LANES{recovered_clk}}), .recovered_rst({LANES{rst}}), .free_clk(free_clk), .free_rst(rst),
        .in_data(data), .in_bytes(bytes), .in_last(last), .in_valid(valid), .in_ready(ready),
        .out_data(out_data), .out_bytes(out_bytes), .out_last(out_last), .out_valid(shown), .out_ready(reads),
        .overflow(overflow), .to_line(to_line), .from_line(from_line)
    );
endmodule

// A line: a delay of words and a register. Before the first word it is dark, as the model's, with a legal SYN in each word.
module rifl_line #(parameter WORDS = 24) (
    input             clk,
    input      [63:0] in,
    input      [63:0] flip,
    output reg [63:0] out
);
    localparam [63:0] DARK = {2'b10, 62'd0};

    reg [63:0] delayed[0:WORDS-1];
    reg [7:0]  place;
    reg        lit;
    integer    i;
    initial begin
        for (i = 0; i < WORDS; i = i + 1) delayed[i] = DARK;
        place = 8'd0;
        lit   = 1'b0;
        out   = DARK;
    end

    wire now = lit || in != 64'd0;
    always @(posedge clk) begin
        lit            <= now;
        place          <= place == WORDS - 1 ? 8'd0 : place + 8'd1;
        delayed[place] <= now ? in : DARK;
        out            <= delayed[place] ^ flip;
    end
endmodule
