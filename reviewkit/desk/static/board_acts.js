// What the lead does on the board: dialogs that ask first, acts that are sent, and what is said after.

const BoardActs = {
  open({ title, body, actions = [], kind = "", focus = null }) {
    const { strings, direction, language } = this.view;
    const heading = elementId("dialog");
    const node = h("dialog", { class: `rk-dialog ${kind}`.trim(), "aria-labelledby": heading, dir: direction, lang: language },
      h("div", { class: "rk-dialog-head" }, h("h3", { id: heading, class: "rk-dialog-title" }, title),
        h("button", { type: "button", class: "rk-icon-button", "aria-label": strings.close, title: strings.close, onclick: () => node.close() }, "✕")),
      h("div", { class: "rk-dialog-body" }, body),
      actions.length ? h("div", { class: "rk-dialog-foot" }, actions) : null);
    node.addEventListener("click", (event) => { if (event.target === node) node.close(); });
    const back = document.activeElement?.closest?.("[data-focus]")?.dataset.focus ?? this.backTo;
    node.addEventListener("close", () => {
      node.remove();
      if (this.dialog !== node) return;
      this.dialog = null;
      this.root.querySelector(`[data-focus="${CSS.escape(back ?? "")}"]`)?.focus({ preventScroll: true });
      this.showWaiting();
    });
    const earlier = this.dialog;
    this.dialog = node;
    this.backTo = back;
    earlier?.close();
    this.root.append(node);
    node.showModal();
    (focus ?? node.querySelector("textarea, .rk-dialog-foot button"))?.focus();
    return node;
  },

  /** A confirmation that says first what is open, skipped or lost; the act needs a second click. */
  confirm({ title, said, act, body, label, reason = "", can = true }) {
    const { strings } = this.view;
    const field = elementId("reason");
    const area = reason ? h("textarea", { id: field, class: "rk-field", rows: "2", dir: "auto", maxlength: "20000" }) : null;
    const problem = h("p", { class: "rk-problem rk-dialog-problem", role: "alert" });
    const cancel = h("button", { type: "button", class: "rk-button", onclick: () => this.dialog?.close() }, strings.cancel);
    const go = h("button", { type: "button", class: "rk-button rk-primary", onclick: () => {
      if (reason === "needed" && !area.value.trim()) {
        setText(problem, strings.reason_missing);
        area.focus();
      } else this.act(act, area ? { ...body, reason: area.value } : body, go);
    } }, label);
    this.open({
      title, focus: area ?? cancel,
      body: [said.map((sentence) => h("p", { dir: "auto" }, sentence)), area ? [h("label", { class: "rk-label", for: field }, reason === "needed" ? strings.reason : strings.reason_optional), area] : null, problem],
      actions: [cancel, can ? go : null].filter(Boolean),
    });
  },

  confirmLock(study, row) {
    const { strings } = this.view;
    this.confirm({ title: fill(strings.lock_title, row), said: row.lock, act: "lock", body: { study: study.study, pass_name: row.pass }, label: strings.lock_do, can: row.can_lock });
  },

  confirmReopen(study, row) {
    const { strings } = this.view;
    this.confirm({ title: fill(strings.reopen_title, row), said: row.reopen, act: "reopen", body: { study: study.study, pass_name: row.pass }, label: strings.reopen_do, reason: "needed" });
  },

  confirmUnblind(study, round) {
    const { strings } = this.view;
    this.confirm({ title: strings.unblind_title, said: round.unblind, act: "unblind", body: { study: study.study, round: round.round }, label: strings.unblind_do, reason: "needed" });
  },

  confirmWithdraw(study, row) {
    const { strings } = this.view;
    this.confirm({ title: fill(strings.withdraw_title, row), said: row.withdraw, act: "withdraw", body: { study: study.study, pass_name: row.pass }, label: strings.withdraw_do, reason: "optional" });
  },

  confirmRenew(study, each) {
    const { strings } = this.view;
    this.renewing = each.rater;
    this.confirm({ title: fill(strings.renew_title, each), said: each.renew, act: "renew", body: { study: study.study, pass_name: each.pass, rater: each.rater }, label: strings.renew_do });
  },

  more(study, row) {
    const { strings } = this.view;
    const link = study.links.find((each) => each.pass === row.pass && each.rater === row.rater);
    const fact = (label, value) => h("div", {}, h("dt", { class: "rk-soft" }, label), h("dd", {}, h("bdi", {}, value || "–")));
    this.open({
      title: `${row.pass} · ${row.rater}`,
      body: [h("dl", { class: "rk-facts" }, fact(strings.cards, row.progress), fact(strings.unsure, String(row.unsure)), fact(strings.median, row.median), fact(strings.pace, [row.pace, row.left].filter(Boolean).join(" · ")), fact(strings.last, moment(row.last, this.view.language)), fact(strings.link, link?.state_text)),
        h("div", { class: "rk-more-acts" },
          link?.can_renew ? h("button", { type: "button", class: "rk-button", onclick: () => this.confirmRenew(study, link) }, link.made ? strings.renew_link : strings.new_link) : null,
          h("button", { type: "button", class: "rk-button", onclick: () => this.confirmWithdraw(study, row) }, strings.withdraw))],
    });
  },

  showCard(card) {
    const { strings } = this.view;
    const coding = (each) => h("section", { class: "rk-one-coding" }, h("h4", { class: "rk-soft" }, each.heading, each.unsure ? ` · ${strings.marked_unsure}` : ""),
      h("dl", { class: "rk-both-rows" }, each.rows.map((row) => h("div", { "data-differs": row.differs ? "yes" : null }, row.title ? h("dt", { class: "rk-soft" }, h("bdi", {}, row.title)) : null, h("dd", {}, h("bdi", {}, row.said))))),
      each.note ? h("p", { class: "rk-both-note", dir: "auto" }, h("span", { class: "rk-soft" }, `${strings.note}: `), each.note) : null);
    this.open({
      title: fill(strings.card_title, { card: card.card_id }), kind: "rk-wide rk-card-dialog",
      body: [card.differ_said ? h("p", { class: "rk-soft rk-small" }, fill(strings.what_differs, { what: card.differ_said })) : null,
        card.texts.map((text) => h("div", { class: "rk-card-text" }, h("span", { class: "rk-soft rk-small" }, h("bdi", {}, text.role)), h("p", { class: "rk-original", lang: text.language || null, dir: "auto" }, text.text))),
        h("div", { class: "rk-both" }, card.codings.map(coding))],
      actions: [h("button", { type: "button", class: "rk-button", onclick: () => this.dialog?.close() }, strings.close)],
    });
  },

  // acts

  /** Send an act once; the button waits for the reply, and a lost reply is asked for by the line. */
  act(kind, body, control) {
    if (control.disabled) return;
    control.disabled = true;
    const id = this.line.ask(kind, { click_id: randomId(), ...body });
    this.pending.set(id, control);
  },

  done(message, asked) {
    if (message.act === "answer" && asked) {
      this.typed.delete(asked.question);
      this.opened.delete(`again-${asked.question}`);
      this.show(this.view);
    }
    this.dialog?.close();
    this.tell(message.text);
    if (message.link) this.showLink(message);
  },

  tell(text, refused = false) {
    this.told.className = `rk-bar ${refused ? "rk-bar-notice" : "rk-bar-message"}`;
    this.told.hidden = false;
    setText(this.told, text);
    this.told.scrollIntoView({ block: "nearest" });
  },

  showLink(message) {
    const { strings } = this.view;
    const rater = this.renewing ?? "";
    const start = message.start || `${location.origin}${location.pathname.replace(/[^/]*$/, "")}`;
    const address = `${start.replace(/\/$/, "")}/${message.link}`;
    const box = h("textarea", { class: "rk-field rk-address", rows: "2", readonly: true, dir: "ltr", spellcheck: "false", onfocus: () => box.select() }, address);
    const copy = h("button", { type: "button", class: "rk-button rk-primary", onclick: async () => {
      box.select();
      try {
        await navigator.clipboard.writeText(address);
      } catch {
        // Plain http has no clipboard of the new kind; the old command still works.
        document.execCommand("copy");
      }
      setText(copy, strings.copied);
    } }, strings.copy);
    this.open({ title: fill(strings.link_title, { rater }), body: [h("p", {}, fill(strings.link_text, { rater })), box], actions: [copy], focus: box });
  },

  refused(text, asked) {
    const control = asked && this.pending.get(asked.id);
    if (control) control.disabled = false;
    const place = this.dialog?.querySelector(".rk-dialog-problem");
    if (place) setText(place, text);
    else if (this.view) this.tell(text, true);
  },
};
