// Bound by actions: eight tables with small keys, each of which rewrites most of a header of 24 fields.

#include <core.p4>
#include <v1model.p4>

header ethernet_t {
    bit<48> dstAddr;
    bit<48> srcAddr;
    bit<16> etherType;
}

header record_t {
    bit<16> w0;
    bit<16> w1;
    bit<16> w2;
    bit<16> w3;
    bit<16> w4;
    bit<16> w5;
    bit<16> w6;
    bit<16> w7;
    bit<16> w8;
    bit<16> w9;
    bit<16> w10;
    bit<16> w11;
    bit<16> w12;
    bit<16> w13;
    bit<16> w14;
    bit<16> w15;
    bit<32> d0;
    bit<32> d1;
    bit<32> d2;
    bit<32> d3;
    bit<32> d4;
    bit<32> d5;
    bit<32> d6;
    bit<32> d7;
}

struct metadata {
    bit<8> stage0;
    bit<8> stage1;
    bit<8> stage2;
    bit<8> stage3;
    bit<8> stage4;
    bit<8> stage5;
    bit<8> stage6;
    bit<8> stage7;
}

struct headers {
    ethernet_t ethernet;
    record_t record;
}

parser MyParser(packet_in packet, out headers hdr, inout metadata meta, inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.etherType) {
            0x88b5: parse_record;
            default: accept;
        }
    }

    state parse_record {
        packet.extract(hdr.record);
        transition accept;
    }
}

control MyVerifyChecksum(inout headers hdr, inout metadata meta) {
    apply { }
}

control MyIngress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard_metadata) {
    action mix0(bit<8> next, bit<32> salt) {
        hdr.record.w0 = hdr.record.w0 ^ hdr.record.w1;
        hdr.record.w1 = hdr.record.w1 ^ hdr.record.w2;
        hdr.record.w2 = hdr.record.w2 ^ hdr.record.w3;
        hdr.record.w3 = hdr.record.w3 ^ hdr.record.w4;
        hdr.record.w4 = hdr.record.w4 ^ hdr.record.w5;
        hdr.record.w5 = hdr.record.w5 ^ hdr.record.w6;
        hdr.record.w6 = hdr.record.w6 ^ hdr.record.w7;
        hdr.record.w7 = hdr.record.w7 ^ hdr.record.w8;
        hdr.record.w8 = hdr.record.w8 ^ hdr.record.w9;
        hdr.record.w9 = hdr.record.w9 ^ hdr.record.w10;
        hdr.record.w10 = hdr.record.w10 ^ hdr.record.w11;
        hdr.record.w11 = hdr.record.w11 ^ hdr.record.w12;
        hdr.record.w12 = hdr.record.w12 ^ hdr.record.w13;
        hdr.record.w13 = hdr.record.w13 ^ hdr.record.w14;
        hdr.record.w14 = hdr.record.w14 ^ hdr.record.w15;
        hdr.record.w15 = hdr.record.w15 ^ 0x1111;
        hdr.record.d0 = hdr.record.d0 ^ hdr.record.d1;
        hdr.record.d1 = hdr.record.d1 ^ hdr.record.d2;
        hdr.record.d2 = hdr.record.d2 ^ hdr.record.d3;
        hdr.record.d3 = hdr.record.d3 ^ hdr.record.d4;
        hdr.record.d4 = hdr.record.d4 ^ hdr.record.d5;
        hdr.record.d5 = hdr.record.d5 ^ hdr.record.d6;
        hdr.record.d6 = hdr.record.d6 ^ hdr.record.d7;
        hdr.record.d7 = hdr.record.d7 ^ salt;
        meta.stage1 = next;
    }

    action mix1(bit<8> next, bit<32> salt) {
        hdr.record.w0 = hdr.record.w0 + hdr.record.w1;
        hdr.record.w1 = hdr.record.w1 + hdr.record.w2;
        hdr.record.w2 = hdr.record.w2 + hdr.record.w3;
        hdr.record.w3 = hdr.record.w3 + hdr.record.w4;
        hdr.record.w4 = hdr.record.w4 + hdr.record.w5;
        hdr.record.w5 = hdr.record.w5 + hdr.record.w6;
        hdr.record.w6 = hdr.record.w6 + hdr.record.w7;
        hdr.record.w7 = hdr.record.w7 + hdr.record.w8;
        hdr.record.w8 = hdr.record.w8 + hdr.record.w9;
        hdr.record.w9 = hdr.record.w9 + hdr.record.w10;
        hdr.record.w10 = hdr.record.w10 + hdr.record.w11;
        hdr.record.w11 = hdr.record.w11 + hdr.record.w12;
        hdr.record.w12 = hdr.record.w12 + hdr.record.w13;
        hdr.record.w13 = hdr.record.w13 + hdr.record.w14;
        hdr.record.w14 = hdr.record.w14 + hdr.record.w15;
        hdr.record.w15 = hdr.record.w15 + 0x2222;
        hdr.record.d0 = hdr.record.d0 ^ hdr.record.d1;
        hdr.record.d1 = hdr.record.d1 ^ hdr.record.d2;
        hdr.record.d2 = hdr.record.d2 ^ hdr.record.d3;
        hdr.record.d3 = hdr.record.d3 ^ hdr.record.d4;
        hdr.record.d4 = hdr.record.d4 ^ hdr.record.d5;
        hdr.record.d5 = hdr.record.d5 ^ hdr.record.d6;
        hdr.record.d6 = hdr.record.d6 ^ hdr.record.d7;
        hdr.record.d7 = hdr.record.d7 ^ salt;
        meta.stage2 = next;
    }

    action mix2(bit<8> next, bit<32> salt) {
        hdr.record.w0 = (hdr.record.w0 - hdr.record.w1) & 0xffff;
        hdr.record.w1 = (hdr.record.w1 - hdr.record.w2) & 0xffff;
        hdr.record.w2 = (hdr.record.w2 - hdr.record.w3) & 0xffff;
        hdr.record.w3 = (hdr.record.w3 - hdr.record.w4) & 0xffff;
        hdr.record.w4 = (hdr.record.w4 - hdr.record.w5) & 0xffff;
        hdr.record.w5 = (hdr.record.w5 - hdr.record.w6) & 0xffff;
        hdr.record.w6 = (hdr.record.w6 - hdr.record.w7) & 0xffff;
        hdr.record.w7 = (hdr.record.w7 - hdr.record.w8) & 0xffff;
        hdr.record.w8 = (hdr.record.w8 - hdr.record.w9) & 0xffff;
        hdr.record.w9 = (hdr.record.w9 - hdr.record.w10) & 0xffff;
        hdr.record.w10 = (hdr.record.w10 - hdr.record.w11) & 0xffff;
        hdr.record.w11 = (hdr.record.w11 - hdr.record.w12) & 0xffff;
        hdr.record.w12 = (hdr.record.w12 - hdr.record.w13) & 0xffff;
        hdr.record.w13 = (hdr.record.w13 - hdr.record.w14) & 0xffff;
        hdr.record.w14 = (hdr.record.w14 - hdr.record.w15) & 0xffff;
        hdr.record.w15 = (hdr.record.w15 - 0x3333) & 0xffff;
        hdr.record.d0 = hdr.record.d0 ^ hdr.record.d1;
        hdr.record.d1 = hdr.record.d1 ^ hdr.record.d2;
        hdr.record.d2 = hdr.record.d2 ^ hdr.record.d3;
        hdr.record.d3 = hdr.record.d3 ^ hdr.record.d4;
        hdr.record.d4 = hdr.record.d4 ^ hdr.record.d5;
        hdr.record.d5 = hdr.record.d5 ^ hdr.record.d6;
        hdr.record.d6 = hdr.record.d6 ^ hdr.record.d7;
        hdr.record.d7 = hdr.record.d7 ^ salt;
        meta.stage3 = next;
    }

    action mix3(bit<8> next, bit<32> salt) {
        hdr.record.w0 = hdr.record.w0 & hdr.record.w1;
        hdr.record.w1 = hdr.record.w1 & hdr.record.w2;
        hdr.record.w2 = hdr.record.w2 & hdr.record.w3;
        hdr.record.w3 = hdr.record.w3 & hdr.record.w4;
        hdr.record.w4 = hdr.record.w4 & hdr.record.w5;
        hdr.record.w5 = hdr.record.w5 & hdr.record.w6;
        hdr.record.w6 = hdr.record.w6 & hdr.record.w7;
        hdr.record.w7 = hdr.record.w7 & hdr.record.w8;
        hdr.record.w8 = hdr.record.w8 & hdr.record.w9;
        hdr.record.w9 = hdr.record.w9 & hdr.record.w10;
        hdr.record.w10 = hdr.record.w10 & hdr.record.w11;
        hdr.record.w11 = hdr.record.w11 & hdr.record.w12;
        hdr.record.w12 = hdr.record.w12 & hdr.record.w13;
        hdr.record.w13 = hdr.record.w13 & hdr.record.w14;
        hdr.record.w14 = hdr.record.w14 & hdr.record.w15;
        hdr.record.w15 = hdr.record.w15 & 0x4444;
        hdr.record.d0 = hdr.record.d0 ^ hdr.record.d1;
        hdr.record.d1 = hdr.record.d1 ^ hdr.record.d2;
        hdr.record.d2 = hdr.record.d2 ^ hdr.record.d3;
        hdr.record.d3 = hdr.record.d3 ^ hdr.record.d4;
        hdr.record.d4 = hdr.record.d4 ^ hdr.record.d5;
        hdr.record.d5 = hdr.record.d5 ^ hdr.record.d6;
        hdr.record.d6 = hdr.record.d6 ^ hdr.record.d7;
        hdr.record.d7 = hdr.record.d7 ^ salt;
        meta.stage4 = next;
    }

    action mix4(bit<8> next, bit<32> salt) {
        hdr.record.w0 = hdr.record.w0 | hdr.record.w1;
        hdr.record.w1 = hdr.record.w1 | hdr.record.w2;
        hdr.record.w2 = hdr.record.w2 | hdr.record.w3;
        hdr.record.w3 = hdr.record.w3 | hdr.record.w4;
        hdr.record.w4 = hdr.record.w4 | hdr.record.w5;
        hdr.record.w5 = hdr.record.w5 | hdr.record.w6;
        hdr.record.w6 = hdr.record.w6 | hdr.record.w7;
        hdr.record.w7 = hdr.record.w7 | hdr.record.w8;
        hdr.record.w8 = hdr.record.w8 | hdr.record.w9;
        hdr.record.w9 = hdr.record.w9 | hdr.record.w10;
        hdr.record.w10 = hdr.record.w10 | hdr.record.w11;
        hdr.record.w11 = hdr.record.w11 | hdr.record.w12;
        hdr.record.w12 = hdr.record.w12 | hdr.record.w13;
        hdr.record.w13 = hdr.record.w13 | hdr.record.w14;
        hdr.record.w14 = hdr.record.w14 | hdr.record.w15;
        hdr.record.w15 = hdr.record.w15 | 0x5555;
        hdr.record.d0 = hdr.record.d0 ^ hdr.record.d1;
        hdr.record.d1 = hdr.record.d1 ^ hdr.record.d2;
        hdr.record.d2 = hdr.record.d2 ^ hdr.record.d3;
        hdr.record.d3 = hdr.record.d3 ^ hdr.record.d4;
        hdr.record.d4 = hdr.record.d4 ^ hdr.record.d5;
        hdr.record.d5 = hdr.record.d5 ^ hdr.record.d6;
        hdr.record.d6 = hdr.record.d6 ^ hdr.record.d7;
        hdr.record.d7 = hdr.record.d7 ^ salt;
        meta.stage5 = next;
    }

    action mix5(bit<8> next, bit<32> salt) {
        hdr.record.w0 = hdr.record.w0 ^ hdr.record.w1;
        hdr.record.w1 = hdr.record.w1 ^ hdr.record.w2;
        hdr.record.w2 = hdr.record.w2 ^ hdr.record.w3;
        hdr.record.w3 = hdr.record.w3 ^ hdr.record.w4;
        hdr.record.w4 = hdr.record.w4 ^ hdr.record.w5;
        hdr.record.w5 = hdr.record.w5 ^ hdr.record.w6;
        hdr.record.w6 = hdr.record.w6 ^ hdr.record.w7;
        hdr.record.w7 = hdr.record.w7 ^ hdr.record.w8;
        hdr.record.w8 = hdr.record.w8 ^ hdr.record.w9;
        hdr.record.w9 = hdr.record.w9 ^ hdr.record.w10;
        hdr.record.w10 = hdr.record.w10 ^ hdr.record.w11;
        hdr.record.w11 = hdr.record.w11 ^ hdr.record.w12;
        hdr.record.w12 = hdr.record.w12 ^ hdr.record.w13;
        hdr.record.w13 = hdr.record.w13 ^ hdr.record.w14;
        hdr.record.w14 = hdr.record.w14 ^ hdr.record.w15;
        hdr.record.w15 = hdr.record.w15 ^ 0x6666;
        hdr.record.d0 = hdr.record.d0 ^ hdr.record.d1;
        hdr.record.d1 = hdr.record.d1 ^ hdr.record.d2;
        hdr.record.d2 = hdr.record.d2 ^ hdr.record.d3;
        hdr.record.d3 = hdr.record.d3 ^ hdr.record.d4;
        hdr.record.d4 = hdr.record.d4 ^ hdr.record.d5;
        hdr.record.d5 = hdr.record.d5 ^ hdr.record.d6;
        hdr.record.d6 = hdr.record.d6 ^ hdr.record.d7;
        hdr.record.d7 = hdr.record.d7 ^ salt;
        meta.stage6 = next;
    }

    action mix6(bit<8> next, bit<32> salt) {
        hdr.record.w0 = hdr.record.w0 + hdr.record.w1;
        hdr.record.w1 = hdr.record.w1 + hdr.record.w2;
        hdr.record.w2 = hdr.record.w2 + hdr.record.w3;
        hdr.record.w3 = hdr.record.w3 + hdr.record.w4;
        hdr.record.w4 = hdr.record.w4 + hdr.record.w5;
        hdr.record.w5 = hdr.record.w5 + hdr.record.w6;
        hdr.record.w6 = hdr.record.w6 + hdr.record.w7;
        hdr.record.w7 = hdr.record.w7 + hdr.record.w8;
        hdr.record.w8 = hdr.record.w8 + hdr.record.w9;
        hdr.record.w9 = hdr.record.w9 + hdr.record.w10;
        hdr.record.w10 = hdr.record.w10 + hdr.record.w11;
        hdr.record.w11 = hdr.record.w11 + hdr.record.w12;
        hdr.record.w12 = hdr.record.w12 + hdr.record.w13;
        hdr.record.w13 = hdr.record.w13 + hdr.record.w14;
        hdr.record.w14 = hdr.record.w14 + hdr.record.w15;
        hdr.record.w15 = hdr.record.w15 + 0x7777;
        hdr.record.d0 = hdr.record.d0 ^ hdr.record.d1;
        hdr.record.d1 = hdr.record.d1 ^ hdr.record.d2;
        hdr.record.d2 = hdr.record.d2 ^ hdr.record.d3;
        hdr.record.d3 = hdr.record.d3 ^ hdr.record.d4;
        hdr.record.d4 = hdr.record.d4 ^ hdr.record.d5;
        hdr.record.d5 = hdr.record.d5 ^ hdr.record.d6;
        hdr.record.d6 = hdr.record.d6 ^ hdr.record.d7;
        hdr.record.d7 = hdr.record.d7 ^ salt;
        meta.stage7 = next;
    }

    action mix7(bit<8> next, bit<32> salt) {
        hdr.record.w0 = hdr.record.w0 ^ hdr.record.w1;
        hdr.record.w1 = hdr.record.w1 ^ hdr.record.w2;
        hdr.record.w2 = hdr.record.w2 ^ hdr.record.w3;
        hdr.record.w3 = hdr.record.w3 ^ hdr.record.w4;
        hdr.record.w4 = hdr.record.w4 ^ hdr.record.w5;
        hdr.record.w5 = hdr.record.w5 ^ hdr.record.w6;
        hdr.record.w6 = hdr.record.w6 ^ hdr.record.w7;
        hdr.record.w7 = hdr.record.w7 ^ hdr.record.w8;
        hdr.record.w8 = hdr.record.w8 ^ hdr.record.w9;
        hdr.record.w9 = hdr.record.w9 ^ hdr.record.w10;
        hdr.record.w10 = hdr.record.w10 ^ hdr.record.w11;
        hdr.record.w11 = hdr.record.w11 ^ hdr.record.w12;
        hdr.record.w12 = hdr.record.w12 ^ hdr.record.w13;
        hdr.record.w13 = hdr.record.w13 ^ hdr.record.w14;
        hdr.record.w14 = hdr.record.w14 ^ hdr.record.w15;
        hdr.record.w15 = hdr.record.w15 ^ 0x8888;
        hdr.record.d0 = hdr.record.d0 ^ hdr.record.d1;
        hdr.record.d1 = hdr.record.d1 ^ hdr.record.d2;
        hdr.record.d2 = hdr.record.d2 ^ hdr.record.d3;
        hdr.record.d3 = hdr.record.d3 ^ hdr.record.d4;
        hdr.record.d4 = hdr.record.d4 ^ hdr.record.d5;
        hdr.record.d5 = hdr.record.d5 ^ hdr.record.d6;
        hdr.record.d6 = hdr.record.d6 ^ hdr.record.d7;
        hdr.record.d7 = hdr.record.d7 ^ salt;
        meta.stage0 = next;
    }

    action forward(bit<9> port) {
        standard_metadata.egress_spec = port;
    }

    action drop() {
        mark_to_drop(standard_metadata);
    }

    table round0 {
        key = {
            hdr.ethernet.srcAddr: exact;
        }
        actions = { mix0; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table round1 {
        key = {
            meta.stage1: exact;
        }
        actions = { mix1; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table round2 {
        key = {
            meta.stage2: exact;
        }
        actions = { mix2; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table round3 {
        key = {
            meta.stage3: exact;
        }
        actions = { mix3; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table round4 {
        key = {
            meta.stage4: exact;
        }
        actions = { mix4; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table round5 {
        key = {
            meta.stage5: exact;
        }
        actions = { mix5; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table round6 {
        key = {
            meta.stage6: exact;
        }
        actions = { mix6; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table round7 {
        key = {
            meta.stage7: exact;
        }
        actions = { mix7; NoAction; }
        size = 256;
        default_action = NoAction();
    }

    table dmac {
        key = {
            hdr.ethernet.dstAddr: exact;
        }
        actions = { forward; drop; }
        size = 1024;
        default_action = drop();
    }

    apply {
        if (hdr.record.isValid()) {
            round0.apply();
            round1.apply();
            round2.apply();
            round3.apply();
            round4.apply();
            round5.apply();
            round6.apply();
            round7.apply();
        }
        dmac.apply();
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
        packet.emit(hdr.record);
    }
}

V1Switch(MyParser(), MyVerifyChecksum(), MyIngress(), MyEgress(), MyComputeChecksum(), MyDeparser()) main;
