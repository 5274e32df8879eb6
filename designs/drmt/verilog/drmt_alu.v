// Action ALU of WIDTH bits, at most 32 (dRMT 5.1): of wider operands the low bits count. Latency 1 cycle.
module drmt_alu #(
    parameter WIDTH = 32
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [31:0] in_a,
    input      [31:0] in_b,
    input      [4:0]  in_op,
    output reg [31:0] out_value,
    output reg        out_write
);
    localparam [31:0] MOST = (32'd1 << WIDTH) - 32'd1;

    wire [31:0] a = in_a & MOST;
    wire [31:0] b = in_b & MOST;

    reg [31:0] value;
    reg        write;
    always @* begin
        value = 32'd0;
        write = 1'b1;
        case (in_op)
            5'd1:    value = a;
            5'd2:    value = a + b;
            5'd3:    value = a - b;
            5'd4:    value = a & b;
            5'd5:    value = a | b;
            5'd6:    value = a ^ b;
            5'd7:    value = a & ~b;
            5'd8:    value = b > 32'd31 ? 32'd0 : a << b[4:0];
            5'd9:    value = b > 32'd31 ? 32'd0 : a >> b[4:0];
            5'd10:   value = {31'd0, a == b};
            5'd11:   value = {31'd0, a != b};
            5'd12:   value = {31'd0, a < b};
            5'd13:   value = {31'd0, a <= b};
            5'd14:   value = {31'd0, a > b};
            5'd15:   value = {31'd0, a >= b};
            5'd16:   begin  // select
                write = a != 32'd0;
                value = write ? b : 32'd0;
            end
            default: write = 1'b0;
        endcase
    end
    always @(posedge clk)
        if (rst) {out_value, out_write} <= 33'd0;
        else     {out_value, out_write} <= {value & MOST, write};
endmodule
