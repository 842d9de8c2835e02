// The ways between the lead's pages. Served they are addresses; JupyterLab opens the notebook itself.

/** An address as the browser takes it: JupyterLab's own begin at its base. */
function pageAddress(url) {
  if (!url.startsWith("lab/tree/")) return url;
  try {
    return JSON.parse(document.getElementById("jupyter-config-data").textContent).baseUrl + url;
  } catch {
    return null;
  }
}

function drawPageLinks(pages, label) {
  if (!pages?.length) return null;
  const link = ({ title, url, current }) => {
    const href = current ? null : pageAddress(url);
    if (!href) return h("span", { class: "rk-page-link", "aria-current": current ? "page" : null }, title);
    const inLab = url.startsWith("lab/tree/");
    return h("a", { class: "rk-page-link", href, target: inLab ? "_blank" : null, rel: inLab ? "noopener" : null,
      "data-commandlinker-command": inLab ? "docmanager:open" : null,
      "data-commandlinker-args": inLab ? JSON.stringify({ path: url.slice("lab/tree/".length) }) : null }, title);
  };
  return h("nav", { class: "rk-page-links", "aria-label": label }, pages.map(link));
}
