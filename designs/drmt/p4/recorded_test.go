package p4_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// optionalData are files that lie beside the module on some machines; a test that wants them passes over where they are not.
func optionalData(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			t.Skip("no module")
		}
		dir = filepath.Dir(dir)
	}
	dir = filepath.Join(dir, "..", "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no " + dir)
	}
	return dir
}

// recording is what simple_switch did: the entries it took, the packets that went in, and the packets that left.
type recording struct {
	entries  []p4.Entry
	defaults map[string]p4.Entry
	packets  []recorded
}

type recorded struct {
	port int
	data []byte
	out  []p4.Sent
}

// readRecording reads a recording: lines of add, default, in and out.
func readRecording(file string, p *p4.Program) (*recording, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	r := &recording{defaults: map[string]p4.Entry{}}
	scan := bufio.NewScanner(z)
	scan.Buffer(nil, 1<<24)
	for line := 1; scan.Scan(); line++ {
		words := strings.Fields(scan.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "add", "default":
			e, err := recordedEntry(p, words)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			if words[0] == "add" {
				r.entries = append(r.entries, e)
			} else {
				r.defaults[e.Table] = e
			}
		case "in", "out":
			at := len(words) - 2
			if words[0] == "in" {
				at = 2
			} else {
				at = 1
			}
			port, err := strconv.Atoi(words[at])
			if err != nil {
				return nil, err
			}
			var data []byte
			if len(words) > at+1 {
				if data, err = hex.DecodeString(words[at+1]); err != nil {
					return nil, err
				}
			}
			if words[0] == "in" {
				r.packets = append(r.packets, recorded{port: port, data: data})
				continue
			}
			x := &r.packets[len(r.packets)-1]
			x.out = append(x.out, p4.Sent{Port: port, Packet: data})
		case "refused":
		default:
			return nil, fmt.Errorf("line %d: %q", line, words[0])
		}
	}
	return r, scan.Err()
}

func recordedEntry(p *p4.Program, words []string) (e p4.Entry, err error) {
	var table *p4.Table
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table != nil && n.Name == words[1] {
				table = n.Table
			}
		}
	}
	if table == nil {
		return e, fmt.Errorf("no table %s", words[1])
	}
	e.Table, e.Action = words[1], -1
	for _, a := range table.Actions {
		if p.Actions[a].Name == words[2] {
			e.Action = a
		}
	}
	number := func(text string) *big.Int {
		v, _ := new(big.Int).SetString("0"+text, 16)
		return v
	}
	rest := words[3:]
	if words[0] == "add" {
		if e.Priority, err = strconv.Atoi(rest[0]); err != nil {
			return e, err
		}
		n, _ := strconv.Atoi(rest[1])
		rest = rest[2:]
		for i := range n {
			kind, value, other := rest[0], number(rest[1]), ""
			rest = rest[2:]
			if kind == "L" || kind == "T" || kind == "R" {
				other, rest = rest[0], rest[1:]
			}
			prefix, _ := strconv.Atoi(other)
			kv, err := p.EntryKey(table.Key[i], value, number(other), prefix)
			if err != nil {
				return e, err
			}
			e.Key = append(e.Key, kv)
		}
	}
	for i, text := range rest[1:] {
		v := number(text)
		if p.Actions[e.Action].Params[i].Bits > 64 {
			for len(e.Wide) < i {
				e.Wide = append(e.Wide, nil)
			}
			e.Wide, e.Data = append(e.Wide, v), append(e.Data, 0)
			continue
		}
		bits := p.Actions[e.Action].Params[i].Bits
		if bits < 64 {
			v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1)))
		}
		e.Data = append(e.Data, v.Uint64())
	}
	return e, nil
}

// recordedPrograms are the programs of which there are recordings, with the recording's file.
func recordedPrograms(t *testing.T) (programs, recordings []string) {
	data := optionalData(t)
	for _, dir := range []string{"p4", "cases/p4"} {
		files, err := filepath.Glob(filepath.Join(data, dir, "recorded", "*.txt.gz"))
		require.NoError(t, err)
		for _, f := range files {
			programs = append(programs, filepath.Join(data, dir, strings.TrimSuffix(filepath.Base(f), ".txt.gz")+".json"))
			recordings = append(recordings, f)
		}
	}
	if len(programs) == 0 {
		t.Skip("no recordings")
	}
	return programs, recordings
}

// The interpreter does with each packet what simple_switch did, as recordings of it say: the same packets leave by the same ports.
func TestRecordedPrograms(t *testing.T) {
	programs, recordings := recordedPrograms(t)
	for i, file := range programs {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			p, err := p4.ParseBMv2(name, bytes.NewReader(data))
			require.NoError(t, err)
			r, err := readRecording(recordings[i], p)
			require.NoError(t, err)
			in, err := p4.NewInterpreter(p, r.entries, r.defaults)
			require.NoError(t, err)
			for n, x := range r.packets {
				in.SetTime(uint64(n) * 1000)
				out := in.Run(x.port, x.data)
				require.NoError(t, out.Err)
				require.Equal(t, show(x.out), show(out.Sent), "packet %d on port %d: %x\n%v", n, x.port, x.data, out.Trace)
			}
			t.Logf("%d packets equal", len(r.packets))
		})
	}
}

func show(list []p4.Sent) (lines []string) {
	for _, s := range list {
		lines = append(lines, fmt.Sprintf("%d %x", s.Port, s.Packet))
	}
	return lines
}
