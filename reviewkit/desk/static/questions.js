// The questions of a card: their rows, the rulings beside them, the note. Drawn once per card,
// then only attributes change. What answers a question is in fields.js and spans.js.

function drawRuling(ruling, strings) {
  return h("p", { class: "rk-ruling" },
    h("b", { dir: "ltr" }, ruling.number), " ",
    ruling.mine ? h("span", { class: "rk-tag" }, strings.my_ruling) : null, ruling.mine ? " " : null,
    h("span", { dir: "auto" }, ruling.text));
}

/** One question. Returns the row and the parts that change. */
function drawQuestion(question, strings, handlers) {
  const ids = { text: elementId("check"), more: elementId("more"), problem: elementId("problem") };
  const control = CONTROLS[question.type ?? "yes_no"](question, ids, strings, handlers(question));
  const problem = h("p", { class: "rk-problem", id: ids.problem, hidden: true });
  const why = h("p", { class: "rk-why", dir: "auto", hidden: true });
  const more = h("div", { class: "rk-more", id: ids.more },
    question.explanation ? h("p", {}, h("bdi", {}, question.explanation)) : null,
    question.failure_example
      ? h("p", { class: "rk-example" }, h("span", { class: "rk-example-label" }, strings.failure_example), " ", h("span", { dir: "auto" }, question.failure_example))
      : null,
    question.nature_label ? h("p", { class: "rk-nature" }, question.nature_label) : null);
  const { onfocus, differs, naming } = handlers(question);
  const defect = naming ? drawDefect(question, strings, naming) : null;
  const text = h("div", { class: "rk-check-text" },
    h("span", { id: ids.text, dir: "auto" }, question.text),
    question.optional && question.type !== "spans" ? h("span", { class: "rk-tag rk-tag-optional" }, strings.optional) : null,
    differs ? h("span", { class: "rk-tag" }, strings.differs) : null,
    question.reopened ? h("span", { class: "rk-tag rk-tag-reopened" }, strings.reopened) : null);
  const rulings = question.rulings.length ? h("div", { class: "rk-rulings" }, question.rulings.map((ruling) => drawRuling(ruling, strings))) : null;
  const number = h("span", { class: "rk-number", "aria-hidden": "true" }, String(question.key || question.number));
  const type = question.type ?? "yes_no";
  const row = h("div", { class: `rk-check rk-check-${type}`, "data-check": question.id },
    number, text, type === "yes_no" ? [control.node, defect?.node, more, rulings] : [more, control.node, rulings], why, problem);
  row.addEventListener("focusin", () => onfocus(question.id));
  return { question, row, problem, why, defect, ...control };
}

function setAnswer(part, answer) {
  part.show(answer);
  part.row.dataset.answer = Array.isArray(answer) ? (answer.length ? "given" : "") : answer ?? "";
  part.defect?.show(answer === "no");
}

function setProblem(part, text) {
  setText(part.problem, text);
  part.problem.hidden = !text;
  setFlag(part.row, "data-problem", Boolean(text));
}

/** A question that does not arise now keeps its place, dimmed and without controls. */
function setAsked(part, asked, why) {
  part.row.classList.toggle("rk-check-off", !asked);
  part.node.hidden = !asked;
  part.why.hidden = asked;
  setText(part.why, asked ? "" : why);
}

function drawNotAsked(list, strings) {
  if (!list.length) return null;
  return h("section", { class: "rk-not-asked", "aria-label": strings.not_asked },
    list.map((check) => h("div", { class: "rk-check rk-check-off" },
      h("span", { class: "rk-number", "aria-hidden": "true" }, "–"),
      h("div", { class: "rk-check-text" }, h("span", { dir: "auto" }, check.text)),
      h("p", { class: "rk-why" }, h("bdi", {}, check.why)))));
}

function drawNote(strings, oninput, codes, marks) {
  const field = elementId("note");
  const hint = elementId("hint");
  const label = h("label", { class: "rk-note-label", for: field });
  const key = keyCap(marks ? "t" : "m"); // with spans, m marks what is selected
  const area = h("textarea", { id: field, class: "rk-field rk-note", dir: "auto", rows: "2",
    placeholder: codes ? strings.note_placeholder_codes : strings.note_placeholder, "aria-describedby": hint, oninput });
  const box = h("div", { class: "rk-note-box" },
    h("div", { class: "rk-note-head" }, label, key),
    area,
    h("p", { class: "rk-hint", id: hint }, h("kbd", { class: "rk-kbd", dir: "ltr" }, "Ctrl ⏎"), " ", strings.note_save_hint, " ", h("kbd", { class: "rk-kbd", dir: "ltr" }, "Esc"), " ", codes ? strings.note_leave_hint_codes : strings.note_leave_hint));
  return { box, label, area };
}

/** All questions of a card with their note, as the form column. `above` and `below` stand around them. */
function drawForm(card, strings, handlers, { above = [], below = [] } = {}) {
  const codes = card.kind === "codes";
  const parts = new Map(card.questions.map((question) => [question.id, drawQuestion(question, strings, handlers.of)]));
  const note = drawNote(strings, handlers.onnote, codes, card.questions.some((one) => one.type === "spans"));
  const heading = elementId("checks");
  const explain = h("button", { type: "button", class: "rk-link", "aria-pressed": "false", onclick: handlers.onexplain }, strings.explain_all);
  const kind = codes ? ` rk-form-codes${card.questions.length === 1 ? " rk-form-single" : ""}${card.questions.every((one) => (one.type ?? "yes_no") === "yes_no") ? "" : " rk-form-mixed"}${card.adjudication && card.adjudication.stage !== "first" ? " rk-form-reveal" : ""}` : "";
  const box = h("section", { class: `rk-form${kind}`, "aria-labelledby": heading },
    above,
    h("div", { class: "rk-form-head" }, h("h3", { class: "rk-subhead", id: heading }, codes ? strings.codes : strings.checks), explain),
    card.rulings.length ? h("div", { class: "rk-rulings rk-card-rulings" }, card.rulings.map((ruling) => drawRuling(ruling, strings))) : null,
    [...parts.values()].map((part) => part.row),
    codes ? null : drawNotAsked(card.not_asked, strings),
    below,
    note.box);
  return { box, parts, note, explain };
}
