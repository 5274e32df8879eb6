"""Stands for cocotb where it is not installed: just enough to run one exported test."""

tests = []


def test():
    def register(f):
        tests.append(f)
        return f

    return register
