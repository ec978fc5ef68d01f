/* Draw figures from the page's numbers, as wide as the page allows. */

import { draw, make, makeTable } from "./elements.js";
import { factorOf, fixed, long, withGames } from "./numbers.js";

/** @import { Estimate } from "./numbers.js" */

/**
 * A number and its place in a figure (`Mark` in reports/rendering/document.py).
 * @typedef {{
 *   label: string, number: Estimate, series: string, hollow: boolean,
 * }} Mark
 */

/**
 * A figure as stored in the page (`Figure` in the same file).
 * @typedef {{
 *   title: string, marks: Mark[], axis: string, middle: number | null, band: number,
 * }} Figure
 */

/** @typedef {{(value: number): number, ticks: number[]}} Scale */

const LETTER = 7.2;
const TICKS = 6;

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} kind */
const line = (x1, y1, x2, y2, kind) => draw("line", { x1, y1, x2, y2, class: kind });

/** @param {number} x @param {number} y @param {string} text @param {string} kind */
const words = (x, y, text, kind) => draw("text", { x, y, class: kind }, text);

/** @param {string} text @param {number} room */
const cut = (text, room) =>
  text.length * LETTER <= room ? text : `${text.slice(0, Math.max(3, room / LETTER - 1))}…`;

/**
 * The name of an axis, centered at x, on as many lines as it needs.
 * @param {number} x @param {number} y @param {string} text @param {number} room
 */
function axisName(x, y, text, room) {
  /** @type {string[]} */
  const rows = [];
  for (const word of text.split(" ")) {
    const longer = `${rows.at(-1) ?? ""} ${word}`.trim();
    if (rows.length && longer.length * LETTER <= room) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows.map((row, place) => words(x, y + 15 * place, row, "axis"));
}

/** Texts without repetitions, in their order. @param {string[]} texts */
const unique = (texts) => [...new Set(texts)];

/** The labels and the series of a figure, each once. @param {Figure} figure */
const namesOf = ({ marks }) => ({
  labels: unique(marks.map(({ label }) => label)),
  series: unique(marks.map((mark) => mark.series)),
});

/**
 * The labels' column: one label a row, in rows of `height` that start at `top`.
 * @param {string[]} labels @param {number} most the most width @param {number} top
 * @param {number} height
 */
function labelColumn(labels, most, top, height) {
  const room = Math.min(most, 12 + LETTER * Math.max(...labels.map(({ length }) => length)));
  const column = labels.map((label, place) =>
    words(0, top + height * (place + 0.5) + 4, cut(label, room), "name"),
  );
  return { room, column };
}

/**
 * Steps of 1, 2 or 5 times a power of ten, about TICKS of them.
 * @param {number} low @param {number} high
 */
function steps(low, high) {
  const rough = (high - low || 1) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, place) => (first + place) * step,
  );
}

/**
 * A scale from values to pixels, with ticks.
 * @param {number[]} values the values that must lie inside @param {number} from @param {number} to
 * @returns {Scale}
 */
function scaled(values, from, to) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = 0.04 * (high - low || 1);
  /** @param {number} value */
  const place = (value) => from + ((to - from) * (value - low + room)) / (high - low + 2 * room);
  return Object.assign(place, { ticks: steps(low - room, high + room) });
}

/** @param {number[]} ticks */
const tickDecimals = (ticks) =>
  Math.max(0, Math.ceil(-Math.log10(Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) || 1) - 1e-9));

/** A number and both ends of its interval, in the unit shown. @param {Estimate} number */
const reach = ({ value, low, high, unit }) =>
  [value, low ?? value, high ?? value].map((bound) => factorOf(unit) * bound);

/**
 * A number as a circle on its interval, which tells the number when pointed at.
 * @param {Mark} mark @param {string} series @param {Scale} x @param {number} y
 */
function markElement({ label, series: name, number, hollow }, series, x, y) {
  const [value = 0, low = 0, high = 0] = reach(number);
  const about = `${label}${name ? `, ${name}` : ""}: ${withGames(number)}`;
  const whisker = number.low === null ? [] : [line(x(low), y, x(high), y, "whisker")];
  return draw(
    "g",
    { class: `mark ${series}${hollow ? " hollow" : ""}` },
    ...[draw("title", {}, about), ...whisker, draw("circle", { cx: x(value), cy: y, r: 4.5 })],
  );
}

/**
 * The axis below a drawing, with its grid lines.
 * @param {Scale} x @param {number} top @param {number} foot @param {string} name
 * @param {boolean} signed @param {number} width
 */
function axis(x, top, foot, name, signed, width) {
  const decimals = tickDecimals(x.ticks);
  return [
    ...x.ticks.flatMap((tick) => [
      line(x(tick), top, x(tick), foot, "rule"),
      words(x(tick), foot + 15, fixed(tick, decimals, signed && tick > 0), "tick"),
    ]),
    ...axisName(width / 2, foot + 32, name, width),
  ];
}

/**
 * Draw a figure with one line per label, and the marks of a line one below the other; the table behind
 * it has the same numbers.
 * @param {Figure} figure @param {number} width
 */
export function drawn(figure, width) {
  const { labels, series } = namesOf(figure);
  const high = Math.max(22, 12 * series.length + 6);
  const top = 8;
  const { room, column } = labelColumn(labels, 0.42 * width, top, high);
  const foot = top + high * labels.length;
  const unit = figure.marks[0]?.number.unit ?? "";
  const factor = factorOf(unit);
  const level = figure.middle === null ? null : factor * figure.middle;
  const values = figure.marks.flatMap(({ number }) => reach(number));
  if (level !== null) values.push(level - factor * figure.band, level + factor * figure.band);
  const x = scaled(values, room, width - 8);
  const parts = axis(x, top, foot, figure.axis, unit.endsWith("difference"), width);
  if (level !== null) {
    const [left, right] = [x(level - factor * figure.band), x(level + factor * figure.band)];
    const size = { x: left, y: top, width: right - left, height: foot - top, class: "band" };
    parts.unshift(draw("rect", size));
    parts.push(line(x(level), top, x(level), foot, "middle"));
  }
  parts.push(...column);
  for (const mark of figure.marks) {
    const number = series.indexOf(mark.series);
    const shift = (number - (series.length - 1) / 2) * 11;
    const y = top + high * (labels.indexOf(mark.label) + 0.5) + shift;
    parts.push(markElement(mark, `s${number}`, x, y));
  }
  const height = foot + 38 + 15 * (axisName(0, 0, figure.axis, width).length - 1);
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  return draw("svg", { ...size, role: "img", "aria-label": figure.title }, ...parts);
}

/** The legend of the series' colors; nothing for a single series. @param {Figure} figure */
export function legend(figure) {
  const { series } = namesOf(figure);
  if (series.length < 2) return [];
  return [
    make(
      "p",
      { class: "legend" },
      ...series.map((name, number) => make("span", { class: `key s${number}` }, name)),
    ),
  ];
}

/** The numbers of a figure as a table with one line per label. @param {Figure} figure */
export function tableOf(figure) {
  const { labels, series } = namesOf(figure);
  const heads = ["", ...series.map((name) => name || figure.axis)];
  const rows = labels.map((label) => {
    const marks = figure.marks.filter((mark) => mark.label === label);
    const values = series.map((name) => marks.find((mark) => mark.series === name));
    return [label, ...values.map((mark) => (mark ? long(mark.number) : "\u2013"))];
  });
  return makeTable("", heads, rows);
}
