class Timer:
    """Time passes in the one simulation there is."""

    simulation = None

    def __init__(self, time, unit="step"):
        self.ps = int(time)

    def __await__(self):
        Timer.simulation.pass_time()
        yield
