"""The two peers, as notebooks for a stock Voila: the barest anywidget card and plain ipywidgets.

Each asks five yes/no questions and takes a note, appends one JSON line with write, flush and fsync,
and then shows the next card.
"""

from __future__ import annotations

import json
from pathlib import Path

KEEP = """
import json, os

def keep(answers):
    with open(os.environ["BENCH_ANSWERS"], "a", encoding="utf-8") as file:
        file.write(json.dumps(answers, ensure_ascii=False) + "\\n")
        file.flush()
        os.fsync(file.fileno())

def card(number):
    return f"Card {number}", f"Write four lines about a small library in town {number}. " * 3
"""

BARE = (
    KEEP
    + '''
import anywidget

class Card(anywidget.AnyWidget):
    _esm = """
    export default { render({ model, el }) {
      const id = document.createElement("h2"), text = document.createElement("p");
      const note = document.createElement("textarea"), save = document.createElement("button");
      id.className = "bench-id"; save.textContent = "Save";
      let answers = {};
      const marks = [1, 2, 3, 4, 5].map(number => {
        const row = document.createElement("p"), mark = document.createElement("b");
        row.append(`Question ${number}: is it well built? `, mark);
        el.append(row);
        return mark;
      });
      el.prepend(id, text);
      el.append(note, save);
      const show = card => {
        answers = {}; note.value = "";
        for (const mark of marks) mark.textContent = "";
        id.textContent = card.id; text.textContent = card.text;
      };
      const send = () => model.send({ answers, note: note.value });
      save.onclick = send;
      addEventListener("keydown", event => {
        if (event.target === note) return;
        const open = marks.findIndex(mark => !mark.textContent);
        if ((event.key === "y" || event.key === "n") && open >= 0) {
          answers[open] = marks[open].textContent = event.key === "y" ? "yes" : "no";
        } else if (event.key === "Enter") send();
      });
      model.on("msg:custom", show);
      model.send({ hello: true });
    } };
    """

    def __init__(self):
        super().__init__()
        self.number = 1
        self.on_msg(self.take)

    def take(self, _widget, content, _buffers):
        if "answers" in content:
            keep(content)
            self.number += 1
        number, text = card(self.number)
        self.send({"id": number, "text": text})

Card()
'''
)

PLAIN = (
    KEEP
    + """
import ipywidgets

number = 1
name, text = ipywidgets.HTML(), ipywidgets.HTML()
checks = [
    ipywidgets.ToggleButtons(options=["yes", "no"], value=None, description=f"Question {each}")
    for each in range(1, 6)
]
note = ipywidgets.Textarea(description="Note")
save = ipywidgets.Button(description="Save")
save.add_class("bench-save")

def show():
    named, said = card(number)
    for check in checks:
        check.value = None
    note.value = ""
    text.value = said
    name.value = f'<b class="bench-id">{named}</b>'

def on_save(_button):
    global number
    keep({"answers": [check.value for check in checks], "note": note.value})
    number += 1
    show()

save.on_click(on_save)
show()
ipywidgets.VBox([name, text, *checks, note, save])
"""
)


def write_notebook(path: Path, source: str) -> Path:
    """Write a notebook with one cell."""
    cell = {
        "cell_type": "code", "id": "card", "source": source, "metadata": {}, "outputs": [],
        "execution_count": None,
    }  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path
