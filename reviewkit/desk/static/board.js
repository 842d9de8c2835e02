// The lead's board: studies, passes, acts. Draws what Python sends and decides nothing; asks every
// ten seconds whether anything changed, and never redraws under a person who is typing.

const POLL_LATER = -5000;

/** The card's line to Python, whose ping says what this page shows. */
class BoardLine extends Connection {
  ping() {
    // Connection pings every five seconds; a board may be ten seconds old.
    this.sincePing = POLL_LATER;
    this.ask("ping", { seen: this.mark ?? "" });
  }
}

/** A moment in words of the reader's language, with Western digits as everywhere else. */
function moment(time, language, kind = "short") {
  const at = new Date(time);
  if (!time || Number.isNaN(at.getTime())) return "";
  const today = new Date().toDateString() === at.toDateString();
  const hours = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const options = kind === "day" ? { day: "numeric", month: "short" } : today ? hours : { day: "numeric", month: "short", ...hours };
  return new Intl.DateTimeFormat(`${language === "en" ? "en-GB" : language}-u-nu-latn`, options).format(at);
}

function ago(time, view) {
  const seconds = (Date.now() - new Date(time).getTime()) / 1000;
  if (!time || Number.isNaN(seconds)) return "";
  if (seconds < 60) return view.strings.ago_now;
  const say = new Intl.RelativeTimeFormat(`${view.language}-u-nu-latn`, { style: "narrow", numeric: "auto" });
  if (seconds < 3600) return say.format(-Math.round(seconds / 60), "minute");
  if (seconds < 86400) return say.format(-Math.round(seconds / 3600), "hour");
  return moment(time, view.language);
}

/** A bar of decided and skipped cards; the hatched part is skipped, as on the card itself. */
function meter(row, strings) {
  const share = (count) => `${row.total ? (100 * count) / row.total : 0}%`;
  const bar = h("div", { class: "rk-meter", role: "progressbar", "aria-label": strings.progress, "aria-valuemin": "0", "aria-valuemax": row.total, "aria-valuenow": row.done, "aria-valuetext": row.progress, title: row.progress },
    h("span", { class: "rk-meter-fill" }), h("span", { class: "rk-meter-skipped" }));
  bar.children[0].style.inlineSize = share(row.done);
  bar.children[1].style.inlineSize = share(row.skipped);
  return bar;
}

class BoardPage {
  constructor(model, el) {
    this.el = el;
    this.view = null;
    this.waitingView = null;
    this.opened = new Map();
    this.typed = new Map();
    this.pending = new Map();
    this.dialog = null;
    this.root = h("div", { class: "rk-root rk-board-root", lang: "en", "data-lm-suppress-shortcuts": "true" },
      h("div", { class: "rk-frame rk-board" }, h("div", { class: "rk-opening" }, h("div", { class: "rk-spinner" }))));
    // JupyterLab listens for single keys: none typed here may reach it.
    this.root.addEventListener("keydown", (event) => event.stopPropagation());
    this.root.addEventListener("focusout", () => setTimeout(() => this.showWaiting(), 0));
    el.append(this.root);
    this.line = new BoardLine(model, {
      tab: tabId(),
      hello: () => ({ language: this.view?.language ?? localStorageGet("reviewkit.language") }),
      onmessage: (message, asked) => this.receive(message, asked),
      onlost: () => this.setLost(),
      onback: () => this.setLost(),
      mayLeave: () => !this.isBusy(),
    });
    this.line.ask("hello", this.line.hello());
    this.clock = setInterval(() => this.refreshTimes(), 20000);
  }

  close() {
    clearInterval(this.clock);
    this.line.close();
    this.dialog?.close();
    this.root.remove();
  }

  receive(message, asked) {
    if (message.view) this.take(message.view, asked?.kind !== "ping");
    if (message.kind === "card") this.showCard(message.card);
    if (message.kind === "done") this.done(message, asked);
    if (message.kind === "refused") this.refused(message.text, asked);
  }

  /** Show a state at once, or once nobody is typing or reading a dialog. */
  take(view, now) {
    this.line.mark = view.mark;
    if (!now && this.isBusy()) this.waitingView = view;
    else this.show(view);
  }

  isBusy() {
    return Boolean(this.dialog) || (this.root.contains(document.activeElement) && document.activeElement.matches("textarea, input"));
  }

  showWaiting() {
    if (!this.waitingView || this.isBusy()) return;
    this.show(this.waitingView);
  }

  setLost() {
    if (this.lost) fillLost(this.lost, this.line, this.view.strings);
    else sayLostEarly(this.root, this.line);
  }

  refreshTimes() {
    for (const node of this.root.querySelectorAll("[data-ago]")) setText(node, ago(node.dataset.ago, this.view));
  }

  // drawing

  show(view) {
    this.waitingView = null;
    const key = document.activeElement?.closest?.("[data-focus]")?.dataset.focus;
    this.view = view;
    const { strings } = view;
    this.root.setAttribute("dir", view.direction);
    this.root.setAttribute("lang", view.language);
    speakAs(view.language);
    this.lost = drawLost(strings);
    fillLost(this.lost, this.line, strings);
    this.told = h("div", { class: "rk-bar rk-bar-message", role: "status", hidden: true });
    const languages = view.languages.filter(([code]) => code !== view.language).map(([code, name]) =>
      h("button", { type: "button", class: "rk-icon-button rk-language", lang: code, "data-focus": `language-${code}`, onclick: () => { localStorageSet("reviewkit.language", code); this.line.ask("language", { to: code }); } }, name));
    const frame = h("div", { class: "rk-frame rk-board" },
      h("header", { class: "rk-head" },
        h("div", { class: "rk-head-card" }, h("h2", { class: "rk-title" }, strings.title)),
        h("div", { class: "rk-head-walk" }, view.read_at ? h("span", { class: "rk-soft rk-small" }, fill(strings.updated, { time: clock(view.read_at) })) : null, h("span", { class: "rk-tools" }, languages))),
      drawPageLinks(view.pages, strings.pages), this.lost, this.told,
      view.state === "closed" ? this.closed() : view.studies.length ? view.studies.map((study, at) => this.study(study, at)) : h("p", { class: "rk-panel" }, strings.no_studies));
    this.root.replaceChildren(frame);
    if (key) this.root.querySelector(`[data-focus="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }

  closed() {
    return h("section", { class: "rk-panel" }, h("div", { class: "rk-panel-icon", "aria-hidden": "true" }, "?"),
      h("h3", { class: "rk-panel-title" }, this.view.strings.closed_title), h("p", { dir: "auto" }, this.view.message));
  }

  /** A part that can be folded; a person's choice outlives every redrawing. */
  fold(key, open, summary, body, kind = "") {
    const node = h("details", { class: `rk-fold ${kind}`.trim(), open: this.opened.get(key) ?? open }, h("summary", { "data-focus": `fold-${key}` }, summary), body);
    node.addEventListener("toggle", () => this.opened.set(key, node.open));
    return node;
  }

  study(study, at) {
    const { strings } = this.view;
    const summary = [
      h("h3", { class: "rk-study-title", dir: "auto" }, study.title),
      h("ul", { class: "rk-chips" }, study.chips.map((chip) => h("li", { class: "rk-chip", dir: "auto" }, chip))),
      h("span", { class: "rk-study-summary" }, study.summary),
    ];
    const parts = [
      study.fault ? h("p", { class: "rk-bar rk-bar-notice", dir: "auto" }, study.fault) : null,
      study.rounds.map((round) => this.round(study, round)),
      study.questions.length ? this.questions(study) : null,
      study.samples.length || study.links.length ? h("div", { class: "rk-beside-parts" }, study.samples.length ? this.samples(study) : null, study.links.length ? this.links(study) : null) : null,
    ];
    return this.fold(`study-${study.study}`, at === 0 || study.waiting > 0, summary, h("div", { class: "rk-study-body" }, parts), "rk-study");
  }

  round(study, round) {
    const { strings } = this.view;
    const heads = ["pass", "rater", "progress", "cards", "skipped", "unsure", "median", "pace", "last", "state"];
    const table = h("table", { class: "rk-table rk-passes" },
      h("thead", {}, h("tr", {}, heads.map((name) => h("th", { scope: "col", class: `rk-cell-${name}` }, strings[name])), h("th", { scope: "col" }, h("span", { class: "rk-unseen" }, strings.acts)))),
      h("tbody", {}, round.passes.map((row) => this.passRow(study, row))));
    return h("section", { class: "rk-part" },
      round.heading ? h("h4", { class: "rk-part-title" }, round.heading) : null,
      h("div", { class: "rk-scroll" }, table),
      round.closed ? h("div", { class: "rk-closed" },
        h("p", { class: "rk-soft" }, h("span", { "aria-hidden": "true" }, "🔒︎ "), round.closed),
        h("button", { type: "button", class: "rk-link-button", "data-focus": `unblind-${study.study}-${round.round}`, "aria-haspopup": "dialog", onclick: () => this.confirmUnblind(study, round) }, strings.unblind)) : null,
      round.labels ? this.labels(study, round) : null);
  }

  passRow(study, row) {
    const { strings, language } = this.view;
    const cell = (name, ...content) => h("td", { "data-label": strings[name], class: `rk-cell-${name}` }, content);
    const place = `${study.study}-${row.pass}`;
    const state = fill(row.state_text, { time: moment(row.time, language, "day") });
    return h("tr", { "data-state": row.state },
      h("th", { scope: "row", class: "rk-cell-pass" }, h("bdi", {}, row.pass)),
      cell("rater", h("bdi", {}, row.rater)),
      cell("progress", meter(row, strings)),
      cell("cards", h("bdi", { dir: "ltr" }, row.count)),
      cell("skipped", row.skipped ? h("span", { title: strings.skipped_hint }, String(row.skipped)) : "0"),
      cell("unsure", String(row.unsure)),
      cell("median", row.median || "–"),
      cell("pace", row.pace || "–"),
      cell("last", row.last ? h("time", { datetime: row.last, "data-ago": row.last, title: moment(row.last, language) }, ago(row.last, this.view)) : "–"),
      cell("state", h("span", { class: `rk-state rk-state-${row.state}` }, row.state === "locked" ? h("span", { "aria-hidden": "true" }, "🔒︎ ") : null, state), row.left ? h("span", { class: "rk-left" }, row.left) : null),
      h("td", { class: "rk-cell-acts" },
        row.lock.length ? h("button", { type: "button", class: "rk-button rk-small-button", "data-focus": `lock-${place}`, "aria-haspopup": "dialog", onclick: () => this.confirmLock(study, row) }, strings.lock) : null,
        row.reopen.length ? h("button", { type: "button", class: "rk-button rk-small-button", "data-focus": `reopen-${place}`, "aria-haspopup": "dialog", onclick: () => this.confirmReopen(study, row) }, strings.reopen) : null,
        row.withdraw.length ? h("button", { type: "button", class: "rk-icon-button rk-more-button", "data-focus": `more-${place}`, "aria-haspopup": "dialog", "aria-label": fill(strings.more, { pass: row.pass }), title: fill(strings.more, { pass: row.pass }), onclick: () => this.more(study, row) }, "⋯") : null));
  }

  labels(study, round) {
    const { strings } = this.view;
    const { labels } = round;
    const several = labels.pairs.length > 1;
    return [
      labels.notices.length ? h("ul", { class: "rk-notices" }, labels.notices.map((notice) => h("li", { dir: "auto" }, notice))) : null,
      labels.pairs.map((pair) => h("div", {}, several ? h("h5", { class: "rk-pair" }, h("bdi", {}, pair.heading)) : null,
        this.tiles(pair, several ? null : labels), this.figures(pair))),
      labels.adjudication ? this.adjudication(labels.adjudication) : null,
      labels.pairs.length ? this.differences(study, round, labels) : null,
    ];
  }

  tiles(pair, labels) {
    const { strings } = this.view;
    const tile = (label, value, under, why = "") => h("div", { class: "rk-tile", title: why || null }, h("span", { class: "rk-tile-label" }, h("bdi", {}, label)), h("b", { class: why ? "rk-undefined" : null }, h("bdi", { dir: why ? null : "ltr" }, value)), h("span", { class: "rk-tile-under" }, h("bdi", {}, under)));
    const main = pair.rows.find((row) => row.headline);
    if (!main) return null;
    const field = main.codes ? `${main.title} · ${main.codes}` : main.title;
    return h("div", { class: "rk-tiles" },
      tile(strings.agreement, main.percent, `${main.count} · ${field}`),
      tile(strings.kappa, main.kappa, main.kappa_why || main.title, main.kappa_why),
      tile("AC1", main.ac1, main.ac1_why || main.title, main.ac1_why),
      !labels ? null : labels.adjudication ? tile(strings.to_adjudicate, String(labels.adjudication.left), labels.adjudication.rule)
        : tile(strings.differ, String(labels.differ.length + labels.more), labels.differ_count));
  }

  figures(pair) {
    const { strings } = this.view;
    if (pair.rows.length < 2) return null;
    const cell = (name, ...content) => h("td", { "data-label": strings[name] ?? name }, content);
    return h("div", { class: "rk-scroll" }, h("table", { class: "rk-table rk-figures" },
      h("thead", {}, h("tr", {}, [strings.compared, strings.agreement, strings.kappa_short, "AC1", strings.left_out].map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, pair.rows.map((row) => h("tr", { "data-kind": row.kind },
        h("th", { scope: "row" }, h("bdi", {}, row.title)),
        cell("agreement", h("bdi", { dir: "ltr" }, row.percent), h("bdi", { class: "rk-count-said" }, row.count)),
        cell("kappa_short", h("span", { title: row.kappa_why || null, class: row.kappa_why ? "rk-soft" : null }, row.kappa)),
        cell("AC1", h("span", { title: row.ac1_why || null, class: row.ac1_why ? "rk-soft" : null }, row.ac1)),
        cell("left_out", row.why_left_out.length ? [h("span", {}, row.left_out), h("span", { class: "rk-whys" }, row.why_left_out.map((why, at) => [at ? " · " : "", h("bdi", {}, why)]))] : "–"))))));
  }

  adjudication(state) {
    const { strings } = this.view;
    const row = { total: state.queue, done: state.settled, skipped: state.excluded, progress: state.text };
    return h("div", { class: "rk-adjudication" },
      h("h5", { class: "rk-part-title" }, strings.adjudication, h("bdi", { class: "rk-soft" }, state.adjudicator)), meter(row, strings),
      h("span", { class: "rk-small" }, state.text), h("span", { class: "rk-soft rk-small" }, state.rule));
  }

  differences(study, round, labels) {
    const { strings } = this.view;
    if (!labels.differ.length) return h("p", { class: "rk-soft rk-small" }, strings.no_differ);
    const rows = labels.differ.map((each) => h("li", {}, h("button", { type: "button", class: "rk-differ", "aria-haspopup": "dialog", "data-focus": `card-${study.study}-${each.card_id}`, onclick: () => this.line.ask("open", { study: study.study, round: round.round, card_id: each.card_id }) },
      h("span", { class: "rk-differ-card" }, h("bdi", {}, each.card_id)), h("span", { class: "rk-soft" }, each.what))));
    return this.fold(`differ-${study.study}-${round.round}`, labels.differ.length <= 24,
      [h("h5", { class: "rk-part-title" }, strings.differ), h("span", { class: "rk-soft rk-small" }, labels.differ_count)],
      [labels.adjudication?.left ? h("p", { class: "rk-soft rk-small" }, strings.label_first) : null, h("ul", { class: "rk-differ-list" }, rows), labels.more ? h("p", { class: "rk-soft rk-small" }, fill(strings.more_differ, { n: labels.more })) : null], "rk-part-fold");
  }

  // questions, samples, links

  questions(study) {
    const { strings } = this.view;
    const waiting = study.questions.filter((each) => !each.answered);
    const answered = study.questions.filter((each) => each.answered);
    return h("section", { class: "rk-part rk-questions" },
      h("h4", { class: "rk-part-title" }, strings.questions, waiting.length ? h("span", { class: "rk-waiting" }, waiting.length) : null),
      waiting.map((each) => this.question(study, each)),
      answered.length ? this.fold(`answered-${study.study}`, false, h("span", { class: "rk-small" }, fill(strings.earlier, { n: answered.length })), answered.map((each) => this.question(study, each)), "rk-part-fold") : null);
  }

  question(study, each) {
    const { strings, language } = this.view;
    const head = h("p", { class: "rk-question-head" }, h("bdi", {}, each.rater), each.card_id ? h("span", { class: "rk-soft" }, h("bdi", {}, fill(strings.on_card, { card: each.card_id }))) : null, h("time", { class: "rk-soft", datetime: each.time }, moment(each.time, language)));
    const text = h("p", { class: "rk-said", dir: "auto" }, each.text);
    if (each.answered && !this.opened.get(`again-${each.digest}`)) {
      return h("article", { class: "rk-question" }, head, text,
        h("p", { class: "rk-answered", dir: "auto" }, each.answer),
        h("p", { class: "rk-question-head rk-soft" }, fill(strings.answered, { time: moment(each.answered, language) }),
          h("button", { type: "button", class: "rk-link-button", "data-focus": `again-${each.digest}`, onclick: () => { this.opened.set(`again-${each.digest}`, true); this.show(this.view); } }, strings.answer_again)));
    }
    const field = elementId("answer");
    const area = h("textarea", { id: field, class: "rk-field", rows: "2", dir: "auto", maxlength: "20000", "data-focus": `answer-${each.digest}`, oninput: () => { this.typed.set(each.digest, area.value); send.disabled = !area.value.trim(); } });
    area.value = this.typed.get(each.digest) ?? "";
    const act = () => this.act("answer", { study: study.study, question: each.digest, text: area.value }, send);
    const send = h("button", { type: "button", class: "rk-button rk-primary rk-small-button", disabled: !area.value.trim(), onclick: act }, strings.answer_do);
    area.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && area.value.trim()) act(); });
    return h("article", { class: "rk-question" }, head, text, h("label", { class: "rk-label", for: field }, fill(strings.answer_label, { rater: each.rater })), area, h("div", { class: "rk-question-foot" }, send));
  }

  samples(study) {
    const { strings } = this.view;
    const draw = (each) => {
      const head = [h("b", {}, h("bdi", {}, each.name)), h("span", { class: "rk-soft" }, each.said), each.short ? h("span", { class: "rk-tag rk-short" }, each.short) : null];
      if (!each.counts.length) return h("p", { class: "rk-draw" }, head);
      const rows = each.counts.map((count) => h("tr", { "data-short": count.short ? "yes" : null }, h("th", { scope: "row" }, h("bdi", {}, count.stratum || strings.all)), h("td", {}, count.available), h("td", {}, count.wanted), h("td", {}, count.drawn)));
      return this.fold(`draw-${study.study}-${each.name}`, Boolean(each.short), h("span", { class: "rk-draw" }, head), h("table", { class: "rk-table rk-strata" },
        h("thead", {}, h("tr", {}, [strings.stratum, strings.available, strings.wanted, strings.drawn].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)), "rk-part-fold");
    };
    return h("section", { class: "rk-part" }, h("h4", { class: "rk-part-title" }, strings.samples), study.samples.map(draw));
  }

  links(study) {
    const { strings, language } = this.view;
    return h("section", { class: "rk-part" }, h("h4", { class: "rk-part-title" }, strings.links), h("ul", { class: "rk-links" }, study.links.map((each) => h("li", {},
      h("span", { class: "rk-link-who" }, h("b", {}, h("bdi", {}, each.rater)), h("span", { class: "rk-soft" }, each.named_by_role || each.pass === each.rater ? each.role : h("bdi", {}, each.pass))),
      h("span", { class: `rk-link-state rk-link-${each.state}` }, each.state_text, each.expires ? ` ${fill(strings.expires, { time: moment(each.expires, language, "day") })}` : ""),
      each.can_renew ? h("button", { type: "button", class: "rk-link-button", "data-focus": `renew-${study.study}-${each.pass}-${each.rater}`, "aria-haspopup": "dialog", onclick: () => this.confirmRenew(study, each) }, each.made ? strings.renew : strings.new_link) : null))));
  }
}

Object.assign(BoardPage.prototype, BoardActs);

function render({ model, el }) {
  const page = new BoardPage(model, el);
  return () => page.close();
}

export default { render };
