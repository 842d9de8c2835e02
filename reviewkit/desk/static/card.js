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
    Object.assign(this, { view: null, part: null, form: null, dialog: null, active: null, busy: "", answers: {}, note: "", escalated: false,
      dirty: false, typed: false, draftId: 0, problems: new Map(), said: "", shape: "", openedAt: 0, secondsBefore: 0, visibleSince: 0 });
    this.onVisible = () => this.countTime();
    document.addEventListener("visibilitychange", this.onVisible);
    this.line = new Connection(model, {
      tab: tabId(), onmessage: (message, asked) => this.onMessage(message, asked),
      onlost: () => this.showLost(true), onback: () => this.showLost(false), hello: () => this.hello(),
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
  get canWrite() { return this.view?.state === "writing" && Boolean(this.view.card) && !this.line.lost && !this.busy; }

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
  }

  onOutcome(message, asked) {
    if (asked && !this.dirty && !this.draftId) keepPending(null);
    if (message.token !== this.view?.card?.token) return this.sendDraft();
    this.view.card.outcome = message.outcome;
    this.showSaved(message.saved_at);
    this.showOutcome();
    this.sendDraft();
  }

  onRecorded(message, asked) {
    const decided = asked?.kind === "submit" || asked?.kind === "skip";
    if (decided) {
      this.dirty = false;
      keepPending(null);
    }
    if (asked?.kind === "ruling") this.rulingDraft = "recorded";
    if (asked && asked.kind !== "submit") this.dialog?.shut();
    this.adopt(message.view, { afresh: decided });
    this.showSaved(message.saved_at);
  }

  onRefused(message, asked) {
    if (!this.view || !asked) return;
    const was = this.view.card;
    const text = message.text || message.problems.map((problem) => problem.text).join(" ");
    const inDialog = this.dialog?.node.querySelector(".rk-dialog-problem");
    if (message.view) {
      // A draft that crossed a fresh page on its way is not lost: it goes again under the new token.
      if (asked.kind === "draft" && sameContent(was, message.view.card)) this.dirty = true;
      this.adopt(message.view);
      if (asked.kind === "draft" && sameContent(was, message.view.card)) return;
    }
    this.refreshControls();
    if (inDialog?.isConnected && asked.kind !== "submit" && asked.kind !== "draft") {
      setText(inDialog, text);
      return;
    }
    this.showProblems(message.problems, text);
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
    const view = { ...BARE_VIEW, ...received };
    const before = this.view;
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
    this.said = "";
    this.openedAt = performance.now();
    this.secondsBefore = 0;
    this.visibleSince = document.hidden ? 0 : performance.now();
    this.active = this.firstOpen() ?? card?.questions[0]?.id ?? null;
  }

  takeDraft(draft) {
    this.answers = { ...draft.answers };
    this.note = draft.note;
    this.escalated = draft.escalated;
  }

  // ---- what the person does ---------------------------------------------------------------

  answer(checkId, answer, byKeyboard) {
    this.activate(checkId, byKeyboard);
    if (!this.canWrite) return;
    if ((this.answers[checkId] ?? null) !== answer) {
      if (answer === null) delete this.answers[checkId];
      else this.answers[checkId] = answer;
      this.problems.delete(checkId);
      setAnswer(this.form.parts.get(checkId), answer);
      setProblem(this.form.parts.get(checkId), "");
      this.changed();
    }
    if (byKeyboard && answer !== null) this.activate(this.nextOpen(checkId) ?? checkId, true);
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

  changed() {
    this.hideRefused();
    this.dirty = true;
    this.typed = true;
    const { card_id, card_digest } = this.view.card;
    keepPending({ whose: whose(this.view), card_id, card_digest: card_digest ?? "", ...this.judgement(), typed_at: Date.now() / 1000 });
    this.sendDraft();
  }

  judgement() {
    return { answers: { ...this.answers }, note: this.note, escalated: this.escalated };
  }

  /** At most one draft is on its way; the latest words go when it has arrived. */
  sendDraft() {
    if (!this.dirty || this.draftId || this.busy || this.view?.state !== "writing" || !this.view.card) return;
    this.dirty = false;
    this.draftId = this.ask("draft", { token: this.view.card.token, ...this.judgement(), seconds: this.seconds() });
  }

  submit() {
    // The second half of a double press lands on the next card; a card already worked on is meant.
    if (!this.canWrite || (!this.typed && performance.now() - this.openedAt < JUST_OPENED)) return;
    const { outcome, token } = this.view.card;
    const undecided = this.dirty || this.draftId;
    if (!outcome.ready && !undecided) {
      this.showProblems(outcome.problems, "");
      this.moveToProblem();
      return;
    }
    this.record("submit", { token, ...this.judgement(), seconds: this.seconds() });
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

/** Whose page it is: one tab may open the links of two people, and neither takes the other's words. */
function whose(view) {
  const { study = "", pass = "", rater = "" } = view.who ?? {};
  return [study, pass, rater].join("/");
}

/** Whether two views show the very same content, so that what was typed on one holds on the other. */
function sameContent(one, other) {
  return Boolean(one && other) && one.card_id === other.card_id && one.card_digest === other.card_digest;
}

function localStorageGet(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function localStorageSet(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}

Object.assign(Desk.prototype, Showing);

export default {
  render({ model, el }) {
    const desk = new Desk(model, el);
    return () => desk.destroy();
  },
};
