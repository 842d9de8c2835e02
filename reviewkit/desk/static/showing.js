// How a desk shows itself and hears keys: the half of Desk that touches the screen.

/** What a page without a card may leave out. */
const BARE_VIEW = { languages: [], strings: {}, who: {}, state: "writing", message: "", instruction: "",
  progress: { done: 0, skipped: 0, total: 0, label: "" }, filter: "all", filters: [], cards: [], done: null, card: null };

const Showing = {
  buildFrame() {
    this.dialog?.node.remove();
    this.dialog = null;
    this.redrawCards = null;
    this.part = drawFrame(this);
    this.root.dir = this.view.direction;
    this.root.lang = this.view.language;
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
    this.form = drawForm(card, strings, {
      onanswer: (check, answer, byKeyboard) => this.answer(check, answer, byKeyboard),
      onfocus: (check) => { if (!this.pointing) this.activate(check, true); },
      onnote: () => this.setNote(this.form.note.area.value),
      onexplain: () => this.explainAll(!this.form.box.classList.contains("rk-explained")),
    });
    // A press must not move the rows before the click lands on them.
    this.form.box.addEventListener("pointerdown", () => { this.pointing = true; });
    this.form.box.addEventListener("click", () => { this.pointing = false; });
    this.form.box.addEventListener("pointercancel", () => { this.pointing = false; });
    const texts = h("section", { class: "rk-texts", tabindex: "0", "aria-label": strings.texts },
      drawChanges(card.changed, strings, said), drawTexts(card.texts, strings, said), drawLegend(card, strings), drawFields(card, strings));
    this.part.body.replaceChildren(texts, this.form.box);
    this.fillForm();
    this.explainAll(localStorageGet("reviewkit.explain") === "all");
    this.activate(this.active, true);
  },

  fillForm() {
    if (!this.form) return;
    for (const [id, part] of this.form.parts) {
      setAnswer(part, this.answers[id] ?? null);
      setProblem(part, this.problems.get(id) ?? "");
    }
    const { area } = this.form.note;
    if (area.value !== this.note) area.value = this.note;
  },

  showHead() {
    const { view, part } = this;
    setText(part.title, view.card?.card_id ?? view.done?.title ?? view.who?.study ?? "");
    part.title.hidden = !part.title.textContent;
    const chips = [...(view.card?.chips ?? [])].map((chip) => h("li", { class: "rk-chip", dir: "auto" }, chip));
    if (view.card?.decided) {
      chips.push(h("li", { class: "rk-chip rk-chip-decided" }, "✓ ", fill(view.strings.decided, { label: view.card.decided.label, at: clock(view.card.decided.time ?? view.card.decided.at) })));
    }
    part.chips.replaceChildren(...chips);
    drawProgress(part, view);
    setText(part.instruction, view.instruction);
    part.instruction.hidden = !view.instruction || !view.card;
  },

  showState() {
    const { view, part } = this;
    this.root.dataset.state = view.state;
    setText(part.messageText, view.message ?? "");
    part.message.hidden = !view.message || view.state === "nobody" || !view.card;
    part.takeOver.hidden = view.state !== "elsewhere";
    const notice = view.card?.notice ?? "";
    const doneToo = view.card && view.done && !view.done.locked;
    part.notice.hidden = !notice && !doneToo;
    part.notice.replaceChildren(...(notice ? [h("span", { dir: "auto" }, notice)] : []),
      ...(doneToo ? [h("b", {}, view.done.title), h("span", { dir: "auto" }, view.done.text),
        view.done.can_lock ? button(view.strings.lock, { acts: "lock", onclick: () => openLock(this) }) : ""] : []));
    const writing = view.state === "writing" && Boolean(view.card);
    part.foot.hidden = !view.card;
    for (const name of ["save", "skip", "ruling"]) part[name].hidden = !writing;
    part.next.hidden = writing;
    if (this.form) this.form.note.area.readOnly = view.state !== "writing";
    this.refreshControls();
  },

  showOutcome() {
    const outcome = this.view.card?.outcome;
    if (!outcome || !this.form) return;
    drawOutcome(this.part, outcome);
    this.part.escalate.hidden = this.view.state !== "writing" || !(outcome.can_escalate || this.escalated);
    this.part.escalate.setAttribute("aria-pressed", String(this.escalated));
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

  /** Enable what may be used now. Focus never falls off the card when its button goes dead. */
  refreshControls() {
    if (!this.part) return;
    const { state, card } = this.view;
    const lost = this.line.lost;
    const usable = { write: state === "writing" && Boolean(card) && !lost, go: !lost && state !== "elsewhere", lock: !lost && state === "writing" };
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
    setFlag(this.root, "data-lost", lost);
    if (!this.part) {
      if (!this.root.querySelector(".rk-bar-lost") && lost) this.root.append(h("div", { class: "rk-bar rk-bar-lost", role: "alert" }, "No answer from the server · لا جواب من الخادم"));
      return;
    }
    setText(this.part.lostText, lost ? this.view.strings.lost : "");
    this.part.lost.hidden = !lost;
    this.refreshControls();
    if (!lost && document.activeElement === this.root) this.restFocus();
    if (!lost) this.sendDraft();
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
    } else if (this.view.card?.outcome.note_required || this.problems.has("")) this.focusNote();
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
  isBlurred() { return localStorageGet("reviewkit.blur") === "on"; },

  /** Harmful material can be kept out of sight until it is wanted. */
  blurTexts(on) {
    localStorageSet("reviewkit.blur", on ? "on" : "");
    this.showBlur();
  },

  showBlur() {
    setFlag(this.root, "data-blur", this.isBlurred());
    this.part.blur.setAttribute("aria-pressed", String(this.isBlurred()));
  },

  // ---- where the person is ----------------------------------------------------------------

  firstOpen() {
    return this.view.card?.questions.find((question) => !this.answers[question.id])?.id;
  },

  nextOpen(checkId) {
    const questions = this.view.card.questions;
    const at = questions.findIndex((question) => question.id === checkId);
    return [...questions.slice(at + 1), ...questions.slice(0, at)].find((question) => !this.answers[question.id])?.id;
  },

  /** Mark a check as the one the keys answer. With the mouse nothing closes, so nothing moves under it. */
  activate(checkId, byKeyboard) {
    if (!this.form || !checkId) return;
    this.active = checkId;
    for (const [id, { row }] of this.form.parts) {
      row.classList.toggle("rk-active", id === checkId);
      if (id === checkId) row.classList.add("rk-open");
      else if (byKeyboard) row.classList.remove("rk-open");
    }
  },

  move(step) {
    const ids = this.view.card.questions.map((question) => question.id);
    const at = ids.indexOf(this.active);
    this.activate(ids[Math.max(0, Math.min(ids.length - 1, at + step))], true);
    this.restFocus();
  },

  /** Put focus where the keys work: on the active check, else on the panel (not on its button: the
   * Enter of one card too many must not lock a pass), else on the card. */
  restFocus(opening = false) {
    const part = this.form?.parts.get(this.active);
    const target = part && this.view.state !== "nobody" ? restingChoice(part) : this.part.body.querySelector(".rk-panel");
    if (target && !target.disabled) target.focus({ preventScroll: true });
    else this.root.focus({ preventScroll: true });
    if (opening) for (const column of [this.part.body, ...this.part.body.children]) column.scrollTop = 0;
    else part?.row.scrollIntoView({ block: "nearest" });
  },

  // ---- keys -------------------------------------------------------------------------------

  onKey(event) {
    event.stopPropagation();
    if (!this.part || event.isComposing || event.defaultPrevented || this.dialog) return;
    const strong = event.ctrlKey || event.metaKey;
    const enter = event.key === "Enter";
    if (strong && enter) {
      event.preventDefault();
      if (!event.repeat) this.submit();
      return;
    }
    if (isTextField(event.target)) {
      if (event.key === "Escape") {
        event.preventDefault();
        this.restFocus();
      }
      return;
    }
    if (strong || event.altKey) return;
    if (enter) {
      const own = event.target.matches("button:not([role=radio]):not(.rk-save), a, summary");
      if (!own || event.repeat) event.preventDefault();
      if (!own && !event.repeat) this.submit();
      return;
    }
    const act = this.keyAction(keyName(event), event);
    if (!act) return;
    event.preventDefault();
    if (!event.repeat || event.key.startsWith("Arrow")) act();
  },

  keyAction(key, event) {
    const { card } = this.view;
    const general = { "?": () => openHelp(this), "/": () => openCards(this), b: () => this.blurTexts(!this.isBlurred()), l: () => this.nextLanguage(), k: () => this.go("back"), j: () => this.go("next") };
    if (!card) return general[key];
    const inTexts = event.target.matches(".rk-texts");
    const question = card.questions.find((one) => String(one.key).toLowerCase() === key);
    const writing = {
      y: () => this.answer(this.active, "yes", true), n: () => this.answer(this.active, "no", true),
      Backspace: () => this.answer(this.active, null, true), Delete: () => this.answer(this.active, null, true),
      s: () => openSkip(this), r: () => openRuling(this), e: () => this.toggleEscalated(),
    };
    if (writing[key]) return this.canWrite ? writing[key] : () => {};
    if (general[key]) return general[key];
    if (question) return () => { this.activate(question.id, true); this.restFocus(); };
    if (key === "m" || key === "t") return () => this.focusNote();
    if (inTexts) return null;
    if (key === "ArrowDown") return () => this.move(1);
    if (key === "ArrowUp") return () => this.move(-1);
    if (key === "ArrowLeft" || key === "ArrowRight") return () => this.moveInside();
    return null;
  },

  /** Between yes and no of the active check, without answering: Space or y and n answer. */
  moveInside() {
    const part = this.form.parts.get(this.active);
    (document.activeElement === part.yes ? part.no : part.yes).focus();
  },

  nextLanguage() {
    const codes = this.view.languages.map(([code]) => code);
    if (codes.length > 1) this.setLanguage(codes[(codes.indexOf(this.view.language) + 1) % codes.length]);
  },
};
