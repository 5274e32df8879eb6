package p4_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

func aclTunnel(t *testing.T) *p4.Program {
	f, err := os.Open("programs/acl_tunnel.json")
	require.NoError(t, err)
	defer f.Close()
	p, err := p4.ParseBMv2("acl_tunnel.json", f)
	require.NoError(t, err)
	return p
}

// The same contents as commands of simple_switch_CLI and as P4Runtime's JSON: only the numbers of priorities differ,
// which go the other way, and a field that the JSON leaves out matches everything.
func TestRuntimeJSONIsWhatCommandsAre(t *testing.T) {
	p := aclTunnel(t)
	want, err := p4.ReadConfiguration("c", strings.NewReader(`
table_set_default MyIngress.port_tenant MyIngress.set_tenant 7
table_add MyIngress.tunnel_end MyIngress.end_tunnel 10.0.0.1 0x12 => 3
table_add MyIngress.acl MyIngress.deny 1&&&0xff 0&&&0 10.1.0.0&&&0xffff0000 6&&&0xff 0&&&0 80&&&0xffff => 10
table_add MyIngress.tenant_route MyIngress.to_tunnel 5 10.2.0.0/16 => 3 4
table_add MyIngress.tenant_route MyIngress.drop 5 0/0 =>
table_add MyEgress.underlay MyEgress.to_underlay 3 => 00:00:00:00:00:01 00:00:00:00:00:02
mc_mgrp_create 1
mc_node_create 9 1 2
mc_node_associate 1 0
mirroring_add 5 3`), p)
	require.NoError(t, err)
	got, err := p4.ReadRuntime("r.json", strings.NewReader(`
{"target": "bmv2", "p4info": "x", "bmv2_json": "y", "table_entries": [
{"table": "MyIngress.port_tenant", "default_action": true, "action_name": "MyIngress.set_tenant",
 "action_params": {"tenant": 7}},
{"table": "MyIngress.tunnel_end", "match": {"hdr.ipv4.dstAddr": "10.0.0.1", "hdr.vxlan.vni": [18]},
 "action_name": "MyIngress.end_tunnel", "action_params": {"tenant": "0x3"}},
{"table": "acl", "priority": 1, "match": {"meta.tenant": [1, "0xff"], "meta.dstAddr": ["10.1.0.0", "255.255.0.0"],
 "meta.protocol": [6, 255], "meta.dstPort": [80, 65535]}, "action_name": "deny", "action_params": {}},
{"table": "MyIngress.tenant_route", "match": {"meta.tenant": 5, "meta.dstAddr": ["10.2.0.0", 16]},
 "action_name": "MyIngress.to_tunnel", "action_params": {"tunnel": 4, "port": 3}},
{"table": "MyIngress.tenant_route", "match": {"meta.tenant": 5}, "action_name": "MyIngress.drop"},
{"table": "MyEgress.underlay", "match": {"standard_metadata.egress_port": 3}, "action_name": "MyEgress.to_underlay",
 "action_params": {"dmac": "00:00:00:00:00:01", "smac": "00:00:00:00:00:02"}}],
"multicast_group_entries": [{"multicast_group_id": 1,
 "replicas": [{"egress_port": 1, "instance": 9}, {"egress_port": 2, "instance": 9}]}],
"clone_session_entries": [{"clone_session_id": 5, "replicas": [{"egress_port": 3, "instance": 1}]}]}`), p)
	require.NoError(t, err)
	require.Equal(t, 10, want.Entries[1].Priority)
	require.Equal(t, math.MaxInt32-1, got.Entries[1].Priority)
	got.Entries[1].Priority = 10
	require.Equal(t, want.Entries, got.Entries)
	require.Equal(t, want.Defaults, got.Defaults)
	require.Equal(t, want.Multicast, got.Multicast)
	require.Equal(t, want.Mirrors, got.Mirrors)
}

func TestBadRuntimeJSON(t *testing.T) {
	p := aclTunnel(t)
	for _, c := range []struct{ entry, want string }{
		{`{"table": "nat"}`, `there is no table nat`},
		{`{"table": "n\na\u001bt"}`, `there is no table n\na\x1bt`},
		{`{"table": "acl", "action_name": "allow"}`, `table MyIngress.acl has no action allow`},
		{`{"table": "acl", "action_name": "deny"}`, `priority 0, expected 1 or more for table MyIngress.acl`},
		{`{"table": "acl", "priority": 1, "match": {"meta.tenant": 1}, "action_name": "deny"}`,
			`field scalars.userMetadata.tenant: match 1, expected [VALUE, MASK]`},
		{`{"table": "acl", "priority": 1, "match": {"meta.color": [1, 1]}, "action_name": "deny"}`,
			`1 matches that name no field of table MyIngress.acl`},
		{`{"table": "port_tenant", "match": {}, "action_name": "set_tenant", "action_params": {"tenant": 1}}`,
			`no match for field standard_metadata.ingress_port`},
		{`{"table": "port_tenant", "match": {"standard_metadata.ingress_port": [1, 2]}, "action_name": "drop"}`,
			`field standard_metadata.ingress_port: match [1, 2], expected VALUE`},
		{`{"table": "port_tenant", "match": {"standard_metadata.ingress_port": 1}, "action_name": "set_tenant"}`,
			`no parameter tenant for action MyIngress.set_tenant`},
		{`{"table": "port_tenant", "match": {"standard_metadata.ingress_port": 1}, "action_name": "drop",
 "action_params": {"x": 1}}`,
			`action MyIngress.drop has no parameter x`},
		{`{"table": "port_tenant", "match": {"standard_metadata.ingress_port": 512}, "action_name": "drop"}`,
			`field standard_metadata.ingress_port: "512", expected a number of 9 bits`},
		{`{"table": "port_tenant", "default_action": true, "match": {"standard_metadata.ingress_port": 1},
 "action_name": "drop"}`,
			`a default action with a match`},
		{`{"table": "tenant_route", "match": {"meta.tenant": 5, "meta.dstAddr": ["10.2.0.0", 33]}, "action_name": "drop"}`,
			`field scalars.userMetadata.dstAddr: a prefix of "33" bits, expected 0 to 32`},
	} {
		_, err := p4.ReadRuntime("r.json", strings.NewReader(`{"table_entries": [`+c.entry+`]}`), p)
		require.ErrorContains(t, err, "r.json: table_entries[0]: "+c.want)
		require.NotContains(t, err.Error(), "\n")
	}
	for text, want := range map[string]string{
		`{"table_entries": 1}`: `r.json:1: `,
		`{"tables": []}`:       `unknown field "tables"`,
		``:                     `r.json`,
		`{"multicast_group_entries": [{"multicast_group_id": 0}]}`: `multicast_group_entries[0]: multicast_group_id 0, ` +
			`expected 1 or more`,
		`{"clone_session_entries": [{"clone_session_id": 1}]}`: `clone_session_entries[0]: 0 replicas, expected 1`,
	} {
		_, err := p4.ReadRuntime("r.json", strings.NewReader(text), p)
		require.ErrorContains(t, err, want)
	}
}

// Whatever a file says, it is read or refused in one line.
func FuzzReadRuntime(f *testing.F) {
	f.Add(`{"table_entries": [{"table": "acl", "priority": 1, "match": {"meta.tenant": [1, 1]}, "action_name": "deny"}]}`)
	f.Add(`{"multicast_group_entries": [{"multicast_group_id": 1, "replicas": [{"egress_port": 1}]}]}`)
	f.Add(`{"table_entries": [{"table": "tenant_route", "match": {"meta.dstAddr": ["::", 1]}, "action_name": "drop"}]}`)
	data, err := os.ReadFile("programs/acl_tunnel.json")
	require.NoError(f, err)
	p, err := p4.ParseBMv2("acl_tunnel.json", strings.NewReader(string(data)))
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := p4.ReadRuntime("r.json", strings.NewReader(text), p)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		_, err = p4.NewSwitch(p, c)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
		}
	})
}
