// Gearbox from line words of WIDTH bits to blocks of 66 (IEEE 802.3 49.2.9). Each cycle with slip drops one bit. Latency
// 1 cycle, from the word with a block's last bit.
module pcs_rx_gearbox #(
    parameter WIDTH = 64,
    parameter SKEW  = 0   // bits dropped at the start
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_lo,
    input      [1:0]  in_hi,
    input             in_valid,
    input             slip,
    output reg [63:0] out_payload,
    output reg [1:0]  out_header,
    output reg        out_valid
);
    reg [255:0] held, h;
    reg [8:0]   n, m;
    reg [8:0]   owed, o;  // bits still to drop
    reg [65:0]  word;
    reg         full;

    always @* begin
        h = held;
        m = n;
        o = owed + {8'd0, slip};
        word = {in_hi, in_lo};
        // drop what is held, take the word, drop of that what is still owed
        if (o != 9'd0 && m != 9'd0) begin
            h = o < m ? h >> o : h >> m;
            {m, o} = o < m ? {m - o, 9'd0} : {9'd0, o - m};
        end
        if (in_valid) begin
            h = h | ({{(256-WIDTH){1'b0}}, word[WIDTH-1:0]} << m);
            m = m + WIDTH;
            if (o != 9'd0) begin
                h = o < m ? h >> o : h >> m;
                {m, o} = o < m ? {m - o, 9'd0} : {9'd0, o - m};
            end
        end
        full = m >= 9'd66;
    end

    always @(posedge clk)
        if (rst) begin
            held        <= 256'h0;
            n           <= 9'd0;
            owed        <= SKEW;
            out_payload <= 64'h0;
            out_header  <= 2'b00;
            out_valid   <= 1'b0;
        end else begin
            owed        <= o;
            held        <= full ? h >> 66 : h;
            n           <= full ? m - 9'd66 : m;
            out_valid   <= full;
            out_payload <= full ? h[65:2] : 64'h0;
            out_header  <= full ? h[1:0] : 2'b00;
        end
endmodule
