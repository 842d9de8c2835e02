// The paragraph that spans lie in: its highlights, and what a person selects in it. Offsets count
// Unicode code points of the exact text, while the browser counts UTF-16 units.

const WORD = /[\p{L}\p{M}\p{N}\u0640\u200c\u200d\u{1f3fb}-\u{1f3ff}]/u;
const JOINER = "\u200d";
const SHAPES = ["solid", "dashed", "dotted", "double", "thin"];
const SHAPE_OF = { neutral: "solid", loaded_a: "dashed", loaded_b: "dotted", proper_name: "double", other: "thin" };

/** The line that stands for a class, so that no class is told by colour alone. */
function shapeOf(codes, id) {
  return SHAPE_OF[id] ?? SHAPES[Math.max(0, codes.findIndex((code) => code.id === id)) % SHAPES.length];
}

/** How many code points begin before a place in UTF-16 units; a place inside one counts it or not. */
function pointsBefore(text, units, inclusive) {
  const count = [...text.slice(0, units)].length;
  const inside = units > 0 && units < text.length && /[\ud800-\udbff]/.test(text[units - 1]) && /[\udc00-\udfff]/.test(text[units]);
  return inside && !inclusive ? count - 1 : count;
}

/** Whether a cut before `at` would part what belongs together: a word, or the parts of one emoji. */
function cutsInside(points, at) {
  if (at <= 0 || at >= points.length) return false;
  const [before, after] = [points[at - 1], points[at]];
  return before === JOINER || after === JOINER || /\p{M}/u.test(after) || (WORD.test(before) && WORD.test(after));
}

/** The whole words of a selection without the white space around them, or null when none is left. */
function wholeWords(points, start, end) {
  while (start < end && !points[start].trim()) start++;
  while (end > start && !points[end - 1].trim()) end--;
  if (start >= end) return null;
  while (cutsInside(points, start)) start--;
  while (cutsInside(points, end)) end++;
  return { start, end };
}

/** A paragraph whose words can be marked. `paint` draws rows of spans, `selected` reads a selection. */
function codedParagraph(paragraph, language, said) {
  const points = [...paragraph.plain];
  const node = h("p", { class: "rk-original rk-coded", dir: "auto", lang: language || null });
  const hidden = [];
  let at = 0;
  for (const [text, mark, note] of paragraph.segments) {
    const length = [...text].length;
    if (mark === "hidden") hidden.push({ start: at, end: at + length, note });
    at += length;
  }
  const run = (from, to) => {
    const segments = [];
    let place = from;
    for (const each of hidden) {
      if (each.end <= from || each.start >= to) continue;
      segments.push([points.slice(place, each.start).join(""), "same", ""], [points.slice(each.start, each.end).join(""), "hidden", each.note]);
      place = each.end;
    }
    segments.push([points.slice(place, to).join(""), "same", ""]);
    return drawSegments(segments, said);
  };
  let places = null;
  let marks = new Map();
  const coded = {
    node, points, plain: paragraph.plain, onpick: () => {},
    text: ({ start, end }) => points.slice(start, end).join(""),
    /** Rows in the order of the text, none over another; only looks change while the places stay. */
    paint(rows, active) {
      const now = rows.map((row) => row.key).join();
      if (now !== places) {
        places = now;
        const pieces = [];
        let place = 0;
        for (const row of rows) {
          if (row.start < place || row.end > points.length) continue;
          pieces.push(run(place, row.start), h("span", { class: "rk-span", "data-key": row.key, "data-inside": cutsInside(points, row.start) || cutsInside(points, row.end) || null }, run(row.start, row.end)));
          place = row.end;
        }
        pieces.push(run(place, points.length));
        node.replaceChildren(...pieces.flat().filter((piece) => piece !== ""));
        marks = new Map([...node.querySelectorAll(".rk-span")].map((mark) => [mark.dataset.key, { mark, looks: "" }]));
      }
      for (const row of rows) {
        const shown = marks.get(row.key);
        const looks = [row.state, row.shape, row.label, row.key === active].join();
        if (!shown || shown.looks === looks) continue;
        shown.looks = looks;
        const { mark } = shown;
        mark.dataset.state = row.state;
        mark.dataset.shape = row.shape;
        mark.title = row.label;
        mark.dataset.say = row.label;
        setFlag(mark, "data-active", row.key === active);
      }
    },
    show(key) {
      node.querySelector(`.rk-span[data-key="${key}"]`)?.scrollIntoView({ block: "nearest" });
    },
    selected() {
      const selection = document.getSelection();
      if (!selection?.rangeCount || selection.isCollapsed) return null;
      const range = selection.getRangeAt(0);
      if (!range.intersectsNode(node)) return null;
      const whole = document.createRange();
      whole.selectNodeContents(node);
      // A selection that runs out of the paragraph counts as far as it lies inside.
      if (range.compareBoundaryPoints(Range.START_TO_START, whole) > 0) whole.setStart(range.startContainer, range.startOffset);
      if (range.compareBoundaryPoints(Range.END_TO_END, whole) < 0) whole.setEnd(range.endContainer, range.endOffset);
      const before = document.createRange();
      before.selectNodeContents(node);
      before.setEnd(whole.startContainer, whole.startOffset);
      const units = before.toString().length;
      return wholeWords(points, pointsBefore(paragraph.plain, units, false), pointsBefore(paragraph.plain, units + whole.toString().length, true));
    },
  };
  node.addEventListener("click", (event) => {
    const mark = event.target.closest(".rk-span");
    if (mark && document.getSelection()?.isCollapsed !== false) coded.onpick(mark.dataset.key);
  });
  coded.paint([], "");
  return coded;
}
