// What coding adds around the questions of a card: the derived values, the answers of the lead, the
// outcome of a try on a practice card, and writing to the lead.

/** In the place of a draft: the words were recorded, and the next dialog opens empty. */
const RECORDED = Symbol("recorded");

function drawDerived(title, label) {
  return h("li", { class: "rk-chip rk-chip-derived" }, h("bdi", {}, title), ": ", h("b", { dir: "auto" }, label));
}

/** The codes of an answer alone, those of rejected matches left out. */
function codesOf(answer) {
  if (!Array.isArray(answer)) return answer ? [answer] : [];
  return answer.map((each) => each.code ?? each).filter((code) => code !== REJECTED);
}

/** What the lead answered to this coder's questions about this card. */
function drawLeadAnswers(answers, strings) {
  if (!answers?.length) return null;
  return h("section", { class: "rk-lead", "aria-label": strings.lead_answers },
    h("h3", { class: "rk-subhead" }, strings.lead_answers),
    answers.map((one) => h("div", { class: "rk-lead-one" },
      h("p", { class: "rk-soft rk-lead-question", dir: "auto" }, one.question),
      one.answer ? h("p", { class: "rk-lead-answer", dir: "auto" }, one.answer) : h("p", { class: "rk-soft" }, strings.lead_waiting))));
}

/** After a try on a practice card: what is right, and why. */
function drawVerdicts(practice, questions, strings) {
  const texts = new Map(questions.map((question) => [question.id, question.text]));
  const missed = practice.verdicts.filter((one) => !one.ok).length;
  const heading = elementId("practice");
  return h("section", { class: `rk-practice ${missed ? "rk-practice-missed" : "rk-practice-right"}`, tabindex: "-1", "aria-labelledby": heading },
    h("h3", { class: "rk-practice-title", id: heading }, missed ? strings.practice_missed : strings.practice_right),
    h("ul", { class: "rk-practice-list" }, practice.verdicts.map((one) => h("li", { "data-ok": String(one.ok) },
      h("span", { class: "rk-practice-icon", "aria-hidden": "true" }, one.ok ? "✓" : "✕"),
      h("div", {},
        practice.verdicts.length > 1 ? h("p", { class: "rk-soft", dir: "auto" }, texts.get(one.field) ?? one.field) : null,
        one.ok ? null : h("p", {}, h("span", { class: "rk-soft" }, strings.practice_given), " ", h("span", { dir: "auto" }, (typeof one.given === "string" ? one.given : codesOf(one.given).join(" · ")) || "–")),
        h("p", {}, h("span", { class: "rk-soft" }, strings.practice_answer), " ", h("b", { dir: "auto" }, one.right.join(" · ") || "–")))))),
    practice.reason ? h("p", { class: "rk-practice-reason", dir: "auto" }, practice.reason) : null);
}

/** Write to the lead about this card; the other coder does not see it. */
function openWriteToLead(desk) {
  const strings = desk.view.strings;
  const field = elementId("lead");
  const area = h("textarea", { id: field, class: "rk-field", rows: "4", dir: "auto", maxlength: "4000" });
  area.value = desk.questionDraft ?? "";
  const accept = () => desk.writeToLead(area.value);
  openDialog(desk, {
    title: strings.lead_title, accept, focus: area,
    onclose: () => { desk.questionDraft = desk.questionDraft === RECORDED ? null : area.value; },
    body: [h("p", { class: "rk-soft" }, strings.lead_text), h("label", { class: "rk-label", for: field }, strings.lead_question), area, h("p", { class: "rk-problem rk-dialog-problem", role: "alert" })],
    actions: [button(strings.cancel, { onclick: () => desk.dialog?.shut() }), button(strings.lead_confirm, { key: "Ctrl ⏎", kind: "rk-primary", acts: "write", onclick: accept })],
  });
}
