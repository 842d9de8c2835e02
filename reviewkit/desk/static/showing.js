// How a desk shows itself: the part of Desk that touches the screen. Keys and focus are in keys.js.

/** What a page without a card may leave out. */
const BARE_VIEW = { languages: [], strings: {}, families: [], who: {}, state: "writing", message: "", instruction: "",
  progress: { done: 0, skipped: 0, total: 0, label: "" }, filter: "all", filters: [], cards: [], done: null, card: null };

const Showing = {
  buildFrame() {
    this.dialog?.node.remove();
    this.dialog = null;
    this.redrawCards = null;
    this.part = drawFrame(this);
    this.root.dir = this.view.direction;
    this.root.lang = this.view.language;
    speakAs(this.view.language);
    this.root.replaceChildren(this.part.frame);
    this.shape = "";
    this.showBlur();
    this.showLost(this.line.lost);
    if (this.savedAt) this.showSaved(this.savedAt, true);
  },

  drawBody() {
    const { card, strings } = this.view;
    this.form = null;
    if (!card) {
      this.part.body.replaceChildren(drawPanel(this));
      return;
    }
    const said = Object.fromEntries(card.legend);
    const coded = [];
    const drawn = drawTexts(card.texts, strings, said, coded);
    const around = this.drawAround();
    const apart = card.questions.length > 1 ? differing(card.adjudication?.codings ?? []) : new Set();
    this.form = drawForm(card, strings, {
      of: (question) => ({
        onanswer: (check, answer, how) => this.answer(check, answer, how),
        onfocus: (check) => { if (!this.pointing) this.activate(check, true); },
        ontell: (check, text) => this.tell(check, text),
        spoken: (text) => setText(this.part.live, text),
        found: card.found?.[question.id]?.matches,
        here: (this.spans[question.id] ??= { marked: [], active: "", flags: new Map() }),
        coded: (coded.find((one) => one.field === question.id && one.text === card.found?.[question.id]?.text) ?? coded.find((one) => one.field === question.id))?.paragraph,
        naming: this.naming(question),
        differs: apart.has(question.id),
        mine: card.adjudication?.mine?.find((one) => one.field === question.id)?.codes,
      }),
      onnote: () => this.setNote(this.form.note.area.value),
      onexplain: () => this.explainAll(!this.form.box.classList.contains("rk-explained")),
    }, around);
    this.form.reason = around.reason;
    // A press must not move the rows before the click lands on them.
    this.form.box.addEventListener("pointerdown", () => { this.pointing = true; });
    this.form.box.addEventListener("click", () => { this.pointing = false; });
    this.form.box.addEventListener("pointercancel", () => { this.pointing = false; });
    const texts = h("section", { class: "rk-texts", tabindex: "0", "aria-label": strings.texts },
      drawChanges(card.changed, strings, said), drawn, drawLegend(card, strings), drawFields(card, strings));
    this.part.body.replaceChildren(texts, this.form.box);
    this.fillForm();
    this.explainAll(localStorageGet("reviewkit.explain") === "all");
    this.activate(this.active, true);
  },

  /** What stands above and below the questions of a coding card. */
  drawAround() {
    const { card, strings } = this.view;
    const { adjudication, practice } = card;
    const revealed = adjudication && adjudication.stage !== "first";
    const reason = revealed ? drawReason(strings, () => this.setReason(reason.area.value)) : null;
    const exclude = adjudication?.exclusions.length
      ? h("button", { type: "button", class: "rk-code rk-exclude", "data-acts": "write", "aria-haspopup": "dialog", "aria-keyshortcuts": "x", onclick: () => openExclude(this) },
          keyCap("x"), h("span", { class: "rk-code-text" }, fill(strings.exclude, { reasons: adjudication.exclusions.map(([, label]) => label).join(strings.or) })))
      : null;
    return {
      reason,
      above: [drawLeadAnswers(card.lead_answers, strings), practice?.verdicts ? drawVerdicts(practice, card.questions, strings) : null, revealed ? drawCodings(adjudication.codings, strings) : null],
      below: [reason?.box, exclude ? h("div", { class: "rk-exclude-box" }, exclude) : null],
    };
  },

  fillForm() {
    if (!this.form) return;
    for (const [id, part] of this.form.parts) {
      setAnswer(part, this.answers[id] ?? null);
      setProblem(part, this.problems.get(id) ?? "");
    }
    const { area } = this.form.note;
    if (area.value !== this.note) area.value = this.note;
    this.showAsked();
  },

  /** Fields whose condition does not hold are dimmed in their place; focus never goes down with one. */
  showAsked() {
    const { card, strings } = this.view;
    if (card.kind !== "codes") return;
    const asked = this.asked();
    const focused = document.activeElement;
    const left = this.form.parts.get(this.active);
    const inside = Boolean(left?.row.contains(focused));
    for (const [id, part] of this.form.parts) {
      const listed = card.outcome.not_asked?.find((one) => one.id === id) ?? card.not_asked.find((one) => one.id === id);
      setAsked(part, asked.includes(id), listed?.why ?? strings.not_asked_now);
    }
    const more = this.waitsForMore && inside ? this.nextOpen(this.active) : null;
    if (!more && asked.includes(this.active)) return;
    this.activate(more ?? this.firstOpen() ?? asked.at(-1), true);
    if (inside) this.restFocus();
  },

  showHead() {
    const { view, part } = this;
    setText(part.title, view.card?.card_id ?? view.done?.title ?? view.who?.study ?? "");
    part.title.hidden = !part.title.textContent;
    const chips = [...(view.card?.chips ?? [])].map((chip) => h("li", { class: "rk-chip", dir: "auto" }, chip));
    if (view.card?.decided) {
      chips.push(h("li", { class: "rk-chip rk-chip-decided" }, "✓ ", fill(view.strings.decided, { label: view.card.decided.label, at: clock(view.card.decided.time ?? view.card.decided.at) })));
    }
    const { adjudication, practice } = view.card ?? {};
    if (practice?.label) chips.push(h("li", { class: "rk-chip rk-chip-stage", dir: "auto" }, practice.label));
    if (adjudication?.stage === "first") chips.push(h("li", { class: "rk-chip rk-chip-stage" }, view.strings.label_first));
    else if (adjudication?.mine?.length && adjudication.mine.length < 3) {
      const label = adjudication.mine.flatMap((one) => (one.codes.every(shortCode) && one.codes.length ? one.codes : one.labels)).join(" · ");
      if (label && label.length < 60) chips.push(h("li", { class: "rk-chip" }, fill(view.strings.first_label, { label })));
    }
    part.chips.replaceChildren(...chips);
    drawProgress(part, view);
    setText(part.instruction, view.instruction);
    part.instruction.hidden = !view.instruction || !view.card;
  },

  showState() {
    const { view, part } = this;
    this.root.dataset.state = view.state;
    this.root.dataset.card = view.card?.kind ?? "";
    setText(part.messageText, view.message ?? "");
    part.message.hidden = !view.message || view.state === "nobody" || !view.card;
    part.takeOver.hidden = view.state !== "elsewhere";
    const notice = [view.card?.adjudication?.warning, view.card?.notice].filter(Boolean).join(" ");
    const doneToo = view.card && view.done && !view.done.locked;
    part.notice.hidden = !notice && !doneToo;
    part.notice.replaceChildren(...(notice ? [h("span", { dir: "auto" }, notice)] : []),
      ...(doneToo ? [h("b", {}, view.done.title), h("span", { dir: "auto" }, view.done.text),
        view.done.can_lock ? button(view.strings.lock, { acts: "lock", onclick: () => openLock(this) }) : ""] : []));
    const writing = view.state === "writing" && Boolean(view.card);
    part.foot.hidden = !view.card;
    const coding = view.card?.kind === "codes" && view.app !== "adjudication";
    for (const name of ["skip", "ruling"]) part[name].hidden = !writing;
    part.save.hidden = !writing || this.practised;
    part.goOn.hidden = !writing || !this.practised;
    part.skip.hidden ||= Boolean(view.card?.practice);
    for (const name of ["unsure", "lead"]) part[name].hidden = !writing || !coding || this.practised;
    part.next.hidden = writing;
    if (this.form) this.form.note.area.readOnly = view.state !== "writing" || this.practised;
    this.refreshControls();
  },

  /** What Python makes of the answers so far. */
  takeOutcome(outcome) {
    this.view.card.outcome = outcome;
    this.showAsked();
    this.showOutcome();
  },

  showOutcome() {
    const outcome = this.view.card?.outcome;
    if (!outcome || !this.form) return;
    drawOutcome(this.part, outcome);
    this.part.escalate.hidden = this.view.state !== "writing" || !(outcome.can_escalate || this.escalated);
    this.part.escalate.setAttribute("aria-pressed", String(this.escalated));
    this.part.unsure.setAttribute("aria-pressed", String(this.unsure));
    this.showReason();
    this.showNote();
    this.refreshControls();
    // Spoken only when the verdict turns, or each answer would interrupt the next question.
    const said = outcome.verdict ? [outcome.label, outcome.reason].filter(Boolean).join(". ") : "";
    if (said !== this.said) {
      this.said = said;
      if (said) setText(this.part.live, said);
    }
  },

  showNote() {
    const outcome = this.view.card.outcome;
    const { box, label, area } = this.form.note;
    const missing = outcome.note_required && !this.note.trim();
    setText(label, outcome.note_required ? outcome.note_label : this.view.strings.note);
    setFlag(box, "data-missing", missing);
    setFlag(box, "data-problem", this.problems.has(""));
    area.setAttribute("aria-required", String(outcome.note_required));
    area.setAttribute("aria-invalid", String(missing));
  },

  /** The adjudicator's primary button names the final label; a change of the first one asks why. */
  showReason() {
    const { card, strings } = this.view;
    const { adjudication } = card;
    const first = adjudication?.stage === "first";
    setText(this.part.saveText, !adjudication ? strings.save_next : first ? strings.save_first : finalLabel(card, this.answers, this.asked(), strings));
    if (!this.form.reason) return;
    const { box, line, area } = this.form.reason;
    const problem = this.problems.get("reason") ?? "";
    box.hidden = !this.needsReason() && !problem && !this.reason;
    if (area.value !== this.reason) area.value = this.reason;
    setText(line, problem);
    line.hidden = !problem;
    setFlag(box, "data-missing", this.needsReason() && !this.reason.trim());
    area.setAttribute("aria-invalid", String(Boolean(problem)));
  },

  /** A sentence beside a question about something that was just tried there. */
  tell(checkId, text) {
    setProblem(this.form.parts.get(checkId), text);
    setText(this.part.live, text);
  },

  /** Enable what may be used now. Focus never falls off the card when its button goes dead. */
  refreshControls() {
    if (!this.part) return;
    const { state, card } = this.view;
    const lost = this.line.lost;
    const usable = { write: state === "writing" && Boolean(card) && !lost && !this.practised, go: !lost && state !== "elsewhere", lock: !lost && state === "writing" };
    const focused = document.activeElement;
    for (const control of this.root.querySelectorAll("[data-acts]")) {
      const off = !usable[control.dataset.acts];
      if (off && control === focused && !this.dialog) this.root.focus({ preventScroll: true });
      if (control.disabled !== off) control.disabled = off;
    }
    setFlag(this.root, "data-busy", Boolean(this.busy));
    const ready = Boolean(card?.outcome.ready || this.dirty || this.draftId) && !this.busy;
    // Not "disabled": pressed too early, the button says what is missing and goes there.
    this.part.save.setAttribute("aria-disabled", String(!(card?.outcome.ready && ready)));
  },

  showLost(lost) {
    this.held = null;
    setFlag(this.root, "data-lost", lost);
    if (!this.part) return sayLostEarly(this.root, this.line);
    const before = this.part.body.getBoundingClientRect().top;
    fillLost(this.part.lost, this.line, this.view.strings);
    this.keepPlace(this.part.body.getBoundingClientRect().top - before);
    this.refreshControls();
    if (!lost && document.activeElement === this.root) this.restFocus();
    if (!lost) this.sendDraft();
  },

  /** A bar that came or went moved the body: what is read, or about to be pressed, stays where it was. */
  keepPlace(moved) {
    const { body } = this.part;
    if (moved) for (const pane of [body, ...body.querySelectorAll(".rk-texts, .rk-form")]) pane.scrollTop += moved;
  },

  showSaved(at, silent = false) {
    if (!at) return;
    this.savedAt = at;
    const time = clock(at);
    const parts = this.view.strings.saved.split("{time}");
    this.part.saved.replaceChildren(h("span", { "aria-hidden": "true" }, "✓ "), parts[0], h("time", { dir: "ltr" }, time), parts[1] ?? "");
    if (!silent && !this.said) setText(this.part.live, fill(this.view.strings.saved, { time }));
  },

  showProblems(problems, text) {
    this.problems = new Map(problems.map((problem) => [problem.check_id, problem.text]));
    for (const [id, part] of this.form?.parts ?? []) setProblem(part, this.problems.get(id) ?? "");
    if (this.form) this.showNote();
    if (this.form) this.showReason();
    setText(this.part.refusedText, text);
    this.part.refused.hidden = !text;
  },

  hideRefused() {
    setText(this.part.refusedText, "");
    this.part.refused.hidden = true;
  },

  moveToProblem() {
    const first = this.view.card?.questions.find((question) => this.problems.has(question.id));
    if (first) {
      this.activate(first.id, true);
      this.restFocus();
    } else if (this.form?.reason && this.problems.has("reason")) this.form.reason.area.focus();
    else if (this.view.card?.outcome.note_required || this.problems.has("")) this.focusNote();
  },

  /** The note with its label and its hint in sight, not only the line that the cursor is on. */
  focusNote() {
    this.form?.note.area.focus({ preventScroll: true });
    this.form?.note.box.scrollIntoView({ block: "nearest" });
  },

  explainAll(on) {
    this.form.box.classList.toggle("rk-explained", on);
    this.form.explain.setAttribute("aria-pressed", String(on));
    localStorageSet("reviewkit.explain", on ? "all" : "");
  },

  // a method: copying this object onto the prototype would freeze the value of a getter
  isBlurred() { return (localStorageGet("reviewkit.blur") ?? (this.view.blur ? "on" : "")) === "on"; },

  /** Harmful material can be kept out of sight until it is wanted. */
  blurTexts(on) {
    localStorageSet("reviewkit.blur", on ? "on" : "off");
    this.showBlur();
  },

  showBlur() {
    setFlag(this.root, "data-blur", this.isBlurred());
    this.part.blur.setAttribute("aria-pressed", String(this.isBlurred()));
  },
};
