/* Lets the marks of figures tell what they stand for, under a pointer and by keyboard. */

import { make } from "./elements.js";

const REACH = 22;

/** @typedef {SVGElement | HTMLElement} Mark */

const tip = make("div", { class: "tip", role: "status", hidden: true });

/** @type {Mark | null} */
let told = null;

/**
 * Show the words of a mark in a box beside a place on the screen; null hides the box.
 * @param {Mark | null} mark
 * @param {{clientX: number, clientY: number}} where
 */
function tell(mark, where) {
  if (mark !== told) {
    told?.classList.remove("told");
    mark?.classList.add("told");
    told = mark;
    tip.hidden = !mark;
    tip.textContent = mark?.dataset.tip ?? "";
  }
  if (!mark) return;
  const width = document.documentElement.clientWidth;
  const left = Math.min(where.clientX + 12, width - tip.offsetWidth - 6);
  const below = where.clientY + 18;
  const fits = below + tip.offsetHeight < window.innerHeight;
  const top = fits ? below : where.clientY - tip.offsetHeight - 12;
  tip.style.left = `${Math.max(6, left) + window.scrollX}px`;
  tip.style.top = `${top + window.scrollY}px`;
}

/**
 * The box nearest to a point within a finger's reach; of several around it the one whose middle is
 * nearest. -1 where none is near.
 * @param {{left: number, right: number, top: number, bottom: number}[]} boxes
 * @param {number} x
 * @param {number} y
 */
export function nearest(boxes, x, y) {
  let found = -1;
  let best = { outside: REACH, center: Number.POSITIVE_INFINITY };
  boxes.forEach((box, place) => {
    const outside = Math.hypot(
      Math.max(box.left - x, 0, x - box.right),
      Math.max(box.top - y, 0, y - box.bottom),
    );
    const center = Math.hypot((box.left + box.right) / 2 - x, (box.top + box.bottom) / 2 - y);
    if (outside < best.outside || (outside === best.outside && center < best.center)) {
      found = place;
      best = { outside, center };
    }
  });
  return found;
}

/** @param {HTMLElement} plot */
function makeTelling(plot) {
  const marks = [...plot.querySelectorAll(".mark > title")].map((title) => {
    const mark = /** @type {Mark} */ (title.parentNode);
    mark.dataset.tip = title.textContent ?? "";
    title.remove();
    return mark;
  });
  if (!marks.length) return;
  /** @param {PointerEvent} event */
  const follow = (event) => {
    const boxes = marks.map((mark) => mark.getBoundingClientRect());
    tell(marks[nearest(boxes, event.clientX, event.clientY)] ?? null, event);
  };
  let at = -1;
  plot.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") tell(null, { clientX: 0, clientY: 0 });
    if (!step) return;
    event.preventDefault();
    at = (at + step + marks.length) % marks.length;
    const mark = marks[at];
    const box = mark?.getBoundingClientRect();
    if (mark && box) tell(mark, { clientX: box.right, clientY: box.top });
  });
  plot.addEventListener("blur", () => tell(null, { clientX: 0, clientY: 0 }));
  plot.addEventListener("pointermove", follow);
  plot.addEventListener("pointerdown", follow);
  plot.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") tell(null, event);
  });
}

/** Every figure of a part of the page. @param {ParentNode} part */
export function helpFigures(part) {
  for (const plot of part.querySelectorAll(".plot")) {
    makeTelling(/** @type {HTMLElement} */ (plot));
  }
}

/** Let figures tell at all. */
export function offerTips() {
  document.body.append(tip);
  document.addEventListener("pointerdown", (event) => {
    const target = /** @type {Element | null} */ (event.target);
    if (!target?.closest(".plot")) tell(null, event);
  });
}
