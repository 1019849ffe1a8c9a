"""What the package costs beside the solver: the numbers of docs/src/guide/python.md, all in one run.

    python crates/pliant-python/examples/measure.py

With MuJoCo installed (``pip install mujoco``) its cloth steps the nearest equal sheets beside.
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


def stretch(sim: pliant.Simulation) -> float:
    """The largest relative stretch of an edge."""
    body = sim.bodies[0]
    lengths = [np.linalg.norm(np.diff(x[body.edges], axis=1)[:, 0], axis=1) for x in (body.rest_positions, body.positions())]
    return float((lengths[1] / lengths[0] - 1).max())


SHEET = """<mujoco><option timestep="{h}" solver="CG" tolerance="1e-6"/><size memory="64M"/><worldbody>
<flexcomp name="sheet" type="grid" count="20 20 1" spacing="{gap} {gap} {gap}" dim="2" mass="0.2" radius="0.001">
<edge equality="true"/><contact selfcollide="none"/><pin id="0 19"/></flexcomp></worldbody></mujoco>"""


def peer(worlds: int = 16, frames: int = 10) -> tuple[float, float, float] | None:
    """Frames per second of MuJoCo's cloth on one thread and on two, and the largest stretch after a second."""
    try:
        import mujoco  # type: ignore[import-not-found]
    except ImportError:
        return None
    from concurrent.futures import ThreadPoolExecutor

    model = mujoco.MjModel.from_xml_string(SHEET.format(h=1 / 600, gap=1 / 19))
    rates = []
    for threads in (1, 2):
        states = [mujoco.MjData(model) for _ in range(worlds)]
        with ThreadPoolExecutor(threads) as pool:
            step = lambda state: mujoco.mj_step(model, state, 10 * frames)  # noqa: E731
            rates.append(worlds * frames / seconds(lambda: list(pool.map(step, states)), 1))
    state = mujoco.MjData(model)
    mujoco.mj_step(model, state, 600)
    x = state.flexvert_xpos[model.flex_edge]
    length = np.linalg.norm(x[:, 1] - x[:, 0], axis=1)
    return rates[0], rates[1], float((length / model.flexedge_length0 - 1).max())


if __name__ == "__main__":
    print(f"{os.cpu_count()} cores")
    print(f"positions of 10 100 vertices: {1e6 * copies():.1f} µs")
    alone, looped = steps()
    print(f"a step of 9 vertices: {1e6 * alone:.1f} µs from Python, {1e6 * looped:.1f} µs in Rust, {1e6 * (alone - looped):.1f} µs more")
    one, two = batches()
    print(f"1000 sheets of 20 × 20, 10 frames: {10_000 / one:.0f} frames/s on one thread, {10_000 / two:.0f} on two: {one / two:.2f} times as fast")
    found = peer()
    if found is not None:
        sim = sheet((20, 20), 1)
        sim.advance(60)
        print(f"  its largest stretch after a second: {100 * stretch(sim):.1f} %")
        print(f"the same by MuJoCo: {found[0]:.0f} frames/s on one thread, {found[1]:.0f} on two; stretch {100 * found[2]:.1f} %")
