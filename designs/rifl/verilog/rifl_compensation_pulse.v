// The frame clock's side of clock compensation (RIFL §4.E): when the request's toggle has changed, active is up for as many frame cycles as
// are asked for, whatever the transmitter does meanwhile.
module rifl_compensation_pulse (
    input            clk,
    input            rst,             // synchronous, active high
    input      [1:0] request_frames,  // of another clock; they stand while the toggle is not answered
    input            request_toggle,
    output reg       active,
    output reg       done             // the toggle of the last request served
);
    reg [1:0] sync, frames;

    wire       start = frames == 2'd0 && sync[1] != done;
    wire [1:0] next  = frames != 2'd0 ? frames - 2'd1 : start ? request_frames : 2'd0;
    always @(posedge clk)
        if (rst) begin
            sync   <= 2'b00;
            frames <= 2'd0;
            active <= 1'b0;
            done   <= 1'b0;
        end else begin
            sync   <= {sync[0], request_toggle};
            frames <= next;
            active <= next != 2'd0;
            if (start) done <= sync[1];
        end
endmodule
