"""`python -m companion` does the same as the command `companion`."""

import sys

from companion.cli import main

if __name__ == "__main__":
    sys.exit(main())
