"""Work for pools that goes wrong: in a module of its own, so that other processes find it."""

from __future__ import annotations

import os
import signal
import sys
import time

from vision.evaluation import Interrupted, Local
from vision.evaluation.pools import Outcome


def numbered(n: int) -> Outcome:
    """Tells its number; the fourth is killed as the system does it when memory is short, the sixth breaks."""
    if n == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if n == 5:
        raise RuntimeError("broken")
    return Outcome(reading={"n": n})


def slow(n: int) -> Outcome:
    time.sleep(0.3)
    return Outcome(reading={"n": n})


if __name__ == "__main__":
    # A shell lets what it starts in the background ignore Ctrl-C; here it is the thing that is tried.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        Local(int(sys.argv[1]))(slow, [(n,) for n in range(400)], lambda done, _: print(done, flush=True))
    except Interrupted as interrupted:
        print("read", sum(o is not None for o in interrupted.outcomes), flush=True)
