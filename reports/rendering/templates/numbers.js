/* Read the numbers of a page, and write numbers for readers. */

/**
 * A number with its interval, its games and its unit.
 * @typedef {{
 *   value: number, low: number | null, high: number | null, games: number, unit: string,
 * }} Estimate
 */

/**
 * The numbers of a page from their data (`_facts` in reports/rendering/html.py).
 * @param {[number, number | null, number | null, number, string][]} rows @returns {Estimate[]}
 */
export const readNumbers = (rows) =>
  rows.map(([value, low, high, games, unit]) => ({ value, low, high, games, unit }));

/** The factor by which numbers of a unit are shown: shares are shown in hundredths. @param {string} unit */
export const factorOf = (unit) => (unit.startsWith("share") ? 100 : 1);

/** @param {number} value @param {number} decimals @param {boolean} [signed] */
export function fixed(value, decimals, signed = false) {
  const text = value.toFixed(decimals);
  const shown = Number(text) === 0 ? text.replace("-", "") : text.replace("-", "\u2212");
  return signed && !shown.startsWith("\u2212") ? `+${shown}` : shown;
}

/** Names in a sentence: "fox, koi and owl". @param {string[]} names */
export const joinedByAnd = (names) => names.join(", ").replace(/, ([^,]*)$/, " and $1");

/** The decimals that a half-width justifies. @param {number | null} half */
const decimalsFor = (half) =>
  half === null || half <= 0 ? 1 : Math.min(4, Math.max(0, Math.ceil(-Math.log10(half) + 0.45)));

/** The half-width of the interval, in the unit shown. @param {Estimate} number */
const halfOf = ({ low, high, unit }) =>
  low === null || high === null ? null : (factorOf(unit) * (high - low)) / 2;

/** The value with its interval, and the decimals that it justifies: "+3.4 ± 0.6". @param {Estimate} number */
export function long(number) {
  const { value, unit } = number;
  const half = halfOf(number);
  const decimals = decimalsFor(half);
  const shown = fixed(factorOf(unit) * value, decimals, unit.endsWith("difference"));
  return half === null ? shown : `${shown} ±\u00a0${fixed(half, decimals)}`;
}

/** The value with its interval and its games. @param {Estimate} number */
export function withGames(number) {
  const games = number.games ? `, ${number.games.toLocaleString("en")} games` : "";
  return `${long(number)}${games}`;
}
