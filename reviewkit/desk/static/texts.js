// The texts of a card and the marks on them. Texts stay in logical order and exactly as written:
// copying one copies the original, because every name shown beside it is drawn by the style sheet.

const LETTER = /[\p{L}\p{M}\p{N}\u0640]/u;
const RIGHT_TO_LEFT = /^(ar|ckb|fa|he|ps|ug|ur|yi)\b/;
const MARKS = new Set(["slot", "stray", "replaced", "spelling", "hidden"]);

function lastLetter(text) {
  return LETTER.test([...text.slice(-2)].pop() ?? "");
}

function firstLetter(text) {
  return LETTER.test([...text.slice(0, 2)][0] ?? "");
}

/** One run of text under one mark. */
function drawSegment([text, mark, note], before, after, said) {
  if (!MARKS.has(mark)) return text;
  if (mark === "hidden") {
    // Inside a word the name hangs under the line: a box between letters would break their joining.
    const inside = before && after && lastLetter(before[0]) && firstLetter(after[0]);
    return h("span", { class: inside ? "rk-hidden rk-inside" : "rk-hidden", role: "img", "data-name": note,
      "aria-label": `${said.hidden ?? ""}: ${note}`, title: `${said.hidden ?? ""}: ${note}` }, text);
  }
  const label = note || said[mark] || "";
  return h("span", { class: text ? `rk-mark rk-${mark}` : `rk-mark rk-${mark} rk-gap`, title: label, "data-say": label }, text);
}

function drawSegments(segments, said) {
  return segments.map((segment, at) => drawSegment(segment, segments[at - 1], segments[at + 1], said));
}

/** A paragraph; one that spans lie in is also entered in `coded`, by its field and its text. */
function drawParagraph(paragraph, text, strings, said, coded) {
  const { language } = text;
  const markable = paragraph.coded ? codedParagraph(paragraph, language, said) : null;
  if (markable) coded?.push({ field: paragraph.coded, text: text.id, paragraph: markable });
  const body = markable?.node ?? h("p", { class: "rk-original", dir: "auto", lang: language || null }, drawSegments(paragraph.segments, said));
  const label = paragraph.label || paragraph.role;
  if (!label && !paragraph.key) return h("div", { class: "rk-paragraph" }, body);
  return h("div", { class: `rk-paragraph rk-labelled${paragraph.key ? " rk-key" : ""}` },
    h("span", { class: paragraph.label ? "rk-letter" : "rk-role", title: paragraph.role }, label),
    body,
    paragraph.key ? h("span", { class: "rk-key-badge" }, strings.key_option) : null);
}

function drawText(text, strings, said, coded) {
  const heading = elementId("text");
  return h("article", { class: `rk-text rk-tone-${text.tone || "plain"}`, "aria-labelledby": heading, style: `--rk-column:${Number(text.column) + 1}` },
    h("header", { class: "rk-text-head" },
      h("h3", { class: "rk-text-heading", id: heading }, h("bdi", {}, text.heading)),
      text.badge ? h("span", { class: "rk-badge" }, h("bdi", {}, text.badge)) : null),
    h("div", { class: "rk-text-body", dir: RIGHT_TO_LEFT.test(text.language) ? "rtl" : "ltr" }, text.paragraphs.map((paragraph) => drawParagraph(paragraph, text, strings, said, coded))));
}

/** Texts laid out by row and column: twins side by side, stacked where the card is narrow. */
function drawTexts(texts, strings, said, coded = []) {
  const rows = new Map();
  for (const text of texts) {
    if (!rows.has(text.row)) rows.set(text.row, []);
    rows.get(text.row).push(text);
  }
  const ordered = [...rows.entries()].sort(([one], [other]) => one - other);
  return ordered.map(([, row]) => {
    const columns = Math.max(...row.map((text) => Number(text.column))) + 1;
    row.sort((one, other) => one.column - other.column);
    return h("div", { class: columns > 1 ? "rk-row rk-beside" : "rk-row", style: `--rk-columns:${columns}` },
      row.map((text) => drawText(text, strings, said, coded)));
  });
}

function drawLegend({ legend, texts }, strings) {
  if (!legend.length) return null;
  const segments = texts.flatMap((text) => text.paragraphs.flatMap((paragraph) => paragraph.segments));
  const hidden = segments.find(([, mark]) => mark === "hidden")?.[2] ?? "";
  return h("ul", { class: "rk-legend", "aria-label": strings.legend },
    legend.map(([mark, label]) => h("li", {},
      mark === "hidden"
        ? [h("span", { class: "rk-hidden-sample", "aria-hidden": "true", dir: "ltr" }, hidden), " ", label]
        : h("span", { class: `rk-mark rk-${mark}` }, label))));
}

function drawChanges(changed, strings, said) {
  if (!changed.length) return null;
  const side = (label, segments) => h("div", { class: "rk-change-side" },
    h("span", { class: "rk-change-when" }, label),
    h("p", { class: "rk-original", dir: "auto" }, drawSegments(segments, said)));
  return h("section", { class: "rk-changed" },
    h("h3", { class: "rk-subhead" }, strings.changed_since),
    changed.map((change) => h("div", { class: "rk-change" },
      h("div", { class: "rk-change-label" }, h("bdi", {}, change.label)),
      h("div", { class: "rk-change-sides" }, side(strings.before, change.before), side(strings.after, change.after)))));
}

function drawFields(card, strings) {
  const source = card.source?.file ? drawSource(card.source, strings) : null;
  if (!card.fields.length && !source) return null;
  return h("section", { class: "rk-facts" },
    card.fields.length ? h("h3", { class: "rk-subhead" }, card.kind === "codes" ? strings.facts : strings.fields) : null,
    card.fields.length
      ? h("dl", { class: "rk-fields" }, card.fields.map(([name, value]) => h("div", {},
          h("dt", {}, h("bdi", {}, name)), h("dd", { class: value ? null : "rk-empty" }, h("bdi", {}, value || strings.empty_field)))))
      : null,
    source);
}

function drawSource(source, strings) {
  const file = h("bdi", { class: "rk-file", dir: "ltr" }, source.file);
  const href = source.url ? serverAddress(source.url) : null;
  // JupyterLab opens the file beside the card in the same tab; the address serves a middle click.
  const beside = JSON.stringify({ path: source.file, options: placeBeside() });
  return h("p", { class: "rk-source" }, strings.source, " ", href
    ? h("a", { href, target: "_blank", rel: "noopener", "data-commandlinker-command": "docmanager:open", "data-commandlinker-args": beside }, file)
    : file);
}

/** Beside the card; where a file is open already, as a further tab there: each split would narrow the card. */
function placeBeside() {
  const open = [...document.querySelectorAll(".jp-Document:has(> .jp-FileEditor)")].at(-1);
  return open?.id ? { mode: "tab-after", ref: open.id } : { mode: "split-right" };
}

/** An address on a server, or null: the name of a file must not become a script. */
function serverAddress(url) {
  if (/^(\/(?!\/)|https?:\/\/)/.test(url)) return url;
  if (!/^[\w][^:?#\\]*$/.test(url)) return null;
  try {
    return JSON.parse(document.getElementById("jupyter-config-data").textContent).baseUrl + url;
  } catch {
    return null;
  }
}
