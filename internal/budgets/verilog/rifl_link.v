// The frame path of a RIFL link in both directions, from beats of a user to beats of a user, of the project's reference RTL:
// meta encoder, transmitter, scrambler, code generator, aligner, receiver, meta decoder on each lane of each end. What joins
// them is here: width converter, line, synchronisers of the flags, a source that counts and a sink that checks.
module rifl_link #(parameter LANES = 1, S = 6, WORDS = 32) (
    input             clk,
    input             frame_clk,  // rises with every fourth edge of clk
    input             rst,
    input      [63:0] flip,  // bits that flip on the way to end 1, lane 0
    output     [63:0] delivered_0,
    output     [63:0] delivered_1,
    output     [63:0] wrong_0,
    output     [63:0] wrong_1
);
    wire [64*LANES-1:0] east, west;
    wire [64*LANES-1:0] spoilt = {{(64*LANES-64){1'b0}}, flip} ^ east;
    rifl_end #(LANES, S, WORDS) a(clk, frame_clk, rst, west, east, delivered_0, wrong_0);
    rifl_end #(LANES, S, WORDS) b(clk, frame_clk, rst, spoilt, west, delivered_1, wrong_1);
endmodule

module rifl_end #(parameter LANES = 1, S = 6, WORDS = 32) (
    input                     clk,
    input                     frame_clk,
    input                     rst,
    input      [64*LANES-1:0] from_line,
    output     [64*LANES-1:0] to_line,
    output reg [63:0]         delivered,
    output reg [63:0]         wrong
);
    // the user gives a frame to all lanes or to none
    reg  [63:0]      count;
    wire [LANES-1:0] ready, came, bad;
    wire             offer = &ready;
    wire [63:0]      next  = offer ? count + 64'd1 : count;

    reg [63:0] n, w;
    integer    i;
    always @* begin
        n = 0;
        w = 0;
        for (i = 0; i < LANES; i = i + 1) begin
            n = n + {63'd0, came[i]};
            w = w + {63'd0, bad[i]};
        end
    end
    always @(posedge frame_clk)
        if (rst) begin
            count     <= 0;
            delivered <= 0;
            wrong     <= 0;
        end else begin
            count     <= next;
            delivered <= delivered + n;
            wrong     <= wrong + w;
        end

    genvar k;
    generate
        for (k = 0; k < LANES; k = k + 1) begin : lane
            rifl_counting_lane #(S, WORDS) l(clk, frame_clk, rst, next, offer, ready[k], from_line[64*k +: 64], to_line[64*k +: 64], came[k], bad[k]);
        end
    endgenerate
endmodule

module rifl_counting_lane #(parameter S = 6, WORDS = 32) (
    input             clk,
    input             frame_clk,
    input             rst,
    input      [63:0] next,
    input             offer,
    output            ready,
    input      [63:0] from_line,
    output     [63:0] to_line,
    output reg        came,
    output reg        bad
);
    // transmitter
    wire [63:0] s_0, s_1, s_2, s_3, f_0, f_1, f_2, f_3;
    wire [11:0] id;
    wire        up, pause, retransmit, missing;
    reg  [3:0]  first, second;
    always @(posedge frame_clk)
        if (rst) {second, first} <= 8'd0;
        else     {second, first} <= {first, up, pause, retransmit, missing};
    rifl_meta_encoder encoder(
        .clk(frame_clk), .rst(rst), .data({16'd0, next[47:0], next[31:0], next[63:32], ~next, next}), .control_bytes(12'd30),
        .control_last(&next[3:0]), .control_valid(1'b1), .frame({s_0, s_1, s_2, s_3}));
    rifl_tx_controller #(4, S) transmitter(
        .clk(frame_clk), .rst(rst), .segment({s_0, s_1, s_2, s_3}), .valid(offer), .ready(ready),
        .up(second[3]), .pause_request(second[2]), .retransmit(second[1]), .missing(second[0]), .remote_paused(1'b0),
        .local_full(1'b0), .compensate(1'b0), .frame({f_0, f_1, f_2, f_3}), .id_value(id),
        .state_value(), .state_data(), .state_again(), .state_pass());

    // width converter
    reg [1:0]  at;
    reg [63:0] x;
    reg [11:0] x_id;
    reg        x_first, x_last, x_valid;
    always @(posedge clk)
        if (rst) begin
            at <= 0; x <= 0; x_id <= 0; x_first <= 0; x_last <= 0; x_valid <= 0;
        end else begin
            at      <= at + 1'b1;
            x       <= at[1] ? (at[0] ? f_3 : f_2) : (at[0] ? f_1 : f_0);
            x_id    <= id;
            x_first <= at == 2'd0;
            x_last  <= at == 2'd3;
            x_valid <= 1'b1;
        end

    wire [63:0] y, z;
    wire [11:0] y_id, z_id;
    wire        y_first, y_last, y_valid, z_first, z_last, z_valid;
    rifl_scrambler scrambler(clk, rst, x, x_id, x_first, x_last, x_valid, y, y_id, y_first, y_last, y_valid);
    rifl_code_generator code_generator(clk, rst, y, y_id, y_first, y_last, y_valid, z, z_id, z_first, z_last, z_valid);
    assign to_line = z;

    // line
    reg [63:0] line[0:WORDS-1];
    reg [9:0]  place;
    reg [63:0] arrived;
    always @(posedge clk)
        if (rst) begin
            place   <= 0;
            arrived <= 0;
        end else begin
            place       <= place == WORDS - 1 ? 10'd0 : place + 10'd1;
            arrived     <= line[place];
            line[place] <= from_line;
        end

    // receiver
    wire [63:0] a, p;
    wire        a_first, aligned, p_first, p_last, good, push;
    rifl_aligner #(4, 12) aligner(clk, rst, arrived, a, a_first, aligned, up);
    rifl_receiver #(4, S) receiver(
        .clk(clk), .rst(rst), .in_data(a), .in_first(a_first), .aligned(aligned), .up(up), .ready(1'b1),
        .out_data(p), .out_first(p_first), .out_last(p_last), .out_good(good), .push(push), .pause_request(pause),
        .retransmit(retransmit), .missing(missing), .frame_id(), .threshold(), .overflow());
    reg [191:0] words;
    reg [255:0] frame;
    reg         turn;
    always @(posedge clk)
        if (rst) begin
            words <= 0; frame <= 0; turn <= 0;
        end else begin
            words <= {words[127:0], p};
            if (push && p_last && good && words[189:188] != 2'b00) begin  // not one without data
                frame <= {words, p};
                turn  <= !turn;
            end
        end

    // sink: frames come in order, every byte as it was sent
    wire [63:0] d_0, d_1, d_2, d_3;
    wire [11:0] bytes;
    wire        last, valid;
    rifl_meta_decoder decoder(
        .clk(frame_clk), .rst(rst), .frame(frame), .data({d_3, d_2, d_1, d_0}), .control_bytes(bytes), .control_last(last), .control_valid(valid));
    reg [1:0]  turns;
    reg [63:0] due;
    always @(posedge frame_clk)
        if (rst) begin
            turns <= 0; due <= 0; came <= 0; bad <= 0;
        end else begin
            turns <= {turns[0], turn};
            came  <= turns[0] != turns[1];
            if (turns[0] != turns[1]) begin
                due <= due + 64'd1;
                bad <= {d_0, d_1, d_2, d_3} != {due, ~due, due[31:0], due[63:32], 16'd0, due[47:0]} || bytes != 12'd30 || last != &due[3:0] || !valid;
            end else bad <= 1'b0;
        end
endmodule
