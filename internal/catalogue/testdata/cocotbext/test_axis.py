"""cocotbext-axi's stream models drive and check a unit with a stream at each side."""
import itertools
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

WORDS = 2000


@cocotb.test()
async def words(dut):
    bits_in, bits_out = int(os.environ["BITS_IN"]), int(os.environ["BITS_OUT"])
    cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s"), dut.clk, dut.rst, byte_size=64)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m"), dut.clk, dut.rst, byte_size=64)
    rng = random.Random(1)
    source.set_pause_generator(itertools.cycle(rng.random() < 0.3 for _ in range(997)))
    sink.set_pause_generator(itertools.cycle(rng.random() < 0.3 for _ in range(991)))
    dut.rst.value = 1
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    sent = [rng.getrandbits(bits_in) for _ in range(WORDS)]
    await source.send(AxiStreamFrame(sent))
    # the same bits in order, the lowest first, in words of the other width
    stream = sum(w << i * bits_in for i, w in enumerate(sent))
    wanted = [stream >> i * bits_out & (1 << bits_out) - 1 for i in range(WORDS * bits_in // bits_out)]
    got = []
    while len(got) < len(wanted):
        frame = await with_timeout(sink.recv(compact=False), 1000, "us")
        got += frame.tdata
    for k, (a, b) in enumerate(zip(got, wanted)):
        assert a == b, f"word {k}: {a:x}, want {b:x}"
    dut._log.info("PASS %d words in, %d words out", WORDS, len(got))
