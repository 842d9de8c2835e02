// One desk in one output: what the person typed, what Python said, and the keys between them.
// Python decides; this file only shows what it decided and never loses what was typed.

const JUST_OPENED = 300;

class Desk {
  constructor(model, el) {
    this.model = model;
    this.root = h("div", { class: "rk-root", tabindex: "-1", "data-lm-suppress-shortcuts": "true" });
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.root.append(h("div", { class: "rk-opening", role: "status" }, h("span", { class: "rk-spinner", "aria-hidden": "true" })));
    el.append(this.root);
    Object.assign(this, { view: null, part: null, form: null, dialog: null, active: null, busy: "", answers: {}, note: "", escalated: false, unsure: false, defects: {}, reason: "", spans: {},
      dirty: false, typed: false, draftId: 0, problems: new Map(), said: "", shape: "", openedAt: 0, secondsBefore: 0, visibleSince: 0 });
    this.onVisible = () => this.countTime();
    document.addEventListener("visibilitychange", this.onVisible);
    this.line = new Connection(model, {
      tab: tabId(), onmessage: (message, asked) => this.onMessage(message, asked),
      onlost: () => this.showLost(true), onback: () => this.showLost(false), hello: () => this.hello(),
      mayLeave: () => !this.dialog && !this.reason.trim(),
    });
    this.line.ask("hello", this.hello());
  }

  destroy() {
    this.line.close();
    document.removeEventListener("visibilitychange", this.onVisible);
    this.dialog?.node.remove();
    this.root.remove();
  }

  get frame() { return this.part.frame; }
  get canWrite() { return this.view?.state === "writing" && Boolean(this.view.card) && !this.line.lost && !this.busy && !this.practised; }
  /** Whether the card is a practice card that shows what was right. */
  get practised() { return Boolean(this.view?.card?.practice?.verdicts); }

  /** The questions that arise now: all of a checklist, for Python leaves the others out of it. */
  asked() {
    const { card } = this.view;
    return (card?.kind === "codes" ? card.outcome?.asked : null) ?? card?.questions.map((question) => question.id) ?? [];
  }

  hello() {
    return { language: localStorageGet("reviewkit.language"), narrow: this.root.clientWidth < 700, pending: pendingDraft() };
  }

  ask(kind, body) {
    return this.line.ask(kind, body);
  }

  // ---- what Python says -------------------------------------------------------------------

  onMessage(message, asked) {
    if (asked?.click_id && asked.click_id === this.busy) this.busy = "";
    if (message.re === this.draftId) this.draftId = 0;
    if (message.kind === "page") {
      const kept = asked?.kind === "hello" && asked.pending;
      if (kept && kept.whose === whose(message.view) && pendingDraft()?.typed_at === kept.typed_at) keepPending(null);
      if (asked?.click_id) this.dialog?.shut();
      this.adopt(message.view, { afresh: asked?.kind === "take_over" });
    } else if (message.kind === "outcome") this.onOutcome(message, asked);
    else if (message.kind === "recorded") this.onRecorded(message, asked);
    else if (message.kind === "refused") this.onRefused(message, asked);
    else if (message.kind === "elsewhere") this.onElsewhere(message);
    else if (message.kind === "cards" && message.re === this.cardsAsked) {
      this.cardsAsked = 0;
      this.redrawCards?.(message.cards);
    }
  }

  onOutcome(message, asked) {
    if (asked && !this.dirty && !this.draftId) keepPending(null);
    if (message.token !== this.view?.card?.token) return this.sendDraft();
    this.showSaved(message.saved_at);
    this.takeOutcome(message.outcome);
    if (!this.dirty) this.playHeld();
    // What was answered before its condition fell is kept here and sent no more.
    if (this.view.card.kind === "codes" && asked && !this.dirty && !sameAnswer(asked.answers, this.judgement().answers)) this.dirty = true;
    this.sendDraft();
    if (this.submits && !this.dirty && !this.draftId) this.submit();
  }

  onRecorded(message, asked) {
    const decided = ["submit", "skip", "exclude"].includes(asked?.kind);
    if (decided) {
      this.dirty = false;
      keepPending(null);
    }
    if (asked?.kind === "ruling") this.rulingDraft = "recorded";
    if (asked?.kind === "question") this.questionDraft = RECORDED;
    if (asked && asked.kind !== "submit") this.dialog?.shut();
    this.adopt(message.view, { afresh: decided });
    this.showSaved(message.saved_at);
  }

  onRefused(message, asked) {
    this.held = null;
    if (!this.view || !asked) return;
    const was = this.view.card;
    this.submits = false;
    const text = message.text || message.problems.map((problem) => problem.text).join(" ");
    const inDialog = this.dialog?.node.querySelector(".rk-dialog-problem");
    if (message.view) {
      // A draft that crossed a fresh page on its way is not lost: it goes again under the new token.
      if (asked.kind === "draft" && sameContent(was, message.view.card)) this.dirty = true;
      this.adopt(message.view);
      if (asked.kind === "draft" && sameContent(was, message.view.card)) return;
    }
    // A full disk takes no draft, and may have room again by the time that the card is saved.
    if (message.outcome && message.token === was?.token) this.takeOutcome(message.outcome);
    this.refreshControls();
    if (inDialog?.isConnected && asked.kind !== "submit" && asked.kind !== "draft") {
      setText(inDialog, text);
      return;
    }
    // Of spans only Python can tell that one was moved, and so that a reason is due.
    const reasonDue = asked.kind === "submit" && this.form?.reason && !this.reason.trim() && !message.problems.length && was?.questions.some((one) => one.type === "spans");
    this.showProblems(reasonDue ? [{ check_id: "reason", text }] : message.problems, text);
    if (asked.kind === "submit") this.moveToProblem();
    this.sendDraft();
  }

  onElsewhere(message) {
    this.busy = "";
    if (!this.view) return;
    this.view.state = "elsewhere";
    this.view.message = message.text;
    this.showState();
    this.showOutcome();
  }

  /**
   * Show a view. The same content keeps what was typed here and not yet saved, whatever its token;
   * other content, or the same `afresh`, starts from Python's draft.
   */
  adopt(received, { afresh = false } = {}) {
    const before = this.view;
    const view = { ...BARE_VIEW, strings: before?.strings ?? {}, families: before?.families ?? [], ...received };
    const focused = document.activeElement;
    // In JupyterLab, running the cell leaves focus in the next one: the card that was asked for takes it.
    const justRun = !before && Boolean(focused?.closest(".jp-Notebook")?.contains(this.root));
    const had = justRun || !focused || focused === document.body || this.root.contains(focused);
    const same = !afresh && sameContent(before?.card, view.card);
    const unsaved = same && Boolean(this.dirty || this.draftId);
    if (!same && before?.card && view.card) this.carryNote(before.card, view.card);
    this.view = view;
    if (!before || before.language !== view.language || before.direction !== view.direction) this.buildFrame();
    if (!same) {
      this.hideRefused();
      this.openCard(view.card);
    } else if (!unsaved) this.takeDraft(view.card.draft);
    const { token, draft, outcome, decided, ...lasting } = view.card ?? {};
    const shape = JSON.stringify([lasting, view.language, view.done, view.card ? "" : [view.state, view.message, view.filter]]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.drawBody();
    } else this.fillForm();
    this.showHead();
    this.showState();
    this.showOutcome();
    this.redrawCards?.();
    if (had && !this.dialog && (!same || !this.root.contains(document.activeElement))) this.restFocus(!same);
    if (justRun) this.root.scrollIntoView({ block: "nearest" });
    if (unsaved || this.dirty) {
      this.dirty = true;
      this.sendDraft();
    }
  }

  /** The card was edited under a note being written: the words are carried over, the answers are not. */
  carryNote(old, fresh) {
    if (old.card_id === fresh.card_id && old.card_digest !== fresh.card_digest && this.typed && this.note && !fresh.draft.note) {
      fresh.draft = { ...fresh.draft, note: this.note, carried: true };
    }
  }

  openCard(card) {
    this.dialog?.shut();
    this.takeDraft(card?.draft ?? { answers: {}, note: "", escalated: false });
    this.dirty = Boolean(card?.draft.carried);
    this.typed = false;
    this.draftId = 0;
    this.problems.clear();
    this.rulingDraft = null;
    this.questionDraft = null;
    this.spans = {};
    this.reason = "";
    this.submits = false;
    this.waitsForMore = false;
    this.held = null;
    this.said = "";
    this.openedAt = performance.now();
    this.secondsBefore = 0;
    this.visibleSince = document.hidden ? 0 : performance.now();
    const [apart] = differing(card?.adjudication?.codings ?? []);
    this.active = this.firstOpen() ?? apart ?? card?.questions[0]?.id ?? null;
  }

  takeDraft(draft) {
    this.answers = { ...draft.answers };
    this.note = draft.note;
    this.escalated = draft.escalated;
    this.unsure = Boolean(draft.unsure);
    this.defects = { ...draft.defects };
  }

  // ---- what the person does ---------------------------------------------------------------

  /** Take an answer; by keyboard on to the next open question, unless it says to `stay`. */
  answer(checkId, answer, { byKeyboard = false, stay = false } = {}) {
    this.activate(checkId, byKeyboard);
    const part = this.form.parts.get(checkId);
    if (!this.canWrite) {
      part.show(this.answers[checkId] ?? null);
      return;
    }
    const turned = !sameAnswer(this.answers[checkId] ?? null, answer);
    if (turned) {
      if (answer === null) delete this.answers[checkId];
      else this.answers[checkId] = answer;
      this.problems.delete(checkId);
      setAnswer(part, answer);
      setProblem(part, "");
      this.changed();
      this.showReason();
    }
    if (byKeyboard && answer !== null && !stay) {
      // Only Python knows which fields an answer opens: until it says so, keys wait their turn.
      const opens = turned && part.question.gates;
      if (opens) this.held = [];
      const next = opens ? null : this.nextOpen(checkId);
      if (next) this.activate(next, true);
      else this.waitsForMore = true;
    }
    if (byKeyboard) this.restFocus();
  }

  setNote(text) {
    this.note = text;
    this.problems.delete("");
    this.showNote();
    this.changed();
  }

  toggleEscalated() {
    const outcome = this.view.card?.outcome;
    if (!this.canWrite || !(this.escalated || outcome?.can_escalate)) return;
    this.escalated = !this.escalated;
    this.showOutcome();
    this.changed();
  }

  toggleUnsure() {
    if (!this.canWrite) return;
    this.unsure = !this.unsure;
    this.showOutcome();
    this.changed();
  }

  /** Why the adjudicator's label changed: sent with the label and not before. */
  setReason(text) {
    this.reason = text;
    this.problems.delete("reason");
    this.typed = true;
    this.showReason();
  }

  needsReason() {
    const { adjudication } = this.view.card;
    return Boolean(this.form.reason) && changedFrom(adjudication.mine, this.answers, this.asked());
  }

  changed() {
    this.hideRefused();
    this.submits = false;
    this.dirty = true;
    this.typed = true;
    const { card_id, card_digest } = this.view.card;
    keepPending({ whose: whose(this.view), card_id, card_digest: card_digest ?? "", ...this.judgement(), typed_at: Date.now() / 1000 });
    this.sendDraft();
  }

  judgement() {
    const { note, escalated, unsure } = this;
    if (this.view.card.kind !== "codes") return { answers: { ...this.answers }, note, escalated, defects: this.chosenDefects() };
    const asked = this.asked();
    return { answers: Object.fromEntries(Object.entries(this.answers).filter(([id]) => asked.includes(id))), note, escalated: false, unsure };
  }

  /** At most one draft is on its way; the latest words go when it has arrived. */
  sendDraft() {
    if (!this.dirty || this.draftId || this.busy || this.view?.state !== "writing" || !this.view.card) return;
    this.dirty = false;
    this.draftId = this.ask("draft", { token: this.view.card.token, ...this.judgement(), seconds: this.seconds() });
  }

  submit() {
    // The second half of a double press lands on the next card; a card already worked on is meant.
    if (!this.typed && performance.now() - this.openedAt < JUST_OPENED) return;
    if (this.practised) this.go("next");
    if (!this.canWrite) return;
    const { outcome, token, kind, adjudication } = this.view.card;
    const undecided = this.dirty || this.draftId;
    const problems = [...(outcome.ready || undecided ? [] : outcome.problems), ...this.ownProblems()];
    // What Python has not seen is coded only when it has said which fields arise.
    this.submits = kind === "codes" && Boolean(undecided) && !problems.length;
    if (this.submits) return;
    if (problems.length) {
      this.showProblems(problems, "");
      this.moveToProblem();
      return;
    }
    this.record("submit", { token, ...this.judgement(), seconds: this.seconds(), ...(adjudication ? { reason: this.reason } : {}) });
  }

  /** What only the page knows to be missing: a class for a span just marked, a reason for a change. */
  ownProblems() {
    const unfinished = [...this.form.parts].map(([check_id, part]) => ({ check_id, text: part.unfinished?.() ?? "" })).filter(({ text }) => text);
    return this.needsReason() && !this.reason.trim() ? [...unfinished, { check_id: "reason", text: this.view.strings.change_reason_missing }] : unfinished;
  }

  exclude(code, reason) {
    if (this.canWrite) this.record("exclude", { token: this.view.card.token, code, reason });
  }

  /** A question to the lead that the other coder does not see. */
  writeToLead(text) {
    if (this.canWrite && text.trim()) this.record("question", { token: this.view.card.token, text });
  }

  skip(reason) {
    if (this.canWrite) this.record("skip", { token: this.view.card.token, reason });
  }

  fileRuling(ruling) {
    if (this.canWrite) this.record("ruling", { token: this.view.card.token, ...ruling });
  }

  lock() {
    if (!this.busy && !this.line.lost && this.view.done?.can_lock) this.record("lock", {});
  }

  /** Everything that is to be recorded carries a click id; until the reply nothing else is sent. */
  record(kind, body) {
    this.busy = randomId();
    this.hideRefused();
    this.ask(kind, { click_id: this.busy, ...body });
    this.refreshControls();
  }

  consent() {
    if (!this.busy && !this.line.lost) this.record("consent", {});
  }

  go(to) {
    if (this.busy || this.line.lost || !this.view || this.view.state === "elsewhere") return;
    this.ask("go", { to });
  }

  takeOver() {
    this.ask("take_over");
  }

  setLanguage(code) {
    localStorageSet("reviewkit.language", code);
    this.ask("language", { to: code });
  }

  /** Seconds this card was in view. */
  seconds() {
    const running = this.visibleSince ? performance.now() - this.visibleSince : 0;
    return Math.min(86400, Math.round((this.secondsBefore + running) / 100) / 10);
  }

  countTime() {
    if (document.hidden && this.visibleSince) {
      this.secondsBefore += performance.now() - this.visibleSince;
      this.visibleSince = 0;
    } else if (!document.hidden && !this.visibleSince) this.visibleSince = performance.now();
  }
}

/** Whether two views show the very same content, so that what was typed on one holds on the other. */
function sameContent(one, other) {
  return Boolean(one && other) && one.card_id === other.card_id && one.card_digest === other.card_digest;
}

function sameAnswer(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

Object.assign(Desk.prototype, Showing, Keys, Naming);

export default {
  render({ model, el }) {
    const desk = new Desk(model, el);
    return () => desk.destroy();
  },
};
