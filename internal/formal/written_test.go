package formal_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
)

// Two queues of four words, whose memories no reset clears, with registers of other names.
const (
	queueA = `module part(input clk, input rst, input push, input pop, input [3:0] in,
  output [3:0] out, output valid, output ready);
  reg [3:0] memory[0:3]; reg [1:0] head, tail; reg [2:0] level;
  assign ready = level != 4; assign valid = level != 0; assign out = memory[head];
  always @(posedge clk) begin
    if (push && ready) memory[tail] <= in;
    if (rst) begin head <= 0; tail <= 0; level <= 0; end
    else begin
      if (push && ready) tail <= tail + 1;
      if (pop && valid) head <= head + 1;
      level <= level + (push && ready) - (pop && valid);
    end
  end
endmodule`
	queueB = `module part(input clk, input rst, input push, input pop, input [3:0] in,
  output [3:0] out, output valid, output ready);
  reg [3:0] word[0:3]; reg [1:0] from, to; reg [2:0] used;
  wire put = push && used < 4, take = pop && used > 0;
  assign ready = used < 4; assign valid = used > 0; assign out = word[from];
  always @(posedge clk) begin
    if (put && !rst) word[to] <= in;
    if (rst) begin from <= 0; to <= 0; used <= 0; end
    else begin
      if (put) to <= to + 1;
      if (take) from <= from + 1;
      if (put && !take) used <= used + 1;
      if (take && !put) used <= used - 1;
    end
  end
endmodule`
)

// queues asks whether two queues are equal where an output counts.
func queues(t *testing.T, other string) formal.Question {
	dir := t.TempDir()
	q := formal.Question{Top: "t", Lead: 2, Forms: true, Show: []string{"push", "pop", "in"}, Harness: `
module t(input clk, input push, input pop, input [3:0] in);
  reg [1:0] age = 0; always @(posedge clk) if (age < 2) age <= age + 1;
  wire [3:0] o0, o1; wire v0, v1, r0, r1;
  a a(.clk(clk), .rst(age < 2), .push(push), .pop(pop), .in(in), .out(o0), .valid(v0), .ready(r0));
  b b(.clk(clk), .rst(age < 2), .push(push), .pop(pop), .in(in), .out(o1), .valid(v1), .ready(r1));
  always @* if (age >= 2) assert (v0 == v1 && r0 == r1);
  always @* if (age >= 2 && v0) assert (o0 == o1);
endmodule`}
	for name, text := range map[string]string{"a": queueA, "b": other} {
		file := filepath.Join(dir, name+".v")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		q.Parts = append(q.Parts, formal.Part{Files: []string{file}, Top: "part", Name: name})
	}
	return q
}

// Two queues whose memories no reset clears begin with unlike words. Words that were written are alike, and the queues
// are proved equal without a bound. A queue with a fault is never equal to one without.
func TestMemoriesWithoutReset(t *testing.T) {
	if err := formal.Available(formal.Auto); err != nil {
		t.Skipf("memories without reset were NOT tested: %v", err)
	}
	// the text that a fault replaces, and its place
	faults := map[string][2]string{
		"pointer starts at one":      {"from <= 0;", "from <= 1;"},
		"write pointer starts late":  {"to <= 0;", "to <= 3;"},
		"level starts at one":        {"used <= 0;", "used <= 1;"},
		"address swapped":            {"word[to] <= in", "word[{to[0], to[1]}] <= in"},
		"read address swapped":       {"out = word[from]", "out = word[{from[0], from[1]}]"},
		"read one further":           {"out = word[from]", "out = word[from + 2'd1]"},
		"one word less":              {"ready = used < 4", "ready = used < 3"},
		"full queue takes a word":    {"put = push && used < 4", "put = push"},
		"empty queue gives a word":   {"take = pop && used > 0", "take = pop"},
		"written when it is popped":  {"if (put && !rst)", "if (put && !rst && !(take && used == 3))"},
		"last word is never written": {"if (put && !rst)", "if (put && !rst && to != 3)"},
		"bit of a word stuck":        {"word[to] <= in", "word[to] <= {in[3:1], in[0] & ~(to[0] & to[1])}"},
		"pointer skips":              {"to <= to + 1", "to <= to + 1 + (to == 2 && in == 9)"},
		"wider pointer":              {"reg [1:0] from, to", "reg [1:0] from; reg [2:0] to"},
		"written a cycle late": {"if (put && !rst) word[to] <= in",
			"late <= {put, to, in}; if (late[6] && !rst) word[late[5:4]] <= late[3:0]"},
	}
	ask := func(t *testing.T, from, to string) *formal.Answer {
		text := strings.Replace(queueB, from, to, 1)
		text = strings.Replace(text, "reg [2:0] used;", "reg [2:0] used; reg [6:0] late;", 1)
		a, err := formal.Ask(t.Context(), queues(t, text), formal.Options{Time: 2 * time.Minute, Depth: 8})
		require.NoError(t, err)
		return a
	}
	a := ask(t, "", "")
	require.Equal(t, formal.Proved, a.Verdict, a.Why)
	for i, name := range slices.Sorted(maps.Keys(faults)) {
		if !soak && i%4 > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(queueB, faults[name][0]))
			a := ask(t, faults[name][0], faults[name][1])
			require.Equal(t, formal.Refuted, a.Verdict, a.Why)
		})
	}
}
