"""Goldwire's models in Python: a scoreboard asks the model what comes next.

    encoder = goldwire.unit("pcs/encoder")
    encoder.reset()
    want = encoder.cycle(in_data=0x0707070707070707, in_ctrl=0xff, in_valid=1)  # a dict of the outputs, before the edge

The library is libgoldwire.so, which `make python` builds; GOLDWIRE_LIBRARY names it, else it is looked for beside this file.
Nothing but Python's own ctypes is needed.
"""

import ctypes
import os

_library = None


def _load():
    global _library
    if _library is None:
        path = os.environ.get("GOLDWIRE_LIBRARY") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "libgoldwire.so")
        lib = ctypes.CDLL(path)
        lib.goldwire_new.restype = ctypes.c_void_p
        lib.goldwire_new.argtypes = [ctypes.c_char_p]
        lib.goldwire_fields.restype = ctypes.c_char_p
        lib.goldwire_fields.argtypes = [ctypes.c_void_p]
        lib.goldwire_input.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64]
        lib.goldwire_output.restype = ctypes.c_uint64
        lib.goldwire_output.argtypes = [ctypes.c_void_p, ctypes.c_int]
        for f in (lib.goldwire_reset, lib.goldwire_settle, lib.goldwire_edge):
            f.restype, f.argtypes = None, [ctypes.c_void_p]
        lib.goldwire_input.restype = None
        _library = lib
    return _library


class Unit:
    """A model of one clock. Its fields are those of `goldwire list MODULE`."""

    def __init__(self, name, **parameters):
        self._lib = _load()
        text = name + "".join((" " if i == 0 else ",") + f"{k}={v}" for i, (k, v) in enumerate(parameters.items()))
        self._model = self._lib.goldwire_new(text.encode())
        if not self._model:
            raise ValueError(f"goldwire has no unit {text} that one clock drives")
        self.inputs, self.outputs = {}, {}  # widths in bits, by name
        self.counts = {}  # for an output, the output of one bit that says when it counts
        self._index = {}
        for i, line in enumerate(self._lib.goldwire_fields(self._model).decode().splitlines()):
            field, direction, width, valid = line.split(" ")
            self._index[field] = i
            (self.inputs if direction == "in" else self.outputs)[field] = int(width)
            if valid != "-":
                self.counts[field] = valid

    def reset(self):
        """Brings the model into the state after its reset."""
        self._lib.goldwire_reset(self._model)

    def drive(self, **inputs):
        """Drives inputs; the others keep their values, which are 0 at first."""
        for name, value in inputs.items():
            if name not in self.inputs:
                raise KeyError(f"no input {name}, there are: {', '.join(self.inputs)}")
            if not 0 <= value < 1 << self.inputs[name]:
                raise ValueError(f"{name}: {value:#x} is not of {self.inputs[name]} bits")
            self._lib.goldwire_input(self._model, self._index[name], value)

    def read(self):
        """Returns the outputs, combinational ones as the inputs have them now."""
        self._lib.goldwire_settle(self._model)
        return {name: self._lib.goldwire_output(self._model, self._index[name]) for name in self.outputs}

    def edge(self):
        """Is a rising edge of the clock."""
        self._lib.goldwire_edge(self._model)

    def cycle(self, **inputs):
        """Drives inputs, reads the outputs just before the edge, and gives the edge."""
        self.drive(**inputs)
        out = self.read()
        self.edge()
        return out

    def differs(self, want, got):
        """Lists the outputs that count in want and have other values in got: (name, wanted, got)."""
        return [(n, want[n], got[n]) for n in want if n in got and (n not in self.counts or want[self.counts[n]]) and want[n] != got[n]]


def unit(name, **parameters):
    """Returns a model: unit("blocks/fifo", depth=8). A name that there is not, or a parameter, is a ValueError."""
    return Unit(name, **parameters)
