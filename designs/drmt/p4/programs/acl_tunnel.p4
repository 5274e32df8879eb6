// An edge of an overlay: access control on the inner packet, tunnels in the manner of VXLAN (RFC 7348) ended and begun.
// IPv4 headers have no options; what is in a tunnel is Ethernet with IPv4.

#include <core.p4>
#include <v1model.p4>

header ethernet_t {
    bit<48> dstAddr;
    bit<48> srcAddr;
    bit<16> etherType;
}

header ipv4_t {
    bit<8> version_ihl;
    bit<8> diffserv;
    bit<16> totalLen;
    bit<16> identification;
    bit<16> flags_fragOffset;
    bit<8> ttl;
    bit<8> protocol;
    bit<16> hdrChecksum;
    bit<32> srcAddr;
    bit<32> dstAddr;
}

header udp_t {
    bit<16> srcPort;
    bit<16> dstPort;
    bit<16> length;
    bit<16> checksum;
}

header vxlan_t {
    bit<8> flags;
    bit<24> reserved;
    bit<24> vni;
    bit<8> reserved2;
}

header ports_t {
    bit<16> srcPort;
    bit<16> dstPort;
}

struct metadata {
    bit<32> srcAddr;
    bit<32> dstAddr;
    bit<16> srcPort;
    bit<16> dstPort;
    bit<24> tenant;
    bit<16> tunnel;
    bit<16> length;
    bit<8> protocol;
    bit<1> ended;
    bit<1> denied;
}

struct headers {
    ethernet_t encap_ethernet;
    ipv4_t encap_ipv4;
    udp_t encap_udp;
    vxlan_t encap_vxlan;
    ethernet_t ethernet;
    ipv4_t ipv4;
    udp_t udp;
    vxlan_t vxlan;
    ethernet_t inner_ethernet;
    ipv4_t inner_ipv4;
    ports_t ports;
}

parser MyParser(packet_in packet, out headers hdr, inout metadata meta, inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.etherType) {
            0x0800: parse_ipv4;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.protocol) {
            0x06: parse_ports;
            0x11: parse_udp;
            default: accept;
        }
    }

    state parse_udp {
        packet.extract(hdr.udp);
        transition select(hdr.udp.dstPort) {
            0x12b5: parse_vxlan;
            default: accept;
        }
    }

    state parse_vxlan {
        packet.extract(hdr.vxlan);
        packet.extract(hdr.inner_ethernet);
        transition select(hdr.inner_ethernet.etherType) {
            0x0800: parse_inner_ipv4;
            default: accept;
        }
    }

    state parse_inner_ipv4 {
        packet.extract(hdr.inner_ipv4);
        transition select(hdr.inner_ipv4.protocol) {
            0x06: parse_ports;
            0x11: parse_ports;
            default: accept;
        }
    }

    state parse_ports {
        packet.extract(hdr.ports);
        transition accept;
    }
}

control MyVerifyChecksum(inout headers hdr, inout metadata meta) {
    apply { }
}

control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard_metadata) {
    action end_tunnel(bit<24> tenant) {
        meta.tenant = tenant;
        meta.ended = 1;
    }

    action set_tenant(bit<24> tenant) {
        meta.tenant = tenant;
    }

    action look_inside() {
        meta.srcAddr = hdr.inner_ipv4.srcAddr;
        meta.dstAddr = hdr.inner_ipv4.dstAddr;
        meta.protocol = hdr.inner_ipv4.protocol;
        meta.length = hdr.inner_ipv4.totalLen;
        meta.srcPort = hdr.ports.srcPort;
        meta.dstPort = hdr.ports.dstPort;
        hdr.ethernet.setInvalid();
        hdr.ipv4.setInvalid();
        hdr.udp.setInvalid();
        hdr.vxlan.setInvalid();
    }

    action look_outside() {
        meta.srcAddr = hdr.ipv4.srcAddr;
        meta.dstAddr = hdr.ipv4.dstAddr;
        meta.protocol = hdr.ipv4.protocol;
        meta.length = hdr.ipv4.totalLen;
        meta.srcPort = hdr.ports.srcPort;
        meta.dstPort = hdr.ports.dstPort;
    }

    action drop() {
        mark_to_drop(standard_metadata);
    }

    action deny() {
        meta.denied = 1;
    }

    action to_port(bit<9> port) {
        standard_metadata.egress_spec = port;
    }

    action to_tunnel(bit<9> port, bit<16> tunnel) {
        standard_metadata.egress_spec = port;
        meta.tunnel = tunnel;
    }

    table tunnel_end {
        key = {
            hdr.ipv4.dstAddr: exact;
            hdr.vxlan.vni: exact;
        }
        actions = { end_tunnel; drop; }
        size = 1024;
        default_action = drop();
    }

    table port_tenant {
        key = {
            standard_metadata.ingress_port: exact;
        }
        actions = { set_tenant; drop; }
        size = 512;
        default_action = drop();
    }

    table inside {
        actions = { look_inside; }
        const default_action = look_inside();
    }

    table outside {
        actions = { look_outside; }
        const default_action = look_outside();
    }

    table acl {
        key = {
            meta.tenant: ternary;
            meta.srcAddr: ternary;
            meta.dstAddr: ternary;
            meta.protocol: ternary;
            meta.srcPort: ternary;
            meta.dstPort: ternary;
        }
        actions = { deny; NoAction; }
        size = 1024;
        default_action = NoAction();
    }

    table tenant_route {
        key = {
            meta.tenant: exact;
            meta.dstAddr: lpm;
        }
        actions = { to_port; to_tunnel; drop; }
        size = 2048;
        default_action = drop();
    }

    table tbl_drop {
        actions = { drop; }
        const default_action = drop();
    }

    apply {
        if (hdr.vxlan.isValid()) {
            tunnel_end.apply();
        } else {
            port_tenant.apply();
        }
        if (meta.ended == 1) {
            inside.apply();
        } else {
            outside.apply();
        }
        acl.apply();
        tenant_route.apply();
        if (meta.denied == 1) {
            tbl_drop.apply();
        }
    }
}

control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard_metadata) {
    action begin_tunnel(bit<32> source, bit<32> remote, bit<24> vni) {
        hdr.encap_ethernet.setValid();
        hdr.encap_ipv4.setValid();
        hdr.encap_udp.setValid();
        hdr.encap_vxlan.setValid();
        hdr.encap_ethernet.etherType = 0x800;
        hdr.encap_ipv4.version_ihl = 0x45;
        hdr.encap_ipv4.diffserv = 0;
        hdr.encap_ipv4.totalLen = meta.length + 0x32;
        hdr.encap_ipv4.identification = 0;
        hdr.encap_ipv4.flags_fragOffset = 0x4000;
        hdr.encap_ipv4.ttl = 0x40;
        hdr.encap_ipv4.protocol = 0x11;
        hdr.encap_ipv4.srcAddr = source;
        hdr.encap_ipv4.dstAddr = remote;
        hdr.encap_udp.srcPort = meta.srcPort;
        hdr.encap_udp.dstPort = 0x12b5;
        hdr.encap_udp.length = meta.length + 0x1e;
        hdr.encap_udp.checksum = 0;
        hdr.encap_vxlan.flags = 8;
        hdr.encap_vxlan.reserved = 0;
        hdr.encap_vxlan.vni = vni;
        hdr.encap_vxlan.reserved2 = 0;
    }

    action to_underlay(bit<48> dmac, bit<48> smac) {
        hdr.encap_ethernet.dstAddr = dmac;
        hdr.encap_ethernet.srcAddr = smac;
    }

    table tunnel_begin {
        key = {
            meta.tunnel: exact;
        }
        actions = { begin_tunnel; NoAction; }
        size = 1024;
        default_action = NoAction();
    }

    table underlay {
        key = {
            standard_metadata.egress_port: exact;
        }
        actions = { to_underlay; NoAction; }
        size = 512;
        default_action = NoAction();
    }

    apply {
        if (meta.tunnel != 0) {
            tunnel_begin.apply();
            underlay.apply();
        }
    }
}

control MyComputeChecksum(inout headers hdr, inout metadata meta) {
    apply {
        update_checksum(hdr.encap_ipv4.isValid(), { hdr.encap_ipv4.version_ihl, hdr.encap_ipv4.diffserv, hdr.encap_ipv4.totalLen, hdr.encap_ipv4.identification, hdr.encap_ipv4.flags_fragOffset, hdr.encap_ipv4.ttl, hdr.encap_ipv4.protocol, hdr.encap_ipv4.srcAddr, hdr.encap_ipv4.dstAddr }, hdr.encap_ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control MyDeparser(packet_out packet, in headers hdr) {
    apply {
        packet.emit(hdr.encap_ethernet);
        packet.emit(hdr.encap_ipv4);
        packet.emit(hdr.encap_udp);
        packet.emit(hdr.encap_vxlan);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.vxlan);
        packet.emit(hdr.inner_ethernet);
        packet.emit(hdr.inner_ipv4);
        packet.emit(hdr.ports);
    }
}

V1Switch(MyParser(), MyVerifyChecksum(), MyIngress(), MyEgress(), MyComputeChecksum(), MyDeparser()) main;
