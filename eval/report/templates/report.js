"use strict";

// A click on a table's head sorts by its column: numbers by value, what is missing last.
function value(cell) {
  const text = cell.textContent.trim();
  const number = parseFloat(text.replace(/,/g, ""));
  return { text, number, missing: text === "-" || text === "" };
}

function sort(table, column, ascending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, ...value(row.cells[column]) }));
  const numeric = rows.every((one) => one.missing || !Number.isNaN(one.number));
  rows.sort((one, other) => {
    if (one.missing || other.missing) return one.missing - other.missing;
    const order = numeric ? one.number - other.number : one.text.localeCompare(other.text);
    return ascending ? order : -order;
  });
  body.append(...rows.map((one) => one.row));
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    if (i === column) head.ariaSort = ascending ? "ascending" : "descending";
    else head.removeAttribute("aria-sort");
  });
}

document.querySelectorAll("table.sorts").forEach((table) => {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (head.className.includes("how") || !head.textContent.trim()) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    button.title = "sort";
    button.addEventListener("click", () => sort(table, column, head.ariaSort !== "ascending"));
    head.append(button);
  });
});

// A link to a card opens it.
function open() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const card = target && target.closest("details.card");
  if (card) {
    card.open = true;
    card.scrollIntoView();
  }
}
addEventListener("hashchange", open);
document.addEventListener("click", (event) => {
  const link = event.target.closest && event.target.closest("a");
  const href = link && (link.getAttribute("href") || link.getAttribute("xlink:href"));
  if (href && href === location.hash) open();
});
open();

// A page that is served looks for new rows, and keeps what is chosen when it is loaded again.
const live = document.getElementById("live");
const controls = document.getElementById("controls");
if (live) {
  const seconds = 2;
  const kept = JSON.parse(sessionStorage.getItem("chosen") || "null");
  for (const control of (controls && kept && controls.elements) || []) {
    const values = kept.filter(([name]) => name === control.name).map(([, value]) => value);
    if (control.type === "checkbox") control.checked = values.includes(control.value);
    else if (values.length) control.value = values[0];
  }
  addEventListener("pagehide", () => {
    if (controls) sessionStorage.setItem("chosen", JSON.stringify([...new FormData(controls)]));
  });
  setInterval(async () => {
    try {
      const found = await (await fetch("rows")).json();
      live.textContent = `${found.rows} of ${found.of} rows`;
      if (found["on page"] !== Number(live.dataset.rows)) location.reload();
    } catch {
      live.textContent = "nobody answers any more";
    }
  }, 1000 * seconds);
}

// The controls set the parameters of the picture.
if (controls && window.vegaEmbed) {
  const spec = JSON.parse(document.getElementById("space-spec").textContent);
  const view = document.getElementById("space-view");
  const count = document.getElementById("space-count");
  const titles = {};
  for (const option of controls.elements.across.options) titles[option.value] = option.dataset.title;

  const chosen = () => {
    const found = new FormData(controls);
    return {
      across: found.get("across"),
      up: found.get("up"),
      bits: Number(found.get("bits")),
      workload: found.get("workload"),
      families: found.getAll("families"),
      moduli: found.get("moduli"),
      constant: found.get("constant"),
      clock: found.get("clock"),
    };
  };
  const draw = () => {
    const values = chosen();
    spec.width = "container";
    spec.params.forEach((parameter) => {
      if (parameter.name in values) parameter.value = values[parameter.name];
    });
    spec.layer.forEach((layer) => {
      layer.encoding.x.title = titles[values.across];
      layer.encoding.y.title = titles[values.up];
    });
    return vegaEmbed(view, spec, {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      loader: { target: "_self" },
      logLevel: 1, // errors: an empty picture is no reason to warn
    }).then(() => {
      const points = view.querySelectorAll("path[aria-roledescription=point]").length;
      count.textContent = points + (points === 1 ? " point" : " points");
    });
  };
  controls.hidden = false;
  controls.addEventListener("change", draw);
  controls.addEventListener("submit", (event) => event.preventDefault());
  draw();
}
