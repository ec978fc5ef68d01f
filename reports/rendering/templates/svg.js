/* Make SVG elements in one call. */

import { filled } from "./elements.js";

/**
 * Make an SVG element with attributes and children.
 * @param {string} name @param {Record<string, string | number | boolean | null>} [attributes]
 * @param {...(Node | string | number)} children
 */
export function draw(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
