"""For GPU puzzles, which draw with the package chalk before they check: accepts every call and draws nothing."""

from typing import Tuple  # which the package lets pass

__all__ = ["P2", "Tuple", "V2", "arc_between", "circle", "concat", "empty", "hcat", "hstrut", "image", "place_at", "rectangle",
           "set_svg_height", "text", "unit_y", "vcat", "vstrut"]


class Nothing:
    def __init__(self, *arguments, **named):
        pass

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **named):
        return self

    def _itself(self, other=None):
        return self

    __add__ = __radd__ = __or__ = __and__ = __truediv__ = __floordiv__ = __mul__ = __rmul__ = __neg__ = __sub__ = __xor__ = _itself

    def __iter__(self):
        return iter([self] * 100)  # as many colours as a block has threads


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Nothing()
