// What an adjudicator sees after the own label: both codings without names, the reason for a change,
// and the dialog that leaves a card out.

/** The labels of one coding: short name large, title beside it. */
function drawLabels(answer) {
  if (!answer.labels.length) return h("span", { class: "rk-soft" }, "–");
  if (answer.labels.length > 1) return answer.labels.map((label) => h("span", { class: "rk-coding-several", dir: "auto" }, label));
  return answer.labels.map((label, at) => {
    const short = shortCode(answer.codes[at] ?? "");
    const title = short && label.startsWith(`${short} `) ? label.slice(short.length + 1) : label;
    return h("span", { class: "rk-coding-label" },
      short ? h("b", { class: "rk-coding-short", dir: "ltr" }, short) : null, short ? " " : null,
      title === short ? null : h("span", { class: short ? null : "rk-coding-title", dir: "auto" }, title));
  });
}

/** The fields on which the codings differ. */
function differing(codings) {
  const given = (coding, field) => JSON.stringify(coding.answers.find((one) => one.field === field)?.labels ?? null);
  const fields = new Set(codings.flatMap((coding) => coding.answers.map((answer) => answer.field)));
  return new Set([...fields].filter((field) => new Set(codings.map((coding) => given(coding, field))).size > 1));
}

/** One coder and the other, without names; fields on which they differ stand out, the others take a line. */
function drawCodings(codings, strings) {
  const apart = differing(codings);
  return h("div", { class: "rk-codings", role: "group", "aria-label": strings.codings },
    codings.map((coding) => {
      const heading = elementId("coding");
      return h("section", { class: "rk-coding", "aria-labelledby": heading },
        h("h3", { class: "rk-subhead", id: heading }, h("span", { dir: "auto" }, coding.heading), coding.unsure ? h("span", { class: "rk-tag rk-tag-unsure" }, strings.unsure_coding) : null),
        coding.skipped ? h("p", { class: "rk-soft", dir: "auto" }, coding.skipped) : null,
        h("dl", { class: "rk-coding-answers" }, coding.answers.map((answer) => h("div", { "data-differs": apart.has(answer.field) || null },
          h("dt", { class: coding.answers.length === 1 ? "rk-unseen" : null, dir: "auto", title: answer.title }, answer.title), h("dd", {}, drawLabels(answer))))),
        coding.derived.length ? h("ul", { class: "rk-chips rk-derived" }, coding.derived.map(([title, label]) => drawDerived(title, label))) : null,
        coding.note ? h("q", { class: "rk-coding-note", dir: "auto" }, coding.note) : null);
    }));
}

/** Why the adjudicator's label changed after the reveal; asked for only when it did. */
function drawReason(strings, oninput) {
  const field = elementId("reason");
  const problem = elementId("problem");
  const area = h("textarea", { id: field, class: "rk-field rk-reason-field", dir: "auto", rows: "2", maxlength: "4000", "aria-required": "true", "aria-describedby": problem, oninput });
  const line = h("p", { class: "rk-problem", id: problem, hidden: true });
  const box = h("div", { class: "rk-note-box rk-reason-box", hidden: true },
    h("div", { class: "rk-note-head" }, h("label", { class: "rk-note-label", for: field }, strings.change_reason)), area, line);
  return { box, area, line };
}

/** Leave a card out of the final labels, with a reason. */
function openExclude(desk) {
  const strings = desk.view.strings;
  const { exclusions } = desk.view.card.adjudication;
  const group = elementId("exclusion");
  const field = elementId("reason");
  const radios = exclusions.map(([code, label]) => {
    const radio = h("input", { type: "radio", name: group, value: code });
    return { radio, line: h("label", { class: "rk-option" }, radio, h("span", { dir: "auto" }, label)) };
  });
  if (radios.length === 1) radios[0].radio.checked = true;
  const area = h("textarea", { id: field, class: "rk-field", rows: "3", dir: "auto", maxlength: "2000" });
  const problem = h("p", { class: "rk-problem rk-dialog-problem", role: "alert" });
  const accept = () => {
    const code = radios.find(({ radio }) => radio.checked)?.radio.value;
    if (code) desk.exclude(code, area.value);
    else setText(problem, strings.exclude_choose);
  };
  openDialog(desk, {
    title: strings.exclude_title, accept, focus: radios[0]?.radio,
    body: [h("p", { class: "rk-soft" }, strings.exclude_text),
      h("fieldset", { class: "rk-fieldset" }, h("legend", { class: "rk-label" }, strings.exclude_why), radios.map(({ line }) => line)),
      h("label", { class: "rk-label", for: field }, strings.exclude_words), area, problem],
    actions: [button(strings.cancel, { onclick: () => desk.dialog?.shut() }), button(strings.exclude_confirm, { key: "Ctrl ⏎", kind: "rk-primary", acts: "write", onclick: accept })],
  });
}

/** Whether what is on the screen differs from the label given before the codings were shown. */
function changedFrom(mine, answers, asked) {
  const first = new Map(mine.map((one) => [one.field, one.codes]));
  return asked.some((field) => JSON.stringify(codesOf(answers[field])) !== JSON.stringify(first.get(field) ?? []));
}

/** What the primary button of an adjudicator says: the short names of the final label, if it has some. */
function finalLabel(card, answers, asked, strings) {
  const codes = card.questions.filter((question) => asked.includes(question.id) && question.type !== "spans").flatMap((question) => codesOf(answers[question.id]).filter((code) => shortCode(code)));
  return codes.length ? fill(strings.final_next, { label: codes.join(" + ") }) : strings.final_next_plain;
}
