/* The chances to win during a game, as a curve that a reader can click on. */

import { draw } from "../rendering/templates/elements.js";

/**
 * A turn as look-ahead judges it (experiments/matches/explaining.py); `step` is its event's step.
 * @typedef {{
 *   step: number, turn: number, player: number, chance: number, error: number,
 *   cost: number, cost_error: number, best: string, best_chance: number,
 * }} TurnChance
 */

const HEIGHT = 150;
const LEFT = 44;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 22;
/** The height of the luck below the curve. */
const LUCK = 44;

/** @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/**
 * The turns whose cost exceeds its error, the costliest first, at most `most`.
 * @param {TurnChance[]} chances
 * @param {number} most
 */
export function costliest(chances, most) {
  return chances
    .filter((turn) => turn.cost - turn.cost_error > 0)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, most);
}

/**
 * The last judged turn up to a step.
 * @param {TurnChance[]} chances
 * @param {number} step
 */
export const turnAt = (chances, step) => chances.findLast((turn) => turn.step <= step);

/**
 * The step whose place on the curve is nearest to a pixel.
 * @param {number} pixel
 * @param {number} width
 * @param {number} steps
 */
export function stepAt(pixel, width, steps) {
  const x = (pixel - LEFT) / (width - LEFT - RIGHT);
  return Math.min(steps, Math.max(1, Math.round(1 + x * (steps - 1))));
}

/**
 * The chances of all sides at a step, in whole percent that sum to 100. A player's chance is the
 * chance at their last judged turn, scaled; before their first turn it is an even share. Bruno's
 * chance is 1 less his rival's.
 * @param {TurnChance[]} chances
 * @param {number} players
 * @param {number} step
 */
export function chancesAt(chances, players, step) {
  const known = Array.from({ length: Math.max(2, players) }, (_, player) => {
    const turns = chances.filter((turn) => turn.player === player);
    return turnAt(turns, step)?.chance ?? 1 / Math.max(2, players);
  });
  if (players === 1) known[1] = 1 - (known[0] ?? 0);
  const total = known.reduce((sum, chance) => sum + chance, 0) || 1;
  const exact = known.map((chance) => (100 * chance) / total);
  const whole = exact.map(Math.floor);
  const left = exact.map((percent, side) => ({ side, rest: percent % 1 }));
  left.sort((a, b) => b.rest - a.rest);
  const missing = 100 - whole.reduce((sum, percent) => sum + percent, 0);
  for (const { side } of left.slice(0, missing)) whole[side] = (whole[side] ?? 0) + 1;
  return whole;
}

/**
 * The result as the last chances: 1 for the winner, equal parts for a shared win.
 * @param {number[]} winners
 * @param {number} players
 * @param {number} step
 * @param {number} turn
 * @returns {TurnChance[]}
 */
export const resultOf = (winners, players, step, turn) =>
  Array.from({ length: players }, (_, player) => {
    const chance = winners.includes(player) ? 1 / winners.length : 0;
    const sure = { error: 0, cost: 0, cost_error: 0, best: "", best_chance: chance };
    return { step, turn, player, chance, ...sure };
  });

/** A change of a player's chance to win at a step. @typedef {{step: number, player: number, value: number}} Draw */

/** The lines of a player, with their error bands. @param {TurnChance[]} turns @param {number} player @param {(step: number) => number} x @param {(chance: number) => number} y */
function curveOf(turns, player, x, y) {
  /** @param {(turn: TurnChance) => number} value */
  const points = (value) =>
    turns.map((turn) => `${x(turn.step).toFixed(1)},${y(value(turn)).toFixed(1)}`);
  const band = [
    ...points((turn) => turn.chance + turn.error),
    ...points((turn) => turn.chance - turn.error).reverse(),
  ];
  const curve = points((turn) => turn.chance).join(" ");
  return [
    draw("polygon", { class: `band player-${player}`, points: band.join(" ") }),
    draw("polyline", { class: `curve player-${player}`, points: curve }),
  ];
}

/** A bar for the luck of each draw, up or down from a line below the curve. @param {Draw[]} draws @param {(step: number) => number} x */
function luckBars(draws, x) {
  const most = Math.max(...draws.map(({ value }) => Math.abs(value)), 0.01);
  const middle = HEIGHT + LUCK / 2;
  const bars = draws.map(({ step, player, value }) => {
    const height = (Math.abs(value) / most) * (LUCK / 2 - 4);
    const place = { x: x(step) - 1.5, y: value > 0 ? middle - height : middle, width: 3, height };
    return draw("rect", { class: `bar player-${player}`, ...place });
  });
  const line = draw("line", { class: "grid", x1: x(1), x2: "100%", y1: middle, y2: middle });
  const name = draw("text", { x: LEFT - 6, y: middle + 4, "text-anchor": "end" }, "Luck");
  return draws.length ? [line, name, ...bars] : [];
}

/**
 * Draw the curve: for each player a line with its error band, a line at the step shown, and below them the
 * luck of draws.
 * @param {TurnChance[]} chances
 * @param {string[]} players
 * @param {{step: number, label: string}[]} ages
 * @param {number} steps
 * @param {number} width
 * @param {Draw[]} [draws]
 */
export function drawCurve(chances, players, ages, steps, width, draws = []) {
  const foot = HEIGHT + (draws.length ? LUCK : 0);
  /** @param {number} step */
  const x = (step) => LEFT + ((step - 1) / Math.max(1, steps - 1)) * (width - LEFT - RIGHT);
  /** @param {number} chance */
  const y = (chance) => TOP + (1 - Math.min(1, Math.max(0, chance))) * (HEIGHT - TOP - BOTTOM);
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    draw("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share) }),
    draw("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, `${100 * share} %`),
  ]);
  const marks = ages.flatMap(({ step, label }) => [
    draw("line", { class: "age", x1: x(step), x2: x(step), y1: TOP, y2: HEIGHT - BOTTOM }),
    draw("text", { x: x(step) + 4, y: HEIGHT - 6 }, label),
  ]);
  const curves = players.flatMap((_, player) => {
    const turns = chances.filter((turn) => turn.player === player);
    return turns.length ? curveOf(turns, player, x, y) : [];
  });
  const cursor = draw("line", { class: "cursor", y1: TOP, y2: foot - BOTTOM });
  const parts = [...grid, ...marks, ...curves, ...luckBars(draws, x), cursor];
  const about = { role: "img", "aria-label": "Chances to win" };
  const svg = draw("svg", { viewBox: `0 0 ${width} ${foot}`, ...about }, ...parts);
  return {
    svg,
    /** @param {number} step */
    moveTo: (step) => {
      for (const end of ["x1", "x2"]) cursor.setAttribute(end, String(x(step)));
    },
  };
}
