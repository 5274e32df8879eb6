// Lane aligner (RIFL §5.B): looks at the SYN of each frame in turn, and slides by one bit when too many were illegal, as the published
// core does. Latency 3 cycles.
module rifl_aligner #(
    parameter WORDS  = 4,  // of 64 bits a frame
    parameter UP_BIT = 8,  // the link is up after 2^UP_BIT aligned cycles
    parameter PHASE  = 0   // the place in its frame of the word that leaves first
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in,
    output reg [63:0] out_data,
    output reg        out_first,
    output reg        aligned,
    output reg        up
);
    localparam [4:0] WINDOW = 5'd17, LEGAL = 5'd16;
    localparam [1:0] ILLEGAL = 2'd2;

    reg [63:0]     now, older, coarse;
    reg [7:0]      prior;  // the eight bits that came before coarse
    reg [5:0]      slid;    // bits slid so far
    reg [2:0]      fine;    // the second multiplexer's choice
    reg [1:0]      moving;  // cycles until a slide has reached the second multiplexer; at the start, until a word has
    reg [4:0]      phase;
    reg [4:0]      window, legal_n;
    reg [1:0]      illegal_n;
    reg [UP_BIT:0] level;

    // the first multiplexer moves on with the first slide of eight
    wire [6:0]   eights = {1'b0, slid} + 7'd7;
    wire [6:0]   at     = 7'd64 - {1'b0, eights[5:3], 3'b000};
    wire [127:0] both   = {now, older};
    wire [127:0] choice = both >> at;
    wire [127:0] below  = both >> (at - 7'd8);
    wire [71:0]  picked = {coarse, prior} << fine;

    wire look  = moving == 2'd0 && out_first;
    wire slide = look && illegal_n == ILLEGAL;
    wire legal = out_data[63] ^ out_data[62];
    wire over  = window == WINDOW - 5'd1;
    wire extra = moving == 2'd1 && slid == 6'd1;  // into the word before: this frame has a word more

    always @(posedge clk)
        if (rst) begin
            now       <= 64'd0;
            older     <= 64'd0;
            coarse    <= 64'd0;
            prior    <= 8'd0;
            slid      <= 6'd0;
            fine      <= 3'd0;
            moving    <= 2'd3;
            phase     <= PHASE;
            window    <= 5'd0;
            legal_n   <= 5'd0;
            illegal_n <= 2'd0;
            level     <= {(UP_BIT+1){1'b0}};
            out_data  <= 64'd0;
            out_first <= 1'b0;
            aligned   <= 1'b0;
            up        <= 1'b0;
        end else begin
            older     <= now;
            now       <= in;
            coarse    <= choice[63:0];
            prior    <= below[7:0];
            out_data  <= picked[71:8];
            out_first <= phase == 5'd0;
            if (!extra) phase <= phase == WORDS - 1 ? 5'd0 : phase + 5'd1;
            if (moving != 2'd0) moving <= moving - 2'd1;
            if (moving == 2'd1) fine <= slid[2:0];
            if (look) begin
                window <= over ? 5'd0 : window + 5'd1;
                if (over || slide) begin
                    legal_n   <= 5'd0;
                    illegal_n <= 2'd0;
                end else if (legal) legal_n <= legal_n + 5'd1;
                else illegal_n <= illegal_n + 2'd1;
                if (slide) begin
                    aligned <= 1'b0;
                    slid    <= slid + 6'd1;
                    moving  <= 2'd2;
                end else if (legal_n == LEGAL) aligned <= 1'b1;
            end
            up <= level[UP_BIT];
            if (aligned && !level[UP_BIT]) level <= level + 1'b1;
            else if (!aligned && level != 0) level <= level - 1'b1;
        end
endmodule
