"use strict";
const search = document.getElementById("search"), count = document.getElementById("count");
const rows = [...document.querySelectorAll("details.claim")].map(row => ({row, text: row.querySelector("summary").textContent.toLowerCase()}));
const chips = [...document.querySelectorAll("input[name=verdict]")];
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean), wanted = chips.filter(c => c.checked).map(c => c.value);
  let shown = 0;
  for (const {row, text} of rows) {
    const verdict = !wanted.length || wanted.includes(row.dataset.verdict) || wanted.includes("changed") && "changed" in row.dataset;
    row.hidden = !(verdict && words.every(w => text.includes(w)));
    shown += !row.hidden;
  }
  for (const design of document.querySelectorAll(".design")) design.hidden = !design.querySelector("details.claim:not([hidden])");
  count.textContent = shown === rows.length ? `${shown} claims` : `${shown} of ${rows.length} claims`;
}
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.matches("details.claim")) return;
  if (target.hidden) { search.value = ""; chips.forEach(c => c.checked = false); filter(); }
  target.open = true;
  target.scrollIntoView();
}
if (search) { // a page of experiments alone has nothing to filter
  search.addEventListener("input", filter);
  chips.forEach(c => c.addEventListener("change", filter));
  document.querySelector("form.filter").addEventListener("submit", e => e.preventDefault());
  addEventListener("hashchange", follow);
  filter();
  follow();
}
