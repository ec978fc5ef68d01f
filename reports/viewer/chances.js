/* The chances to win during a game, as curves, and the luck of draws, as bars below them. */

import { draw } from "../rendering/templates/elements.js";
import { capital } from "./words.js";

/** @import { Luck } from "./luck.js" */
/** @import { Names } from "./words.js" */

const HEIGHT = 150;
const LEFT = 44;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 22;
/** The height of the bars below the curves. */
const BARS = 44;

/** @param {number} share */
export const percent = (share) => `${Math.round(100 * share)} %`;

/** The turn whose place on the curves is nearest to a pixel.
    @param {number} pixel @param {number} width @param {number} last turn */
export function turnAt(pixel, width, last) {
  const share = (pixel - LEFT) / (width - LEFT - RIGHT);
  return Math.min(last, Math.max(0, Math.round(share * last)));
}

/** Bars for the luck of draws, up or down from a line. @param {Luck} luck @param {(turn: number) => number} x */
function luckBars(luck, x) {
  const draws = luck.steps.filter(({ kind, player }) => kind !== "answer" && player >= 0);
  const values = draws.map((step) => luck.change(step, step.player));
  const most = Math.max(...values.map(Math.abs), 0.01);
  const middle = HEIGHT + BARS / 2;
  const bars = draws.map(({ turn, player }, i) => {
    const height = (Math.abs(values[i] ?? 0) / most) * (BARS / 2 - 4);
    const y = (values[i] ?? 0) > 0 ? middle - height : middle;
    return draw("rect", { class: `bar player-${player}`, x: x(turn) - 1.5, y, width: 3, height });
  });
  const line = draw("line", { class: "grid", x1: x(0), x2: "100%", y1: middle, y2: middle });
  const name = draw("text", { x: LEFT - 6, y: middle + 4, "text-anchor": "end" }, "Luck");
  return [line, name, ...bars];
}

/**
 * Draw a curve for each side as wide as a place allows, the luck of draws below them, and a line at the
 * turn that is shown; return what moves this line to another turn.
 * @param {Luck} luck @param {Names} names @param {Element} place
 */
export function drawCourse(luck, names, place) {
  const width = Math.max(280, place.clientWidth);
  const age = capital(names.words.age);
  const { turns } = luck.game;
  const last = Math.max(1, turns.length - 1);
  const foot = HEIGHT + BARS;
  const x = (/** @type {number} */ turn) => LEFT + (turn / last) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ chance) => TOP + (1 - chance) * (HEIGHT - TOP - BOTTOM);
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    draw("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share) }),
    draw("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, percent(share)),
  ]);
  const ages = turns.flatMap((events, turn) =>
    events
      .filter(({ event }) => event === "age")
      .flatMap((begun) => [
        draw("line", { class: "age", x1: x(turn), x2: x(turn), y1: TOP, y2: HEIGHT - BOTTOM }),
        draw("text", { x: x(turn) + 4, y: HEIGHT - 6 }, `${age} ${begun.age}`),
      ]),
  );
  const chances = turns.map((_, turn) => luck.chancesAfter(turn));
  const curves = Array.from({ length: luck.sides }, (_, side) => {
    const points = chances.map(
      (all, turn) => `${x(turn).toFixed(1)},${y(all[side] ?? 0).toFixed(1)}`,
    );
    return draw("polyline", { class: `curve player-${side}`, points: points.join(" ") });
  });
  const cursor = draw("line", { class: "cursor", y1: TOP, y2: foot - 4 });
  const parts = [...grid, ...ages, ...curves, ...luckBars(luck, x), cursor];
  const about = { role: "img", "aria-label": "Chances to win" };
  place.replaceChildren(draw("svg", { viewBox: `0 0 ${width} ${foot}`, ...about }, ...parts));
  return (/** @type {number} */ turn) => {
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, String(x(turn)));
  };
}
