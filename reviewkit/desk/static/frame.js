// The frame around a card: header, standing instruction, bars, body and footer. Built once per
// language; `drawFrame` returns the parts that change.

function drawFrame(desk) {
  const strings = desk.view.strings;
  const part = {};
  part.title = h("h2", { class: "rk-title" });
  part.chips = h("ul", { class: "rk-chips", "aria-label": strings.about_card });
  part.meter = h("span", { class: "rk-meter-fill" });
  part.skipped = h("span", { class: "rk-meter-skipped" });
  part.progress = h("div", { class: "rk-meter", role: "progressbar", "aria-label": strings.progress, "aria-valuemin": "0" }, part.meter, part.skipped);
  part.count = h("button", { type: "button", class: "rk-count-button", "data-acts": "go", "aria-haspopup": "dialog", "aria-keyshortcuts": "/", title: strings.cards, onclick: () => openCards(desk) });
  part.saved = h("span", { class: "rk-saved" });
  const languages = desk.view.languages.filter(([code]) => code !== desk.view.language).map(([code, name]) =>
    h("button", { type: "button", class: "rk-icon-button rk-language", lang: code, onclick: () => desk.setLanguage(code) }, name));
  const help = h("button", { type: "button", class: "rk-icon-button", "aria-label": strings.help_title, title: strings.help_title, "aria-keyshortcuts": "?", onclick: () => openHelp(desk) }, "?");

  part.blur = h("button", { type: "button", class: "rk-icon-button", "aria-label": strings.blur, title: strings.blur, "aria-keyshortcuts": "b", "aria-pressed": "false", onclick: () => desk.blurTexts(!desk.isBlurred()) }, "◐");

  part.lost = drawLost(strings);
  part.instruction = h("p", { class: "rk-instruction" });
  part.messageText = h("span", { dir: "auto" });
  part.takeOver = button(strings.take_over, { onclick: () => desk.takeOver() });
  part.message = h("div", { class: "rk-bar rk-bar-message", role: "status", hidden: true }, part.messageText, part.takeOver);
  part.refusedText = h("span", { dir: "auto" });
  part.refused = h("div", { class: "rk-bar rk-bar-refused", role: "alert", hidden: true }, part.refusedText);
  part.notice = h("div", { class: "rk-bar rk-bar-notice", hidden: true });
  part.body = h("div", { class: "rk-body" });

  part.verdictIcon = h("span", { class: "rk-verdict-icon", "aria-hidden": "true" });
  part.verdictLabel = h("span", { dir: "auto" });
  part.verdict = h("div", { class: "rk-verdict" }, part.verdictIcon, part.verdictLabel);
  part.reason = h("span", { class: "rk-reason", dir: "auto" });
  part.derived = h("ul", { class: "rk-chips rk-derived", "aria-label": strings.derived });
  part.escalate = button(strings.escalate, { key: "e", short: strings.escalate_short, acts: "write", kind: "rk-escalate", "aria-pressed": "false", onclick: () => desk.toggleEscalated() });
  part.ruling = button(strings.file_ruling, { key: "r", short: strings.ruling_short, acts: "write", "aria-haspopup": "dialog", onclick: () => openRuling(desk) });
  part.unsure = button(strings.unsure, { key: "u", acts: "write", kind: "rk-unsure", "aria-pressed": "false", onclick: () => desk.toggleUnsure() });
  part.lead = button(strings.write_to_lead, { key: "w", short: strings.write_to_lead_short, acts: "write", "aria-haspopup": "dialog", onclick: () => openWriteToLead(desk) });
  part.back = button(strings.back, { key: "k", acts: "go", onclick: () => desk.go("back") });
  part.next = button(strings.next, { key: "j", acts: "go", onclick: () => desk.go("next") });
  part.skip = button(strings.skip, { key: "s", acts: "write", "aria-haspopup": "dialog", onclick: () => openSkip(desk) });
  part.goOn = button(strings.go_on, { key: "⏎", acts: "go", kind: "rk-primary rk-go-on", onclick: () => desk.go("next") });
  part.saveText = h("span", {}, strings.save_next);
  part.save = button(part.saveText, { key: "⏎", acts: "write", kind: "rk-primary rk-save", onclick: (event) => { if (event.detail < 2) desk.submit(); } });
  part.foot = h("footer", { class: "rk-foot" },
    h("div", { class: "rk-foot-verdict" }, part.verdict, part.reason, part.derived),
    h("div", { class: "rk-foot-extra" }, part.unsure, part.lead, part.escalate, part.ruling),
    h("div", { class: "rk-foot-main" }, part.back, part.skip, part.next, part.goOn, part.save));
  part.live = h("div", { class: "rk-unseen", role: "status", "aria-live": "polite" });

  part.frame = h("div", { class: "rk-frame" },
    h("header", { class: "rk-head" },
      h("div", { class: "rk-head-card" }, part.title, part.chips),
      h("div", { class: "rk-head-walk" }, part.progress, part.count, part.saved, h("span", { class: "rk-tools" }, part.blur, languages, help))),
    part.lost, part.instruction, part.message, part.refused, part.notice, part.body, part.foot, part.live);
  return part;
}

function drawProgress(part, view) {
  const { done, skipped, total, label } = view.progress;
  const share = (count) => `${total ? (100 * count) / total : 0}%`;
  part.meter.style.inlineSize = share(done);
  part.skipped.style.inlineSize = share(skipped);
  part.progress.setAttribute("aria-valuemax", String(total));
  part.progress.setAttribute("aria-valuenow", String(done));
  part.progress.setAttribute("aria-valuetext", label);
  part.progress.hidden = !total;
  const filter = view.filters.find((one) => one.code === view.filter);
  part.count.replaceChildren(view.filter === "all" || !filter ? label : `${label} · ${filter.label}`, h("span", { class: "rk-caret", "aria-hidden": "true" }));
  part.count.hidden = !view.cards.length && !view.filters.length;
}

const VERDICT_ICONS = { open: "○", coded: "✓", accepted: "✓", needs_fix: "!", rejected: "✕" };

function drawOutcome(part, outcome) {
  part.verdict.dataset.tone = outcome.tone || "open";
  setText(part.verdictIcon, VERDICT_ICONS[outcome.tone] ?? "○");
  setText(part.verdictLabel, outcome.label);
  setText(part.reason, outcome.reason ?? "");
  const derived = (outcome.derived ?? []).filter((one) => one.value);
  part.derived.hidden = !derived.length;
  part.derived.replaceChildren(...derived.map((one) => drawDerived(one.title, one.label)));
}

/** What stands in the place of a card: all done, nothing under this filter, or nobody known. */
function drawPanel(desk) {
  const { strings, done, state, why, message, filter } = desk.view;
  const panel = (kind, icon, title, text, ...actions) => h("section", { class: `rk-panel rk-panel-${kind}`, tabindex: "-1" },
    h("div", { class: "rk-panel-icon", "aria-hidden": "true" }, icon),
    h("h3", { class: "rk-panel-title" }, title), text ? h("p", { dir: "auto" }, text) : null,
    done?.contact ? h("p", { class: "rk-contact", dir: "auto" }, done.contact) : null,
    h("div", { class: "rk-panel-actions" }, actions));
  const list = button(strings.look_again, { key: "/", acts: "go", onclick: () => openCards(desk) });
  const everything = button(strings.show_all, { acts: "go", kind: "rk-primary", onclick: () => desk.ask("filter", { to: "all" }) });
  if (state === "nobody" && why === "closed") return panel("closed", "◷", strings.closed_title, message);
  if (state === "nobody" && why === "failed") return panel("failed", "!", strings.failed_title, message);
  if (state === "nobody") return panel("nobody", "?", strings.nobody_title, message);
  if (state === "elsewhere") return panel("elsewhere", "⧉", strings.elsewhere_title, message, button(strings.take_over, { kind: "rk-primary", onclick: () => desk.takeOver() }));
  if (done?.pause === "warning") return panel("warning", "!", done.title, done.text, button(done.consent, { acts: "lock", kind: "rk-primary", onclick: () => desk.consent() }));
  if (done?.pause) return panel("enough", "☾", done.title, done.text, list);
  if (done?.locked) return panel("locked", "✓", done.title, done.text, list);
  if (done?.can_lock) return panel("done", "✓", done.title, done.text, list, button(strings.lock, { acts: "lock", kind: "rk-primary", onclick: () => openLock(desk) }));
  return panel("nothing", "∅", done?.title ?? strings.nothing_here, done?.text ?? message, list, filter && filter !== "all" ? everything : null);
}
