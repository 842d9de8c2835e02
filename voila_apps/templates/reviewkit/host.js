// A host for the widgets of the page, in place of JupyterLab's application: it opens the kernel's
// socket, asks each widget for its state, runs its module (the Anywidget Front-end Module
// interface) and carries messages. Known widgets only: an anywidget, no nested models, no buffers.

const place = JSON.parse(document.getElementById("reviewkit-page").textContent);
const RETRY_AFTER = [300, 700, 1500, 3000, 5000];
const ASK_AGAIN = 3000;
const REVOKED = 1008;

function randomHex(bytes) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The kernel's socket. The server keeps what it has to say for a session that comes back. */
class Line {
  constructor(onmessage, onopen) {
    Object.assign(this, { onmessage, onopen, session: randomHex(16), tries: 0 });
    this.open();
  }

  open() {
    const address = new URL(`${place.baseUrl}api/kernels/${place.kernelId}/channels`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("session_id", this.session);
    this.socket = new WebSocket(address);
    this.socket.onopen = () => {
      this.tries = 0;
      this.onopen();
    };
    this.socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.onmessage(JSON.parse(data));
    };
    this.socket.onclose = ({ code }) => {
      if (code !== REVOKED) setTimeout(() => this.open(), RETRY_AFTER[Math.min(this.tries++, RETRY_AFTER.length - 1)]);
    };
  }

  /** What cannot be sent now is dropped: the card hears no reply and says it again. */
  send(commId, data) {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const header = { msg_id: randomHex(16), msg_type: "comm_msg", session: this.session, username: "", date: new Date().toISOString(), version: "5.3" };
    this.socket.send(JSON.stringify({ header, parent_header: {}, metadata: {}, channel: "shell", buffers: [], content: { comm_id: commId, data } }));
  }
}

/** A widget's model as its module sees it. */
class Model {
  constructor(id, line) {
    Object.assign(this, { id, line, state: {}, changed: {}, heard: new Map() });
  }

  get(name) { return this.state[name]; }

  set(name, value) {
    this.state[name] = value;
    this.changed[name] = value;
    this.emit(`change:${name}`, value);
  }

  save_changes() {
    this.line.send(this.id, { method: "update", state: this.changed, buffer_paths: [] });
    this.changed = {};
  }

  send(content) { this.line.send(this.id, { method: "custom", content }); }

  on(name, listener) { this.heard.set(name, [...(this.heard.get(name) ?? []), listener]); }

  off(name, listener) { this.heard.set(name, (this.heard.get(name) ?? []).filter((each) => listener && each !== listener)); }

  emit(name, ...said) { for (const listener of this.heard.get(name) ?? []) listener(...said); }

  receive(data) {
    if (data.method === "custom") this.emit("msg:custom", data.content, []);
    if (data.method !== "update") return;
    Object.assign(this.state, data.state);
    for (const [name, value] of Object.entries(data.state)) this.emit(`change:${name}`, value);
    if (this.state._esm && !this.shown) this.show();
  }

  async show() {
    this.shown = true;
    document.head.append(Object.assign(document.createElement("style"), { textContent: this.state._css ?? "" }));
    const address = URL.createObjectURL(new Blob([this.state._esm], { type: "text/javascript" }));
    const { default: given } = await import(address);
    URL.revokeObjectURL(address);
    const widget = typeof given === "function" ? await given() : given;
    await widget.initialize?.({ model: this });
    await widget.render?.({ model: this, el: this.place });
    document.getElementById("opening").classList.add("done");
  }
}

const models = new Map();
const line = new Line(
  ({ header, content }) => {
    if (header?.msg_type === "comm_msg") models.get(content.comm_id)?.receive(content.data);
  },
  () => askForStates(),
);

function askForStates() {
  const missing = [...models.values()].filter((model) => !model.shown);
  for (const model of missing) line.send(model.id, { method: "request_state" });
  if (missing.length) setTimeout(askForStates, ASK_AGAIN);
}

for (const output of document.querySelectorAll("[data-widget]")) {
  const model = new Model(output.dataset.widget, line);
  model.place = output;
  models.set(model.id, model);
}

// Without this goodbye the kernel would outlive the tab by the server's grace time.
addEventListener("pagehide", () => {
  const goodbye = new FormData();
  goodbye.append("_xsrf", document.cookie.match(/(?:^|; )_xsrf=([^;]+)/)?.[1] ?? "");
  navigator.sendBeacon(`${place.baseUrl}voila/api/shutdown/${place.kernelId}`, goodbye);
});
// Brought back from the browser's memory, the page has no kernel any more.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
