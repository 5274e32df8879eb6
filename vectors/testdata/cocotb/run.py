"""Runs an exported cocotb test on a pretended module: python3 run.py DIRECTORY MODULE [ROW BIT].

The module answers each rising edge with the next row of expected.hex, and one under reset with the first; ROW and BIT flip a bit of it.
"""

import asyncio  # noqa: F401  (coroutines are driven by hand)
import importlib
import os
import sys

import cocotb
from cocotb.triggers import Timer


class Handle:
    def __init__(self, value=0):
        self.value = value


class Log:
    def error(self, text, *args):
        print(text % args)

    info = error


class Module:
    def __init__(self, test, flip):
        self.clk, self.rst, self._log = Handle(), Handle(), Log()
        for name, _ in test.INPUTS:
            setattr(self, name, Handle())
        self.test, self.row, self.before = test, 0, 0
        self.rows = test.read_rows("expected.hex", test.OUTPUTS)
        if flip:
            row, bit = flip
            self.rows[row][test.OUTPUTS[0][0]] ^= 1 << bit
        self.show()

    def show(self):
        for name, width, _ in self.test.OUTPUTS:
            setattr(self, name, Handle(format(self.rows[min(self.row, len(self.rows) - 1)][name], f"0{width}b")))

    def pass_time(self):
        if self.clk.value and not self.before:
            self.row = 0 if self.rst.value else self.row + 1
            self.show()
        self.before = self.clk.value


def main():
    directory, module = sys.argv[1:3]
    sys.path.insert(0, directory)
    test = importlib.import_module("test_" + module)
    flip = tuple(int(a) for a in sys.argv[3:5])
    Timer.simulation = Module(test, flip)
    for f in cocotb.tests:
        run = f(Timer.simulation)
        try:
            while True:
                run.send(None)
        except StopIteration:
            pass
        except AssertionError as e:
            print(e)
            return 1
    return 0 if cocotb.tests else 2


sys.exit(main())
