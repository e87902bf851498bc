"""The surroundings of a statement."""


class Scope:
    """The surroundings of a statement: names by type, and what control flow allows there."""

    def __init__(self, parent=None, **changes):
        self.names = {t: list(n) for t, n in parent.names.items()} if parent else {}
        self.mask = parent.mask if parent else None         # a variable that holds exactly the lanes that arrive here
        self.uniform = parent.uniform if parent else False  # all threads of the block that have not returned arrive here
        self.loop = parent.loop if parent else False        # break and continue are allowed
        self.leave = parent.leave if parent else None       # text that ends the function, or None
        self.depth = parent.depth + 1 if parent else 0
        self.own = set()
        for key, value in changes.items():
            setattr(self, key, value)

    def add(self, kind, name):
        self.names.setdefault(kind, []).append(name)
