"""How an attack went: tries, failures with a word each, and what the worst try cost."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

# Longer than this nobody waits: a hang.
HANG = 5.0


@dataclass
class Tally:
    """One attack's count. `limit`: seconds after which a long run has to stop, whatever was tried by then."""

    name: str
    tries: int = 0
    failures: list[str] = field(default_factory=list)
    worst: float = 0.0

    @contextmanager
    def attempt(self, what: str, fine: tuple[type[BaseException], ...] = ()) -> Iterator[None]:
        """One try: an error that is not `fine`, or a hang, is a failure named by `what`."""
        self.tries += 1
        began = time.perf_counter()
        try:
            yield
        except fine:
            pass
        except Exception as error:
            self.failures.append(f"{what}: {type(error).__name__}: {str(error)[:200]}")
        took = time.perf_counter() - began
        self.worst = max(self.worst, took)
        if took > HANG:
            self.failures.append(f"{what}: took {took:.1f} s")

    def expect(self, held: bool, what: str) -> None:
        """A promise that must hold."""
        if not held:
            self.failures.append(what)

    def held(self) -> None:
        """For the tests: says what failed first."""
        assert self.tries
        assert not self.failures, f"{len(self.failures)} of {self.tries}: {self.failures[:3]}"


# An attack: so many tries from a seed.
Attack = Callable[[int, int], Tally]


def bent(data: bytes, rng: random.Random) -> bytes:
    """Bytes as a bad disk, a cut line or a clever stranger would leave them."""
    raw = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        if not raw:
            break
        at = rng.randrange(len(raw))
        way = rng.randrange(7)
        if way == 0:
            raw[at] ^= 1 << rng.randrange(8)
        elif way == 1:
            raw[at] = rng.choice((0, 0xFF, 0x7F, 0x80, rng.randrange(256)))
        elif way == 2:
            del raw[at:]
        elif way == 3:
            del raw[at : at + rng.randrange(1, 64)]
        elif way == 4:
            raw[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 16)))
        elif way == 5:
            raw[at : at + 64] = bytes(min(64, len(raw) - at))
        else:
            other = rng.randrange(len(raw))
            raw[at : at + 32] = raw[other : other + 32]
    return bytes(raw)
