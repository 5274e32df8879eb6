package spfc

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// Limits of a topology file.
const (
	mostFileHosts = 1024
	mostFilePorts = 255 // of a switch
	mostFileLinks = 1 << 14
)

// linkColumns are the columns of a topology file.
var linkColumns = []string{"a", "b", "gbps", "delay_ns"}

// portBuffer is the memory of a switch by port, if nothing else is said: the 16 MB of Figure 3a by its 32 ports.
const portBuffer = 500_000

// ReadTopology reads a network: CSV with a row a link and the columns a, b, gbps and delay_ns. The ends are H0, H1, …
// for hosts; any other name is a switch.
//
//	a,b,gbps,delay_ns
//	H0,leaf,100,1000
//	H1,leaf,100,1000
//	leaf,spine,400,2000
//
// Hosts have one link each and are numbered without a gap. Rates are whole Gb/s of which a byte takes whole
// picoseconds. A switch has 500 kB a port. Errors name file and line.
func ReadTopology(r io.Reader, name string) (t *Topology, err error) {
	defer func() { err = input.OneLine(err) }()
	rows := csv.NewReader(r)
	rows.FieldsPerRecord, rows.ReuseRecord, rows.Comment = -1, true, '#'
	type row struct {
		line  int
		ends  [2]string
		link  TopologyLink
		hosts int // of its ends
	}
	var links []row
	var switches []string
	hosts := map[int]int{} // its line
	ports := map[string]int{}
	for header, more := true, true; more; header = false {
		fields, err := rows.Read()
		if errors.Is(err, io.EOF) {
			more = false
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := rows.FieldPos(0)
		switch {
		case header && !slices.Equal(fields, linkColumns):
			return nil, fmt.Errorf(
				"%s:%d: columns %q, want %s", name, line, strings.Join(fields, ","), strings.Join(linkColumns, ","),
			)
		case header:
			continue
		case len(fields) != len(linkColumns):
			return nil, fmt.Errorf("%s:%d: %d fields, want %s", name, line, len(fields), strings.Join(linkColumns, ","))
		case len(links) == mostFileLinks:
			return nil, fmt.Errorf("%s:%d: more than %d links", name, line, mostFileLinks)
		}
		x := row{line: line, ends: [2]string{strings.Clone(fields[0]), strings.Clone(fields[1])}}
		for _, end := range x.ends {
			if end == "" {
				return nil, fmt.Errorf("%s:%d: an end without a name, want H0, H1, … or a switch", name, line)
			}
			if ports[end]++; ports[end] > mostFilePorts {
				return nil, fmt.Errorf("%s:%d: %s has more than %d links", name, line, end, mostFilePorts)
			}
			h, isHost := hostNumber(end)
			if !isHost {
				if !slices.Contains(switches, end) {
					switches = append(switches, end)
				}
				continue
			}
			if before, there := hosts[h]; there {
				return nil, fmt.Errorf("%s:%d: %s has a link on line %d, want one", name, line, end, before)
			}
			if h >= mostFileHosts {
				return nil, fmt.Errorf("%s:%d: %s, want at most %d hosts", name, line, end, mostFileHosts)
			}
			hosts[h] = line
			x.hosts++
		}
		if x.hosts == 2 || x.ends[0] == x.ends[1] {
			return nil, fmt.Errorf(
				"%s:%d: a link from %s to %s, want a switch at one end and another node at the other", name, line,
				x.ends[0], x.ends[1],
			)
		}
		gbps, err := strconv.Atoi(fields[2])
		if err != nil || gbps < 1 || 8000%gbps != 0 {
			return nil, fmt.Errorf(
				"%s:%d: gbps %q, want a whole number that divides 8000, such as 10, 25, 100 or 400", name, line, fields[2],
			)
		}
		delay, err := strconv.ParseFloat(fields[3], 64)
		if err != nil || !(delay >= 0 && delay <= 1e9) {
			return nil, fmt.Errorf("%s:%d: delay_ns %q, want 0 to 1e9", name, line, fields[3])
		}
		x.link.ByteTime, x.link.Delay = Time(8000/gbps), Time(math.Round(delay*1000))
		links = append(links, x)
	}
	if len(links) == 0 {
		return nil, fmt.Errorf("%s: no links, want the columns %s and a row a link", name, strings.Join(linkColumns, ","))
	}
	t = &Topology{Name: name, Hosts: len(hosts), Names: switches}
	for h := range len(hosts) {
		if _, there := hosts[h]; !there {
			return nil, fmt.Errorf("%s: %d hosts and no H%d, want H0 to H%d", name, len(hosts), h, len(hosts)-1)
		}
	}
	if t.Hosts < 2 {
		return nil, fmt.Errorf("%s: %d hosts, want at least H0 and H1", name, t.Hosts)
	}
	for _, x := range links {
		node := func(end string) int {
			if h, isHost := hostNumber(end); isHost {
				return h
			}
			return t.Hosts + slices.Index(switches, end)
		}
		x.link.A, x.link.B = node(x.ends[0]), node(x.ends[1])
		t.Links = append(t.Links, x.link)
	}
	for _, s := range switches {
		t.Ports = max(t.Ports, ports[s])
	}
	t.Buffer = int64(t.Ports) * portBuffer
	if _, err := t.routes(t.wire()); err != nil {
		return nil, err
	}
	t.RTT = 2 * t.longest()
	return t, nil
}

// hostNumber is the number in a host's name.
func hostNumber(end string) (int, bool) {
	digits, isHost := strings.CutPrefix(end, "H")
	h, err := strconv.Atoi(digits)
	return h, isHost && err == nil && h >= 0 && digits == strconv.Itoa(h)
}

// longest is the greatest delay from a host to another over the fewest links.
func (t *Topology) longest() Time {
	w := t.wire()
	worst := Time(0)
	for h := range t.Hosts {
		far, links := make([]Time, t.nodes()), make([]int, t.nodes())
		for i := range links {
			links[i] = -1
		}
		links[h] = 0
		for queue := []int{h}; len(queue) > 0; queue = queue[1:] {
			n := queue[0]
			if n < t.Hosts && n != h {
				worst = max(worst, far[n])
				continue // no way leads through a host
			}
			for port, p := range w.peers[n] {
				if links[p.node] < 0 {
					links[p.node] = links[n] + 1
					queue = append(queue, p.node)
				}
				if links[p.node] == links[n]+1 {
					far[p.node] = max(far[p.node], far[n]+t.Links[w.links[n][port]].Delay)
				}
			}
		}
	}
	return worst
}

// ReadTopologyFile reads a file as ReadTopology does.
func ReadTopologyFile(path string) (*Topology, error) {
	f, err := input.Open(path, input.MostText)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadTopology(f, path)
}
