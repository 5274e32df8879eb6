// A receiver takes each frame of a safe sender once and in its turn, with IDs of 5 bits: TX controller and verifier with a line of D frames
// between them. Scrambler, code and alignment are left out: the line says whether a frame is hit, and its code then shows it. From the start the
// user's frames are numbered in their payload, and those that the verifier delivers have the next number.
//
// Requests to retransmit, to pause, errors of the sender's own receiver, compensation and a stalled far user come at any time. While the
// receiver misses a frame, the sender is stopped after T frames at the latest, which is assumed: D + T + 1 = 2^S - 17 frames are sent and not taken, the
// 2^S - 24 of the longest loop of Config.Sound and 7 until the eighth request is believed.
module proof (input clk, input up, input pause, input retransmit, input own_error, input remote_paused, input compensate,
    input hit, input [11:0] noise, input noisy_data, input [4:0] any);
  localparam S = 5, IDS = 32, D = 3, T = 11;
  reg started = 0;
  always @(posedge clk) started <= 1;
  (* keep *) wire rst = !started;

  reg [S-1:0] followed;  // the payload of frames with this ID is followed; it is any of them
  always @(posedge clk) if (rst) followed <= any;

  // the sender; the user always has a frame
  reg  [7:0]  number;  // data frames with an ID of their own before the one at the output
  wire [7:0]  next_number = number + fresh;
  wire        ready, data0, again0, fresh = data0 && !again0;
  wire [63:0] frame0;
  wire [11:0] id0;
  (* keep *) wire [2:0] state0;
  rifl_tx_controller #(.WORDS(1), .S(S), .SAFE(1)) sender (.clk(clk), .rst(rst), .segment({2'b01, 2'b11, 40'd0, next_number, 12'd0}), .valid(1'b1), .ready(ready),
      .up(up), .pause_request(pause), .retransmit(retransmit), .missing(own_error), .remote_paused(remote_paused), .local_full(1'b0),
      .compensate(compensate), .frame(frame0), .id_value(id0), .state_value(state0), .state_data(data0), .state_again(again0), .state_pass());

  // inside: the sender's place in the order of all data frames. A pass goes back to the second oldest.
  (* keep *) wire [S-1:0]      next_id;
  (* keep *) wire [S+2:0]      pass;
  (* keep *) wire [S:0]        init, start;
  (* keep *) wire              filled, full;
  (* keep *) wire [9*IDS-1:0]  buffer;  // of each entry whether it is the user's, and its number
  wire [7:0] next_place = pass == 0 || pass >= 2 * IDS ? next_number : next_number - IDS + (pass + 1) / 2;

  // the line; stage 0 is the sender's output
  reg  [11:0] id[0:D-1];
  reg  [7:0]  count[0:D-1], place[0:D-1], payload[0:D-1];  // data frames sent before it; its place in their order, or that of the next
  reg         data[0:D-1], user[0:D-1], anew[0:D-1], back[0:D-1];  // back: the next frame is of a pass
  reg  [7:0]  was_place;
  reg         was_back;
  integer j;
  always @* begin
    id[0] = id0; count[0] = number; place[0] = was_place; payload[0] = frame0[19:12]; data[0] = data0; user[0] = frame0[60]; anew[0] = fresh; back[0] = was_back;
  end
  reg lots;  // all frames in the buffer and on the line are the user's
  always @(posedge clk)
    if (rst) begin
      number <= 0; was_place <= 0; was_back <= 0; lots <= 0;
      for (j = 1; j < D; j = j + 1) begin
        id[j] <= 0; count[j] <= 0; place[j] <= 0; data[j] <= 0; anew[j] <= 0; back[j] <= 0;
      end
    end else begin
      number    <= next_number;
      was_place <= next_place;
      was_back  <= pass == 0 && next_pass != 0;
      lots      <= lots || next_number == 96;
      for (j = 1; j < D; j = j + 1) begin
        id[j] <= id[j-1]; count[j] <= count[j-1]; place[j] <= place[j-1]; payload[j] <= payload[j-1]; data[j] <= data[j-1]; user[j] <= user[j-1];
        anew[j] <= anew[j-1]; back[j] <= back[j-1];
      end
    end
  wire next_pass = init == 0 && up && !pause && retransmit;

  // the receiver: what is hit has another code than the one that is due, and may look like data or not
  wire        good, missing;
  wire [15:0] wants, due;
  wire        is_data = hit ? noisy_data : data[D-1];
  wire [11:0] code    = hit ? noise : id[D-1];
  rifl_verifier #(.S(S)) verifier (.clk(clk), .rst(rst), .judge(1'b1), .residue(code), .data(is_data), .good(good), .missing(missing), .frame_id(wants), .threshold(due));
  wire      taken = good && is_data;
  reg [7:0] taken_n;  // the number of the next frame to be taken; the first 16 only bring the receiver into step
  reg       settled;  // the first lap of IDs is over
  reg       went_back;
  reg [3:0] late;  // frames since one is missing, up to T
  always @(posedge clk)
    if (rst) begin
      taken_n <= 16; settled <= 0; went_back <= 0; late <= 0;
    end else begin
      taken_n   <= taken_n + taken;
      settled   <= settled || taken && taken_n == IDS - 1;
      went_back <= back[D-1] && !hit;
      late      <= !missing ? 0 : late == T ? T : late + 1;
    end
  always @* begin
    assume (!hit || settled && noise != wants[11:0]);
    assume (!retransmit || filled);
    assume (!missing || late != T || !up || pause || retransmit || own_error);
  end

  // the next frame that the receiver expects is this many before the one that it would take
  wire [S-1:0] behind = due - wants;
  wire [7:0]   wanted = taken_n - behind;
  (* keep *) wire [7:0] lead = next_number - taken_n;  // frames that are sent and not taken
  wire [7:0]   newest = next_number - 8'd1;
  wire [8:0]   entry  = buffer[9*followed +: 9];
  wire [7:0]   held   = {newest[7:5] - (followed > newest[4:0]), followed};  // the newest with the followed ID
  always @* if (started) begin
    if (taken && taken_n[S-1:0] == followed) next: assert (user[D-1] == (lots || taken_n >= IDS) && (!user[D-1] || payload[D-1] == taken_n));
    users: cover (taken && user[D-1]);

`ifndef REFUTE
    // the sender
    ids: assert (next_id == next_place[S-1:0] && pass < 3 * IDS && init <= IDS && (init == 0 || next_number == 0 && !filled));
    begins: assert (!full && filled == (start == 0) && (filled || pass == 0 && start == IDS - next_number && !lots) && (lots || next_number <= 96) && (!filled || lots || next_number >= IDS));
    stored: assert ((followed == 0 ? init == IDS : followed <= init) || entry[8] == (filled && (lots || held >= IDS)) && (!entry[8] || entry[7:0] == held));

    // the line
    for (j = 0; j < D; j = j + 1) begin
      assert (id[j] == place[j][S-1:0] && (j == 0 ? next_place : place[j-1]) == (back[j] ? place[j] - 8'd31 : place[j] + data[j]));
      assert ((j == 0 ? next_number : count[j-1]) == count[j] + anew[j] && (lots || count[j] <= next_number));
      assert (!data[j] || place[j][S-1:0] != followed || user[j] == (lots || place[j] >= IDS) && (!user[j] || payload[j] == place[j]));
      assert (count[j] - place[j] < 8'd32 && (!anew[j] || data[j] && place[j] == count[j]) && (!back[j] || !data[j] && place[j] == count[j] && (lots || count[j] >= IDS)));
      assert (!data[j] || anew[j] || place[j] != count[j]);
      assert (place[j] == count[j] || count[j] == next_number && pass != 0 && pass <= 2 * IDS - 1 + j && (filled || lots));
    end

    // the receiver
    step: assert (!settled || filled && (lots || taken_n >= IDS) && due == taken_n[S-1:0] && behind <= 16 && lead <= 15 && count[D-1] - taken_n < 8'd16);
    first: assert (settled || due == taken_n[S-1:0] && !missing && !lots && wanted == place[D-1] && place[D-1] == count[D-1] && place[D-1] < IDS && taken_n == (wanted < 16 ? 16 : wanted) && !went_back);
    in_step: assert (!settled || missing || behind <= 1 && (went_back ? behind == 0 && count[D-1] == wanted && place[D-1] == wanted - 8'd31 : place[D-1] == wanted));
    soon: assert (!missing || late != T && pass != 0 && pass <= 2 * IDS + D + late || lead <= D + 1 + late);
    prompt: assert (late <= T);
`endif
  end
endmodule
