// The kind of defect behind a failed check: the check suggests one, whoever judges may name another.
// A list is built when its check first fails: a card without a failure pays nothing for it.

/** The row under a check. `named` gives the family that holds; the families are Python's. */
function drawDefect(question, strings, { families, named, onchoose, onleave }) {
  const node = h("div", { class: "rk-defect", hidden: true });
  let select = null;
  let fix = null;
  const family = () => families().find((one) => one.id === named());
  const build = () => {
    const field = elementId("defect");
    const options = families().map(({ id, title }) => h("option", { value: id, dir: "auto" }, title));
    select = h("select", { id: field, class: "rk-field rk-defect-list", "data-acts": "write", "aria-keyshortcuts": "d",
      "aria-label": fill(strings.defect_of, { check: question.text }), onchange: () => onchoose(question.id, select.value) },
      // Only a check that suggests nothing may be left without a family.
      question.suggests ? null : h("option", { value: "" }, strings.defect_none), options);
    select.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      onleave(question.id);
    });
    fix = h("span", { class: "rk-defect-fix", dir: "auto" });
    node.append(h("label", { class: "rk-defect-label", for: field }, strings.defect), keyCap("d"), select, fix);
  };
  return {
    node,
    show(failed) {
      node.hidden = !failed;
      if (!failed) return;
      if (!select) build();
      if (select.value !== named()) select.value = named();
      select.title = family()?.explanation ?? "";
      setText(fix, family()?.fix ?? "");
    },
    focus: () => select?.focus(),
  };
}

const Naming = {
  /** What a failed check is given: chosen here, recorded earlier, else suggested. */
  familyOf(question) {
    return this.defects[question.id] ?? question.suggests ?? "";
  },

  /** The handlers of a check's list, or nothing where no family is asked for. */
  naming(question) {
    if (this.view.card.kind === "codes" || !this.view.families.length) return null;
    return {
      families: () => this.view.families,
      named: () => this.familyOf(question),
      onchoose: (check, family) => this.nameDefect(check, family),
      onleave: (check) => {
        this.activate(this.nextOpen(check) ?? check, true);
        this.restFocus();
      },
    };
  },

  nameDefect(check, family) {
    const part = this.form.parts.get(check);
    if (this.canWrite) {
      if (family) this.defects[check] = family;
      else delete this.defects[check];
      this.changed();
    }
    part.defect.show(this.answers[check] === "no");
  },

  /** The families that were chosen, of the checks that fail now. */
  chosenDefects() {
    return Object.fromEntries(Object.entries(this.defects).filter(([check]) => this.answers[check] === "no"));
  },

  /** To the list of the active check, else of the failed one just before it: `n`, then `d`. */
  toDefect() {
    const failed = this.view.card.questions.map(({ id }) => id).filter((id) => this.answers[id] === "no" && this.form.parts.get(id).defect);
    const order = this.view.card.questions.map(({ id }) => id);
    const check = failed.findLast((id) => order.indexOf(id) <= order.indexOf(this.active)) ?? failed.at(-1);
    if (!check) return;
    this.activate(check, true);
    const part = this.form.parts.get(check);
    part.defect.focus();
    part.row.scrollIntoView({ block: "nearest" });
  },
};
