"""Values as TOML, which scenes are written in. (Python reads TOML itself, from 3.11 on, and never writes it.)"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any

import numpy as np

BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def value(given: Any) -> str:
    """A value on one line."""
    if isinstance(given, (bool, np.bool_)):
        return "true" if given else "false"
    if isinstance(given, (int, np.integer)):
        return str(int(given))
    if isinstance(given, (float, np.floating)):
        number = float(given)
        if math.isnan(number):
            return "nan"
        return repr(number) if math.isfinite(number) else ("inf" if number > 0 else "-inf")
    if isinstance(given, str):
        return json.dumps(given)
    if isinstance(given, PathLike):
        return json.dumps(str(fspath(given)))
    if isinstance(given, np.ndarray):
        return value(given.tolist())
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{key(name)} = {value(inner)}" for name, inner in given.items()) + " }"
    if isinstance(given, (list, tuple, range)):
        return "[" + ", ".join(map(value, given)) + "]"
    raise TypeError(f"{given!r} of {type(given)} cannot stand in a scene")


def key(name: str) -> str:
    """A key, in quotes where it has to be."""
    return name if name and BARE.issuperset(name) else json.dumps(name)


def document(tables: Mapping[str, Any]) -> str:
    """A file: plain values first, then tables, then lists of tables."""
    plain, rest = [], []
    for name, inner in tables.items():
        if isinstance(inner, Mapping):
            rest.append(f"\n[{key(name)}]\n" + "".join(lines(inner)))
        elif isinstance(inner, list) and inner and all(isinstance(item, Mapping) for item in inner):
            rest.extend(f"\n[[{key(name)}]]\n" + "".join(lines(item)) for item in inner)
        elif inner != []:
            plain.append(f"{key(name)} = {value(inner)}\n")
    return "".join(plain + rest)


def lines(table: Mapping[str, Any]) -> list[str]:
    """A line for every key that has a value."""
    return [f"{key(name)} = {value(inner)}\n" for name, inner in table.items() if inner is not None]
