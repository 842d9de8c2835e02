// A page of the lead: worklist, guide or audit. Python makes each document whole; this file lays it
// into a frame of its own that runs no script, and asks for another part.

/** In a frame a document is part of the page: it has no sheet, and no ground, of its own. */
const FRAMED = `<style>@media screen {
  body, .rka-page { padding: 0; background: none; }
  .rka-page .rka-report, .guide { max-inline-size: none; border: 0; border-radius: 0; }
  .guide { padding-inline: max(20px, (100% - 812px) / 2); }
  th > a { color: var(--rka-accent); text-decoration: none; }
  th > a:hover { text-decoration: underline; }
} </style>`;

class AuthorPage {
  constructor(model, el) {
    this.view = null;
    this.asking = 0;
    this.came = false;
    this.root = h("div", { class: "rk-root rk-pages-root", lang: "en", "data-lm-suppress-shortcuts": "true" },
      h("div", { class: "rk-frame rk-board" }, h("div", { class: "rk-opening", role: "status" }, h("div", { class: "rk-spinner" }))));
    // JupyterLab listens for single keys: none typed here may reach it.
    this.root.addEventListener("keydown", (event) => event.stopPropagation());
    el.append(this.root);
    this.observers = [];
    this.line = new Connection(model, {
      tab: tabId(),
      hello: () => ({ language: this.view?.language ?? localStorageGet("reviewkit.language") }),
      onmessage: (message) => this.receive(message),
      onlost: () => this.setLost(),
      onback: () => this.setLost(),
    });
    this.line.ask("hello", this.line.hello());
  }

  close() {
    this.line.close();
    this.forgetSizes();
    this.root.remove();
  }

  receive(message) {
    if (message.re === this.asking) this.setBusy(0);
    if (message.kind === "page") this.show(message.view);
    if (message.kind === "refused") this.tell(message.text);
  }

  ask(kind, body) {
    this.tell("");
    this.setBusy(this.line.ask(kind, body));
  }

  setBusy(id) {
    this.asking = id;
    setFlag(this.root, "data-busy", Boolean(id));
  }

  setLost() {
    if (this.lost) fillLost(this.lost, this.line, this.view.strings);
    else sayLostEarly(this.root, this.line);
  }

  tell(text) {
    if (!this.told) return;
    setText(this.told, text);
    this.told.hidden = !text;
  }

  forgetSizes() {
    for (const observer of this.observers.splice(0)) observer.disconnect();
  }

  // drawing

  show(view) {
    const key = document.activeElement?.closest?.("[data-focus]")?.dataset.focus;
    this.view = view;
    this.forgetSizes();
    const { strings } = view;
    this.root.setAttribute("dir", view.direction);
    this.root.setAttribute("lang", view.language);
    speakAs(view.language);
    if (view.served) document.title = view.title;
    this.lost = drawLost(strings);
    fillLost(this.lost, this.line, strings);
    this.told = h("p", { class: "rk-bar rk-bar-notice", role: "alert", dir: "auto", hidden: true });
    const languages = view.languages.filter(([code]) => code !== view.language).map(([code, name]) =>
      h("button", { type: "button", class: "rk-icon-button rk-language", lang: code, "data-focus": `language-${code}`, onclick: () => { localStorageSet("reviewkit.language", code); this.ask("language", { to: code }); } }, name));
    this.root.replaceChildren(h("div", { class: "rk-frame rk-board" },
      h("header", { class: "rk-head" },
        h("div", { class: "rk-head-card" }, h("h1", { class: "rk-title" }, view.title)),
        h("div", { class: "rk-head-walk" },
          view.read_at ? h("span", { class: "rk-soft rk-small" }, fill(strings.updated, { time: clock(view.read_at) })) : null,
          h("span", { class: "rk-tools" },
            view.state === "closed" ? null : h("button", { type: "button", class: "rk-icon-button", "data-focus": "refresh", onclick: () => this.ask("refresh", { part: view.part }) }, strings.refresh),
            view.documents.length && !view.documents[0].heading ? h("button", { type: "button", class: "rk-icon-button", "data-focus": "print-0", onclick: () => this.print(0) }, strings.print) : null,
            languages))),
      drawPageLinks(view.pages, strings.pages),
      this.lost, this.told,
      view.state === "open" ? [this.choices(), this.documents()] : this.closed()));
    if (key) this.root.querySelector(`[data-focus="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
    if (this.came) this.root.querySelector('[data-focus="part-"]')?.focus();
    this.came = false;
  }

  closed() {
    const { strings, problems, message } = this.view;
    return h("section", { class: "rk-panel" }, h("div", { class: "rk-panel-icon", "aria-hidden": "true" }, this.view.state === "closed" ? "?" : "!"),
      h("h3", { class: "rk-panel-title" }, this.view.state === "closed" ? strings.closed_title : strings.fault_title),
      h("p", { dir: "auto" }, message),
      problems.length ? h("ul", { class: "rk-page-problems" }, problems.map((problem) => h("li", { dir: "auto" }, problem))) : null);
  }

  open(part) {
    if (part !== this.view.part) this.ask("open", { part });
  }

  /** What can be shown instead: the parts of a guide as buttons, groups by their name. */
  choices() {
    const { strings, parts, marked, part, asks_for_name } = this.view;
    if (!parts.length) return null;
    const one = ({ code, label }) => h("button", { type: "button", class: "rk-filter", "aria-pressed": String(code === part), "data-focus": `part-${code}`, onclick: () => this.open(code) }, label);
    const buttons = h("div", { class: "rk-filters", role: "group", "aria-label": strings.parts },
      marked.map(one), asks_for_name ? this.finder() : null);
    return h("div", { class: "rk-page-choices" }, buttons);
  }

  finder() {
    const { strings, parts, marked, part } = this.view;
    const list = elementId("groups");
    const field = elementId("group");
    const named = marked.some(({ code }) => code === part) ? "" : part;
    const input = h("input", { id: field, class: "rk-field rk-page-find", list, type: "search", dir: "ltr", autocomplete: "off", spellcheck: "false", maxlength: "200", "data-focus": "find", value: named || null });
    const go = () => { if (input.value.trim()) this.open(input.value.trim()); };
    input.addEventListener("change", go);
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
    return h("span", { class: "rk-page-finder" }, h("label", { for: field, class: "rk-small" }, strings.find), input,
      h("datalist", { id: list }, parts.map(({ code, label }) => h("option", { value: code, label }))));
  }

  documents() {
    return this.view.documents.map((each, at) => h("section", { class: "rk-page-document", "aria-label": each.title },
      each.heading ? h("div", { class: "rk-page-bar" }, h("h2", { class: "rk-part-title rk-page-heading" }, each.heading),
        h("button", { type: "button", class: "rk-link-button", "data-focus": `print-${at}`, onclick: () => this.print(at) }, this.view.strings.print)) : null,
      this.frame(each)));
  }

  /** No script runs in the frame; its size is read from outside, so that the page scrolls as one. */
  frame(each) {
    const frame = h("iframe", { class: "rk-page-frame", title: each.title, sandbox: "allow-same-origin allow-modals", srcdoc: each.html.replace("</head>", () => `${FRAMED}${this.light()}</head>`) });
    frame.addEventListener("load", () => {
      const inside = frame.contentDocument?.documentElement;
      if (!inside) return;
      this.linkGroups(frame.contentDocument);
      const fit = () => { frame.style.blockSize = `${Math.ceil(inside.getBoundingClientRect().height) + 1}px`; };
      fit();
      const observer = new ResizeObserver(fit);
      observer.observe(inside);
      this.observers.push(observer);
    });
    return frame;
  }

  /** JupyterLab's theme is not the system's: the document takes the light that the page stands in. */
  light() {
    const scheme = getComputedStyle(this.root).colorScheme;
    return /^(light|dark)$/.test(scheme) ? `<style>@media screen { :root, body, .rka-page, .rka-report { color-scheme: ${scheme}; } }</style>` : "";
  }

  /** A row that begins with a group's name leads to the group; what it leads to is asked of Python. */
  linkGroups(inside) {
    const { parts, asks_for_name, part } = this.view;
    if (!asks_for_name) return;
    const names = new Set(parts.map(({ code }) => code));
    for (const cell of inside.querySelectorAll("tbody th")) {
      const name = cell.textContent;
      if (!names.has(name) || name === part) continue;
      const link = Object.assign(inside.createElement("a"), { href: "#", textContent: name });
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.came = true;
        this.open(name);
      });
      cell.replaceChildren(link);
    }
  }

  print(at) {
    this.root.querySelectorAll("iframe")[at].contentWindow.print();
  }
}

function render({ model, el }) {
  const page = new AuthorPage(model, el);
  return () => page.close();
}

export default { render };
