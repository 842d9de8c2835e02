// What answers a question: yes and no, one code of a list, or several. Every control has the same
// parts, so that the card need not know which it is:
//   node           what stands in the row
//   show(answer)   show an answer that is held
//   resting()      where focus rests: on the given answer, else on none, so that none looks chosen
//   step(by)       move inside on an arrow up or down; false at the edge
//   aside(by)      move inside on an arrow to the side
//   keyed(key)     what a key does here, or null

/** Yes and no, side by side. */
function drawYesNo(question, ids, strings, { onanswer }) {
  const choice = (answer, key) => h("button",
    { type: "button", role: "radio", class: `rk-choice rk-choice-${answer}`, "aria-checked": "false", tabindex: "-1", "data-acts": "write",
      "aria-keyshortcuts": key, onclick: (event) => onanswer(question.id, answer, { byKeyboard: event.detail === 0 }) },
    h("span", { class: "rk-choice-label" }, strings[answer]), keyCap(key));
  const both = { yes: choice("yes", "y"), no: choice("no", "n") };
  const node = h("div", { class: "rk-choices", role: "radiogroup", tabindex: "-1", "aria-labelledby": ids.text, "aria-describedby": `${ids.more} ${ids.problem}` }, both.yes, both.no);
  let held = null;
  return {
    node,
    show(answer) {
      held = answer;
      for (const [name, one] of Object.entries(both)) {
        one.setAttribute("aria-checked", String(answer === name));
        one.tabIndex = (answer ?? "yes") === name ? 0 : -1;
      }
    },
    resting: () => both[held] ?? node,
    step: () => false,
    aside: () => (document.activeElement === both.yes ? both.no : both.yes).focus(),
    keyed: (key) => {
      const answer = { y: "yes", n: "no", Backspace: null, Delete: null }[key];
      return answer === undefined ? null : () => onanswer(question.id, answer, { byKeyboard: true });
    },
  };
}

/** The short name that coders know a code by (E, QE, N); longer ids are for tables, not for people. */
function shortCode(id) {
  return /^[A-Z]{1,3}$/.test(id) ? id : "";
}

/** A code as it is named everywhere: its short name, if it has one, and its title. */
function nameCode(code) {
  const short = shortCode(code.id);
  return short && code.title !== short && !code.title.startsWith(`${short} `)
    ? [h("b", { class: "rk-code-short", dir: "ltr" }, short), " ", h("span", { dir: "auto" }, code.title)]
    : [h("span", { dir: "auto" }, code.title)];
}

/** A list of codes, one a row: the one that holds, or all that hold. */
function drawCodes(question, ids, strings, { onanswer, mine }) {
  const many = question.type === "many";
  let held = [];
  const turned = (code) => question.codes.map((one) => one.id).filter((id) => held.includes(id) !== (id === code));
  const give = (code, byKeyboard) => {
    const answer = many ? turned(code) : code;
    onanswer(question.id, answer.length ? answer : null, { byKeyboard, stay: many });
  };
  const option = (code) => {
    const named = { title: elementId("code"), about: elementId("about") };
    const about = [code.explanation, code.example].filter(Boolean);
    return h("button",
      { type: "button", role: many ? "checkbox" : "radio", class: "rk-code", "aria-checked": "false", tabindex: "-1", "data-acts": "write", "data-code": code.id,
        "aria-keyshortcuts": code.key, "aria-labelledby": named.title, "aria-describedby": about.length ? named.about : null,
        // The second click of a double one must not land on what moved there.
        onclick: (event) => { if (event.detail < 2) give(code.id, event.detail === 0); } },
      h("span", { class: "rk-code-mark", "aria-hidden": "true" }),
      code.key ? keyCap(code.key) : null,
      h("span", { class: "rk-code-text" },
        h("span", { class: "rk-code-title", id: named.title }, nameCode(code)),
        h("span", { class: "rk-kept", hidden: true }),
        about.length ? h("span", { class: "rk-code-about", id: named.about },
          code.explanation ? h("span", { dir: "auto" }, code.explanation) : null, code.explanation && code.example ? " " : null,
          code.example ? h("span", { class: "rk-code-example", dir: "auto" }, code.example) : null) : null));
  };
  const options = question.codes.map(option);
  const node = h("div", { class: `rk-codes${many ? " rk-codes-many" : ""}${question.ordinal ? " rk-codes-ordinal" : ""}`, role: many ? "group" : "radiogroup", tabindex: "-1",
    "aria-labelledby": ids.text, "aria-describedby": `${ids.more} ${ids.problem}` },
    many ? h("p", { class: "rk-codes-hint" }, strings.many_hint) : null, options);
  const step = (by) => {
    const at = options.indexOf(document.activeElement);
    const to = at < 0 ? (by > 0 ? 0 : -1) : at + by;
    if (!options[to]) return false;
    options[to].focus();
    return true;
  };
  return {
    node, step,
    show(answer) {
      held = Array.isArray(answer) ? answer : answer ? [answer] : [];
      const at = Math.max(0, question.codes.findIndex((code) => held.includes(code.id)));
      options.forEach((one, place) => {
        one.setAttribute("aria-checked", String(held.includes(one.dataset.code)));
        one.tabIndex = place === at ? 0 : -1;
        const kept = one.querySelector(".rk-kept");
        kept.hidden = !mine?.includes(one.dataset.code);
        setText(kept, held.includes(one.dataset.code) ? strings.kept : strings.was_first);
      });
    },
    resting: () => options.find((one) => held.includes(one.dataset.code)) ?? node,
    aside: (by) => { if (!step(by)) options.at(by > 0 ? 0 : -1).focus(); },
    keyed: (key) => {
      if (key === "Backspace" || key === "Delete") return () => onanswer(question.id, null, { byKeyboard: true });
      const code = question.codes.find((one) => String(one.key).toLowerCase() === key);
      return code ? () => {
        give(code.id, true);
        if (many) options[question.codes.indexOf(code)].focus();
      } : null;
    },
  };
}

const CONTROLS = { yes_no: drawYesNo, choice: drawCodes, many: drawCodes, spans: drawSpans };

/** Whether an answer leaves nothing to do; `matches` are those of the watchlist, each to be settled. */
function isSettled(question, answer, matches = []) {
  if (question.type !== "spans") return Boolean(question.optional || answer?.length);
  const settled = new Set((answer ?? []).map((span) => `${span.start}-${span.end}`));
  return matches.every((match) => settled.has(`${match.start}-${match.end}`));
}
