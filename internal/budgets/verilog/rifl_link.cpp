// Clocks the RIFL link of rifl_link.v, with a user at each end who always has something to send and takes all that comes. The users are
// those of the model: packets of 1,500 bytes drawn from the same random numbers, and each byte that arrives is compared with numbers
// drawn anew.
//
// Arguments: frame cycles after the reset, and how many of those that come then go by from one flipped bit to the next (0: none). Read: numbers of
// frame cycles to run, each answered by the processor seconds that they took. At the end of them printed, for each end: the beats, the bytes, the
// beats that were wrong and the frames that found no room, from the reset on.
#include "Vrifl_link.h"
#include "link.h"  // WIDTH: the bytes of a beat. WORDS: of a frame. INSTANTS: the clocks that rise, instant by instant over a common period

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr unsigned FRAME = 1, TRANSCEIVER = 2, RECOVERED = 4, FREE = 8;
constexpr uint8_t instants[] = {INSTANTS};

// PCG is math/rand/v2's.
class PCG {
    unsigned __int128 state;

public:
    explicit PCG(uint64_t seed) : state{(unsigned __int128)seed << 64 | 0x5109} {}
    uint64_t next() {
        constexpr unsigned __int128 factor = (unsigned __int128)2549297995355413924u << 64 | 4865540595714422341u;
        constexpr unsigned __int128 addend = (unsigned __int128)6364136223846793005u << 64 | 1442695040888963407u;
        state = state * factor + addend;
        uint64_t hi = state >> 64;
        hi ^= hi >> 32;
        hi *= 0xda942042e4dd58b5;
        hi ^= hi >> 48;
        return hi * (uint64_t(state) | 1);
    }
};

// Packets are beats of packets, back to back.
class Packets {
    PCG random;
    unsigned left = 0;

public:
    uint64_t data[WIDTH / 8];
    unsigned bytes = 0;
    bool last = false;

    explicit Packets(uint64_t seed) : random{seed} {}
    void next() {
        if (left == 0) {
            random.next();  // the model draws the size, of which there is one
            left = 1500;
        }
        bytes = left < WIDTH ? left : WIDTH;
        left -= bytes;
        last = left == 0;
        unsigned words = (bytes + 7) / 8;
        for (unsigned i = 0; i < words; i++) data[i] = random.next();
        if (bytes < WIDTH) {
            if (bytes % 8 != 0) data[words - 1] &= ~uint64_t(0) >> (64 - bytes % 8 * 8);
            memset(data + words, 0, WIDTH - 8 * words);
        }
    }
};

struct User {
    Packets send, expect;
    uint64_t beats = 0, bytes = 0, wrong = 0;

    template <class Data> void take(const Data& data, unsigned n, bool last) {
        expect.next();
        beats++;
        bytes += n;
        wrong += n != expect.bytes || last != expect.last || memcmp(&data, expect.data, WIDTH) != 0;
    }
};

VerilatedContext context;
Vrifl_link top{&context};
User users[2] = {{Packets{0}, Packets{1}}, {Packets{1}, Packets{0}}};

// OFFER puts the user's next beat where its register finds it.
#define OFFER(E) \
    users[E].send.next(); \
    memcpy(&top.in_data_##E, users[E].send.data, WIDTH); \
    top.in_bytes_##E = users[E].send.bytes; \
    top.in_last_##E = users[E].send.last;
// TAKE is what the user does with what stands before an edge of the frame clock.
#define TAKE(E) \
    if (top.out_valid_##E) users[E].take(top.out_data_##E, top.out_bytes_##E, top.out_last_##E);

size_t at = 0;
uint64_t word = 0, flip = ~uint64_t(0), every = 0;  // of the line to end 1: the words so far, the one in which a bit flips

void rise(unsigned clocks) {
    top.frame_clk = (clocks & FRAME) != 0;
    top.transceiver_clk = (clocks & TRANSCEIVER) != 0;
    top.recovered_clk = (clocks & RECOVERED) != 0;
    top.free_clk = (clocks & FREE) != 0;
    if (clocks & RECOVERED) {
        top.flip = 0;
        if (word++ == flip) {
            top.flip = 1 << 20;
            flip += every;
        }
    }
    top.eval();
}

// No clock rises at two instants in a row, so that it falls at that of another: an evaluation for each instant is enough.
void run(uint64_t frames) {
    while (frames > 0) {
        const unsigned clocks = instants[at];
        if (++at == sizeof instants) at = 0;
        if (clocks & FRAME) {
            TAKE(0)
            TAKE(1)
            const bool next_0 = top.next_0, next_1 = top.next_1;
            rise(clocks);
            if (next_0) { OFFER(0) }
            if (next_1) { OFFER(1) }
            frames--;
        } else
            rise(clocks);
    }
}

}  // namespace

double sc_time_stamp() { return 0; }

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const uint64_t warm = strtoull(argv[1], nullptr, 10), distance = strtoull(argv[2], nullptr, 10);
    top.rst = 1;
    for (int i = 0; i < 4; i++) {
        rise(FRAME | TRANSCEIVER | RECOVERED | FREE);
        rise(0);
    }
    top.rst = 0;
    word = 0;
    OFFER(0)
    OFFER(1)
    if (distance > 0) {
        every = WORDS * distance;
        flip = WORDS * warm + every;
    }
    run(warm);
    unsigned long long frames;
    while (scanf("%llu", &frames) == 1) {
        const std::clock_t start = std::clock();
        run(frames);
        printf("%.9f\n", double(std::clock() - start) / CLOCKS_PER_SEC);
        fflush(stdout);
    }
    for (int e = 0; e < 2; e++)
        printf("%llu %llu %llu %u\n", (unsigned long long)users[e].beats, (unsigned long long)users[e].bytes, (unsigned long long)users[e].wrong,
               unsigned(e == 0 ? top.overflow_0 : top.overflow_1));
    return 0;
}
