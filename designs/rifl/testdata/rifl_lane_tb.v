// Plays an end of a link that the model has recorded, clock edge by clock edge, to an endpoint in RTL and compares what leaves it. A row
// is an instant: which clocks rise, and what stands at the ports before.
module rifl_lane_tb;
    parameter WORDS = 4, S = 6, UP_BIT = 6, PHASE = 0, ROWS = 0, UNCOMPENSATED = 0;
    localparam F = 64 * WORDS, B = 64 * WORDS;  // bits of a frame, and of a user's beat
    localparam W = 4 + 64 + (B + 20) + 4 + 4 + (B + 20) + 64 + 4 + F;  // flags take a digit

    reg [W-1:0] rows[0:ROWS-1];
    reg [3:0]   mask, clocks;  // frame, transceiver, recovered, free
    reg         rst;
    reg [2:0]   z[0:6];  // what fills a flag's digit

    reg  [63:0]  from_line;
    reg  [B-1:0] in_data;
    reg  [11:0]  in_bytes;
    reg          in_last, in_valid, out_ready;
    wire         in_ready, out_last, out_valid;
    wire [B-1:0] out_data;
    wire [11:0]  out_bytes;
    wire [31:0]  overflow;
    wire [63:0]  to_line;

    reg          want_in_ready, want_out_last, want_out_valid, want_received;
    reg  [B-1:0] want_out_data;
    reg  [11:0]  want_out_bytes;
    reg  [63:0]  want_to_line;
    reg  [F-1:0] want_frame;

    rifl_endpoint #(.WORDS(WORDS), .S(S), .WIDTH(8 * WORDS), .UP_BIT(UP_BIT), .PHASE(PHASE)) endpoint (
        .frame_clk(clocks[3]), .frame_rst(rst), .transceiver_clk(clocks[2]), .transceiver_rst(rst),
        .recovered_clk(clocks[1]), .recovered_rst(rst), .free_clk(clocks[0]), .free_rst(rst),
        .in_data(in_data), .in_bytes(in_bytes), .in_last(in_last), .in_valid(in_valid), .in_ready(in_ready),
        .out_data(out_data), .out_bytes(out_bytes), .out_last(out_last), .out_valid(out_valid), .out_ready(out_ready),
        .overflow(overflow), .to_line(to_line), .from_line(from_line)
    );

    integer i, beats, frames;
    task fail(input [8*16-1:0] what);
        begin
            $display("FAIL row %0d %0s", i, what);
            $fatal(0);
        end
    endtask
    initial begin
        $readmemh("rows.hex", rows);
        beats     = 0;
        frames    = 0;
        clocks    = 4'h0;
        from_line = 64'd0;
        {in_data, in_bytes, in_last, in_valid, out_ready} = 0;
        rst = 1'b1;
        repeat (2) begin
            #1 clocks = 4'hf;
            #1 clocks = 4'h0;
        end
        #1 rst = 1'b0;
        if (UNCOMPENSATED) force endpoint.single[0].lane.compensate = 1'b0;
        for (i = 0; i < ROWS; i = i + 1) begin
            {mask, from_line, in_data, in_bytes, z[0], in_last, z[1], in_valid, z[2], out_ready, z[3], want_in_ready, want_out_data,
             want_out_bytes, z[4], want_out_last, z[5], want_out_valid, want_to_line, z[6], want_received, want_frame} = rows[i];
            #1;
            if (to_line !== want_to_line) fail("to_line");
            if (in_ready !== want_in_ready) fail("in_ready");
            if (endpoint.received_valid !== want_received || want_received && endpoint.received !== want_frame) fail("received");
            if ({out_valid, out_last, out_bytes} !== {want_out_valid, want_out_last, want_out_bytes}) fail("out");
            if (out_data !== want_out_data) fail("out_data");
            if (mask[3]) begin
                beats  = beats + (out_valid && out_ready);
                frames = frames + want_received;
            end
            clocks = mask;
            #1 clocks = 4'h0;
        end
        $display("PASS %0d rows, %0d frames, %0d beats, overflow %0d", ROWS, frames, beats, overflow);
        $finish;
    end
endmodule
