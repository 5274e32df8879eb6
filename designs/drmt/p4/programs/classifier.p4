// Bound by matches: a packet is looked at by twelve tables at once, each with a key of two or three segments, and what they
// say is put together by a thirteenth. Actions have next to nothing to do.

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

header tcp_t {
    bit<16> srcPort;
    bit<16> dstPort;
    bit<32> seqNo;
    bit<32> ackNo;
    bit<16> offset_flags;
    bit<16> window;
    bit<16> checksum;
    bit<16> urgent;
}

struct metadata {
    bit<8> class0;
    bit<8> class1;
    bit<8> class2;
    bit<8> class3;
    bit<8> class4;
    bit<8> class5;
    bit<8> class6;
    bit<8> class7;
    bit<8> class8;
    bit<8> class9;
    bit<8> class10;
    bit<8> class11;
}

struct headers {
    ethernet_t ethernet;
    ipv4_t ipv4;
    tcp_t tcp;
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
            0x06: parse_tcp;
            default: accept;
        }
    }

    state parse_tcp {
        packet.extract(hdr.tcp);
        transition accept;
    }
}

control MyVerifyChecksum(inout headers hdr, inout metadata meta) {
    apply { }
}

control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard_metadata) {
    action set_class0(bit<8> class) {
        meta.class0 = class;
    }

    action set_class1(bit<8> class) {
        meta.class1 = class;
    }

    action set_class2(bit<8> class) {
        meta.class2 = class;
    }

    action set_class3(bit<8> class) {
        meta.class3 = class;
    }

    action set_class4(bit<8> class) {
        meta.class4 = class;
    }

    action set_class5(bit<8> class) {
        meta.class5 = class;
    }

    action set_class6(bit<8> class) {
        meta.class6 = class;
    }

    action set_class7(bit<8> class) {
        meta.class7 = class;
    }

    action set_class8(bit<8> class) {
        meta.class8 = class;
    }

    action set_class9(bit<8> class) {
        meta.class9 = class;
    }

    action set_class10(bit<8> class) {
        meta.class10 = class;
    }

    action set_class11(bit<8> class) {
        meta.class11 = class;
    }

    action to_port(bit<9> port) {
        standard_metadata.egress_spec = port;
    }

    action drop() {
        mark_to_drop(standard_metadata);
    }

    table classify0 {
        key = {
            hdr.ethernet.dstAddr: exact;
            hdr.ethernet.srcAddr: exact;
        }
        actions = { set_class0; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify1 {
        key = {
            hdr.ipv4.srcAddr: ternary;
            hdr.ipv4.dstAddr: ternary;
            hdr.ipv4.protocol: ternary;
            hdr.tcp.srcPort: ternary;
            hdr.tcp.dstPort: ternary;
        }
        actions = { set_class1; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify2 {
        key = {
            hdr.ethernet.srcAddr: exact;
            hdr.ipv4.srcAddr: exact;
            hdr.tcp.srcPort: exact;
        }
        actions = { set_class2; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify3 {
        key = {
            hdr.ethernet.dstAddr: exact;
            hdr.ipv4.dstAddr: exact;
            hdr.tcp.dstPort: exact;
        }
        actions = { set_class3; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify4 {
        key = {
            hdr.ipv4.srcAddr: exact;
            hdr.ipv4.dstAddr: exact;
            hdr.ipv4.identification: exact;
            hdr.ipv4.flags_fragOffset: exact;
        }
        actions = { set_class4; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify5 {
        key = {
            hdr.tcp.srcPort: ternary;
            hdr.tcp.dstPort: ternary;
            hdr.tcp.seqNo: ternary;
            hdr.tcp.ackNo: ternary;
        }
        actions = { set_class5; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify6 {
        key = {
            hdr.ethernet.dstAddr: exact;
            hdr.ethernet.srcAddr: exact;
            hdr.ipv4.srcAddr: exact;
            hdr.ipv4.dstAddr: exact;
        }
        actions = { set_class6; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify7 {
        key = {
            hdr.ipv4.srcAddr: exact;
            hdr.ipv4.dstAddr: exact;
            hdr.tcp.srcPort: exact;
            hdr.tcp.dstPort: exact;
            hdr.tcp.offset_flags: exact;
            hdr.tcp.window: exact;
        }
        actions = { set_class7; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify8 {
        key = {
            hdr.ethernet.dstAddr: exact;
            hdr.ethernet.srcAddr: exact;
            hdr.ipv4.srcAddr: exact;
            hdr.ipv4.dstAddr: exact;
            hdr.tcp.srcPort: exact;
            hdr.tcp.dstPort: exact;
        }
        actions = { set_class8; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify9 {
        key = {
            hdr.ipv4.srcAddr: ternary;
            hdr.ipv4.dstAddr: ternary;
            hdr.tcp.seqNo: ternary;
            hdr.tcp.ackNo: ternary;
            hdr.tcp.window: ternary;
        }
        actions = { set_class9; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify10 {
        key = {
            hdr.ethernet.srcAddr: exact;
            hdr.ipv4.srcAddr: exact;
            hdr.ipv4.dstAddr: exact;
            hdr.tcp.seqNo: exact;
        }
        actions = { set_class10; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table classify11 {
        key = {
            hdr.ethernet.dstAddr: exact;
            hdr.ipv4.srcAddr: exact;
            hdr.ipv4.dstAddr: exact;
            hdr.tcp.dstPort: exact;
            hdr.ipv4.ttl: exact;
        }
        actions = { set_class11; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table verdict {
        key = {
            meta.class0: ternary;
            meta.class1: ternary;
            meta.class2: ternary;
            meta.class3: ternary;
            meta.class4: ternary;
            meta.class5: ternary;
            meta.class6: ternary;
            meta.class7: ternary;
            meta.class8: ternary;
            meta.class9: ternary;
            meta.class10: ternary;
            meta.class11: ternary;
        }
        actions = { to_port; drop; }
        size = 256;
        default_action = drop();
    }

    apply {
        classify0.apply();
        classify1.apply();
        classify2.apply();
        classify3.apply();
        classify4.apply();
        classify5.apply();
        classify6.apply();
        classify7.apply();
        classify8.apply();
        classify9.apply();
        classify10.apply();
        classify11.apply();
        verdict.apply();
    }
}

control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard_metadata) {
    apply {
    }
}

control MyComputeChecksum(inout headers hdr, inout metadata meta) {
    apply {
    }
}

control MyDeparser(packet_out packet, in headers hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.tcp);
    }
}

V1Switch(MyParser(), MyVerifyChecksum(), MyIngress(), MyEgress(), MyComputeChecksum(), MyDeparser()) main;
