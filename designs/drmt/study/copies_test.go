package study_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/internal/recording"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/study"
)

// std is a field of standard_metadata.
func std(name string) string { return fld("standard_metadata." + name) }

func or(list ...string) string {
	e := list[0]
	for _, x := range list[1:] {
		e = bin("|", e, x)
	}
	return e
}

// mark writes the instance type, a byte and the port of departure to h.d.
func mark(second string) string {
	return put("h.d", or(bin("<<", std("instance_type"), num("0x18")), bin("<<", second, num("0x10")), std("egress_port")))
}

// once does a primitive, the next one, if the packet is neither a copy nor comes again.
func once(at int, primitive string) string {
	skip := call("_jump_if_zero", un("b2d", bin("==", std("instance_type"), num("0x0"))), num(fmt.Sprintf("0x%x", at+2)))
	return skip + "," + primitive
}

// The reference of copies is simple_switch.md: a clone of ingress is the packet as it came, a clone of egress the
// packet as egress leaves it, and of the metadata both have the fields of their list. A replica has all metadata and
// its own egress_rid, a resubmitted packet comes as it came, a recirculated one as it would have left. Instance types
// are 0 of a normal packet, 1 and 2 of the clones, 4 recirculated, 5 replicated, 6 resubmitted (simple_switch.h).
func TestCopiesOfPackets(t *testing.T) {
	in := make([]byte, 48)
	in[0], in[1], in[14], in[15], in[41] = 3, 0x55, 0x10, 0x00, 1 // to port 3; h.e is 0x1000; no stack follows
	in[46], in[47] = 0xab, 0xcd
	add1 := put("h.e", bin("&", bin("+", fld("h.e"), num("0x1")), num("0xffff")))
	keep := put("m.x", fld("h.b"))
	length := put("h.pad", bin("&", std("packet_length"), num("0xffff")))
	for _, row := range []struct {
		name     string
		p        formatProgram
		commands string
		want     []sent
	}{
		{"clone of ingress", formatProgram{
			act:    keep + "," + call("clone_ingress_pkt_to_egress", num("0x5"), num("0x1")) + "," + add1,
			egress: mark(fld("m.x")) + "," + length,
		}, "mirroring_add 5 7", []sent{{7, 0x01550007, 0x1000, 48}, {3, 0x00550003, 0x1001, 48}}},
		{"clone of ingress without a list", formatProgram{
			act:    keep + "," + call("clone_ingress_pkt_to_egress", num("0x5"), num("0x0")),
			egress: mark(fld("m.x")),
		}, "mirroring_add 5 7", []sent{{7, 0x01000007, 0x1000, 0}, {3, 0x00550003, 0x1000, 0}}},
		{"clone of a dropped packet", formatProgram{
			act: call("clone_ingress_pkt_to_egress", num("0x5"), num("0x0")) + "," + call("mark_to_drop", obj("header",
				"standard_metadata")), egress: mark(fld("m.x")),
		}, "mirroring_add 5 7", []sent{{7, 0x01000007, 0x1000, 0}}},
		{"clone for a session that is not there", formatProgram{
			act:    call("clone_ingress_pkt_to_egress", num("0x5"), num("0x1")),
			egress: mark(fld("m.x")),
		}, "mirroring_add 6 7", []sent{{3, 0x00000003, 0x1000, 0}}},
		{"clone of egress", formatProgram{
			act: keep + "," + add1,
			egress: mark(fld("m.x")) + "," + once(1, call("clone_egress_pkt_to_egress", num("0x5"), num("0x1"))) + "," +
				add1,
		}, "mirroring_add 5 7", []sent{{3, 0x00550003, 0x1002, 0}, {7, 0x02550007, 0x1003, 0}}},
		{"clones of a dropped packet of egress", formatProgram{
			egress: mark(num("0x9")) + "," + once(1, call("clone_egress_pkt_to_egress", num("0x5"), num("0x1"))) + "," +
				once(3, call("mark_to_drop", obj("header", "standard_metadata"))),
		}, "mirroring_add 5 7", []sent{{7, 0x02090007, 0x1000, 0}}},
		// A node's ports are a set; replicas are made from the lowest port on.
		{"multicast", formatProgram{
			act:    keep + "," + put("standard_metadata.mcast_grp", num("0x1")) + "," + add1,
			egress: mark(bin("+", fld("m.x"), std("egress_rid"))) + "," + length,
		}, "mc_mgrp_create 1\nmc_node_create 9 12 4 12\nmc_node_create 1 8\nmc_node_associate 1 0\nmc_node_associate 1 1",
			[]sent{{4, 0x055e0004, 0x1001, 48}, {12, 0x055e000c, 0x1001, 48}, {8, 0x05560008, 0x1001, 48}}},
		{"a group that is not there", formatProgram{act: put("standard_metadata.mcast_grp", num("0x2"))},
			"mc_mgrp_create 1", nil},
		{"clones for a group", formatProgram{
			act:    call("clone_ingress_pkt_to_egress", num("0x5"), num("0x1")),
			egress: mark(std("egress_rid")),
		}, "mirroring_add_mc 5 1\nmc_mgrp_create 1\nmc_node_create 9 4 6\nmc_node_associate 1 0",
			[]sent{{4, 0x01090004, 0x1000, 0}, {6, 0x01090006, 0x1000, 0}, {3, 0x00000003, 0x1000, 0}}},
		// Resubmit goes before replicas, and a clone is made in any case.
		{"resubmit with a clone and a group", formatProgram{
			act: once(1, call("resubmit", num("0x1"))) + "," +
				once(3, call("clone_ingress_pkt_to_egress", num("0x5"), num("0x1"))) + "," +
				once(5, put("standard_metadata.mcast_grp", num("0x1"))) + "," + keep + "," + add1,
			egress: mark(fld("m.x")),
		}, "mirroring_add 5 7\nmc_mgrp_create 1\nmc_node_create 9 4\nmc_node_associate 1 0",
			[]sent{{7, 0x01550007, 0x1000, 0}, {3, 0x00550003, 0x1001, 0}}},
		// A packet that is resubmitted does not come to egress, and egress clones it when it comes again.
		{"resubmit before a clone of egress", formatProgram{
			act:    once(1, call("resubmit", num("0x1"))) + "," + keep,
			egress: mark(fld("m.x")) + "," + once(1, call("clone_egress_pkt_to_egress", num("0x5"), num("0x1"))),
		}, "mirroring_add 5 7", []sent{{3, 0x00550003, 0x1000, 0}, {7, 0x02550007, 0x1000, 0}}},
		{"resubmit to a group", formatProgram{
			act:    once(1, call("resubmit", num("0x1"))) + "," + put("standard_metadata.mcast_grp", num("0x1")) + "," + keep,
			egress: mark(fld("m.x")),
		}, "mc_mgrp_create 1\nmc_node_create 9 4\nmc_node_associate 1 0", []sent{{4, 0x05550004, 0x1000, 0}}},
		{"a group of no ports", formatProgram{act: put("standard_metadata.mcast_grp", num("0x1"))},
			"mc_mgrp_create 1", nil},
		// Egress adds 2 bytes after it has read the length, its clone has them.
		{"length of a clone of egress", formatProgram{
			act: keep,
			egress: mark(fld("m.x")) + "," + length + "," +
				once(2, call("clone_egress_pkt_to_egress", num("0x5"), num("0x1"))) + "," +
				call("add_header", obj("header", "p")),
		}, "mirroring_add 5 7", []sent{{3, 0x00550003, 0x1000, 48}, {7, 0x02550007, 0x1000, 50}}},
		// A clone of ingress has the length of the packet as it came.
		{"length of a clone of ingress", formatProgram{
			act: keep + "," + call("clone_ingress_pkt_to_egress", num("0x5"), num("0x1")) + "," +
				call("add_header", obj("header", "p")),
			egress: mark(fld("m.x")) + "," + length,
		}, "mirroring_add 5 7", []sent{{7, 0x01550007, 0x1000, 48}, {3, 0x00550003, 0x1000, 50}}},
		// Egress removes the header that it has read: its clone has none, and reads 0.
		{"a clone of egress without a header", formatProgram{
			act: keep + "," + call("add_header", obj("header", "p")) + "," + put("p.g", num("0x77")),
			egress: mark(fld("m.x")) + "," + put("h.e", fld("p.g")) + "," +
				once(2, call("clone_egress_pkt_to_egress", num("0x5"), num("0x1"))) + "," +
				call("remove_header", obj("header", "p")),
		}, "mirroring_add 5 7", []sent{{3, 0x00550003, 0x77, 0}, {7, 0x02550007, 0, 0}}},
		// Session 0x7f05 is 32517, beside one of the same lower bits.
		{"sessions of 15 bits", formatProgram{
			act:    keep + "," + call("clone_ingress_pkt_to_egress", num("0x7f05"), num("0x1")),
			egress: mark(fld("m.x")),
		}, "mirroring_add 5 6\nmirroring_add 32517 7", []sent{{7, 0x01550007, 0x1000, 0}, {3, 0x00550003, 0x1000, 0}}},
		{"resubmit", formatProgram{
			act:    once(1, call("resubmit", num("0x1"))) + "," + mark(fld("m.x")) + "," + keep + "," + add1,
			egress: length,
		}, "", []sent{{3, 0x06550000, 0x1001, 48}}},
		{"recirculate", formatProgram{
			act: mark(fld("m.x")) + "," + keep + "," + add1 + "," + call("add_header", obj("header", "p")),
			egress: call("_jump_if_zero", un("b2d", bin("==", fld("h.e"), num("0x1001"))), num("0x2")) + "," +
				call("recirculate", num("0x1")) + "," + length, // the type is 0 in egress again
		}, "", []sent{{3, 0x04550000, 0x1002, 52}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, err := p4.ParseBMv2(row.name, strings.NewReader(row.p.json()))
			require.NoError(t, err)
			setup, err := p4.ReadConfiguration("commands", strings.NewReader(row.commands), p)
			require.NoError(t, err)
			x, err := p4.NewSwitch(p, setup)
			require.NoError(t, err)
			out := x.Run(1, bytes.Clone(in))
			require.NoError(t, out.Err)
			require.Equal(t, row.want, sentOf(out.Sent))
			require.Equal(t, row.want, sentOf(machineSends(t, row.p.json(), row.commands, in)), "on the machine")
		})
	}
}

// sent is a packet of the tests of copies: its port, h.d, h.e and h.pad.
type sent struct {
	port   int
	mark   uint32
	e, pad uint16
}

func sentOf(list []p4.Sent) (all []sent) {
	for _, s := range list {
		word := func(at, n int) (v uint32) {
			for _, b := range s.Packet[at : at+n] {
				v = v<<8 | uint32(b)
			}
			return v
		}
		all = append(all, sent{s.Port, word(4, 4), uint16(word(14, 2)), uint16(word(44, 2))})
	}
	return all
}

// machineSends returns what a machine makes of a packet on port 1.
func machineSends(t *testing.T, text, commands string, data []byte) []p4.Sent {
	file := filepath.Join(t.TempDir(), "p.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	p, err := p4.ParseBMv2("p", strings.NewReader(text))
	require.NoError(t, err)
	setup, err := p4.ReadConfiguration("commands", strings.NewReader(commands), p)
	require.NoError(t, err)
	x := study.Program{P4: p, Source: study.ProgramSource{JSON: file}, Setup: &setup}
	s, c, err := study.BuildSpaced(t.Context(), x, 1, 1)
	require.NoError(t, err)
	all := &recorded{packets: []recording.Packet{{Port: 1, Data: data}}}
	m, err := drmt.NewSwitch(drmt.Config{
		Processors: 1, Image: c.Image, Parser: c.Parser, Deparser: c.Deparser, Source: all, Sink: all,
	})
	require.NoError(t, err)
	w := drmt.Watch(m)
	require.NoError(t, m.Clock.Run(uint64(10*(s.Length()+s.Period))))
	require.NoError(t, w.Err())
	if len(all.sent) == 0 {
		return nil
	}
	return all.sent[0]
}

// A packet with replicas is counted once, its replicas are whole where it is truncated, and its clone has its random
// number.
func TestCopiesAndTheirPacket(t *testing.T) {
	group := put("standard_metadata.mcast_grp", num("0x1"))
	for name, f := range map[string]formatProgram{
		"counter":  act(call("count", obj("counter_array", "co"), num("0x2")), group),
		"truncate": act(call("truncate", num("0x30")), group),
		"clone of a truncated packet": {
			act:    call("truncate", num("0x30")),
			egress: once(0, call("clone_egress_pkt_to_egress", num("0x5"), num("0x1"))),
		},
		"payload": {
			egress: once(0, call("clone_egress_pkt_to_egress", num("0x5"), num("0x1"))),
			more:   sumOf("s", "h.pad", "mine", "null", false, true),
		},
		// The packet has a replica's number of 0 at ingress' end, its replicas have others: none is counted.
		"counter of egress": {
			act: group,
			egress: call("_jump_if_zero", un("b2d", bin("==", std("egress_rid"), num("0x0"))), num("0x2")) + "," +
				call("count", obj("counter_array", "co"), num("0x2")),
		},
		"register of egress": { // some packets have no clone, and would overtake
			act: call("_jump_if_zero", bin("&", fld("h.a"), num("0x1")), num("0x3")) + "," +
				call("clone_ingress_pkt_to_egress", num("0x5"), num("0x1")),
			egress: call("register_read", fld("m.z"), obj("register_array", "re"), num("0x1")) + "," +
				call("register_write", obj("register_array", "re"), num("0x1"),
					bin("+", bin("*", fld("m.z"), num("0x3")), fld("h.a"))) + "," + put("h.d", fld("m.z")),
		},
		"random": {
			act: call("modify_field_rng_uniform", fld("m.x"), num("0x1"), num("0x64")) + "," +
				call("clone_ingress_pkt_to_egress", num("0x5"), num("0x1")),
			egress: call("modify_field_rng_uniform", fld("h.c"), num("0x1"), num("0x64")),
		},
	} {
		text := mine("csum16", `{"type":"field","value":["h","d"]}`, `{"type":"payload"}`)(f.json())
		file := filepath.Join(t.TempDir(), "p.json")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		p, err := p4.ParseBMv2(name, strings.NewReader(text))
		require.NoError(t, err)
		setup, err := p4.ReadConfiguration("commands", strings.NewReader(
			"mirroring_add 5 7\nmc_mgrp_create 1\nmc_node_create 9 4 6\nmc_node_associate 1 0"), p)
		require.NoError(t, err)
		x := study.Program{P4: p, Source: study.ProgramSource{JSON: file}, Setup: &setup}
		require.NoError(t, runAgainst(t.Context(), x, 100, func() study.Source {
			return &packetsOf{rng: rand.New(rand.NewPCG(1, 2)), left: 100}
		}), name)
	}
}

// A register of 128 bits has the value that the control plane writes: the bytes 0x11 to 0x20 come into h.x, the bytes
// 24 to 39 of the header.
func TestWideRegistersAtFirst(t *testing.T) {
	f := act(call("register_read", fld("h.x"), obj("register_array", "rx"), num("0x1")))
	data := make([]byte, 60)
	data[41] = 1
	left := machineSends(t, f.json(), "register_write rx 1 0x1112131415161718191a1b1c1d1e1f20", data)
	require.Len(t, left, 1)
	require.Equal(t, "1112131415161718191a1b1c1d1e1f20", fmt.Sprintf("%x", left[0].Packet[24:40]))
}

// A meter of two rates without tokens that come: of a burst of 1 and one of 2 packets the first packet is green, the
// second has no token of the lower rate, and the third none of the higher one, which is asked first (RFC 2698, 3.1).
func TestColorsOfAMeter(t *testing.T) {
	f := act(call("execute_meter", obj("meter_array", "me"), num("0x1"), fld("h.d")))
	p, err := p4.ParseBMv2("meter", strings.NewReader(f.json()))
	require.NoError(t, err)
	for _, c := range []struct {
		command string
		want    []byte
	}{
		{"meter_set_rates me 1 0:1 0:2", []byte{0, 1, 2, 2}},
		{"meter_array_set_rates me 0:2 0:3", []byte{0, 0, 1, 2}},
		{"meter_set_rates me 0 0:1 0:2", []byte{0, 0, 0, 0}}, // another meter
		// tokens come a millisecond later: one for the higher rate
		{"meter_set_rates me 1 0:1 0.001:1", []byte{0, 2, 2, 2, 1}},
	} {
		setup, err := p4.ReadConfiguration("commands", strings.NewReader(c.command), p)
		require.NoError(t, err)
		x, err := p4.NewSwitch(p, setup)
		require.NoError(t, err)
		for i, want := range c.want {
			if i == 4 {
				x.SetTime(1000)
			}
			require.Equal(t, want, x.Run(1, make([]byte, 60)).Packet[7], "%s, packet %d", c.command, i)
		}
	}
	_, err = p4.ReadConfiguration("commands", strings.NewReader("meter_set_rates me 1 2:1 1:2"), p)
	require.EqualError(t, err, "commands:1: a rate of 1 after a greater one, expected the lowest rate first")
}
