// The dialogs: help, filing a ruling, skipping, locking. Each is built when it
// opens and leaves nothing behind when it closes; Escape closes it and focus returns to the checks.

/**
 * Open a modal dialog in the card; `accept` answers Ctrl+Enter, `onclose` runs once. It is shut at
 * once and not by the browser's later `close` event, or a quick key would fall between the two.
 */
function openDialog(desk, { title, body, actions = [], accept = null, kind = "", focus = null, onclose = null }) {
  const strings = desk.view.strings;
  const heading = elementId("dialog");
  const node = h("dialog", { class: `rk-dialog ${kind}`.trim(), "aria-labelledby": heading },
    h("div", { class: "rk-dialog-head" },
      h("h3", { id: heading, class: "rk-dialog-title" }, title),
      h("button", { type: "button", class: "rk-icon-button", "aria-label": strings.close, title: strings.close, onclick: () => opened.shut() }, "✕")),
    h("div", { class: "rk-dialog-body", tabindex: "0" }, body),
    actions.length ? h("div", { class: "rk-dialog-foot" }, actions) : null);
  const opened = {
    node,
    shut() {
      if (desk.dialog !== opened) return;
      desk.dialog = null;
      onclose?.();
      node.close();
      node.remove();
      desk.restFocus();
    },
  };
  node.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const enter = event.key === "Enter";
    if (event.key === "Escape" && !event.isComposing) {
      event.preventDefault();
      opened.shut();
    } else if (enter && event.repeat && !isTextField(event.target)) {
      // A held Enter must not press the button that opened under it.
      event.preventDefault();
    } else if (enter && (event.ctrlKey || event.metaKey) && accept && !event.repeat) {
      event.preventDefault();
      accept();
    }
  });
  node.addEventListener("click", (event) => {
    if (event.target === node) opened.shut();
  });
  node.addEventListener("close", () => opened.shut());
  desk.dialog?.shut();
  desk.frame.append(node);
  desk.dialog = opened;
  node.showModal();
  (focus ?? node.querySelector("textarea, input, .rk-dialog-foot button:last-child"))?.focus();
  desk.refreshControls();
  return node;
}

function openHelp(desk) {
  const strings = desk.view.strings;
  const { card } = desk.view;
  const types = new Set((card?.questions ?? []).map((question) => question.type ?? "yes_no"));
  const codes = card?.kind === "codes";
  const answers = codes && !types.has("yes_no") ? [] : [["y", strings.help_yes], ["n", strings.help_no]];
  const own = codes
    ? [
        ...answers, ["1 … 9", types.has("yes_no") && types.size === 1 ? strings.help_jump : strings.help_code], ["↑ ↓", strings.help_move_codes], ["⌫", strings.help_clear],
        ...(types.has("spans") ? [["m", strings.help_mark], ["y", strings.help_confirm], ["x", strings.help_reject]] : []),
        [types.has("spans") ? "t" : "m", strings.help_note],
      ]
    : [...answers, ["1 … 9", strings.help_jump], ["↑ ↓", strings.help_move], ["⌫", strings.help_clear], ["m", strings.help_note]];
  const rows = [
    ...own, ["Esc", strings.help_leave], ["⏎", strings.help_save], ["Ctrl ⏎", strings.help_save_note], ["k", strings.help_back], ["j", strings.help_next], ["s", strings.help_skip],
    ...(codes ? (desk.view.app === "adjudication" ? [["x", strings.help_exclude]] : [["u", strings.help_unsure], ["w", strings.help_lead]]) : [["e", strings.help_escalate], ...(desk.view.families.length ? [["d", strings.help_defect]] : [])]),
    ["r", strings.help_ruling], ["/", strings.help_cards], ["b", strings.help_blur], ["l", strings.help_language], ["?", strings.help_help],
  ];
  openDialog(desk, {
    title: strings.help_title, kind: "rk-help",
    body: [
      h("dl", { class: "rk-keys" }, rows.map(([key, text]) => h("div", {}, h("dt", {}, h("kbd", { class: "rk-kbd", dir: "ltr" }, key)), h("dd", {}, text)))),
      h("p", { class: "rk-hint" }, strings.help_layouts),
    ],
    actions: [button(strings.close, { kind: "rk-primary", onclick: () => desk.dialog?.shut() })],
  });
}

function openSkip(desk) {
  const strings = desk.view.strings;
  const field = elementId("skip");
  const area = h("textarea", { id: field, class: "rk-field", rows: "2", dir: "auto", maxlength: "2000" });
  const accept = () => desk.skip(area.value);
  const confirm = button(strings.skip_confirm, { kind: "rk-primary", acts: "write", onclick: accept });
  openDialog(desk, {
    title: strings.skip_title, accept, focus: confirm,
    body: [h("p", {}, strings.skip_text), h("label", { class: "rk-label", for: field }, strings.skip_reason), area, h("p", { class: "rk-problem rk-dialog-problem", role: "alert" })],
    actions: [button(strings.cancel, { onclick: () => desk.dialog?.shut() }), confirm],
  });
}

function openLock(desk) {
  const strings = desk.view.strings;
  const accept = () => desk.lock();
  const cancel = button(strings.cancel, { onclick: () => desk.dialog?.shut() });
  openDialog(desk, {
    title: strings.lock_title, accept,
    body: [desk.view.done?.text ? h("p", { dir: "auto" }, h("b", {}, desk.view.done.text)) : null, h("p", {}, strings.lock_text), h("p", { class: "rk-problem rk-dialog-problem", role: "alert" })],
    actions: [cancel, button(strings.lock_confirm, { kind: "rk-primary", acts: "lock", onclick: accept })],
    // One Enter too many must not seal a pass.
    focus: cancel,
  });
}

/** File a ruling; what was typed is kept when the dialog is closed, until it is recorded. */
function openRuling(desk) {
  const strings = desk.view.strings;
  const card = desk.view.card;
  const kept = desk.rulingDraft ?? { text: "", type: "ruling", checks: desk.active ? [desk.active] : [], supersedes: "" };
  const field = elementId("ruling");
  const group = elementId("type");
  const area = h("textarea", { id: field, class: "rk-field", rows: "4", dir: "auto", maxlength: "5000", placeholder: strings.ruling_placeholder });
  area.value = kept.text;
  const checks = card.questions.map((question) => {
    const box = h("input", { type: "checkbox", value: question.id });
    box.checked = kept.checks.includes(question.id);
    return { box, line: h("label", { class: "rk-option" }, box, h("span", { class: "rk-number" }, String(question.number)), h("span", { dir: "auto" }, question.text)) };
  });
  const types = [["ruling", strings.type_ruling, strings.type_ruling_hint], ["disagreement", strings.type_disagreement, strings.type_disagreement_hint]].map(([type, label, hint]) => {
    const radio = h("input", { type: "radio", name: group, value: type });
    radio.checked = kept.type === type;
    return { radio, line: h("label", { class: "rk-option" }, radio, h("span", {}, h("b", {}, label), " ", h("span", { class: "rk-soft" }, hint))) };
  });
  const numbers = new Map([...card.rulings, ...card.questions.flatMap((question) => question.rulings)].map((ruling) => [ruling.number, ruling.text]));
  const select = h("select", { class: "rk-field", id: elementId("supersedes") }, h("option", { value: "" }, strings.supersedes_none),
    [...numbers].map(([number, text]) => h("option", { value: number }, `${number} · ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`)));
  select.value = kept.supersedes;
  const read = () => ({ text: area.value, checks: checks.filter(({ box }) => box.checked).map(({ box }) => box.value),
    type: types.find(({ radio }) => radio.checked)?.radio.value ?? "ruling", supersedes: select.value });
  const accept = () => desk.fileRuling(read());
  openDialog(desk, {
    title: strings.ruling_title, accept, focus: area, kind: "rk-wide",
    onclose: () => { if (desk.rulingDraft !== "recorded") desk.rulingDraft = area.value.trim() ? read() : null; else desk.rulingDraft = null; },
    body: [
      h("p", { class: "rk-soft" }, strings.ruling_intro),
      h("label", { class: "rk-label", for: field }, strings.ruling_text), area,
      h("fieldset", { class: "rk-fieldset" }, h("legend", { class: "rk-label" }, strings.ruling_checks), checks.map(({ line }) => line)),
      h("fieldset", { class: "rk-fieldset" }, h("legend", { class: "rk-label" }, strings.ruling_type), types.map(({ line }) => line)),
      numbers.size ? [h("label", { class: "rk-label", for: select.id }, strings.supersedes), select] : null,
      h("p", { class: "rk-problem rk-dialog-problem", role: "alert" }),
    ],
    actions: [button(strings.cancel, { onclick: () => desk.dialog?.shut() }), button(strings.ruling_confirm, { key: "Ctrl ⏎", kind: "rk-primary", acts: "write", onclick: accept })],
  });
}
