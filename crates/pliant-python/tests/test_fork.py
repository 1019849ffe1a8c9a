"""A forked child has threads of its own: it steps, and never hangs."""

from __future__ import annotations

import sys
import threading

import pytest
from conftest import hanging, in_fork

import pliant

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
# What Python says of forks beside threads is what is tested here.
pytestmark = [pytestmark, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


def test_a_step_in_a_forked_child_gives_the_same_bits() -> None:
    # Large enough for several threads.
    sim = hanging(101, threads=2, substeps=4)
    sim.advance(2)

    def child() -> int:
        sim.advance(2)
        return sim.state_hash

    theirs = in_fork(child)
    sim.advance(2)
    assert sim.state_hash == theirs


def test_everything_else_works_in_a_forked_child() -> None:
    pliant.Batch([hanging(9) for _ in range(4)]).advance(2)  # the parent has used its pool

    def child() -> tuple[int, int]:
        sim = hanging(31, threads=None)
        sim.step()
        sim.render((80, 60))
        batch = pliant.Batch([hanging(9) for _ in range(4)])
        batch.advance(2)
        return len(pliant.TriMesh.icosphere(1.0, 6).check()["findings"]), in_fork(grandchild)  # type: ignore[return-value]

    def grandchild() -> int:
        sim = hanging(31, threads=None)
        sim.advance()
        return sim.frame

    assert in_fork(child) == (0, 1)


def test_a_fork_beside_a_step_does_not_hang() -> None:
    sim = hanging(101, threads=2)
    worker = threading.Thread(target=sim.advance, args=(20,))
    worker.start()

    def child() -> str:
        hanging(31, threads=2).advance()
        try:
            sim.advance()
        except RuntimeError as error:
            return str(error)
        return "stepped"

    # Stepped by a thread that the child does not have, the simulation may be refused, and says so.
    said = str(in_fork(child))
    worker.join()
    assert said == "stepped" or "another thread" in said
