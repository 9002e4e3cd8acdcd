"use strict";

// A layout in layers takes the place of its picture: cells in the colour of their module or of their
// power, how dense wires are, straps of supply, the slowest path. Larger on + or a wheel, moved by
// dragging or arrows.
const LARGEST = 64; // times the whole
const PATH = "#ffe600";
const STRAPS = { VDD: "#d0103a", VSS: "#1565c0" };
const SCALE = ["#fff7bc", "#fee391", "#fec44f", "#fe9929", "#ec7014", "#cc4c02", "#8c2d04"];

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Int32Array(await new Response(stream).arrayBuffer());
}

// The step of SCALE of each value, as many values on each: a few that are large hide no others.
function steps(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const first = new Map();
  sorted.forEach((value, i) => first.has(value) || first.set(value, i));
  return [...values].map((value) => Math.floor((first.get(value) * SCALE.length) / sorted.length));
}

const uw = (nw) => `${(nw / 1000).toPrecision(3)} uW`;

async function show(figure) {
  const layers = JSON.parse(figure.querySelector("script").textContent);
  const packed = await unpack(layers.cells);
  const nw = layers.nw && (await unpack(layers.nw));
  const power = nw && steps(nw);
  const [wide, high] = layers.core_um;
  const [site, row] = layers.site_um;
  const cells = Array.from({ length: packed.length / 4 }, (_, i) => {
    const [up, from, sites, part] = packed.subarray(4 * i, 4 * i + 4);
    return { x: from * site, y: up * row, w: sites * site, part: layers.parts[part] };
  });
  const densest = Math.max(...layers.wires.flat());
  const controls = figure.querySelector("form");
  const canvas = figure.querySelector("canvas");
  const under = figure.querySelector("output");
  let scale = 1;
  let [left, bottom] = [0, 0]; // um at the lower left corner

  const wiry = (density) => `rgb(20 20 120 / ${(0.85 * density) / densest})`;
  const pixels = () => (canvas.clientWidth / wide) * scale; // of a um
  const within = () => {
    left = Math.min(Math.max(left, 0), wide - wide / scale);
    bottom = Math.min(Math.max(bottom, 0), high - high / scale);
  };

  function draw() {
    const sharp = devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * sharp;
    canvas.height = (canvas.clientWidth * sharp * high) / wide;
    const pen = canvas.getContext("2d");
    const um = pixels() * sharp;
    pen.setTransform(um, 0, 0, -um, -left * um, canvas.height + bottom * um);
    pen.fillStyle = "#fff";
    pen.fillRect(left, bottom, wide / scale, high / scale);
    const chosen = new FormData(controls);
    const byPower = chosen.get("cells") === "power";
    const edges = site * um > 2; // a site is wide enough to tell cells apart
    pen.lineWidth = 1 / um;
    pen.strokeStyle = "#0006";
    cells.forEach(({ x, y, w, part }, i) => {
      pen.fillStyle = byPower ? SCALE[power[i]] : part[1];
      pen.fillRect(x, y, w, row);
      if (edges) pen.strokeRect(x, y, w, row);
    });
    if (chosen.has("wires")) drawWires(pen);
    if (chosen.has("straps")) drawStraps(pen);
    if (chosen.has("path")) drawPath(pen, um / sharp);
    figure.dataset.drawn = [...chosen].map((one) => one.join("=")).concat(`scale=${scale}`).join(" ");
  }

  // What the colours mean.
  function explain() {
    const chosen = new FormData(controls);
    const of = [];
    if (chosen.get("cells") === "power") {
      const most = [];
      power.forEach((step, i) => { most[step] = Math.max(most[step] ?? 0, nw[i]); });
      most.forEach((one, step) => of.push([SCALE[step], `to ${uw(one)}`]));
    } else {
      layers.parts.forEach(([name, colour]) => {
        if (!of.some((one) => one[1] === name)) of.push([colour, name]);
      });
    }
    if (chosen.has("wires")) of.push([wiry(densest), `wires, ${densest} um in a um2`]);
    if (chosen.has("straps")) {
      Object.entries(STRAPS).forEach(([supply, colour]) => of.push([colour, `strap of ${supply}`]));
    }
    if (chosen.has("path")) of.push([PATH, "slowest path"]);
    figure.querySelector("ul").replaceChildren(...of.map(([colour, text]) => {
      const [line, swatch] = ["li", "span"].map((name) => document.createElement(name));
      swatch.style.background = colour;
      line.append(swatch, text);
      return line;
    }));
  }

  function drawWires(pen) {
    const side = layers.bin_um;
    layers.wires.forEach((line, up) => line.forEach((density, across) => {
      pen.fillStyle = wiry(density);
      pen.fillRect(across * side, up * side, side, side);
    }));
  }

  function drawStraps(pen) {
    layers.straps.forEach(([supply, x, width]) => {
      pen.fillStyle = `${STRAPS[supply]}b0`;
      pen.fillRect(x, 0, width, high);
    });
  }

  function drawPath(pen, um) {
    for (const [width, colour] of [[5, "#000"], [3, PATH]]) {
      pen.lineWidth = width / um;
      pen.strokeStyle = colour;
      pen.beginPath();
      layers.path_um.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      pen.stroke();
    }
  }

  // What is at a point, in words.
  function name(x, y) {
    const line = layers.wires[Math.min(layers.wires.length - 1, Math.floor(y / layers.bin_um))];
    const density = line?.[Math.min(line.length - 1, Math.floor(x / layers.bin_um))] ?? 0;
    return `${cell(x, y)}; ${density.toFixed(1)} um of wire in a um2`;
  }

  function cell(x, y) {
    const i = cells.findIndex((one) => y >= one.y && y < one.y + row && x >= one.x && x < one.x + one.w);
    if (i < 0) return "no cell";
    return cells[i].part[0] + (nw ? `, ${uw(nw[i])}` : "");
  }

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    const um = pixels();
    return [left + (event.clientX - box.left) / um, bottom + (box.bottom - event.clientY) / um];
  };

  function zoom(by, [x, y] = [left + wide / scale / 2, bottom + high / scale / 2]) {
    const before = scale;
    scale = Math.min(LARGEST, Math.max(1, scale * by));
    left = x - ((x - left) * before) / scale;
    bottom = y - ((y - bottom) * before) / scale;
    within();
    draw();
  }

  function move(across, up) {
    left += across;
    bottom += up;
    within();
    draw();
  }

  const step = 0.25;
  const keys = {
    "+": () => zoom(2),
    "-": () => zoom(0.5),
    0: () => zoom(1 / LARGEST),
    ArrowLeft: () => move((-step * wide) / scale, 0),
    ArrowRight: () => move((step * wide) / scale, 0),
    ArrowUp: () => move(0, (step * high) / scale),
    ArrowDown: () => move(0, (-step * high) / scale),
  };
  canvas.addEventListener("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  controls.addEventListener("change", () => {
    explain();
    draw();
  });
  controls.addEventListener("click", (event) => keys[event.target.value]?.());
  controls.addEventListener("submit", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas) return; // the page goes on
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.25 : 0.8, place(event));
  }, { passive: false });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    under.textContent = `${x.toFixed(1)}, ${y.toFixed(1)} um: ${name(x, y)}`;
    if (event.buttons) move(-event.movementX / pixels(), event.movementY / pixels());
  });
  figure.querySelector("img").closest("a").hidden = true;
  figure.querySelector(".layers").hidden = false;
  explain();
  new ResizeObserver(draw).observe(canvas.parentElement); // it begins with a call
}

if (window.DecompressionStream) {
  const seen = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (!entry.isIntersecting) return;
    seen.unobserve(entry.target);
    show(entry.target);
  }));
  document.querySelectorAll("figure.layered").forEach((one) => seen.observe(one));
}
