// Where the person is on a card, and the keys: which question is the active one, where focus rests,
// and what every key does. The keys work by place, so an Arabic keyboard has them too.

const Keys = {
  // ---- where the person is ----------------------------------------------------------------

  isOpen(question) {
    return this.asked().includes(question.id) && !isSettled(question, this.answers[question.id], this.view.card.found?.[question.id]?.matches);
  },

  firstOpen() {
    return this.view.card?.questions.find((question) => this.isOpen(question))?.id;
  },

  nextOpen(checkId) {
    const questions = this.view.card.questions;
    const at = questions.findIndex((question) => question.id === checkId);
    return [...questions.slice(at + 1), ...questions.slice(0, at)].find((question) => this.isOpen(question))?.id;
  },

  /** Mark a check as the one the keys answer. With the mouse nothing closes, so nothing moves under it. */
  activate(checkId, byKeyboard) {
    if (!this.form || !checkId) return;
    if (checkId !== this.active) this.waitsForMore = false;
    this.active = checkId;
    for (const [id, { row }] of this.form.parts) {
      row.classList.toggle("rk-active", id === checkId);
      if (id === checkId) row.classList.add("rk-open");
      else if (byKeyboard) row.classList.remove("rk-open");
    }
  },

  /** One step inside the active question, and past its edge to the question beside it. */
  move(step) {
    const part = this.form.parts.get(this.active);
    if (part?.row.contains(document.activeElement) && part.step(step)) return;
    const asked = this.asked();
    const ids = this.view.card.questions.map((question) => question.id).filter((id) => asked.includes(id));
    const at = ids.indexOf(this.active);
    this.activate(ids[Math.max(0, Math.min(ids.length - 1, at + step))], true);
    this.restFocus();
  },

  /** Put focus where the keys work: on the active check, else on the panel (not on its button: the
   * Enter of one card too many must not lock a pass), else on the card. */
  restFocus(opening = false) {
    const part = this.practised ? null : this.form?.parts.get(this.active);
    const target = part && this.view.state !== "nobody" ? part.resting() : this.part.body.querySelector(".rk-practice, .rk-panel");
    if (target && !target.disabled && !target.closest("[hidden]")) target.focus({ preventScroll: true });
    else this.root.focus({ preventScroll: true });
    if (opening) for (const column of [this.part.body, ...this.part.body.children]) column.scrollTop = 0;
    else if (part) {
      // A question taller than its column would scroll away what is being answered.
      const fits = part.row.offsetHeight < Math.min(this.form.box.clientHeight, this.part.body.clientHeight);
      for (const node of part.sight ? [part.sight(), target] : [fits ? part.row : target]) node.scrollIntoView({ block: "nearest" });
    }
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
      const own = event.target.matches("button:not([role=radio], [role=checkbox], .rk-term, .rk-save), a, summary");
      if (!own || event.repeat) event.preventDefault();
      if (!own && !event.repeat) this.submit();
      return;
    }
    const act = this.keyAction(keyName(event), event);
    if (!act) return;
    event.preventDefault();
    if (!event.repeat || event.key.startsWith("Arrow")) act();
  },

  /** Give the keys that were pressed too early to the fields that they were meant for. */
  playHeld() {
    const keys = this.held ?? [];
    this.held = null;
    for (const key of keys) {
      if (this.held) this.held.push(key);
      else this.keyAction(key, { target: document.activeElement ?? this.root })?.();
    }
  },

  keyAction(key, event) {
    const { card } = this.view;
    const general = { "?": () => openHelp(this), "/": () => openCards(this), b: () => this.blurTexts(!this.isBlurred()), l: () => this.nextLanguage(), k: () => this.go("back"), j: () => this.go("next") };
    if (!card) return general[key];
    const coding = card.kind === "codes" && this.view.app !== "adjudication";
    const writing = {
      // A practice card is tried, not skipped.
      s: () => { if (!card.practice) openSkip(this); }, r: () => openRuling(this),
      ...(card.kind === "codes" ? {} : { e: () => this.toggleEscalated(), d: () => this.toDefect() }),
      ...(coding ? { u: () => this.toggleUnsure(), w: () => openWriteToLead(this) } : {}),
    };
    const answers = this.asked().includes(this.active) ? this.form.parts.get(this.active)?.keyed(key) : null;
    const write = writing[key] ?? answers ?? (key === "x" && card.adjudication?.exclusions.length ? () => openExclude(this) : null);
    if (this.held && (answers || /^[0-9yn]$/.test(key))) return () => this.held?.push(key);
    if (write) return this.canWrite ? write : () => {};
    if (general[key]) return general[key];
    const jumps = card.kind !== "codes" || card.questions.every((one) => one.type === "yes_no");
    const question = jumps && card.questions.find((one) => String(one.key || one.number).toLowerCase() === key && this.asked().includes(one.id));
    if (question) return () => { this.activate(question.id, true); this.restFocus(); };
    if (key === "m" || key === "t") return () => { if (key === "t" || !this.markSelection()) this.focusNote(); };
    if (event.target.matches(".rk-texts")) return null;
    if (key === "ArrowDown") return () => this.move(1);
    if (key === "ArrowUp") return () => this.move(-1);
    const ahead = this.view.direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (key === "ArrowLeft" || key === "ArrowRight") return () => this.form.parts.get(this.active)?.aside(key === ahead ? 1 : -1);
    return null;
  },

  /** Make a span of what is selected in a paragraph that has them; false when nothing is. */
  markSelection() {
    for (const part of this.form.parts.values()) {
      const place = this.canWrite && !part.node.hidden && part.mark ? part.coded?.selected() : null;
      if (!place) continue;
      part.mark(place);
      return true;
    }
    return false;
  },

  nextLanguage() {
    const codes = this.view.languages.map(([code]) => code);
    if (codes.length > 1) this.setLanguage(codes[(codes.indexOf(this.view.language) + 1) % codes.length]);
  },
};
