"use strict";
(() => {
  const summary = JSON.parse(document.getElementById("summary").textContent);
  const one = (css, from = document) => from.querySelector(css);
  const all = (css, from = document) => [...from.querySelectorAll(css)];

  // Tables: a button in each head sorts, a box above filters.

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v === "" ? null : Number(cell.dataset.v);
  };

  const words = new Intl.Collator(undefined, { numeric: true });

  const compare = (a, b) =>
    a === null || b === null ? (a === null) - (b === null) : typeof a === "number" ? a - b : words.compare(a, b);

  function sort(table, column, direction) {
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [valueOf(row, column), row]);
    // What is not known comes last, whichever way.
    keyed.sort(([a], [b]) => (a === null || b === null ? compare(a, b) : direction * compare(a, b)));
    body.append(...keyed.map(([, row]) => row));
    all("thead th", table).forEach((head, i) => {
      if (i === column) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  }

  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const numbers = head.classList.contains("n");
        const now = head.getAttribute("aria-sort");
        const first = numbers ? -1 : 1;
        sort(table, column, now ? (now === "ascending" ? -1 : 1) : first);
      });
    });
  }

  for (const box of all("input[type=search]")) {
    const table = document.getElementById(box.dataset.table);
    const found = one(".found", box.parentElement);
    const rows = [...table.tBodies[0].rows];
    box.addEventListener("input", () => {
      const wanted = box.value.trim().toLowerCase().split(/\s+/);
      let n = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        const fits = wanted.every((word) => text.includes(word));
        row.hidden = !fits;
        n += fits;
      }
      found.textContent = box.value.trim() ? `${n} of ${rows.length}` : "";
    });
  }

  // The slider: another size of the path, and everything follows.

  const slider = one("#size");
  if (!slider) return;

  const steps = [...summary.path].sort((a, b) => a.size - b.size);
  const chosen = Number(slider.defaultValue);
  slider.value = chosen; // some browsers remember where it was
  const features = summary.features;
  const ranks = summary.search.direction === "ranking";
  const { after, powers } = one("#features").dataset;
  const sentences = JSON.parse(one("#path").dataset.words);
  const table = one("#feature-table");
  const rows = all("tbody tr", table).map((row) => ({
    row,
    place: Number(row.dataset.place),
    name: one("th .name", row),
    adds: one(".adds", row),
    without: one(".without", row),
    like: one(".like", row),
    r: one(".r", row),
  }));
  const shownAt = new Map(rows.map((row) => [row.place, row]));

  const written = (value) =>
    value === null ? "–" : powers === "yes" ? value.toExponential(after) : value.toFixed(after).replace(/^-(?=[0.]*$)/, "");
  const percent = (value) =>
    value > 0 && value < 0.0005 ? "<0.1 %" : `${(100 * value).toFixed(value >= 0.1 || value === 0 ? 0 : 1)} %`;
  const inside = (place, size) => features[place].from_size !== null && features[place].from_size <= size;

  function put(cell, value, text = written(value)) {
    cell.dataset.v = value === null ? "" : value;
    (one(".v", cell) || cell).textContent = text;
  }

  function addsOf(step) {
    const adds = new Map();
    let next = 0;
    features.forEach((feature, place) => {
      const here = inside(place, step.size);
      if (ranks) adds.set(place, feature.score);
      else adds.set(place, here && step.adds ? step.adds[next] : null);
      next += here;
    });
    return adds;
  }

  function show(index) {
    const step = steps[index];
    const adds = addsOf(step);
    const most = Math.max(...[...adds].map(([place, v]) => (inside(place, step.size) && v !== null ? v : 0)), 0);
    for (const { row, place, adds: cell, without, like, r } of rows) {
      const value = adds.get(place);
      const here = inside(place, step.size);
      row.classList.toggle("out", !here);
      put(cell, value);
      one("i", cell).style.width = `${here && most > 0 && value > 0 ? ((100 * value) / most).toFixed(1) : 0}%`;
      if (without) put(without, value === null || step.score === null ? null : step.score - value);
      if (like) {
        const nearest = (features[place].like || []).find((other) => inside(other.place, step.size));
        const twin = nearest && shownAt.get(nearest.place);
        like.replaceChildren(twin ? twin.name.cloneNode(true) : "–");
        put(r, nearest ? nearest.correlation : null, nearest ? nearest.correlation.toFixed(2) : "–");
      }
    }
    order(step, adds);
    tell(index, step);
  }

  function order(step, adds) {
    const head = one("thead th[aria-sort]", table);
    if (head) {
      sort(table, head.cellIndex, head.getAttribute("aria-sort") === "ascending" ? 1 : -1);
      return;
    }
    const key = ({ place }) => {
      const here = inside(place, step.size);
      const value = adds.get(place);
      return [here ? 0 : 1, here && value !== null ? -value : Infinity, features[place].from_size ?? Infinity, place];
    };
    const keyed = rows.map((row) => [key(row), row.row]);
    keyed.sort(([a], [b]) => {
      const i = a.findIndex((value, at) => value !== b[at]);
      return i < 0 ? 0 : a[i] - b[i];
    });
    table.tBodies[0].append(...keyed.map(([, row]) => row));
  }

  function tell(index, step) {
    const back = one("#back");
    back.hidden = index === chosen;
    one("#size-shown").textContent = step.size;
    one("#size-note").textContent = index === chosen ? "as chosen" : `${steps[chosen].size} were chosen`;
    slider.setAttribute("aria-valuetext", `${step.size} features`);
    one("#step").textContent = sentences[index];
    const size = one("#code-size");
    if (size) size.textContent = step.size;
    const kept = all("tbody tr:not(.out) th .name", table);
    const chips = kept.slice(0, 60).map((name) => {
      const chip = document.createElement("li");
      chip.append(name.cloneNode(true));
      return chip;
    });
    one("#chips").replaceChildren(...chips);
    one("#chips-more").textContent = step.size > chips.length ? `and ${step.size - chips.length} more` : "";
    for (const svg of all("figure svg")) {
      const x = svg.dataset.x.split(" ")[index];
      const dot = svg.dataset.dots.split(" ")[index].split(",");
      const line = one(".marker", svg);
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      const here = one(".here", svg);
      here.setAttribute("cx", dot[0]);
      here.setAttribute("cy", dot[1]);
    }
    if (step.noise_rates) {
      for (const row of all("#class-table tbody tr")) {
        const rate = step.noise_rates[Number(row.dataset.class)];
        const cell = one(".wrong", row);
        if (cell.dataset.v === "") continue; // labels of a class that is too small are trusted
        put(cell, rate, percent(rate));
        one("i", cell).style.width = `${(100 * rate).toFixed(1)}%`;
      }
    }
  }

  const move = (index) => {
    slider.value = index;
    show(index);
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  one("#back").addEventListener("click", () => move(chosen));
  for (const svg of all("figure svg")) {
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
      const far = svg.dataset.x.split(" ").map((x) => Math.abs(x - at));
      move(far.indexOf(Math.min(...far)));
    });
  }
})();
