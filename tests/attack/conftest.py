"""Limits and kills as Unix has them: other systems have no module for them."""

import sys

collect_ignore = ["files.py", "test_files.py"] if sys.platform == "win32" else []
