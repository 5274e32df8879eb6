// Package recording reads recordings of simple_switch for tests.
package recording

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// Data returns the folder of optional data beside the module, of which dir is some folder; empty if it is not there.
func Data(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
		dir = filepath.Dir(dir)
	}
	dir = filepath.Join(dir, "..", "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// List returns the programs of which there are recordings, and the recordings' files.
func List(data string) (programs, recordings []string) {
	for _, dir := range []string{"p4", "cases/p4"} {
		files, _ := filepath.Glob(filepath.Join(data, dir, "recorded", "*.txt.gz"))
		for _, f := range files {
			programs = append(programs, filepath.Join(data, dir, strings.TrimSuffix(filepath.Base(f), ".txt.gz")+".json"))
			recordings = append(recordings, f)
		}
	}
	return programs, recordings
}

// Recording is what simple_switch did: the entries it took, the packets that went in, and the packets that left.
type Recording struct {
	Entries  []p4.Entry
	Defaults map[string]p4.Entry
	Packets  []Packet
}

// Packet is a packet that went in, and the packets that left because of it, in order.
type Packet struct {
	Port int
	Data []byte
	Out  []p4.Sent
}

// Read reads a recording, gzip of lines:
//
//	add TABLE ACTION PRIORITY N KEY... M ARG...   an entry; a key is E value, V 00|01, L value length,
//	                                              T value mask, R low high
//	default TABLE ACTION M ARG...                 what a table does on a miss
//	in INDEX PORT BYTES                           a packet that went in
//	out PORT BYTES                                a packet that left
func Read(file string, p *p4.Program) (*Recording, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	r := &Recording{Defaults: map[string]p4.Entry{}}
	scan := bufio.NewScanner(z)
	scan.Buffer(nil, 1<<24)
	for line := 1; scan.Scan(); line++ {
		words := strings.Fields(scan.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "add", "default":
			e, err := entry(p, words)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			if words[0] == "add" {
				r.Entries = append(r.Entries, e)
			} else {
				r.Defaults[e.Table] = e
			}
		case "in", "out":
			at := 1
			if words[0] == "in" {
				at = 2
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
				r.Packets = append(r.Packets, Packet{Port: port, Data: data})
				continue
			}
			x := &r.Packets[len(r.Packets)-1]
			x.Out = append(x.Out, p4.Sent{Port: port, Packet: data})
		case "refused":
		default:
			return nil, fmt.Errorf("line %d: %q", line, words[0])
		}
	}
	return r, scan.Err()
}

func entry(p *p4.Program, words []string) (e p4.Entry, err error) {
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
