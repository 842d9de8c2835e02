// The line to Python: every message waits for its reply; silence of four seconds is a lost
// connection, and what would be lost is sent again, the same to the letter, until a reply comes. On
// a served page the host knows more: it says at once that the line is away, and why it ended.

const SILENCE = 4000;
const PING_EVERY = 5000;
const RETRY_AFTER = [1500, 2000, 3000, 5000, 8000];

class Connection {
  constructor(model, { tab, onmessage, onlost, onback, hello, mayLeave = () => true }) {
    Object.assign(this, { model, tab, onmessage, onlost, onback, hello, mayLeave });
    this.waiting = new Map();
    this.lost = false;
    this.why = ""; // what the host says: away, gone, revoked, failed
    this.tries = 0;
    this.retryIn = 0;
    this.sincePing = 0;
    this.receive = this.receive.bind(this);
    this.hearHost = this.hearHost.bind(this);
    this.hearLeave = this.hearLeave.bind(this);
    this.seen = this.seen.bind(this);
    model.on("msg:custom", this.receive);
    model.on("line", this.hearHost);
    document.addEventListener("visibilitychange", this.seen);
    document.addEventListener("reviewkit-leave", this.hearLeave);
    this.lastTick = performance.now();
    this.timer = setInterval(() => this.tick(), 500);
  }

  close() {
    clearInterval(this.timer);
    this.model.off("msg:custom", this.receive);
    this.model.off("line", this.hearHost);
    document.removeEventListener("visibilitychange", this.seen);
    document.removeEventListener("reviewkit-leave", this.hearLeave);
  }

  /** Send a message and expect a reply; returns the message's id. */
  ask(kind, body = {}) {
    const message = { kind, id: nextId(), tab: this.tab, ...body };
    this.waiting.set(message.id, { message, waited: 0 });
    this.post(message);
    return message.id;
  }

  post(message) {
    try {
      this.model.send(message);
    } catch {
      // A closed channel looks like silence: the tick shows it and tries again.
    }
  }

  receive(message) {
    if (!message || typeof message !== "object") return;
    // Another browser window on the same kernel hears every reply: only those to this page count.
    if (message.re !== undefined && !isOurId(message.re)) return;
    const asked = this.waiting.get(message.re)?.message;
    if (asked) {
      this.waiting.delete(message.re);
      if (this.lost && !this.over) this.recover();
    }
    this.onmessage(message, asked);
  }

  /** The host of a served page tells how the socket stands. */
  hearHost({ up, why = "" }) {
    this.why = up ? "" : why;
    if (up && this.lost) this.retry();
    if (up) return;
    this.lost = true;
    this.onlost();
  }

  /** The host wants to load the page again; words that no draft keeps hold it back. */
  hearLeave(event) {
    if (!this.mayLeave()) event.preventDefault();
  }

  /** Whether the host has given the line up. */
  get over() { return !["", "away"].includes(this.why); }

  /** The sentence for a line that is lost, in the words of the page. */
  lostText(strings) {
    const given = { gone: strings.lost_gone, revoked: strings.lost_revoked, failed: strings.lost_failed };
    return given[this.why] ?? strings.lost;
  }

  recover() {
    this.lost = false;
    this.why = "";
    this.tries = 0;
    for (const entry of this.waiting.values()) entry.waited = 0;
    this.onback();
  }

  tick() {
    const now = performance.now();
    // A laptop that slept has not waited: one tick never counts for more than a second.
    const passed = Math.min(now - this.lastTick, 1000);
    this.lastTick = now;
    for (const entry of this.waiting.values()) entry.waited += passed;
    if (!this.lost && !this.why && [...this.waiting.values()].some((entry) => entry.waited >= SILENCE)) {
      this.lost = true;
      this.retryIn = 0;
      this.onlost();
    }
    if (this.why) return; // nothing that is said now arrives
    if (this.lost) {
      this.retryIn -= passed;
      if (this.retryIn <= 0) this.retry();
      return;
    }
    this.sincePing += passed;
    if (this.sincePing >= PING_EVERY && !document.hidden && !this.waiting.size) this.ping();
  }

  ping() {
    this.sincePing = 0;
    this.ask("ping");
  }

  seen() {
    if (!document.hidden && !this.lost && !this.waiting.size) this.ping();
  }

  retry() {
    this.retryIn = RETRY_AFTER[Math.min(this.tries++, RETRY_AFTER.length - 1)];
    for (const [id, { message }] of this.waiting) {
      // A step forward sent twice would be two steps: asking afresh where we are is safe.
      if (message.kind === "ping" || (message.kind === "go" && (message.to === "next" || message.to === "back"))) {
        this.waiting.delete(id);
      }
    }
    if (!this.waiting.size) this.ask("hello", this.hello());
    else for (const { message } of this.waiting.values()) this.post(message);
  }
}

/** The bar that says how the line stands, above everything that it makes dead. */
function drawLost(strings) {
  return h("div", { class: "rk-bar rk-bar-lost", role: "alert", hidden: true }, h("span", {}),
    h("button", { type: "button", class: "rk-button", onclick: () => location.reload() }, strings.reload));
}

/** Reload is not offered while the page comes back by itself: it would end on the browser's error page. */
function fillLost(bar, line, strings) {
  setText(bar.firstChild, line.lost ? line.lostText(strings) : "");
  bar.lastChild.hidden = line.why === "away";
  bar.hidden = !line.lost;
}

/** Before the first view nobody's language is known: both, and the end in words that hold for each. */
function sayLostEarly(root, line) {
  root.querySelector(".rk-bar-lost")?.remove();
  if (!line.lost) return;
  const said = line.over ? ["This page could not be opened. Load it again.", "تعذّر فتح هذه الصفحة. أعد تحميلها."]
    : ["No answer from the server. The page keeps trying.", "لا جواب من الخادم. الصفحة تعيد المحاولة."];
  root.prepend(h("div", { class: "rk-bar rk-bar-lost", role: "alert" }, h("span", { lang: "en", dir: "ltr" }, said[0]), h("span", { lang: "ar", dir: "rtl" }, said[1])));
}

const STORE = { tab: "reviewkit.tab", left: "reviewkit.tab.left", pending: "reviewkit.pending" };

function stored(name, value) {
  try {
    if (value === undefined) return sessionStorage.getItem(name);
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // Storage may be forbidden or full; the server's draft is then the only one.
  }
  return null;
}

/** The id of this browser tab: kept over a reload, new in a duplicated tab. */
function tabId() {
  const shared = pageShared();
  if (!shared.tab) {
    // Duplicating a tab copies its storage. Only a page that was left marked the id as free.
    shared.tab = (stored(STORE.left) && stored(STORE.tab)) || randomId();
    stored(STORE.tab, shared.tab);
    stored(STORE.left, null);
    addEventListener("pagehide", () => stored(STORE.left, "1"));
    addEventListener("pageshow", () => stored(STORE.left, null));
  }
  return shared.tab;
}

function pendingDraft() {
  try {
    return JSON.parse(stored(STORE.pending) ?? "null");
  } catch {
    return null;
  }
}

function keepPending(draft) {
  stored(STORE.pending, draft && JSON.stringify(draft));
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

/** Whose page it is: one tab may open the links of two people, and neither takes the other's words. */
function whose(view) {
  const { study = "", pass = "", rater = "" } = view.who ?? {};
  return [study, pass, rater].join("/");
}
