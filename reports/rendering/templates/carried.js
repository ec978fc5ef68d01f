/* Files that the page carries inside: tables to save, games to watch. */

import { unpackedBytes } from "./packed.js";

/** Kinds of files by the ends of their names. */
const TYPES = { csv: "text/csv", html: "text/html" };

/**
 * The address of a file that the page carries; null for one that it does not.
 * @param {Element} carried what holds the files, packed, by name
 * @param {string} name
 */
async function addressOf(carried, name) {
  /** @type {Record<string, string>} */
  const files = JSON.parse(carried.textContent ?? "{}");
  const end = /** @type {keyof typeof TYPES} */ (name.split(".").pop());
  const text = files[name];
  if (text === undefined) return null;
  return URL.createObjectURL(new Blob([await unpackedBytes(text)], { type: TYPES[end] }));
}

/** @param {Element} carried @param {HTMLAnchorElement} link */
async function save(carried, link) {
  const name = decodeURIComponent(link.href.split("/").pop() ?? "");
  const saved = document.createElement("a");
  saved.href = (await addressOf(carried, name)) ?? link.href;
  saved.download = name;
  saved.click();
}

/** @param {Element} carried @param {string} name */
async function watch(carried, name) {
  const tab = window.open("about:blank"); // At once: later a browser takes it for a pop-up.
  const address = await addressOf(carried, name);
  if (tab && address) tab.location.href = address;
}

/** Let links to carried tables save them, and buttons open carried games. */
export function offerFiles() {
  const carried = document.getElementById("carried");
  if (!carried) return;
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll(".watch")
  )) {
    place.hidden = false;
  }
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const button = /** @type {HTMLElement | null} */ (target.closest(".watch button"));
    if (button?.dataset.game) watch(carried, button.dataset.game);
    const link = /** @type {HTMLAnchorElement | null} */ (target.closest("a[data-carried]"));
    if (!link) return;
    event.preventDefault();
    save(carried, link);
  });
}
