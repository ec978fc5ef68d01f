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
 * Give an element attributes and children.
 * @template {Element} T
 * @param {T} element
 * @param {Record<string, string | number | boolean | null>} attributes
 * @param {(Node | string | number)[]} children
 * @returns {T}
 */
export function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}
