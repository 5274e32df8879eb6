// Meta code encoding for frames of 256 bits (RIFL Table 1, Fig. 2). Latency 1 cycle.
module rifl_meta_encoder (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] data_0,  // byte 0 in bits 7:0
    input      [63:0] data_1,
    input      [63:0] data_2,
    input      [63:0] data_3,
    input      [11:0] control_bytes,
    input             control_last,
    input             control_valid,
    output reg [63:0] frame_0,
    output reg [63:0] frame_1,
    output reg [63:0] frame_2,
    output reg [63:0] frame_3
);
    localparam PAYLOAD = 30;

    wire [255:0] data = {data_3, data_2, data_1, data_0};
    wire [4:0]   n    = !control_valid ? 5'd0 : control_bytes > PAYLOAD ? 5'd30 : control_bytes[4:0];
    wire         full = n == PAYLOAD;
    wire [1:0]   meta = n == 5'd0 ? 2'b00 : control_last ? {1'b1, full} : 2'b01;

    reg [239:0] payload;  // the first byte in the most significant bits
    integer     i;
    always @* begin
        for (i = 0; i < PAYLOAD; i = i + 1)
            payload[239-8*i -: 8] = i < n ? data[8*i +: 8] : 8'h00;
        if (meta == 2'b10) payload[7:0] = {3'b000, n};  // the format code
    end

    always @(posedge clk)
        if (rst) {frame_0, frame_1, frame_2, frame_3} <= 256'd0;
        else     {frame_0, frame_1, frame_2, frame_3} <= {2'b01, meta, payload, 12'h000};
endmodule
