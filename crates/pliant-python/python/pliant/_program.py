"""The program ``pliant``, as a script of the package."""

from __future__ import annotations

import signal
import sys

from . import _pliant


def main() -> int:
    """Runs the program with the arguments of the process and returns its exit status."""
    # The program runs outside of the interpreter, whose own handler would only take note of Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _pliant.main(["pliant", *sys.argv[1:]])


if __name__ == "__main__":
    raise SystemExit(main())
