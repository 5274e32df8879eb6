// Meta code decoding for frames of 256 bits (RIFL Table 1, Fig. 2). Latency 1 cycle.
module rifl_meta_decoder (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] frame_0,
    input      [63:0] frame_1,
    input      [63:0] frame_2,
    input      [63:0] frame_3,
    output reg [63:0] data_0,  // byte 0 in bits 7:0
    output reg [63:0] data_1,
    output reg [63:0] data_2,
    output reg [63:0] data_3,
    output reg [11:0] control_bytes,
    output reg        control_last,
    output reg        control_valid
);
    localparam PAYLOAD = 30;

    wire [255:0] frame  = {frame_0, frame_1, frame_2, frame_3};
    wire [1:0]   syn    = frame[255:254];
    wire [1:0]   meta   = frame[253:252];
    wire [7:0]   format = frame[19:12];
    wire         valid  = syn == 2'b01 && meta != 2'b00;
    wire [4:0]   n      = !valid ? 5'd0 : meta == 2'b10 ? (format > 8'd29 ? 5'd29 : format[4:0]) : 5'd30;

    reg [255:0] data;
    integer     i;
    always @* begin
        data = 256'd0;
        for (i = 0; i < PAYLOAD; i = i + 1)
            if (i < n) data[8*i +: 8] = frame[251-8*i -: 8];
    end

    always @(posedge clk)
        if (rst) begin
            {data_3, data_2, data_1, data_0} <= 256'd0;
            control_bytes                    <= 12'd0;
            control_last                     <= 1'b0;
            control_valid                    <= 1'b0;
        end else begin
            {data_3, data_2, data_1, data_0} <= data;
            control_bytes                    <= {7'd0, n};
            control_last                     <= valid && meta[1];
            control_valid                    <= valid;
        end
endmodule
