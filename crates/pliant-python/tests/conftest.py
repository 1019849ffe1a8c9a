"""What several tests begin with."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import pliant

ROOT = Path(__file__).resolve().parents[3]
"""The repository."""


def hanging(vertices: int = 9, *, dtype: str = "float32", threads: int | None = 1, **settings: object) -> pliant.Simulation:
    """A sheet that hangs from two corners."""
    sheet = pliant.TriMesh.grid((vertices, vertices), (1.0, 1.0))
    cloth = pliant.cloth(sheet, name="sheet", material="cotton", pin=[0, vertices - 1])
    return pliant.Simulation([cloth], dtype=dtype, threads=threads, **settings)  # type: ignore[arg-type]


@pytest.fixture
def sim() -> pliant.Simulation:
    return hanging()


def in_fork(work: Callable[[], object], seconds: float = 20.0) -> object:
    """What a forked child returns; a child that hangs is ended, and is an error."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()

    def child() -> None:
        try:
            theirs.send((True, work()))
        except BaseException as error:  # reported by the parent
            theirs.send((False, repr(error)))

    process = context.Process(target=child)
    process.start()
    try:
        if not ours.poll(seconds):
            raise TimeoutError(f"the child did nothing for {seconds} s")
        fine, result = ours.recv()
    finally:
        process.kill()
        process.join()
    if not fine:
        raise RuntimeError(f"the child failed: {result}")
    return result


class Counter(threading.Thread):
    """A thread that counts, as fast as it is let."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.count, self.done = 0, False

    def run(self) -> None:
        while not self.done:
            self.count += 1
