"""Serve the card's harness on 127.0.0.1 for work by hand: python tests/desk/harness/serve.py."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from reviewkit.desk.script import joined_script, style_sheet
from reviewkit.desk.wording import load_strings

HERE = Path(__file__).parent
TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "json": "application/json",
}


def harness_file(name: str) -> tuple[str, str] | None:
    """Return the text and type of one file of the harness page, or None for an unknown name."""
    if name == "card.js":
        text = joined_script()
    elif name == "card.css":
        text = style_sheet()
    elif name == "strings.json":
        text = json.dumps(load_strings("strings.yaml"))
    elif name in ("index.html", "real.html", "cards.js", "coding_cards.js", "fake_model.js"):
        text = (HERE / name).read_text(encoding="utf-8")
    else:
        return None
    return text, TYPES[name.rpartition(".")[2]] + "; charset=utf-8"


class Handler(BaseHTTPRequestHandler):
    """Answers with the files of the harness, read afresh each time."""

    def do_GET(self) -> None:
        """Send one file."""
        joined_script.cache_clear()
        style_sheet.cache_clear()
        found = harness_file(self.path.partition("?")[0].strip("/") or "index.html")
        self.send_response(200 if found else 404)
        text, kind = found or ("not found", "text/plain")
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", 8765), Handler)
    print("http://127.0.0.1:8765/?scene=walk")
    server.serve_forever()
