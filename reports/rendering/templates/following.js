/* Sections that follow the choice: each gives its place to the one of the chosen table. */

import { make } from "./elements.js";
import { unpackedText } from "./packed.js";
import { fitTables, helpTables } from "./tables.js";
import { helpFigures } from "./tips.js";

/**
 * What the page shows without a choice, by the section that it was taken from.
 * @type {Map<Element, DocumentFragment>}
 */
const usual = new Map();

let asked = 0;

/** All of a section below its heading, taken out of it. @param {Element} section */
function takeBody(section) {
  const below = document.createRange();
  below.selectNodeContents(section);
  below.setStartAfter(/** @type {Element} */ (section.firstElementChild));
  return below.extractContents();
}

/** Let every section show what it shows without a choice. */
function showUsual() {
  for (const [section, body] of usual) {
    takeBody(section);
    section.append(body);
  }
  usual.clear();
}

/**
 * Show the sections of a table in place of the usual ones; "" for the usual ones.
 * @param {string} packed the sections' contents by key, as JSON
 * @returns {Promise<boolean>} whether this is still what was asked for last
 */
export async function showSections(packed) {
  asked += 1;
  const mine = asked;
  /** @type {Record<string, string>} */
  const contents = packed ? JSON.parse(await unpackedText(packed)) : {};
  if (mine !== asked) return false;
  showUsual();
  for (const [key, content] of Object.entries(contents)) {
    const section = document.getElementById(key);
    if (!section) continue;
    const body = /** @type {HTMLTemplateElement} */ (make("template"));
    body.innerHTML = content;
    usual.set(section, takeBody(section));
    section.append(body.content);
    helpTables(section);
    helpFigures(section);
  }
  fitTables();
  return true;
}
