"""What the package costs beside the solver: the numbers of docs/src/guide/python.md, all in one run.

    python crates/pliant-python/examples/measure.py
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np

import pliant


def seconds(work: Callable[[], object], repeat: int = 5) -> float:
    """The shortest of some runs: the others are what else the machine does."""
    best = float("inf")
    for _ in range(repeat):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return best


def sheet(vertices: tuple[int, int], threads: int) -> pliant.Simulation:
    mesh = pliant.TriMesh.grid(vertices, (1.0, 1.0))
    body = pliant.cloth(mesh, name="sheet", edges={"compliance": 1e-6}, pin=[0, vertices[0] - 1])
    return pliant.Simulation([body], threads=threads)


def copies() -> float:
    sim = sheet((101, 100), 1)
    out = np.empty((10_100, 3), np.float32)
    return seconds(lambda: [sim.positions(out=out) for _ in range(200)]) / 200


def steps() -> tuple[float, float]:
    """A step by itself, and in a loop of Rust."""
    count = 5000
    sim, same = sheet((3, 3), 1), sheet((3, 3), 1)
    batch = pliant.Batch([same], threads=1)
    return seconds(lambda: [sim.advance() for _ in range(count)]) / count, seconds(lambda: batch.advance(count)) / count


def batches(worlds: int = 1000, frames: int = 10) -> tuple[float, float]:
    """All worlds on one thread, and on two, turn by turn."""
    sims = [sheet((20, 20), 1) for _ in range(worlds)]
    start = [sim.snapshot() for sim in sims]
    times: dict[int, float] = {1: float("inf"), 2: float("inf")}
    hashes = []
    for _ in range(3):
        for threads in times:
            for sim, state in zip(sims, start):
                sim.restore(state)
            batch = pliant.Batch(sims, threads=threads)
            times[threads] = min(times[threads], seconds(lambda: batch.advance(frames), 1))
            hashes.append(tuple(batch.state_hashes))
    assert len(set(hashes)) == 1, "the same bits, whoever steps"
    return times[1], times[2]


if __name__ == "__main__":
    print(f"{os.cpu_count()} cores")
    print(f"positions of 10 100 vertices: {1e6 * copies():.1f} µs")
    alone, looped = steps()
    print(f"a step of 9 vertices: {1e6 * alone:.1f} µs from Python, {1e6 * looped:.1f} µs in Rust, {1e6 * (alone - looped):.1f} µs more")
    one, two = batches()
    print(f"1000 sheets of 20 × 20, 10 frames: {10_000 / one:.0f} frames/s on one thread, {10_000 / two:.0f} on two: {one / two:.2f} times as fast")
