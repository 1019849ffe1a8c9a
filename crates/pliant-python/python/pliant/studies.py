"""Studies: a scene run many times, with other values of some keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from . import _pliant
from .runs import RunResult, run

__all__ = ["ensure", "expand", "table", "write_table"]


def expand(study: str | PathLike[str], out: str | PathLike[str], *, shard: str = "1/1") -> list[Path]:
    """The units of a study, as ``pliant sweep STUDY.toml -o DIR`` makes them: a folder each, with a scene and its parameters. What is
    there already stays.

    :param study: the study file.
    :param out: the folder of the units.
    :param shard: a part of the study, such as ``"3/16"``.
    :returns: the folders of the units, for :func:`ensure`.
    :raises pliant.SceneError: if the study or its scene is wrong; the message has file and line.
    :raises pliant.RunError: if a file cannot be written.
    """
    return _pliant.expand(Path(study), Path(out), shard)


def ensure(
    unit: str | PathLike[str], *, threads: int = 1, progress: Callable[[int, int], object] | None = None
) -> RunResult:
    """Has the finished run of a unit: begins it, resumes it, or returns at once if it is there. Any number of processes, on any
    number of machines that share the folder, may be asked for the same unit; one has it.

    :param unit: the folder of the unit.
    :param threads: how many threads step it. The result is the same; many units use cores better side by side.
    :param progress: called as ``progress(frame, frames)`` after every frame; an exception in it stops the run with a checkpoint.
    :raises pliant.RunError: if another process has the unit, or a file cannot be written; a scheduler tries again.
    :raises pliant.StepError: if the simulation breaks down.
    """
    folder = Path(unit)
    return run(folder / "scene.toml", out=folder / "run", ensure=True, threads=threads, progress=progress)


def table(out: str | PathLike[str]) -> dict[str, list[Any]]:
    """What the units of a folder have found, as columns: ``unit``, ``state``, the parameters, ``met``, ``verdict``, ``state_hash``,
    and the worst value of every quantity of the certificates; None where a unit has none. ``pandas.DataFrame(…)`` takes it.

    :raises pliant.SceneError: if the folder holds no units.
    """
    rows = _pliant.table(Path(out))
    columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in ("unit", "state")}
    for kind in ("parameters", "quantities"):
        if kind == "quantities":
            columns |= {name: [row[name] for row in rows] for name in ("met", "verdict", "state_hash")}
        for key in sorted({key for row in rows for key in row[kind]}):
            columns[key] = [row[kind].get(key) for row in rows]
    return columns


def write_table(path: str | PathLike[str], out: str | PathLike[str]) -> None:
    """Writes :func:`table` as a Parquet file. Lists and tables among the parameters are JSON.

    :param path: the file.
    :param out: the folder of the units.
    :raises ImportError: without pyarrow. ``pliant sweep table`` writes CSV without it.
    """
    try:
        # By name, because it comes without types.
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError("write_table needs pyarrow (pip install pyarrow); `pliant sweep table` writes CSV") from error

    def plain(values: list[Any]) -> list[Any]:
        kinds = {type(value) for value in values if value is not None}
        if kinds <= {int, float} or len(kinds) <= 1 and not kinds & {list, dict}:
            return [float(value) if kinds == {int, float} and value is not None else value for value in values]
        return [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]

    columns = {name: plain(values) for name, values in table(out).items()}
    parquet.write_table(arrow.table(columns), Path(path))
