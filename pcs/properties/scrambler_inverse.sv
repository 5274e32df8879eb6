// What the scrambler makes of a word, the descrambler makes the word again.
module proof (input clk, input [63:0] payload, input [1:0] header, input valid);
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  wire [63:0] line, back;
  wire [1:0]  line_header, back_header;
  wire        line_valid;
  pcs_scrambler scrambler (.clk(clk), .rst(rst), .in_payload(payload), .in_header(header), .in_valid(valid),
      .out_payload(line), .out_header(line_header), .out_valid(line_valid));
  pcs_descrambler descrambler (.clk(clk), .rst(rst), .in_payload(line), .in_header(line_header), .in_valid(line_valid),
      .out_payload(), .out_header(), .out_valid(), .next_payload(back), .next_header(back_header), .next_valid());

  // the word that is on the line, and the scrambler's state before it
  (* keep *) wire [57:0] sent, received;
  reg [63:0] word;
  reg [1:0]  word_header;
  reg [57:0] earlier;
  always @(posedge clk) begin
    word        <= payload;
    word_header <= header;
    earlier     <= rst ? {58{1'b1}} : sent;
  end
  always @* if (started) begin
`ifndef REFUTE
    in_step: assert (received == earlier);
`endif
    if (line_valid) inverse: assert (back == word && back_header == word_header);
  end
endmodule
