"""A package index of the wheels in a folder, on this machine.   own_index.py FOLDER PORT [--breaks NAME] [--rate BYTES]

  --breaks NAME   of a file whose name begins with NAME only the first half is sent; then the connection is closed
  --rate BYTES    so many bytes per second over all connections, as on a line of that speed

Like PyPI it gives a wheel's metadata by itself, so a resolver need not fetch the wheel for it.
"""
import argparse
import http.server
import pathlib
import threading
import time
import zipfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("port", type=int)
parser.add_argument("--breaks")
parser.add_argument("--rate", type=float)
chosen = parser.parse_args()


class Line:
    """What all connections share: a piece passes when those before it have passed."""
    def __init__(self, rate):
        self.rate, self.lock, self.free = rate, threading.Lock(), 0.0

    def wait_for(self, size):
        if self.rate is None:
            return
        with self.lock:
            self.free = max(self.free, time.monotonic()) + size / self.rate
            until = self.free
        time.sleep(max(0.0, until - time.monotonic()))


line = Line(chosen.rate)


def metadata_of(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA")))


class Index(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.strip("/").split("/")[-1]
        wheel = chosen.folder / name.removesuffix(".metadata")
        if wheel.suffix == ".whl" and wheel.is_file():
            content = wheel.read_bytes() if wheel.name == name else metadata_of(wheel)
            breaks = chosen.breaks is not None and name.startswith(chosen.breaks) and wheel.name == name
            self.answer(content, "application/octet-stream", len(content) // 2 if breaks else len(content))
            return
        wheels = [one.name for one in chosen.folder.glob("*.whl") if one.name.split("-")[0].replace("_", "-").lower() == name.lower()]
        self.answer("".join(f'<a href="/files/{one}" data-core-metadata="true">{one}</a>\n' for one in wheels).encode(), "text/html")

    def answer(self, content, kind, sent=None):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        piece = 1 << 16
        for begin in range(0, len(content) if sent is None else sent, piece):
            part = content[begin:min(begin + piece, len(content) if sent is None else sent)]
            line.wait_for(len(part))
            self.wfile.write(part)
        self.close_connection = True

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", chosen.port), Index).serve_forever()
