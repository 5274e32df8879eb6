// Block lock (IEEE 802.3 Figure 49-14). Latency 1 cycle.
module pcs_block_sync #(
    parameter SETTLE = 1  // blocks not looked at after a slip
) (
    input             clk,
    input             rst,  // synchronous, active high
    input      [63:0] in_payload,
    input      [1:0]  in_header,
    input             in_valid,
    output reg        lock,
    output reg        slip
);
    reg [6:0] sh_cnt;
    reg [4:0] sh_invalid_cnt;
    reg [7:0] ignored;

    wire      sh_valid = in_header[0] ^ in_header[1];
    wire      counts   = in_valid && ignored == 8'd0;
    wire      lost     = counts && !sh_valid && (!lock || sh_invalid_cnt == 5'd15);
    wire      window   = counts && sh_cnt == 7'd63;

    always @(posedge clk)
        if (rst) begin
            lock           <= 1'b0;
            slip           <= 1'b0;
            sh_cnt         <= 7'd0;
            sh_invalid_cnt <= 5'd0;
            ignored        <= 8'd0;
        end else begin
            slip <= lost;
            if (in_valid && ignored != 8'd0) ignored <= ignored - 8'd1;
            if (lost) begin
                lock           <= 1'b0;
                sh_cnt         <= 7'd0;
                sh_invalid_cnt <= 5'd0;
                ignored        <= SETTLE;
            end else if (window) begin
                if (sh_valid && sh_invalid_cnt == 5'd0) lock <= 1'b1;
                sh_cnt         <= 7'd0;
                sh_invalid_cnt <= 5'd0;
            end else if (counts) begin
                sh_cnt <= sh_cnt + 7'd1;
                if (!sh_valid) sh_invalid_cnt <= sh_invalid_cnt + 5'd1;
            end
        end

    wire unused = &in_payload;
endmodule
