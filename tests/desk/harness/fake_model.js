// The Python side of the desk, played in the page for the harness: it keeps the protocol and a
// plain copy of the verdict rule, and writes down every message in `log`.

import { CARDS as CHECKED, FAMILIES } from "./cards.js";
import * as CODED from "./coding_cards.js";

const CARDS = { ...CHECKED, ...CODED };

const SCENES = { walk: ["T1", "T2", "CHANGED"], t2: ["T2", "T1"], changed: ["CHANGED", "T1"], hostile: ["HOSTILE"], long: ["LONG", "T1"], done: [], locked: ["T1"], nobody: [], closed: [], elsewhere: ["T1"], nothing: [], many: ["T1"],
  rationale: ["RATIONALE", "SELECTION"], selection: ["SELECTION", "RATIONALE"], framing: ["FRAMING", "FRAMING_AR"], framing_ar: ["FRAMING_AR"], rubric: ["RUBRIC"], adjudicate: ["ADJUDICATE", "RATIONALE"],
  practice: ["PRACTICE", "RATIONALE"], hostile_codes: ["HOSTILE_CODES"], hostile_hearing: ["HOSTILE_HEARING"], long_walk: ["RATIONALE"], warning: [] };
const FILTERS = [["all", "All cards"], ["open", "Open"], ["needs_fix", "Needs fix"], ["changed", "Changed since review"], ["skipped", "Skipped"]];

/** A copy of its own; rules stay the functions that they are. */
function clone(card) {
  const { rules, ...content } = card;
  return { ...structuredClone(content), ...(rules ? { rules } : {}) };
}

export class FakeModel {
  constructor(strings, { scene, language }) {
    Object.assign(this, { strings, scene, language: language ?? "en", forced: language, log: [], listeners: [], delay: 5, mute: false, recorded: [], filter: "all", tokens: 0, refuse: null });
    this.cards = SCENES[scene].map((name) => clone(CARDS[name]));
    this.at = this.cards.length ? 0 : -1;
    this.drafts = new Map();
    this.status = new Map(this.cards.map((card) => [card.card_id, "open"]));
    this.state = { locked: "locked", nobody: "nobody", closed: "nobody", elsewhere: "elsewhere" }[scene] ?? "writing";
  }

  get() { return undefined; }
  set() {}
  save_changes() {}
  on(name, listener) { if (name === "msg:custom") this.listeners.push(listener); if (name === "line") this.hearLine = listener; }
  off(name, listener) { this.listeners = this.listeners.filter((each) => each !== listener); }

  send(message) {
    const copy = structuredClone(message);
    this.log.push(copy);
    if (this.mute) return;
    setTimeout(() => this.reply(this.answer(copy), copy), this.delay);
  }

  /** What Python pushes; `re` unset means that nobody asked. */
  reply(content, message) {
    const whole = message ? { ...content, re: message.id, ...(message.click_id ? { click_id: message.click_id } : {}) } : content;
    // as Python does: the families come when a page opens or changes its language, and not again
    if (message && whole.view && !["hello", "language", "take_over"].includes(message.kind)) delete whole.view.families;
    for (const listener of [...this.listeners]) listener(structuredClone(whole), []);
  }

  answer(message) {
    const card = this.cards[this.at];
    if (this.refuse && message.kind in this.refuse) return { kind: "refused", problems: [], ...this.refuse[message.kind] };
    switch (message.kind) {
      case "hello":
        if (!this.forced && message.language) this.language = message.language;
        if (message.pending) this.drafts.set(message.pending.card_id, message.pending);
        return this.page();
      case "language": this.language = message.to; return this.page();
      case "take_over": this.state = "writing"; return this.page();
      case "draft":
        if (message.token !== this.token) return { kind: "refused", problems: [], text: "The screen had moved on.", view: this.view() };
        if (this.full) return { kind: "refused", problems: [], text: "No room.", token: this.token, outcome: this.outcome(card, message) };
        this.drafts.set(card.card_id, message);
        return { kind: "outcome", token: this.token, saved_at: "14:02:07", outcome: this.outcome(card, message) };
      case "submit": {
        const known = this.recorded.some((each) => each.click_id === message.click_id);
        const outcome = known ? null : this.outcome(card, message);
        if (!known && message.token !== this.token) return { kind: "refused", problems: [], text: "The screen had moved on.", view: this.view() };
        if (outcome && !outcome.ready) return { kind: "refused", problems: outcome.problems, text: outcome.problems[0].text };
        if (card.adjudication?.stage === "first") {
          this.recorded.push(message);
          this.drafts.set(card.card_id, message);
          const mine = card.questions.map((one) => ({ field: one.id, title: one.text, labels: [one.codes.find((each) => each.id === message.answers[one.id]).title], codes: [message.answers[one.id]] }));
          card.adjudication = { ...card.adjudication, stage: "reveal", codings: card.revealed, mine };
          return { kind: "recorded", saved_at: "16:20:11", view: this.view() };
        }
        if (card.practice && !card.practice.verdicts) {
          this.recorded.push(message);
          this.drafts.set(card.card_id, message);
          this.status.set(card.card_id, "accepted");
          const verdicts = Object.entries(card.right).map(([field, right]) => ({ field, right: [card.questions[0].codes.find((each) => each.id === right).title], given: card.questions[0].codes.find((each) => each.id === message.answers[field]).title, ok: message.answers[field] === right }));
          card.practice = { ...card.practice, verdicts, reason: card.because };
          return { kind: "recorded", saved_at: "16:20:11", view: this.view() };
        }
        if (!known) {
          this.recorded.push(message);
          this.drafts.set(card.card_id, message);
          this.status.set(card.card_id, outcome.verdict);
          this.at = this.nextOpen();
        }
        return { kind: "recorded", saved_at: "14:02:09", view: this.view() };
      }
      case "skip": this.recorded.push(message); this.status.set(card.card_id, "skipped"); this.at = this.nextOpen(); return { kind: "recorded", saved_at: "14:02:10", view: this.view() };
      case "ruling":
        this.recorded.push(message);
        for (const question of card.questions) if (message.checks.includes(question.id)) question.rulings.push({ number: "R-009", text: message.text, mine: true });
        return { kind: "recorded", saved_at: "14:02:11", view: this.view() };
      case "question":
        this.recorded.push(message);
        card.lead_answers.push({ question: message.text, answer: "", time: "" });
        return { kind: "recorded", saved_at: "14:02:13", view: this.view() };
      case "exclude": this.recorded.push(message); this.status.set(card.card_id, "excluded"); this.at = this.nextOpen(); return { kind: "recorded", saved_at: "14:02:14", view: this.view() };
      case "cards": return { kind: "cards", cards: Array.from({ length: 10000 }, (_, at) => ({ card_id: `resp-${String(at).padStart(5, "0")}`, status: at % 3 ? "open" : "accepted", status_label: at % 3 ? "open" : "coded", current: at === 7000 })) };
      case "lock": this.recorded.push(message); this.state = "locked"; return { kind: "recorded", saved_at: "14:02:12", view: this.view() };
      case "go": {
        const to = this.cards.findIndex((each) => each.card_id === message.to);
        const step = { next: 1, back: -1 }[message.to];
        if (this.cards.length) this.at = step ? (this.at + step + this.cards.length) % this.cards.length : Math.max(to, 0);
        return this.page();
      }
      case "filter": this.filter = message.to; return this.page();
      default: return { kind: "pong" };
    }
  }

  nextOpen() {
    return this.cards.findIndex((card) => this.status.get(card.card_id) === "open");
  }

  outcome(card, judgement) {
    return card.kind === "codes" ? CODED.codedOutcome(card, judgement) : this.verdict(card, judgement);
  }

  verdict(card, { answers, note, escalated }) {
    const open = card.questions.filter((each) => !answers[each.id]);
    const failed = card.questions.filter((each) => answers[each.id] === "no").map((each) => each.number);
    const tone = failed.length ? (escalated ? "rejected" : "needs_fix") : open.length ? "open" : "accepted";
    const ar = this.language === "ar";
    const name = { open: ar ? "لا حكم بعد" : "No verdict yet", accepted: ar ? "مقبول" : "Accepted", needs_fix: ar ? "يحتاج إصلاحًا" : "Needs fix", rejected: ar ? "مرفوض" : "Rejected" }[tone];
    const numbers = failed.join(ar ? " و" : " and ");
    const checks = failed.length > 1 ? "checks" : "check";
    const note_required = failed.length > 0;
    const missing = note_required && !note.trim();
    const needed = ar ? `الملاحظة لازمة لأن الفحص ${numbers} لم يجتز` : `A note is needed because ${checks} ${numbers} fail${failed.length > 1 ? "" : "s"}`;
    return {
      verdict: open.length ? null : tone, tone, label: open.length ? `${name} · ${ar ? `الفحوص المفتوحة: ${open.length}` : `${open.length} checks open`}` : name,
      reason: failed.length ? (ar ? `لم يجتز: ${numbers}` : `${checks} ${numbers} failed`) : "", note_required, note_label: note_required ? needed : ar ? "ملاحظة (اختيارية)" : "Note (optional)",
      ready: !open.length && !missing, can_escalate: failed.length > 0,
      problems: [...open.map((each) => ({ check_id: each.id, text: ar ? `أجب عن الفحص ${each.number}` : `Answer check ${each.number}` })), ...(missing ? [{ check_id: "", text: needed }] : [])],
    };
  }

  page() { return { kind: "page", view: this.view() }; }

  view() {
    const language = this.language;
    const card = this.at >= 0 ? this.cards[this.at] : null;
    this.token = `token-${++this.tokens}`;
    const strings = Object.fromEntries(Object.entries(this.strings).map(([code, each]) => [code, each[language]]));
    const ar = language === "ar";
    const base = { language, direction: ar ? "rtl" : "ltr", languages: [["en", "English"], ["ar", "العربية"]], strings, families: FAMILIES[language], state: this.state };
    if (this.scene === "closed") return { ...base, why: "closed", message: "The adjudication opens when every pass is locked." };
    if (this.state === "nobody") return { ...base, message: "The desk does not know who you are. Open the personal link that the lead sent you." };
    const done = [...this.status.values()].filter((each) => each !== "open").length;
    const view = { ...base, who: { rater: "amal", study: "demo", pass: "first", round: "1" },
      message: { locked: "Your pass is locked. You can read every card; nothing can be changed.", elsewhere: "This pass is open in another tab, and only one tab may write." }[this.state] ?? "",
      instruction: ar ? "احكم على بناء العنصر، لا على الجواب الذي تتوقعه من نموذج." : "Judge how the item is built, not the answer you expect a model to give.",
      progress: { done: done + 10, skipped: 1, total: 25, label: ar ? `${done + 11} من 25` : `${done + 11} of 25` }, filter: this.filter, done: null, card: null,
      filters: FILTERS.map(([code, label]) => ({ code, label, count: code === "all" ? 25 : 3 })), cards: this.cards.map((each) => ({ card_id: each.card_id, status: this.status.get(each.card_id), status_label: this.status.get(each.card_id), current: each === card })) };
    if (this.scene === "many") {
      const states = ["accepted", "needs_fix", "rejected", "open", "skipped", "changed"];
      view.cards = Array.from({ length: 2000 }, (_, at) => ({ card_id: `DEMO-T${1 + (at % 4)}-${String(at).padStart(4, "0")}`, status: states[at % 6], status_label: states[at % 6], current: at === 1200 }));
    }
    if (this.scene === "long_walk") view.cards = [];
    if (card?.kind === "codes") {
      view.app = this.scene === "adjudicate" ? "adjudication" : "coding";
      view.instruction = "";
    }
    if (this.scene === "warning") return { ...view, done: { title: "Before you begin", text: "Some responses repeat harmful claims. You can blur the texts, skip any card, and stop at any time.", can_lock: false, locked: false, pause: "warning", consent: "I have read this and go on", contact: "If a text weighs on you, write to the lead: lead@desk.example" } };
    if (this.scene === "nothing") return { ...view, filter: "changed", done: { title: "Nothing under this filter", text: "14 cards are still open: choose All cards to see them.", can_lock: false, locked: false } };
    if (!card) return { ...view, done: { title: "Every card is done", text: "25 decisions are recorded. You can still go back and change any of them. Lock the pass when you are sure: after that nothing can be changed, and the lead can compare it with the other pass.", can_lock: this.state === "writing", locked: this.state === "locked" } };
    const { answers = {}, note = card.draft.note, escalated = false, unsure = false, defects = {} } = this.drafts.get(card.card_id) ?? {};
    const draft = { answers, note, escalated, ...(card.kind === "codes" ? { unsure } : { defects }) };
    const { rules, ...shown } = card;
    return { ...view, card: { ...shown, token: this.token, draft, outcome: this.outcome(card, draft) } };
  }
}
