// The checks of a card: their rows, the rulings beside them, the note. Drawn once per card,
// then only attributes change.

function drawRuling(ruling, strings) {
  return h("p", { class: "rk-ruling" },
    h("b", { dir: "ltr" }, ruling.number), " ",
    ruling.mine ? h("span", { class: "rk-tag" }, strings.my_ruling) : null, ruling.mine ? " " : null,
    h("span", { dir: "auto" }, ruling.text));
}

/** One check. Returns the row and the parts that change. */
function drawQuestion(question, strings, { onanswer, onfocus }) {
  const ids = { text: elementId("check"), more: elementId("more"), problem: elementId("problem") };
  const choice = (answer, key) => h("button",
    { type: "button", role: "radio", class: `rk-choice rk-choice-${answer}`, "aria-checked": "false", tabindex: "-1", "data-acts": "write",
      "aria-keyshortcuts": key, onclick: (event) => onanswer(question.id, answer, event.detail === 0) },
    h("span", { class: "rk-choice-label" }, strings[answer]), keyCap(key));
  const yes = choice("yes", "y");
  const no = choice("no", "n");
  const problem = h("p", { class: "rk-problem", id: ids.problem, hidden: true });
  const group = h("div", { class: "rk-choices", role: "radiogroup", tabindex: "-1", "aria-labelledby": ids.text, "aria-describedby": `${ids.more} ${ids.problem}` }, yes, no);
  const more = h("div", { class: "rk-more", id: ids.more },
    h("p", {}, h("bdi", {}, question.explanation)),
    question.failure_example
      ? h("p", { class: "rk-example" }, h("span", { class: "rk-example-label" }, strings.failure_example), " ", h("span", { dir: "auto" }, question.failure_example))
      : null,
    question.nature_label ? h("p", { class: "rk-nature" }, question.nature_label) : null);
  const row = h("div", { class: "rk-check", "data-check": question.id },
    h("span", { class: "rk-number", "aria-hidden": "true" }, String(question.key || question.number)),
    h("div", { class: "rk-check-text" },
      h("span", { id: ids.text, dir: "auto" }, question.text),
      question.reopened ? h("span", { class: "rk-tag rk-tag-reopened" }, strings.reopened) : null),
    group, more,
    question.rulings.length ? h("div", { class: "rk-rulings" }, question.rulings.map((ruling) => drawRuling(ruling, strings))) : null,
    problem);
  row.addEventListener("focusin", () => onfocus(question.id));
  return { question, row, group, yes, no, problem };
}

function setAnswer(part, answer) {
  for (const [name, choice] of [["yes", part.yes], ["no", part.no]]) {
    choice.setAttribute("aria-checked", String(answer === name));
    choice.tabIndex = (answer ?? "yes") === name ? 0 : -1;
  }
  part.row.dataset.answer = answer ?? "";
}

function setProblem(part, text) {
  setText(part.problem, text);
  part.problem.hidden = !text;
  setFlag(part.row, "data-problem", Boolean(text));
}

/** Where focus rests in a check: on the given answer, else on neither, so that no answer looks chosen. */
function restingChoice(part) {
  return { yes: part.yes, no: part.no }[part.row.dataset.answer] ?? part.group;
}

function drawNotAsked(list, strings) {
  if (!list.length) return null;
  return h("section", { class: "rk-not-asked", "aria-label": strings.not_asked },
    list.map((check) => h("div", { class: "rk-check rk-check-off" },
      h("span", { class: "rk-number", "aria-hidden": "true" }, "–"),
      h("div", { class: "rk-check-text" }, h("span", { dir: "auto" }, check.text)),
      h("p", { class: "rk-why" }, h("bdi", {}, check.why)))));
}

function drawNote(strings, oninput) {
  const field = elementId("note");
  const hint = elementId("hint");
  const label = h("label", { class: "rk-note-label", for: field });
  const key = keyCap("m");
  const area = h("textarea", { id: field, class: "rk-field rk-note", dir: "auto", rows: "2",
    placeholder: strings.note_placeholder, "aria-describedby": hint, oninput });
  const box = h("div", { class: "rk-note-box" },
    h("div", { class: "rk-note-head" }, label, key),
    area,
    h("p", { class: "rk-hint", id: hint }, h("kbd", { class: "rk-kbd", dir: "ltr" }, "Ctrl ⏎"), " ", strings.note_save_hint, " ", h("kbd", { class: "rk-kbd", dir: "ltr" }, "Esc"), " ", strings.note_leave_hint));
  return { box, label, area };
}

/** All checks of a card with their note, as the form column. */
function drawForm(card, strings, handlers) {
  const parts = new Map(card.questions.map((question) => [question.id, drawQuestion(question, strings, handlers)]));
  const note = drawNote(strings, handlers.onnote);
  const heading = elementId("checks");
  const explain = h("button", { type: "button", class: "rk-link", "aria-pressed": "false", onclick: handlers.onexplain }, strings.explain_all);
  const box = h("section", { class: "rk-form", "aria-labelledby": heading },
    h("div", { class: "rk-form-head" }, h("h3", { class: "rk-subhead", id: heading }, strings.checks), explain),
    card.rulings.length ? h("div", { class: "rk-rulings rk-card-rulings" }, card.rulings.map((ruling) => drawRuling(ruling, strings))) : null,
    [...parts.values()].map((part) => part.row),
    drawNotAsked(card.not_asked, strings),
    note.box);
  return { box, parts, note, explain };
}
