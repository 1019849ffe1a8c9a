"""Runs to folders, as the program makes them, and what they hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _pliant
from .errors import RunError
from .meshes import read
from .scene import Scene

__all__ = ["RunResult", "run"]

HEAD = 32
"""Bytes of a point cache before the positions."""


class RunResult:
    """A finished run: its folder, and what its files say.

    :param folder: the folder.
    :raises pliant.RunError: if it holds no finished run.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        """The folder."""
        if (self.folder / "run.unfinished").exists() or not (self.folder / "run.json").exists():
            raise RunError(f"{self.folder} holds no finished run; resume it by pliant.run(…, resume=True)")
        self.report: dict[str, Any] = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        """What ``run.json`` says."""

    @property
    def state_hash(self) -> int:
        """The state hash at the end."""
        return int(self.report["summary"]["state_hash"], 16)

    @property
    def verdict(self) -> dict[str, Any]:
        """What speaks against the answer."""
        return dict(self.report["verdict"])

    @property
    def certificate(self) -> Mapping[str, float]:
        """The worst value of every quantity, such as ``run.certificate["stretch.max"]``."""
        found = json.loads((self.folder / "certificate.json").read_text(encoding="utf-8"))
        return {name: worst["value"] for name, worst in found["worst"].items()}

    @property
    def met(self) -> bool:
        """Whether all requirements were kept."""
        return bool(json.loads((self.folder / "certificate.json").read_text(encoding="utf-8"))["met"])

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return [body["name"] for body in self.report["bodies"]]

    def positions(self, body: str) -> npt.NDArray[np.float32]:
        """Positions of a body in all written frames, m, (frames, n, 3): the file ``pc2/BODY.pc2``, mapped into memory, so that only what
        is looked at is read. Of a body with a fine surface that is the surface.

        :raises FileNotFoundError: if the run has no point cache of such a body.
        """
        path = self.folder / "pc2" / f"{body}.pc2"
        if not path.exists():
            raise FileNotFoundError(f"{path}: the run has no point cache of {body!r}; write the format \"pc2\"")
        head = path.open("rb").read(HEAD)
        points, samples = np.frombuffer(head, "<i4", 1, 16)[0], np.frombuffer(head, "<i4", 1, 28)[0]
        if head[:11] != b"POINTCACHE2" or path.stat().st_size != HEAD + 12 * int(points) * int(samples):
            raise RunError(f"{path} is not a whole point cache")
        return np.memmap(path, "<f4", "r", HEAD, (int(samples), int(points), 3))

    def __repr__(self) -> str:
        return f"<pliant.RunResult in {str(self.folder)!r}>"


def run(
    scene: Scene | str | PathLike[str],
    *,
    out: str | PathLike[str] | None = None,
    resume: bool = False,
    ensure: bool = False,
    replace: bool = False,
    overrides: Mapping[str, Any] | None = None,
    require: Sequence[str] = (),
    adaptive: bool | tuple[int, int] = False,
    checkpoints: str | int = "auto",
    save_multipliers: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> RunResult:
    """Runs a scene to a folder, as ``pliant run`` does, with checkpoints.

    Ctrl-C stops between two frames, and a later call with ``resume=True`` resumes there; the files are those of a run
    that was never interrupted.

    :param scene: a scene, or the path of a scene file.
    :param out: the folder; ``runs/NAME-1`` and so on by default.
    :param resume: go on with an interrupted run of the same scene in that folder; begin if there is none; return at once
        if it is finished.
    :param ensure: as ``resume``, for schedulers that may start a job any number of times: a finished run must have the same
        scene, with its overrides, and the same options, as with ``pliant run --ensure``.
    :param replace: replace a run that is there.
    :param overrides: other values for keys, see :class:`pliant.Scene`; for the path of a file only.
    :param require: bounds in addition to those of the scene.
    :param adaptive: choose the substeps of every frame so that the requirements are met; between limits, if they are given.
    :param checkpoints: ``"auto"``, a number of frames, or a time such as ``"30s"``; 0 for none.
    :param save_multipliers: keep multipliers, so that residuals can be checked later.
    :param progress: called as ``progress(frame, frames)`` after every frame; an exception in it stops the run.
    :raises pliant.RunError: if the folder cannot be had or written.
    :raises pliant.StepError: if the simulation breaks down.
    :raises KeyboardInterrupt: on Ctrl-C, after a checkpoint.
    """
    if not isinstance(scene, Scene):
        scene = Scene(scene, overrides=overrides)
    elif overrides:
        raise ValueError("overrides are for a scene file; give them to pliant.Scene, where the scene is made")
    if resume + ensure + replace > 1:
        raise ValueError("resume, ensure and replace exclude each other; choose one")
    if ensure and out is None:
        raise ValueError("ensure needs the folder of the run; give out")
    if out is not None and (resume or (ensure and scene.meshes)) and _is_finished(Path(out)):
        if not _is_of(Path(out), scene):
            raise RunError(f"{out} holds a finished run of another scene; choose another folder, or replace=True")
        return RunResult(out)
    intent = "ensure" if ensure else "resume" if resume else "replace" if replace else "begin"
    limits = None if isinstance(adaptive, bool) else adaptive
    folder = _pliant.run(
        scene._native,
        None if out is None else Path(out),
        intent,
        list(require),
        adaptive is not False,
        limits,
        str(checkpoints),
        save_multipliers,
        threads,
        progress,
    )
    return RunResult(folder)


def _is_of(folder: Path, scene: Scene) -> bool:
    """Whether the folder holds a run of this scene, with the same meshes where they are arrays."""
    if (folder / "scene.toml").read_text(encoding="utf-8") != scene.text:
        return False
    return all((folder / path).exists() and read(folder / path) == mesh for path, mesh in scene.meshes.items())


def _is_finished(folder: Path) -> bool:
    return (folder / "run.json").exists() and not (folder / "run.unfinished").exists()
