"use strict";
const $ = (id) => document.getElementById(id);
const root = document.documentElement;

// The table of contents: always open on a wide page, collapsible on a narrow one.
const wide = matchMedia("(min-width: 40.01rem)"), menu = $("menu");
const fit = () => { menu.open = wide.matches; };
wide.addEventListener("change", fit);
menu.addEventListener("click", (event) => { if (event.target.matches("a")) fit(); });
fit();

// Theme: the system setting until the button is pressed.
const dark = matchMedia("(prefers-color-scheme: dark)");
function setTheme(theme) {
  if (theme) root.dataset.theme = theme;
  const now = root.dataset.theme || (dark.matches ? "dark" : "light");
  $("theme").textContent = now === "dark" ? "Light colours" : "Dark colours";
  return now;
}
$("theme").addEventListener("click", () => setTheme(setTheme() === "dark" ? "light" : "dark"));
dark.addEventListener("change", () => setTheme());
setTheme();

// All claims: filter by words, outcome and section. A family is shown if one of its claims is.
const claims = [...document.querySelectorAll("details.claim")].map((node) => ({
  node, outcome: node.dataset.outcome, extent: node.dataset.extent, expected: node.dataset.expected === "yes",
  section: node.dataset.section, text: node.textContent.toLowerCase(),
}));
const filter = { q: $("q"), outcome: $("outcome"), section: $("section") };
function apply() {
  const words = filter.q.value.toLowerCase().split(/\s+/).filter(Boolean);
  const { outcome, section } = { outcome: filter.outcome.value, section: filter.section.value };
  let shown = 0;
  for (const claim of claims) {
    const fits = words.every((word) => claim.text.includes(word))
      && (!outcome || (outcome === "UNEXPECTED" ? !claim.expected : [claim.outcome, claim.extent].includes(outcome)))
      && (!section || claim.section === section || claim.section.startsWith(section + "."));
    claim.node.hidden = !fits;
    shown += fits;
  }
  const narrowed = words.length > 0 || outcome !== "";
  for (const family of document.querySelectorAll("details.family")) {
    const some = family.querySelectorAll("details.claim:not([hidden])").length;
    family.hidden = !some;
    if (narrowed && some) family.open = true;
    if (!narrowed) family.open = false;
  }
  for (const part of document.querySelectorAll("#ledger section"))
    part.hidden = !part.querySelector("details.claim:not([hidden])");
  $("shown").textContent = `${shown} of ${claims.length} claims shown`;
}
function remember() {
  const state = new URLSearchParams();
  for (const [key, field] of Object.entries(filter)) if (field.value) state.set(key, field.value);
  try { history.replaceState(null, "", state.size ? "#" + state : "#ledger"); } catch { /* not allowed in some viewers */ }
}
for (const field of Object.values(filter))
  field.addEventListener("input", () => { apply(); remember(); });
$("clear").addEventListener("click", () => { clear(); remember(); filter.q.focus(); });
function clear() {
  for (const field of Object.values(filter)) field.value = "";
  apply();
}

// #claim-id opens a claim; #q=words&outcome=FAILS&section=6.1&open=claim-id&theme=dark restores a state.
function open(id) {
  const node = document.getElementById(id);
  if (!node || !node.closest("#ledger")) return;
  if (node.closest("[hidden]")) clear();
  for (let up = node; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  node.scrollIntoView();
}
function follow() {
  const hash = location.hash.slice(1);
  if (!hash.includes("=")) return open(decodeURIComponent(hash));
  const state = new URLSearchParams(hash);
  for (const [key, field] of Object.entries(filter)) field.value = state.get(key) || "";
  apply();
  if (state.get("theme")) setTheme(state.get("theme"));
  if (state.get("open")) open(state.get("open"));
  else if (filter.q.value || filter.outcome.value || filter.section.value) $("ledger").scrollIntoView();
  if (state.get("cell")) document.getElementById(state.get("cell"))?.focus();
}
addEventListener("hashchange", follow);

// Certified values are shown on hover, tap and focus; the arrow keys move through a table.
const tip = $("tip");
function show(cell) {
  tip.textContent = cell.querySelector(".hidden").textContent;
  tip.hidden = false;
  const at = cell.getBoundingClientRect(), size = tip.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left), innerWidth - size.width - 8);
  const below = at.bottom + 6 + size.height < innerHeight;
  tip.style.left = left + "px";
  tip.style.top = (below ? at.bottom + 6 : at.top - size.height - 6) + "px";
}
const hide = () => { tip.hidden = true; };
for (const table of document.querySelectorAll("table.cells")) {
  const rows = [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll("td.cell")]);
  rows.flat().forEach((cell, k) => { cell.tabIndex = k ? -1 : 0; });
  table.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (event.key === "Escape") return hide();
    const step = steps[event.key], cell = event.target.closest("td.cell");
    if (!step || !cell) return;
    event.preventDefault();
    const r = rows.findIndex((row) => row.includes(cell)), c = rows[r].indexOf(cell);
    const next = rows[r + step[0]]?.[c + step[1]];
    if (next) { cell.tabIndex = -1; next.tabIndex = 0; next.focus(); }
  });
  for (const cell of rows.flat()) {
    cell.addEventListener("mouseenter", () => show(cell));
    cell.addEventListener("mouseleave", hide);
    cell.addEventListener("focus", () => show(cell));
    cell.addEventListener("blur", hide);
    cell.addEventListener("click", () => { cell.focus(); show(cell); });
  }
}
addEventListener("scroll", () => {
  const cell = document.activeElement;
  if (cell.matches("td.cell") && !tip.hidden) show(cell); else hide();
}, { passive: true, capture: true });
$("values")?.addEventListener("change", (event) => $("tables").classList.toggle("all-values", event.target.checked));

// An enlarged figure: its drawing is moved into the dialog, and back when the dialog closes.
const large = $("large"), frame = large.querySelector(".drawing");
let home = null, zoom = 1;
function magnify(factor) {
  zoom = Math.min(8, Math.max(1, zoom * factor));
  frame.style.setProperty("--zoom", zoom);
}
function enlarge(figure) {
  home = figure.querySelector(".drawing");
  $("large-title").textContent = figure.querySelector("figcaption strong").textContent;
  frame.append(home.firstElementChild);
  zoom = 1;
  magnify(1);
  large.showModal();
  frame.focus();  // so that the arrow keys scroll the drawing
}
large.addEventListener("close", () => home.append(frame.firstElementChild));
large.addEventListener("keydown", (event) => {
  if (event.key === "+" || event.key === "-") magnify(event.key === "+" ? 1.5 : 1 / 1.5);
});
$("larger").addEventListener("click", () => magnify(1.5));
$("smaller").addEventListener("click", () => magnify(1 / 1.5));
for (const figure of document.querySelectorAll("figure")) {
  figure.querySelector(".enlarge").addEventListener("click", () => enlarge(figure));
  figure.querySelector(".drawing").addEventListener("click", () => enlarge(figure));
}

// In print, the claims selected by the filter are open.
let closed = [];
addEventListener("beforeprint", () => {
  const some = claims.some((claim) => claim.node.hidden) || claims.length <= 60;
  closed = some ? [...document.querySelectorAll("details:not([open])")] : [];
  closed.forEach((node) => { node.open = true; });
});
addEventListener("afterprint", () => closed.forEach((node) => { node.open = false; }));

apply();
follow();
