"""``python -m pliant``: the program."""

from ._program import main

raise SystemExit(main())
