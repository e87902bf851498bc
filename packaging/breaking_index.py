"""A package index whose network ends in the middle of a file.   breaking_index.py FOLDER NAME PORT

Serves the wheels of FOLDER. Of a file whose name begins with NAME only the first half is sent; then the connection is closed.
"""
import http.server
import pathlib
import sys

FOLDER, BREAKS, PORT = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])


class Index(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.strip("/").split("/")[-1]
        file = FOLDER / name
        if name.endswith(".whl") and file.is_file():
            content = file.read_bytes()
            self.answer(content, len(content) // 2 if name.startswith(BREAKS) else len(content))
            return
        wheels = [one.name for one in FOLDER.glob("*.whl") if one.name.split("-")[0].replace("_", "-").lower() == name.lower()]
        self.answer("".join(f'<a href="/files/{one}">{one}</a>\n' for one in wheels).encode(), None)

    def answer(self, content, sent):
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if sent is None else "application/octet-stream")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:sent])
        self.close_connection = True

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Index).serve_forever()
