// Verification code validator (RIFL §4.C, Listing 1): which frame is delivered, and whether one is missing. Latency 1 cycle, for good none.
module rifl_verifier #(
    parameter S = 5  // bits of the frame ID
) (
    input         clk,
    input         rst,  // synchronous, active high
    input         judge,    // a frame ends in this cycle
    input  [11:0] residue,  // of its code: its ID, if all is well
    input         data,     // it is a data frame
    output        good,
    output reg    missing,
    output [15:0] frame_id,
    output [15:0] threshold
);
    reg  [S-1:0] id, due;
    wire         ok = residue == {{(12-S){1'b0}}, id};
    assign good      = judge && ok && id == due;
    assign frame_id  = {{(16-S){1'b0}}, id};
    assign threshold = {{(16-S){1'b0}}, due};

    always @(posedge clk)
        if (rst) begin
            id      <= {S{1'b0}};
            due     <= 16;
            missing <= 1'b0;
        end else if (judge) begin
            missing <= !ok ? 1'b1 : due == id + {{(S-1){1'b0}}, 1'b1} ? 1'b0 : missing;
            id      <= !ok ? due - 16 : data ? id + 1'b1 : id;
            if (good && data) due <= due + 1'b1;
        end
endmodule
