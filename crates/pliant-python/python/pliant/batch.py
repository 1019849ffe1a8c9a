"""Many small simulations side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _pliant
from .scene import Scene
from .simulation import Simulation

__all__ = ["Batch"]


class Batch:
    """Many small simulations, each stepped by one thread while others step others: for sweeps of parameters, for learning, for
    calibration. Each has the same bits that it has alone.

    ::

        worlds = [pliant.Scene("pull.toml", overrides={"body.0.edges.compliance": c}) for c in compliances]
        x = pliant.Batch(worlds).rollout(120, every=4)      # (worlds, 30, n, 3)

    :param worlds: simulations, or scenes that are built here.
    :param threads: how many threads work; one for every core by default.
    """

    def __init__(self, worlds: Iterable[Simulation | Scene], *, threads: int | None = None) -> None:
        self._worlds = [world.build(threads=threads) if isinstance(world, Scene) else world for world in worlds]
        if not self._worlds:
            raise ValueError("a batch needs at least one world")
        self._threads = threads

    def __len__(self) -> int:
        return len(self._worlds)

    def __getitem__(self, world: int) -> Simulation:
        """One of the simulations, which may be looked at and changed between steps."""
        return self._worlds[world]

    def __iter__(self) -> Iterator[Simulation]:
        return iter(self._worlds)

    def advance(self, frames: int = 1, *, dt: float | None = None) -> None:
        """Steps all by some frames. Ctrl-C is heard ten times a second.

        :param dt: length of a frame, s; that of the first world by default.
        :raises pliant.StepError: of the first world that breaks down; it has ``world``. The others have gone on.
        """
        self._advance(frames, frames or 1, dt, None)

    def rollout(
        self, frames: int, *, every: int = 1, dt: float | None = None, out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """Steps all by some frames and returns the positions after every ``every``-th, m:
        (worlds, frames // every, n, 3), float32.

        :param out: such an array, contiguous, that is filled and returned.
        :raises ValueError: if the worlds have different numbers of particles, or ``out`` does not fit.
        :raises pliant.StepError: as :meth:`advance`.
        """
        if every < 1:
            raise ValueError(f"every is {every}; give at least 1")
        shape = (len(self), frames // every, self._particles(), 3)
        if out is None:
            out = np.empty(shape, np.float32)
        elif not isinstance(out, np.ndarray) or out.dtype != np.float32:
            raise TypeError("out must be an array of float32")
        elif out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError(f"out has the shape {out.shape}; give {shape}, contiguous and writeable")
        self._advance(frames, every, dt, out)
        return out

    def _advance(self, frames: int, every: int, dt: float | None, out: npt.NDArray[np.float32] | None) -> None:
        if frames < 0:
            raise ValueError(f"frames is {frames}; give a number of at least 0")
        natives = [world._native for world in self._worlds]
        step = self._worlds[0]._dt if dt is None else dt
        _pliant.advance(natives, step, frames, every, self._threads, out)

    def _particles(self) -> int:
        counts = {world.particles for world in self._worlds}
        if len(counts) > 1:
            raise ValueError(f"the worlds have {min(counts)} to {max(counts)} particles; one array needs equal numbers")
        return counts.pop()

    def positions(self) -> npt.NDArray[Any]:
        """Positions, m, (worlds, n, 3), float32."""
        out = np.empty((len(self), self._particles(), 3), np.float32)
        for world, place in zip(self._worlds, out):
            world.positions(out=place)
        return out

    @property
    def state_hashes(self) -> list[int]:
        """The state hash of every world."""
        return [world.state_hash for world in self._worlds]

    def __repr__(self) -> str:
        return f"<pliant.Batch of {len(self)} worlds>"
