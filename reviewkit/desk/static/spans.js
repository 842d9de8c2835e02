// The spans of a text under their classes: one row a span, those of the watchlist waiting until each
// is settled. A span just marked has no class and so is no answer yet: `here` keeps it, and which row is
// the active one, for as long as the card is open.

const REJECTED = "rejected";

function drawSpans(question, ids, strings, { onanswer, ontell, spoken, found, coded, here }) {
  const matches = found ?? [];
  const title = new Map(question.codes.map((code) => [code.id, code.title]));
  let answer = [];
  const rowNodes = new Map();
  let drawn = null;

  const keyOf = (span) => `${span.start}-${span.end}`;
  const quoted = (row) => coded?.text(row) ?? row.term ?? "";
  const flagsOf = (row) => here.flags.get(row.key) ?? row.flags;

  function rows() {
    const settled = new Map(answer.map((span) => [keyOf(span), span]));
    const told = (span, more) => ({ start: span.start, end: span.end, key: keyOf(span), term: span.term ?? "", suggested: "", code: span.code ?? "", flags: span.flags ?? {}, ...more });
    const own = answer.filter((span) => span.source === "coder").map((span) => told(span, { source: "coder" }));
    const all = [
      ...matches.map((match) => {
        const span = settled.get(keyOf(match));
        return told(span ?? { ...match, code: "" }, { term: match.term, suggested: title.has(match.code) ? match.code : "", source: "watchlist" });
      }),
      ...own, ...here.marked.map((span) => told(span, { source: "coder" })),
    ];
    for (const row of all) {
      row.state = !row.code ? "pending" : row.code === REJECTED ? "rejected" : "coded";
      row.shape = shapeOf(question.codes, row.code && row.code !== REJECTED ? row.code : row.suggested);
      row.label = row.state === "pending" ? strings.span_pending : row.state === "rejected" ? strings.span_rejected : title.get(row.code) ?? row.code;
    }
    return all.sort((one, other) => one.start - other.start || one.end - other.end);
  }

  const current = () => rows().find((row) => row.key === here.active);

  // ---- what is shown ----------------------------------------------------------------------

  const body = h("tbody", {});
  const columns = 2 + question.flags.length;
  const codeButtons = question.codes.map((code) => h("button",
    { type: "button", role: "radio", class: "rk-span-code", "aria-checked": "false", tabindex: "-1", "data-acts": "write", "data-code": code.id, "aria-keyshortcuts": code.key,
      title: code.explanation || null, onclick: (event) => { if (event.detail < 2) classify(code.id, event.detail === 0); } },
    code.key ? keyCap(code.key) : null, h("span", { class: "rk-shape", "data-shape": shapeOf(question.codes, code.id), dir: "auto" }, code.title), keyCap("y")));
  const codeGroup = h("div", { class: "rk-span-codes", role: "radiogroup" }, codeButtons);
  const flagButtons = question.flags.map((flag) => h("button",
    { type: "button", class: "rk-span-act", "aria-pressed": "false", "data-acts": "write", "data-flag": flag.id, "aria-keyshortcuts": flag.key || null, title: flag.explanation || null, onclick: () => toggle(flag.id, false) },
    h("span", { dir: "auto" }, flag.title), flag.key ? keyCap(flag.key) : null));
  const takeText = h("span", {});
  const takeButton = h("button", { type: "button", class: "rk-span-act rk-span-take", "data-acts": "write", "aria-keyshortcuts": "x", onclick: (event) => { if (event.detail < 2) takeAway(event.detail === 0); } }, takeText, keyCap("x"));
  const strip = h("tr", { class: "rk-strip" }, h("td", { colspan: String(columns) }, h("div", { class: "rk-strip-flow" }, codeGroup, h("div", { class: "rk-span-acts" }, flagButtons, takeButton))));
  const nothing = h("p", { class: "rk-soft rk-span-nothing" }, strings.span_nothing);
  const markButton = h("button", { type: "button", class: "rk-link rk-span-mark", "data-acts": "write", "aria-keyshortcuts": "m",
    onpointerdown: (event) => event.preventDefault(), onclick: () => mark(coded?.selected() ?? null) }, strings.span_mark, " ", keyCap("m"));
  const table = h("table", { class: "rk-spans", "aria-labelledby": ids.text },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, strings.span_term), h("th", { scope: "col" }, strings.span_class),
      question.flags.map((flag) => h("th", { scope: "col", dir: "auto" }, flag.title)))), body);
  const node = h("div", { class: "rk-span-box", role: "group", tabindex: "-1", "aria-labelledby": ids.text, "aria-describedby": `${ids.more} ${ids.problem}` }, table, nothing,
    h("p", { class: "rk-hint rk-span-hint" }, markButton, h("span", { class: "rk-span-hint-reject" }, strings.span_reject_hint, " ", keyCap("x"))));

  function rowNode(row) {
    if (!rowNodes.has(row.key)) {
      const term = h("button", { type: "button", class: "rk-term", tabindex: "-1", onclick: () => pick(row.key, false) }, h("bdi", {}, quoted(row)));
      const code = h("td", { class: "rk-span-class" });
      const held = question.flags.map(() => h("td", { class: "rk-span-flag" }));
      const line = h("tr", { class: "rk-span-row", "data-key": row.key, onclick: (event) => { if (!event.target.closest("button")) pick(row.key, false); } },
        h("td", {}, term, row.source === "coder" ? h("span", { class: "rk-tag rk-tag-own" }, strings.span_own) : null), code, held);
      rowNodes.set(row.key, { line, term, code, held });
    }
    return rowNodes.get(row.key);
  }

  function draw() {
    const all = rows();
    if (!all.some((row) => row.key === here.active)) here.active = (all.find((row) => row.state === "pending") ?? all[0])?.key ?? "";
    const now = all.map((row) => row.key).join();
    if (now !== drawn) {
      drawn = now;
      body.replaceChildren(...all.map((row) => rowNode(row).line));
    }
    const line = rowNodes.get(here.active)?.line;
    if (line && line.nextSibling !== strip) line.after(strip);
    for (const row of all) {
      const nodes = rowNode(row);
      const looks = JSON.stringify([row.state, row.code, row.key === here.active, flagsOf(row)]);
      // Of hundreds of rows an answer changes two.
      if (nodes.looks === looks) continue;
      nodes.looks = looks;
      const { line, term, code, held } = nodes;
      line.dataset.state = row.state;
      setFlag(line, "data-active", row.key === here.active);
      term.tabIndex = row.key === here.active ? 0 : -1;
      term.setAttribute("aria-current", String(row.key === here.active));
      term.setAttribute("aria-label", [quoted(row), row.label, row.state === "pending" && row.suggested ? `${strings.span_suggested}: ${title.get(row.suggested)}` : ""].filter(Boolean).join(", "));
      code.replaceChildren(...(row.state === "coded" ? [h("span", { class: "rk-shape", "data-shape": row.shape, dir: "auto" }, row.label)] : [h("span", { class: `rk-span-${row.state}`, dir: "auto" }, row.label),
        ...(row.state === "pending" && row.suggested ? [" ", h("span", { class: "rk-span-suggested", title: strings.span_suggested, dir: "auto" }, fill(strings.span_maybe, { label: title.get(row.suggested) }))] : [])]));
      question.flags.forEach((flag, at) => setText(held[at], row.state === "rejected" || (row.state === "pending" && !here.flags.has(row.key)) ? "" : flagsOf(row)[flag.id] === "yes" ? strings.yes : strings.no));
    }
    table.hidden = !all.length;
    nothing.hidden = Boolean(all.length);
    markButton.hidden = !coded;
    node.querySelector(".rk-span-hint-reject").hidden = !matches.length;
    drawStrip(all.find((row) => row.key === here.active));
    coded?.paint(all, here.active);
  }

  function drawStrip(row) {
    if (!row) return;
    codeGroup.setAttribute("aria-label", fill(strings.span_class_of, { term: quoted(row) }));
    codeButtons.forEach((one, at) => {
      const chosen = one.dataset.code === row.code;
      one.setAttribute("aria-checked", String(chosen));
      one.tabIndex = chosen || (at === 0 && !title.has(row.code)) ? 0 : -1;
      // What the watchlist says is one key away, and never taken for given.
      setFlag(one, "data-suggested", row.state === "pending" && one.dataset.code === row.suggested);
    });
    for (const one of flagButtons) {
      one.setAttribute("aria-pressed", String(flagsOf(row)[one.dataset.flag] === "yes"));
      one.hidden = row.state === "rejected";
    }
    setText(takeText, row.source === "coder" ? strings.span_remove : row.state === "rejected" ? strings.span_unreject : strings.span_reject);
  }

  // ---- what the person does ---------------------------------------------------------------

  function pick(key, byKeyboard) {
    here.active = key;
    draw();
    if (byKeyboard) coded?.show(key);
  }

  /** The next span that waits, after the present one and round again. */
  function goOn() {
    const all = rows();
    const at = all.findIndex((row) => row.key === here.active);
    const next = [...all.slice(at + 1), ...all.slice(0, at)].find((row) => row.state === "pending");
    if (next) pick(next.key, true);
    return Boolean(next);
  }

  function give(spans, byKeyboard, moveOn) {
    answer = spans.sort((one, other) => one.start - other.start);
    const stay = !(byKeyboard && moveOn) || goOn();
    draw();
    onanswer(question.id, answer.length ? answer.map((span) => ({ ...span, flags: { ...span.flags } })) : null, { byKeyboard, stay });
  }

  const others = (row) => answer.filter((span) => keyOf(span) !== row.key);
  const noFlags = () => Object.fromEntries(question.flags.map((flag) => [flag.id, "no"]));

  function classify(code, byKeyboard) {
    const row = current();
    if (!row) return;
    here.marked = here.marked.filter((span) => keyOf(span) !== row.key);
    const held = code === REJECTED ? {} : { ...noFlags(), ...flagsOf(row) };
    here.flags.delete(row.key);
    spoken(`${quoted(row)}: ${title.get(code) ?? strings.span_rejected}`);
    give([...others(row), { start: row.start, end: row.end, code, flags: held, term: row.term, source: row.source }], byKeyboard, true);
  }

  function confirm(byKeyboard) {
    const row = current();
    if (row?.state === "pending" && row.suggested) classify(row.suggested, byKeyboard);
  }

  /** Reject a match of the watchlist, take the rejection back, or remove a span of one's own. */
  function takeAway(byKeyboard) {
    const row = current();
    if (!row) return;
    if (row.source === "watchlist" && row.state !== "rejected") classify(REJECTED, byKeyboard);
    else takeBack(byKeyboard);
  }

  function takeBack(byKeyboard) {
    const row = current();
    if (!row) return;
    here.marked = here.marked.filter((span) => keyOf(span) !== row.key);
    here.flags.delete(row.key);
    if (row.source === "coder") rowNodes.delete(row.key);
    give(others(row), byKeyboard, false);
  }

  function toggle(flag, byKeyboard) {
    const row = current();
    if (!row || row.state === "rejected") return;
    const held = { ...noFlags(), ...flagsOf(row) };
    held[flag] = held[flag] === "yes" ? "no" : "yes";
    if (row.state === "pending") {
      here.flags.set(row.key, held);
      draw();
    } else give([...others(row), { start: row.start, end: row.end, code: row.code, flags: held, term: row.term, source: row.source }], byKeyboard, false);
  }

  /** Add what is selected; its class is still to be given. */
  function mark(place) {
    if (!place) return ontell(question.id, strings.span_select_first);
    const all = rows();
    const same = all.find((row) => row.key === keyOf(place));
    const over = all.find((row) => row.state !== "rejected" && row.start < place.end && place.start < row.end);
    if (over && !same) return ontell(question.id, fill(strings.span_overlaps, { term: quoted(over) }));
    if (!same) here.marked.push({ ...place, term: "", code: "", flags: {} });
    document.getSelection()?.removeAllRanges();
    pick(keyOf(place), true);
    onanswer(question.id, answer.length ? answer : null, { byKeyboard: true, stay: true });
    return undefined;
  }

  if (coded) {
    coded.onpick = (key) => {
      pick(key, false);
      onanswer(question.id, answer.length ? answer : null, { byKeyboard: true, stay: true });
    };
  }

  return {
    node, mark, coded,
    show(value) {
      answer = [...(value ?? [])];
      draw();
    },
    sight: () => strip,
    resting: () => (here.active ? rowNodes.get(here.active)?.term : null) ?? node,
    step(by) {
      const all = rows();
      const to = all[all.findIndex((row) => row.key === here.active) + by];
      if (!to) return false;
      pick(to.key, true);
      rowNodes.get(to.key).term.focus({ preventScroll: true });
      rowNodes.get(to.key).line.scrollIntoView({ block: "nearest" });
      strip.scrollIntoView({ block: "nearest" });
      return true;
    },
    aside(by) {
      const at = codeButtons.indexOf(document.activeElement);
      (codeButtons[at + by] ?? codeButtons.at(by > 0 ? 0 : -1)).focus();
    },
    keyed(key) {
      if (!current()) return null;
      const code = question.codes.find((one) => String(one.key).toLowerCase() === key);
      const flag = question.flags.find((one) => String(one.key).toLowerCase() === key);
      if (code) return () => classify(code.id, true);
      if (flag) return () => toggle(flag.id, true);
      return { x: () => takeAway(true), y: () => confirm(true), Backspace: () => takeBack(true), Delete: () => takeBack(true) }[key] ?? null;
    },
    /** What only the page knows to be unfinished: a span marked here that has no class yet. */
    unfinished: () => (here.marked.length ? (pick(keyOf(here.marked[0]), true), strings.span_unfinished) : ""),
  };
}
