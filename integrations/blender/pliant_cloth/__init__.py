"""Cloth by Pliant: the active mesh is simulated, and its animation is a point cache that Blender plays."""

from . import operators, panel, properties

MODULES = (properties, operators, panel)


def register() -> None:
    for module in MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(MODULES):
        module.unregister()
