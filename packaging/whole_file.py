"""A file of dist/ that is made anew: others may be reading the one that is there."""
import contextlib
import os
import pathlib
import tempfile


@contextlib.contextmanager
def replacing(path):
    """A path to write to, in a folder of its own beside `path`. When all is written, it takes the place of `path`; after an error nothing changes."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".new-") as folder:
        new = pathlib.Path(folder) / path.name
        yield new
        os.replace(new, path)
