// A segment that is encoded and decoded is the segment again, two cycles later: its bytes, their count, and whether it is the last.
module proof (input clk, input [255:0] data, input [11:0] bytes, input last, input valid);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  wire [255:0] frame, out;
  wire [11:0]  out_bytes;
  wire         out_last, out_valid;
  rifl_meta_encoder #(4) encoder (.clk(clk), .rst(rst), .data(data), .control_bytes(bytes), .control_last(last), .control_valid(valid), .frame(frame));
  rifl_meta_decoder #(4) decoder (.clk(clk), .rst(rst), .frame(frame), .data(out), .control_bytes(out_bytes), .control_last(out_last), .control_valid(out_valid));

  // a frame carries 1 to 30 bytes, and is full unless it ends a packet
  always @* assume (!valid || bytes >= 1 && bytes <= 30 && (last || bytes == 30));

  reg [1:0]   age;
  reg [255:0] data1, data2;
  reg [11:0]  bytes1, bytes2;
  reg         last1, last2, valid1, valid2;
  always @(posedge clk) begin
    age <= rst ? 2'd0 : age == 2'd3 ? 2'd3 : age + 2'd1;
    {data2, bytes2, last2, valid2} <= {data1, bytes1, last1, valid1};
    {data1, bytes1, last1, valid1} <= {data, bytes, last, valid};
  end
  integer i;
  always @* if (started && age >= 2) begin
    beat: assert (out_valid == valid2);
    if (valid2) begin
      count: assert (out_bytes == bytes2);
      ends: assert (out_last == last2);
      for (i = 0; i < 30; i = i + 1) if (i < bytes2) assert (out[8*i +: 8] == data2[8*i +: 8]);
    end
  end
endmodule
