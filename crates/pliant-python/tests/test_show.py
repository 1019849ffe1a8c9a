"""A simulation on a page of this machine."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable
from http.client import HTTPResponse

import pytest
from conftest import hanging

import pliant


def message(stream: HTTPResponse) -> tuple[int, bytes]:
    kind, length = struct.unpack("<II", stream.read(8))
    return kind, stream.read(length)


def visit(address: str, commands: list[dict[str, object]]) -> dict[str, object]:
    """What a browser does: opens the page, listens, and asks."""
    with urllib.request.urlopen(address, timeout=30) as page:
        text = page.read().decode()
    found: dict[str, object] = {"page": text}
    with urllib.request.urlopen(address + "frames", timeout=30) as stream:
        while not {"seat", "stage"} <= found.keys():
            kind, body = message(stream)
            if kind == 3:
                found["seat"] = json.loads(body)["page"]
            elif kind == 1:
                found["stage"] = json.loads(body)
        headers = {"Content-Type": "application/json", "Pliant-Page": str(found["seat"]), "Origin": address.rsplit("/", 2)[0]}
        for command in commands:
            request = urllib.request.Request(address + "do", json.dumps(command).encode(), headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                assert answer.status == 200
    return found


def shown(sim: pliant.Simulation, commands: list[dict[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}

    def opened(address: str, stop: Callable[[], None]) -> None:
        def work() -> None:
            try:
                found.update(visit(address, commands))
            except Exception as error:
                found["error"] = error
            finally:
                stop()

        threading.Thread(target=work).start()

    sim.show(opened=opened)
    assert "error" not in found, found["error"]
    return found


def test_a_page_shows_what_there_is_and_steps_it(sim: pliant.Simulation) -> None:
    found = shown(sim, [{"do": "pause"}, {"do": "restart"}, {"do": "step", "frames": 3}])
    stage = found["stage"]
    assert isinstance(stage, dict) and [body["name"] for body in stage["bodies"]] == ["sheet"]
    assert "<canvas" in str(found["page"])
    other = hanging()
    other.advance(3)
    assert sim.frame == 3 and sim.state_hash == other.state_hash
    sim.advance(2)
    other.advance(2)
    assert sim.state_hash == other.state_hash, "it goes on as if nobody had looked"


def test_hands_let_go_when_the_page_is_ended(sim: pliant.Simulation) -> None:
    commands: list[dict[str, object]] = [
        {"do": "pause"},
        {"do": "restart"},
        {"do": "grab", "hand": 1, "body": 0, "vertex": 40},
    ]
    shown(sim, commands)
    other = hanging()
    sim.advance(5)
    other.advance(5)
    assert sim.state_hash == other.state_hash


def test_a_time_that_is_none_is_refused(sim: pliant.Simulation) -> None:
    for dt in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="time of a frame"):
            sim.show(dt, opened=lambda *_: None)


def test_ctrl_c_ends_it() -> None:
    script = """
import os, signal, threading, pliant
sim = pliant.Simulation([pliant.cloth(pliant.TriMesh.grid((5, 5), (1.0, 1.0)), name="sheet", material="cotton", pin=[0])])
sim.show(opened=lambda address, stop: threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start())
print(sim.frame)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.strip() == "0", "no page was open, so nothing ran"
