// The list of cards with filter and search, built when it opens. A walk of thousands leaves its list
// out of the page; it is then asked for here.

const LISTED = 2000;
const FOUND = 200;

function openCards(desk) {
  const { strings } = desk.view;
  const search = h("input", { type: "search", class: "rk-field", dir: "auto", "aria-label": strings.search_cards, placeholder: strings.search_cards });
  const filters = h("div", { class: "rk-filters", role: "group", "aria-label": strings.filter });
  const list = h("ul", { class: "rk-card-list" });
  const nothing = h("p", { class: "rk-soft", role: "status" });
  let cards = [];
  let words = [];
  let asked = null;

  const link = (card) => h("li", {}, h("button",
    { type: "button", class: "rk-card-link", "data-acts": "go", "data-card": card.card_id, "aria-current": card.current ? "true" : null,
      onclick: () => { desk.go(card.card_id); desk.dialog?.shut(); } },
    h("span", { class: `rk-dot rk-dot-${card.status}`, "aria-hidden": "true" }), h("bdi", { dir: "ltr" }, card.card_id), h("span", { class: "rk-soft" }, card.status_label)));

  function drawFilters() {
    filters.replaceChildren(...desk.view.filters.map((filter) => h("button",
      { type: "button", class: "rk-filter", "aria-pressed": String(filter.code === desk.view.filter), "data-acts": "go", onclick: () => desk.ask("filter", { to: filter.code }) },
      filter.label, h("span", { class: "rk-count" }, String(filter.count)))));
  }

  /** Up to so many rows at a time: with all of them there, searching only hides. */
  function narrow() {
    const wanted = search.value.trim().toLowerCase();
    if (cards.length <= LISTED) {
      if (list.children.length !== cards.length) list.replaceChildren(...cards.map(link));
      let shown = 0;
      for (const [at, item] of [...list.children].entries()) {
        item.hidden = Boolean(wanted) && !words[at].includes(wanted);
        shown += item.hidden ? 0 : 1;
      }
      return say(shown, 0);
    }
    const here = Math.max(0, cards.findIndex((card) => card.current) - FOUND / 2);
    const found = wanted ? cards.filter((_card, at) => words[at].includes(wanted)) : cards.slice(here);
    list.replaceChildren(...found.slice(0, FOUND).map(link));
    return say(found.length, (wanted ? found.length : cards.length) - Math.min(found.length, FOUND));
  }

  function say(shown, more) {
    setText(nothing, desk.cardsAsked ? strings.loading_cards : !shown ? strings.no_cards : more > 0 ? fill(strings.more_cards, { n: more }) : "");
    nothing.hidden = !nothing.textContent;
  }

  function fillList(given) {
    cards = given;
    words = cards.map((card) => `${card.card_id} ${card.status_label}`.toLowerCase());
    list.replaceChildren();
    narrow();
    desk.refreshControls();
  }

  function draw(given = null) {
    drawFilters();
    const { view } = desk;
    const some = given ?? view.cards;
    if (!given && !some.length && view.progress.total && asked !== view) {
      asked = view;
      desk.cardsAsked = desk.ask("cards");
    }
    fillList(some);
  }

  search.addEventListener("input", () => { narrow(); desk.refreshControls(); });
  const dialog = openDialog(desk, { title: strings.cards, kind: "rk-cards", focus: search, body: [filters, search, list, nothing], onclose: () => { desk.redrawCards = null; desk.cardsAsked = 0; } });
  dialog.addEventListener("keydown", (event) => {
    const shown = [...list.children].filter((item) => !item.hidden).map((item) => item.firstChild);
    const at = shown.indexOf(document.activeElement);
    if (event.key === "Enter" && event.target === search && shown.length) shown[0].click();
    else if (event.key === "ArrowDown") shown[Math.min(at + 1, shown.length - 1)]?.focus();
    else if (event.key === "ArrowUp") (at > 0 ? shown[at - 1] : search).focus();
    else return;
    event.preventDefault();
  });
  desk.redrawCards = (given) => {
    draw(given);
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  };
  desk.redrawCards();
}
