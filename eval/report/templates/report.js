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

// The search field leads to a design's card or to a table: the first whose name has the text.
const search = document.getElementById("search");
const slug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, "-");
search.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = search.querySelector("input").value.trim().toLowerCase();
  const names = [...document.querySelectorAll("#found option")].map((one) => one.value);
  const name = names.find((one) => one.toLowerCase() === text)
    || names.find((one) => text && one.toLowerCase().includes(text));
  search.querySelector("input").setCustomValidity(name ? "" : "nothing has that name");
  search.reportValidity();
  const card = name && [...document.querySelectorAll("details.card")]
    .find((one) => one.dataset.name === name);
  if (name) location.hash = card ? card.id : slug(name);
  if (name) open();
});
search.addEventListener("input", (event) => {
  search.querySelector("input").setCustomValidity("");
  const names = [...document.querySelectorAll("#found option")].map((one) => one.value);
  if (names.includes(event.target.value)) search.requestSubmit();
});

// What is chosen stands in the address, so that a view can be shared, and one that is served is the
// same when it is loaded again.
const controls = document.getElementById("controls");
const firsts = controls && JSON.stringify([...new FormData(controls)]);

function restore() {
  const asked = new URLSearchParams(location.search);
  for (const control of controls.elements) {
    const values = asked.getAll(control.name);
    if (!control.name || !values.length) continue;
    if (control.type === "checkbox") control.checked = values.includes(control.value);
    else if (control.type === "radio") control.checked ||= values[0] === control.value;
    else if (control.options && [...control.options].some((one) => one.value === values[0]))
      control.value = values[0];
  }
}

function keep() {
  const now = [...new FormData(controls)];
  if (!now.some(([name]) => name === "families")) now.push(["families", ""]);
  const same = JSON.stringify(now) === firsts;
  const address = new URL(location.href);
  address.search = same ? "" : new URLSearchParams(now);
  history.replaceState(null, "", address.href);
}

// A page that is served looks for new rows.
const live = document.getElementById("live");
if (live) {
  const seconds = 2;
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

// The controls set the signals of the picture.
if (controls && window.vegaEmbed) {
  const spec = JSON.parse(document.getElementById("space-spec").textContent);
  const rows = spec.data.find((one) => one.values).values;
  const view = document.getElementById("space-view");
  const empty = document.getElementById("space-empty");
  const count = document.getElementById("space-count");
  const titles = {};
  for (const option of controls.elements.across.options) titles[option.value] = option.text;

  const chosen = () => {
    const found = new FormData(controls);
    return {
      across: found.get("across"),
      up: found.get("up"),
      tech: found.get("tech"),
      bits: Number(found.get("bits")),
      workload: found.get("workload"),
      families: found.getAll("families"),
      moduli: found.get("moduli"),
      constant: found.get("constant"),
    };
  };

  // Why there is no point of ours, if there is none: what was not measured, or what is left out.
  const reason = (values) => {
    const ours = rows.filter((row) => !["printed", "estimate"].includes(row.family) && row.bits === values.bits
      && row.workload === values.workload && (!row.tech || row.tech === values.tech));
    if (ours.some((row) => values.across in row && values.up in row
      && values.families.includes(row.family)
      && ["all", row.moduli].includes(values.moduli)
      && ["all", row.constant].includes(values.constant))) return "";
    const operation = controls.elements.workload.selectedOptions[0].text;
    if (!ours.length) return `${operation} at ${values.bits} bits: not measured here.`;
    for (const axis of [values.across, values.up]) {
      if (!ours.some((row) => axis in row)) {
        const how = axis === "energy" || axis === "energy-time" ? " --energy" : "";
        return `${titles[axis]} at ${values.bits} bits: not measured here; modexplorer clocks `
          + `${ours[0].design} --nbits ${values.bits}${how} measures it of one design.`;
      }
    }
    return "No design has all that is chosen.";
  };

  // Points are reached by keyboard: one by Tab, the others from it by arrows; Enter leads to a card.
  const reach = (shown) => {
    const points = [...view.querySelectorAll("path[aria-roledescription=point]")];
    const at = (point) => point.getBoundingClientRect();
    points.sort((one, other) => at(one).x - at(other).x || at(one).y - at(other).y);
    const tell = (point, row) => {
      const place = at(point);
      const where = { clientX: place.right, clientY: place.bottom };
      shown.view.tooltip()(shown.view, where, point.__data__, row);
    };
    points.forEach((point, i) => {
      point.tabIndex = i ? -1 : 0;
      point.addEventListener("focus", () => tell(point, point.__data__.tooltip));
      point.addEventListener("blur", () => tell(point, null));
      point.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (step) {
          const next = points[(i + step + points.length) % points.length];
          point.tabIndex = -1;
          next.tabIndex = 0;
          next.focus();
          event.preventDefault();
        } else if (event.key === "Enter" && point.__data__.href) {
          location.hash = point.__data__.href;
          open();
        }
      });
    });
    return points.length;
  };

  const draw = () => {
    const values = chosen();
    keep();
    for (const told of document.querySelectorAll("#headlines p"))
      told.hidden = Number(told.dataset.bits) !== values.bits || told.dataset.tech !== values.tech;
    spec.signals = spec.signals.filter((signal) => signal.name !== "width");
    for (const signal of spec.signals)
      if (signal.name in values) signal.value = values[signal.name];
    spec.width = view.parentElement.clientWidth;
    const top = view.parentElement.getBoundingClientRect().top + scrollY;
    spec.height = innerWidth < 600 ? 300 : Math.max(320, Math.min(600, innerHeight - top - 70));
    empty.textContent = reason(values);
    empty.hidden = !empty.textContent;
    view.hidden = !empty.hidden;
    if (view.hidden) {
      view.replaceChildren();
      count.textContent = "0 points";
      return;
    }
    vegaEmbed(view, spec, {
      mode: "vega",
      renderer: "svg",
      actions: false,
      loader: { target: "_self" },
      logLevel: 1, // errors: an empty picture is no reason to warn
    }).then((shown) => {
      const points = reach(shown);
      count.textContent = points + (points === 1 ? " point" : " points");
    });
  };
  restore();
  controls.addEventListener("change", draw);
  controls.addEventListener("submit", (event) => event.preventDefault());
  let width = innerWidth;
  addEventListener("resize", () => {
    if (width !== innerWidth) draw();
    width = innerWidth;
  });
  controls.classList.remove("still");
  draw();
}
