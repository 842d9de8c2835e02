// Small tools of the card: building elements, filling sentences, naming keys, making ids.
// The files of this folder are joined into one ES module by script.py; only card.js exports.

/** Build an element. Strings become text nodes, so nothing a person wrote is ever read as markup. */
function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/** Fill `{name}` placeholders of an interface string. */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Set text only when it changed: a live region must not speak twice and layout must not be touched. */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function setFlag(node, name, on) {
  if (on !== node.hasAttribute(name)) node.toggleAttribute(name, on);
}

/** A served page is called and spoken in the language of what it shows; JupyterLab's keeps its own. */
function speakAs(language) {
  const page = document.documentElement;
  if (!page.dataset.titles) return;
  page.lang = language;
  document.title = JSON.parse(page.dataset.titles)[language] ?? document.title;
}

/** What the page shares between all cards and re-renderings on it. */
function pageShared() {
  const slot = Symbol.for("reviewkit.page");
  const first = Math.floor(Math.random() * 1e6) * 1e6;
  globalThis[slot] ??= { first, ids: first, elements: 0, tab: "" };
  return globalThis[slot];
}

function nextId() {
  return ++pageShared().ids;
}

function isOurId(id) {
  const { first, ids } = pageShared();
  return id > first && id <= ids;
}

function elementId(name) {
  return `rk-${name}-${++pageShared().elements}`;
}

/** 128 random bits in hex; crypto.randomUUID does not exist on plain http. */
function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The name a key has in the interface, whatever the keyboard layout. */
function keyName(event) {
  if (event.key === "؟") return "?";
  const digit = /^Digit(\d)$/.exec(event.code);
  if (digit && !event.shiftKey) return digit[1];
  if (/^[\x21-\x7e]$/.test(event.key)) return event.key.toLowerCase();
  const letter = /^Key([A-Z])$/.exec(event.code);
  if (letter && event.key.length <= 2) return letter[1].toLowerCase();
  if (event.code === "Slash") return event.shiftKey ? "?" : "/";
  return event.key;
}

/** A moment as the reader's clock shows it: 14:02:07. */
function clock(moment) {
  if (!/^\d{4}-\d\d-\d\dT/.test(moment)) return String(moment);
  const two = (number) => String(number).padStart(2, "0");
  const at = new Date(moment);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function isTextField(node) {
  return node.matches("textarea, select, input:not([type=checkbox]):not([type=radio]), [contenteditable]");
}

function keyCap(key) {
  return h("kbd", { class: "rk-kbd", "aria-hidden": "true", dir: "ltr" }, key);
}

/** A push button; `acts` names when it may be used: "write" (while judging) or "go" (while reading). */
function button(label, { key = "", acts = "", kind = "", short = "", onclick, ...rest }) {
  return h(
    "button",
    { type: "button", class: `rk-button ${kind}`.trim(), "data-acts": acts || null,
      "aria-keyshortcuts": key ? (key === "⏎" ? "Enter" : key) : null, onclick, ...rest },
    short ? [h("span", { class: "rk-button-long" }, label), h("span", { class: "rk-button-short" }, short)] : label, key ? keyCap(key) : null,
  );
}

function replaceNode(old, fresh) {
  old.replaceWith(fresh);
  return fresh;
}
