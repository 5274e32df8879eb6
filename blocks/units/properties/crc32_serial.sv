// The CRC of 1 to 8 bytes a cycle is that of the shift register of IEEE 802.3 3.2.9, which divides a bit at a time: the first bit of the
// line meets the coefficient of x^31, the generator is 04C11DB7, and the complement goes out from x^31 on.
module proof (input clk, input [63:0] data, input [3:0] bytes, input first, input last, input valid);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  wire [63:0] crc;
  wire        done;
  blocks_crc32 dut (.clk(clk), .rst(rst), .in_data(data), .in_bytes(bytes), .in_first(first), .in_last(last), .in_valid(valid),
      .out_crc(crc), .out_valid(done));

  reg [31:0] held, r;
  reg        ended;
  integer    i;
  always @* begin
    r = first ? 32'hffffffff : held;
    for (i = 0; i < 64; i = i + 1)
      if (bytes > i / 8) r = {r[30:0], 1'b0} ^ (r[31] ^ data[i] ? 32'h04c11db7 : 32'h0);
  end
  always @(posedge clk)
    if (rst) begin
      held <= 0; ended <= 0;
    end else begin
      ended <= valid && last;
      if (valid) held <= r;
    end

  (* keep *) wire [31:0] state;
  integer k;
  always @* if (started) begin
    for (k = 0; k < 32; k = k + 1) assert (crc[k] == (ended && !held[31 - k]));
`ifndef REFUTE
    for (k = 0; k < 32; k = k + 1) assert (state[k] == held[31 - k]);
`endif
    upper: assert (crc[63:32] == 0);
    when: assert (done == ended);
    ends: cover (ended);
  end
endmodule
