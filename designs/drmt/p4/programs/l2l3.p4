// A plain router: Ethernet switching, IPv4 routing with longest prefixes for frames to the router's own address.
// IPv4 headers have no options.

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

struct metadata {
    bit<16> nexthop;
    bit<1> own;
    bit<1> learned;
}

struct headers {
    ethernet_t ethernet;
    ipv4_t ipv4;
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
        transition accept;
    }
}

control MyVerifyChecksum(inout headers hdr, inout metadata meta) {
    apply { }
}

control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard_metadata) {
    action known() {
        meta.learned = 1;
    }

    action to_router() {
        meta.own = 1;
    }

    action drop() {
        mark_to_drop(standard_metadata);
    }

    action expired() {
        mark_to_drop(standard_metadata);
    }

    action set_nexthop(bit<16> nexthop) {
        meta.nexthop = nexthop;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    action route(bit<9> port, bit<48> dmac) {
        standard_metadata.egress_spec = port;
        hdr.ethernet.dstAddr = dmac;
    }

    action forward(bit<9> port) {
        standard_metadata.egress_spec = port;
    }

    table smac {
        key = {
            standard_metadata.ingress_port: exact;
            hdr.ethernet.srcAddr: exact;
        }
        actions = { known; NoAction; }
        size = 4096;
        default_action = NoAction();
    }

    table my_mac {
        key = {
            hdr.ethernet.dstAddr: exact;
        }
        actions = { to_router; NoAction; }
        size = 64;
        default_action = NoAction();
    }

    table ipv4_lpm {
        key = {
            hdr.ipv4.dstAddr: lpm;
        }
        actions = { set_nexthop; drop; }
        size = 16384;
        default_action = drop();
    }

    table nexthop {
        key = {
            meta.nexthop: exact;
        }
        actions = { route; drop; }
        size = 4096;
        default_action = drop();
    }

    table tbl_expired {
        actions = { expired; }
        const default_action = expired();
    }

    table dmac {
        key = {
            hdr.ethernet.dstAddr: exact;
        }
        actions = { forward; drop; }
        size = 4096;
        default_action = drop();
    }

    apply {
        smac.apply();
        my_mac.apply();
        if (meta.own == 1 && hdr.ipv4.isValid()) {
            if (hdr.ipv4.ttl > 1) {
                ipv4_lpm.apply();
                nexthop.apply();
            } else {
                tbl_expired.apply();
            }
        } else {
            dmac.apply();
        }
    }
}

control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard_metadata) {
    action rewrite(bit<48> smac) {
        hdr.ethernet.srcAddr = smac;
    }

    table smac_rewrite {
        key = {
            standard_metadata.egress_port: exact;
        }
        actions = { rewrite; NoAction; }
        size = 512;
        default_action = NoAction();
    }

    apply {
        if (meta.own == 1) {
            smac_rewrite.apply();
        }
    }
}

control MyComputeChecksum(inout headers hdr, inout metadata meta) {
    apply {
        update_checksum(hdr.ipv4.isValid(), { hdr.ipv4.version_ihl, hdr.ipv4.diffserv, hdr.ipv4.totalLen, hdr.ipv4.identification, hdr.ipv4.flags_fragOffset, hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.srcAddr, hdr.ipv4.dstAddr }, hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control MyDeparser(packet_out packet, in headers hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
    }
}

V1Switch(MyParser(), MyVerifyChecksum(), MyIngress(), MyEgress(), MyComputeChecksum(), MyDeparser()) main;
