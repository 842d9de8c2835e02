// A host for the widgets of the page, in place of JupyterLab's application. It opens the kernel's
// socket while the notebook still runs, shows each widget from the state that stands in the page
// (the Anywidget Front-end Module interface), carries messages, and comes back when a socket, a
// kernel or a server is lost. Known widgets only: an anywidget, no nested models, no buffers.

const reviewkit = (() => {
  const BASE = document.currentScript.dataset.base;
  const RETRY_AFTER = [200, 700, 1500, 3000, 5000, 8000];
  const BLIP = 800; // a socket that is back within this time was never away
  const SILENCE = 6000; // no frame at all after something was said: the line may be dead
  const SILENCE_MOST = 96000; // or slow: each time in vain, twice as long is waited
  const DOUBT_EVERY = 15000;
  const ANSWER_WITHIN = 6000;
  const STATE_WITHIN = 15000;
  const SLOW = 30000;
  const QUEUE = 200;
  const REVOKED = 1008;
  const RELOADS = { most: 3, within: 120000 };

  const SENTENCES = {
    opening: ["Opening your cards…", "جارٍ فتح بطاقاتك…"],
    slow: ["This takes longer than usual. Wait a minute more; if nothing comes, check your connection and load the page again.", "يستغرق الأمر أكثر من المعتاد. انتظر دقيقة أخرى، فإن لم يظهر شيء فتحقّق من اتصالك وأعد تحميل الصفحة."],
    away: ["No answer from the server. The page keeps trying.", "لا جواب من الخادم. الصفحة تعيد المحاولة."],
    revoked: ["This link no longer works. Nothing that you have recorded is lost. Ask the lead of your study for a new link.", "لم يعد هذا الرابط يعمل. لم يضع شيء مما سجّلته. اطلب رابطًا جديدًا من المسؤول عن الدراسة."],
    gone: ["The server has started your desk anew. Load the page again; what you have typed is kept.", "بدأ الخادم مكتبك من جديد. أعد تحميل الصفحة، وما كتبته محفوظ."],
    failed: ["Your cards could not be opened. Nothing that you have recorded is lost. Load the page again; if it stays like this, tell the lead of your study.", "تعذّر فتح بطاقاتك. لم يضع شيء مما سجّلته. أعد تحميل الصفحة، فإن بقي الحال كذلك فأخبر المسؤول عن الدراسة."],
  };

  const models = new Map();
  const opening = document.getElementById("opening");
  const written = new Promise((resolve) => { document.addEventListener("DOMContentLoaded", resolve); });
  let line = null;
  let ended = false; // the page has come to its end, whole
  let faulty = false; // a fault stands on the page: nothing else is said

  function randomHex(bytes) {
    return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

  function say(code, bar = false) {
    opening.classList.toggle("rk-line-bar", bar);
    opening.hidden = !code;
    if (code) SENTENCES[code].forEach((text, at) => { opening.children[at].textContent = text; });
    opening.lastElementChild.hidden = !["slow", "gone", "failed"].includes(code);
  }

  /** The widgets say how the line stands. One bar: the host speaks only where no widget does. */
  function tell(state) {
    if (faulty) return;
    const shown = [...models.values()].filter((model) => model.shown);
    const listening = shown.filter((model) => model.heard.get("line")?.length);
    for (const model of listening) model.emit("line", state);
    if (!listening.length) say(state.up ? (shown.length ? "" : "opening") : state.why, shown.length > 0);
  }

  function fault(error) {
    if (error) console.error(error);
    if (faulty) return;
    faulty = true;
    line?.end();
    if (document.querySelector(".rk-page-fault")) say("");
    else say("failed");
    for (const { place } of models.values()) place.replaceChildren();
  }

  /** Whether the link still works and the kernel is there; null when the server cannot be asked. */
  async function standing(kernelId) {
    try {
      const reply = await fetch(`${BASE}here/${kernelId}`, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_WITHIN) });
      const { link, kernel } = reply.ok ? await reply.json() : {};
      return typeof link === "boolean" ? { link, kernel } : null;
    } catch {
      return null;
    }
  }

  /** Each round a longer pause; fifty pages that lost one server do not come back in one moment. */
  const backOff = (tries) => pause(RETRY_AFTER[Math.min(tries, RETRY_AFTER.length - 1)] * (0.5 + Math.random()));

  /** The kernel's socket. The server keeps what it has to say for a session that comes back. */
  class Line {
    constructor(kernelId) {
      Object.assign(this, { kernelId, session: randomHex(16), tries: 0, queue: [], up: false, down: false, over: false, saidAt: 0, patience: SILENCE, doubtedAt: -DOUBT_EVERY });
      this.watch = setInterval(() => this.lookOut(), 1000);
      addEventListener("online", () => this.wake?.());
      this.open();
    }

    open() {
      const address = new URL(`${BASE}api/kernels/${this.kernelId}/channels`, location.href);
      address.protocol = address.protocol.replace("http", "ws");
      address.searchParams.set("session_id", this.session);
      const socket = new WebSocket(address);
      this.socket = socket;
      socket.onopen = () => { if (socket === this.socket) this.opened(); };
      socket.onmessage = ({ data }) => { if (socket === this.socket) this.hear(data); };
      socket.onclose = ({ code }) => { if (socket === this.socket) this.closed(code); };
    }

    opened() {
      clearTimeout(this.blip);
      this.tries = 0;
      this.saidAt = 0;
      this.up = true;
      for (const text of this.queue.splice(0)) this.socket.send(text);
      if (this.down) tell({ up: true });
      this.down = false;
    }

    hear(data) {
      this.saidAt = 0;
      this.patience = SILENCE;
      if (typeof data !== "string") return;
      let message;
      try {
        message = JSON.parse(data);
      } catch {
        return;
      }
      const model = models.get(message.content?.comm_id);
      if (message.header?.msg_type === "comm_msg") model?.receive(message.content.data ?? {});
      // A widget that was closed under the page answers nothing any more.
      if (message.header?.msg_type === "comm_close" && model) this.lose("gone");
    }

    closed(code) {
      if (this.over) return;
      const was = this.up;
      this.up = false;
      if (code === REVOKED) this.lose("revoked");
      else {
        if (was) this.blip = setTimeout(() => this.away(), BLIP);
        this.comeBack();
      }
    }

    /** From now on what is said is lost: the widgets are told and say it again. */
    away() {
      if (this.up || this.over) return;
      this.down = true;
      this.queue = [];
      tell({ up: false, why: "away" });
    }

    lose(why) {
      if (this.over) return;
      this.end();
      tell({ up: false, why });
    }

    end() {
      this.over = true;
      this.up = false;
      clearTimeout(this.blip);
      clearInterval(this.watch);
      this.socket.onclose = null;
      this.socket.close();
    }

    async comeBack() {
      const round = {};
      this.round = round;
      while (!this.over && this.round === round) {
        await Promise.race([backOff(this.tries++), new Promise((resolve) => { this.wake = resolve; })]);
        const stands = await standing(this.kernelId);
        if (this.over || this.round !== round) return;
        if (stands && !stands.link) return this.lose("revoked");
        // while the page is still being written, its own end says what happened
        if (stands && !stands.kernel) return written.then(() => ended && this.startAnew());
        if (stands) return this.open();
        if (!this.down) this.away();
      }
    }

    /** There is no kernel any more: a new page brings one, and the desk brings the words back. */
    startAnew() {
      if (this.over) return;
      this.gone = true;
      this.lose("gone");
      loadAgain();
    }

    /** A line can be dead without being closed: then nothing comes at all. */
    async lookOut() {
      const now = performance.now();
      if (!this.up || !this.saidAt || now - this.saidAt < this.patience || now - this.doubtedAt < DOUBT_EVERY) return;
      this.doubtedAt = now;
      const { socket } = this;
      const stands = await standing(this.kernelId);
      if (!this.up || this.socket !== socket || !this.saidAt) return;
      this.patience = Math.min(2 * this.patience, SILENCE_MOST);
      socket.onclose = null;
      socket.close();
      this.closed(stands?.link === false ? REVOKED : 0);
    }

    send(commId, data) {
      const header = { msg_id: randomHex(16), msg_type: "comm_msg", session: this.session, username: "", date: new Date().toISOString(), version: "5.3" };
      const text = JSON.stringify({ header, parent_header: {}, metadata: {}, channel: "shell", buffers: [], content: { comm_id: commId, data } });
      if (this.up) {
        this.socket.send(text);
        this.saidAt ||= performance.now();
      } else if (!this.down && !this.over && this.queue.length < QUEUE) this.queue.push(text);
    }
  }

  /** Load the page again: not while a widget holds words that would be lost, and not in a loop. */
  async function loadAgain() {
    const now = Date.now();
    // kept by the browser over a reload, also where a page may store nothing
    const before = (history.state?.reloads ?? []).filter((at) => now - at < RELOADS.within);
    if (before.length >= RELOADS.most) return tell({ up: false, why: "failed" });
    history.replaceState({ reloads: [...before, now] }, "");
    while (!document.dispatchEvent(new CustomEvent("reviewkit-leave", { cancelable: true }))) await pause(1000);
    // A page that goes while nobody answers is the browser's error page, and that never comes back.
    for (let tries = 0; !(await standing("none")); tries++) await backOff(tries);
    location.reload();
  }

  /** A widget's model as its module sees it. */
  class Model {
    constructor({ id, state, files }) {
      Object.assign(this, { id, state, files, changed: {}, heard: new Map(), shown: false });
      this.place = document.querySelector(`[data-widget="${id}"]`);
    }

    get(name) { return this.state[name]; }

    set(name, value) {
      this.state[name] = value;
      this.changed[name] = value;
      this.emit(`change:${name}`, value);
    }

    /** The server takes no state from a browser: what is set here stays here. */
    save_changes() { this.changed = {}; }

    send(content) { line.send(this.id, { method: "custom", content }); }

    on(name, listener) { this.heard.set(name, [...(this.heard.get(name) ?? []), listener]); }

    off(name, listener) { this.heard.set(name, (this.heard.get(name) ?? []).filter((each) => listener && each !== listener)); }

    emit(name, ...said) { for (const listener of this.heard.get(name) ?? []) listener(...said); }

    receive(data) {
      if (data.method === "custom") this.emit("msg:custom", data.content, []);
      if (data.method !== "update" || !data.state) return;
      Object.assign(this.state, data.state);
      for (const [name, value] of Object.entries(data.state)) this.emit(`change:${name}`, value);
      this.whole?.();
    }

    async show() {
      const style = this.style();
      const { default: given } = await this.module();
      await style;
      const widget = typeof given === "function" ? await given() : given;
      await widget.initialize?.({ model: this });
      await widget.render?.({ model: this, el: this.place });
      this.shown = true;
      say("");
      if (line.down) tell({ up: false, why: "away" });
    }

    style() {
      return new Promise((resolve) => {
        if (!this.files._css) return resolve();
        const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: this.files._css, onload: resolve });
        sheet.onerror = () => this.fromKernel("_css").then((text) => { document.head.append(Object.assign(document.createElement("style"), { textContent: text })); }).finally(resolve);
        document.head.append(sheet);
      });
    }

    async module() {
      try {
        return await import(this.files._esm);
      } catch (error) {
        // Another server may have answered, or a file was lost on the way: the kernel has it too.
        console.warn(error);
        const address = URL.createObjectURL(new Blob([await this.fromKernel("_esm")], { type: "text/javascript" }));
        return import(address).finally(() => URL.revokeObjectURL(address));
      }
    }

    async fromKernel(name) {
      const whole = new Promise((resolve) => { this.whole = resolve; });
      const end = performance.now() + STATE_WITHIN;
      while (!this.state[name]) {
        if (performance.now() > end) throw new Error("the kernel sent no state");
        line.send(this.id, { method: "request_state" });
        await Promise.race([whole, pause(3000)]);
      }
      return this.state[name];
    }
  }

  setTimeout(() => { if (!faulty && !opening.hidden && !line?.down && !line?.over) say("slow"); }, SLOW);

  // A page that was cut off in the middle has no cards and no words to lose.
  document.addEventListener("DOMContentLoaded", async () => {
    if (ended) return;
    say("away");
    let stands = null;
    for (let tries = 0; !stands; tries++) {
      await backOff(tries);
      stands = await standing("none");
    }
    if (stands.link) loadAgain();
    else say("revoked");
  });

  // Without this goodbye the kernel would outlive the tab by the server's grace time.
  addEventListener("pagehide", () => {
    if (!line || line.gone) return;
    const goodbye = new FormData();
    goodbye.append("_xsrf", document.cookie.match(/(?:^|; )_xsrf=([^;]+)/)?.[1] ?? "");
    navigator.sendBeacon(`${BASE}voila/api/shutdown/${line.kernelId}`, goodbye);
  });
  // Brought back from the browser's memory, the page has no kernel any more.
  addEventListener("pageshow", (event) => {
    if (!event.persisted || !line || line.over) return;
    line.up = false;
    line.comeBack();
  });

  return {
    kernel({ kernelId }) { line = new Line(kernelId); },
    widget(described) {
      const model = new Model(described);
      models.set(model.id, model);
      model.show().catch(fault);
    },
    end(why) {
      ended = true;
      if (why || !models.size) fault();
    },
  };
})();
