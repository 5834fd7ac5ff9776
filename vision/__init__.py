"""Reads boards, cards and tickets from photos."""

import os

# Only small systems are solved here. With several threads OpenCV's solver waits for other cores: on a busy machine for
# half of a reading's time. What somebody set stays; it counts for what is loaded from here on.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
