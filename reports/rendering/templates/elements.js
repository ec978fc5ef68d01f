/* Make elements in one call. Texts are inserted as text, never as HTML. */

/** The element with an id. @param {string} id */
export const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Make an HTML element with attributes and children. Attributes that are false or null are left out.
 * @param {string} name @param {Record<string, string | number | boolean | null>} [attributes]
 * @param {...(Node | string | number)} children
 */
export function make(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * Make an SVG element with attributes and children.
 * @param {string} name @param {Record<string, string | number | boolean | null>} [attributes]
 * @param {...(Node | string | number)} children
 */
export function draw(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/**
 * Make a button.
 * @param {(Node | string)[]} label @param {() => unknown} act called at a click
 * @param {Record<string, string | number | boolean | null>} [attributes]
 */
export function makeButton(label, act, attributes = {}) {
  const button = make("button", { type: "button", ...attributes }, ...label);
  button.addEventListener("click", act);
  return button;
}

/**
 * Focus the first element of a place that a selector finds, if there is one.
 * @param {ParentNode} place @param {string} selector @param {FocusOptions} [options]
 */
export const focusOn = (place, selector, options) =>
  /** @type {HTMLElement | null} */ (place.querySelector(selector))?.focus(options);

/**
 * Make a table; the first cell of every row is its heading.
 * @param {string} caption "" for none @param {(Node | string)[]} heads
 * @param {(Node | string | number)[][]} rows
 */
export function makeTable(caption, heads, rows) {
  const top = heads.map((head) => make(head ? "th" : "td", head ? { scope: "col" } : {}, head));
  const lines = rows.map(([label = "", ...cells]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, label),
      ...cells.map((cell) => make("td", {}, cell)),
    ),
  );
  return make(
    "table",
    {},
    ...(caption ? [make("caption", {}, caption)] : []),
    make("thead", {}, make("tr", {}, ...top)),
    make("tbody", {}, ...lines),
  );
}

/**
 * Give an element attributes and children.
 * @template {Element} T
 * @param {T} element
 * @param {Record<string, string | number | boolean | null>} attributes
 * @param {(Node | string | number)[]} children
 * @returns {T}
 */
function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}
