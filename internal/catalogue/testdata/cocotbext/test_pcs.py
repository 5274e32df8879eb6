"""cocotbext-eth's XGMII models drive and check a PCS."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, with_timeout
from cocotbext.eth import XgmiiFrame, XgmiiSink, XgmiiSource

FRAMES = 400


@cocotb.test()
async def frames(dut):
    cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
    source = XgmiiSource(dut.tx_data, dut.tx_ctrl, dut.clk, dut.rst, enable=dut.tx_enable)
    sink = XgmiiSink(dut.rx_data, dut.rx_ctrl, dut.clk, dut.rst, enable=dut.rx_valid)
    blocks = [0, 0]

    async def count():
        while True:
            await RisingEdge(dut.clk)
            for i, bit in enumerate((dut.block_sent, dut.block_received)):
                blocks[i] += bit.value == 1

    dut.rst.value = 1
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    cocotb.start_soon(count())
    for _ in range(20000):
        await RisingEdge(dut.clk)
        if dut.lock.value == 1:
            break
    assert dut.lock.value == 1, "no lock"
    for _ in range(40):
        await RisingEdge(dut.clk)
    while not sink.empty():  # what was seen before the lock
        sink.recv_nowait()

    rng = random.Random(1)
    sent = []
    for k in range(FRAMES):
        length = 60 + k if k < 64 else rng.randint(60, 1500)  # shorter ones are padded
        sent.append(bytes(rng.randrange(256) for _ in range(length)))
        await source.send(XgmiiFrame.from_payload(sent[-1]))
    for k, payload in enumerate(sent):
        frame = await with_timeout(sink.recv(), 100, "us")
        assert frame.check_fcs(), f"frame {k}: FCS"
        assert bytes(frame.get_payload()) == payload, f"frame {k}: payload"
        assert frame.ctrl is None or not any(frame.ctrl), f"frame {k}: an error or control character within"
    for _ in range(200):
        await RisingEdge(dut.clk)
    assert sink.empty(), "a frame that nobody sent"
    dut._log.info("PASS %d frames, %d blocks sent, %d received", FRAMES, blocks[0], blocks[1])
