"""Point caches (PC2), which Blender's modifier Mesh Cache reads."""

import os
import struct
from pathlib import Path

import numpy as np


class Writer:
    """A cache that appears whole or not at all."""

    def __init__(self, path: Path, points: int) -> None:
        self.path, self.points, self.samples = path, points, 0
        self.part = path.with_name(f".{path.name}.part")
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = self.part.open("wb")
        self.file.write(self._head())

    def _head(self) -> bytes:
        return struct.pack("<12siiffi", b"POINTCACHE2\0", 1, self.points, 0.0, 1.0, self.samples)

    def append(self, positions: np.ndarray) -> None:
        """Adds a frame, (points, 3)."""
        self.file.write(np.ascontiguousarray(positions, "<f4").tobytes())
        self.samples += 1

    def finish(self) -> None:
        """Puts it in the place of an earlier one."""
        self.file.seek(0)
        self.file.write(self._head())
        self.file.close()
        os.replace(self.part, self.path)

    def discard(self) -> None:
        """Leaves no trace, and an earlier cache as it is."""
        self.file.close()
        self.part.unlink(missing_ok=True)
