/* The report's page comes alive: tables sort and filter, marks tell, links open collapsed parts.
   Without it the page holds the same, only still. */

import { offerFiles } from "./carried.js";
import { offerChoices } from "./my_table.js";
import { fitTables, helpTables, keepTablesFit } from "./tables.js";
import { helpFigures, offerTips } from "./tips.js";

/** Opens every collapsed part around the element that the address names. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  for (let part = target; part; part = part.parentElement) {
    if (part instanceof HTMLDetailsElement) part.open = true;
  }
  target?.scrollIntoView();
}

/** On paper nothing is collapsed. */
function openOnPaper() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details")].filter((part) => !part.open);
    for (const part of opened) part.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const part of opened) part.open = false;
  });
}

helpTables(document);
helpFigures(document);
offerTips();
offerChoices();
offerFiles();
fitTables();
keepTablesFit();
openOnPaper();
window.addEventListener("hashchange", openTarget);
openTarget();
