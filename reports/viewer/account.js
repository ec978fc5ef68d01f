/* Accounts: the points of an age by region and source, the standing, and what of a result was luck. */

import { make, makeTable } from "../rendering/templates/elements.js";
import { marks, partySizes, person } from "./board.js";
import { capital, regionWords, signed, sourceWords } from "./words.js";

/** @import { State } from "./seen.js" */
/** @import { Account, Sitting } from "./sitting.js" */
/** @import { Names } from "./words.js" */

/**
 * What a region or source paid each player, with a note for each.
 * @typedef {{label: Node | string, won: number[], notes: string[]}} Paid
 */

/** The tie-break tokens by which a player was ahead of somebody level with him; "" if none were needed.
    @param {number} player @param {number[]} places markers or spaces by player @param {number[]} won @param {State} state */
function tieBreak(player, places, won, state) {
  const points = won[player] ?? 0;
  const level = places.map(
    (place, rival) => place === places[player] && (won[rival] ?? 0) < points,
  );
  const tokens = level.includes(true) ? (state.tokens[player] ?? []) : [];
  return tokens.length ? `, tie-break ${tokens.join(" + ")}` : "";
}

/** What a region paid, with the markers. @param {string} color @param {Account} account @param {Names} names @returns {Paid} */
function paidByRegion(color, { event, state }, names) {
  const [won, places] = [event.regions[color] ?? [], state.markers[color] ?? []];
  const notes = places.map((count, player) =>
    count ? `${marks(player, 1)} ${count}${tieBreak(player, places, won, state)}` : "",
  );
  return { label: make("span", { "data-color": color }, regionWords(color, names)), won, notes };
}

/** What another source paid, with the sizes of parties and the spaces at sea.
    @param {string} source @param {Account} account @param {Names} names @returns {Paid} */
function paidBySource(source, { state, gained }, names) {
  const won = gained.map((points) => points[source] ?? 0);
  const clans = source === "sea" ? (names.sources.sea ?? []) : [];
  const spaces = won.map((_, player) =>
    Math.max(0, ...clans.map((clan) => state.sea[clan]?.[player] ?? 0)),
  );
  const notes = won.map((_, player) => {
    const sizes = partySizes(state, player);
    if (source === "parties" && sizes) return `(${sizes})`;
    return spaces[player] ? `at ${spaces[player]}${tieBreak(player, spaces, won, state)}` : "";
  });
  return { label: sourceWords(source, names), won, notes };
}

/** The row of a table for what a region or source paid. @param {Paid} paid */
function paidRow({ label, won, notes }) {
  const most = Math.max(...won, 1);
  const cells = won.map((points, player) => {
    const kind = points === most ? "best" : points ? null : "nil";
    const note = make("small", {}, ` ${notes[player] ?? ""}`);
    return make("span", { class: kind }, make("b", {}, points), note);
  });
  return [label, ...cells];
}

/** The account of an age: a row for each region and source, and the points in the age and in all.
    @param {Account} account @param {Names} names */
export function ageAccount(account, names) {
  const { event, before } = account;
  const others = Object.keys(names.sources).filter((source) => source !== "regions");
  const paid = [
    ...names.colors.map((color) => paidByRegion(color, account, names)),
    ...others.map((source) => paidBySource(source, account, names)),
  ];
  const sums = before.map((points, player) => signed((event.prestige[player] ?? 0) - points));
  const bold = (/** @type {(number | string)[]} */ values) =>
    values.map((value) => make("b", {}, value));
  const table = makeTable(
    `Points of ${names.words.age} ${event.age}, by region and source`,
    [capital(names.words.prestige), ...before.map((_, player) => person(player, names))],
    [
      ...paid.map(paidRow),
      [`${capital(names.words.age)} ${event.age}`, ...bold(sums)],
      ["In all", ...bold(event.prestige)],
    ],
  );
  table.classList.add("account");
  return make("div", { class: "scroll" }, table);
}

/** The final standing by source. @param {Sitting} game @param {State} state @param {Names} names */
export function standingTable(game, state, names) {
  const sources = Object.keys(names.sources);
  const paid = sources.map((source) => game.paidBy(source));
  const points = state.prestige;
  const players = [...points.keys()].sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0));
  const rows = players.map((player) => [
    make("span", {}, person(player, names), state.winners?.includes(player) ? " ★" : ""),
    ...paid.map((row) => row[player] ?? 0),
    make("b", {}, points[player] ?? 0),
  ]);
  const heads = ["", ...sources.map((source) => sourceWords(source, names)), "all"];
  const table = makeTable("Final standing", heads, rows);
  table.classList.add("final");
  return make("div", { class: "scroll" }, table);
}

/** Round numbers to tenths so that they add up to the rounded sum. @param {number[]} values */
export function inTenths(values) {
  let [sum, told] = [0, 0];
  return values.map((value) => {
    sum += value;
    const tenths = Math.round(1000 * sum) - told;
    told += tenths;
    return tenths / 10;
  });
}

/**
 * The parts of a result as bars that begin where the one above ends.
 * @param {{label: string, value: number}[]} parts in points of 100; the first is the
 *   fair share, the last the result
 */
export function waterfall(parts) {
  let at = 0;
  const rows = parts.map((part, place) => {
    const ends = place === 0 || place === parts.length - 1;
    const from = ends ? 0 : at;
    at = from + part.value;
    return { ...part, ends, from, to: at };
  });
  const low = Math.min(0, ...rows.map(({ to }) => to));
  const high = Math.max(100, ...rows.map(({ to }) => to));
  const x = (/** @type {number} */ value) => (100 * (value - low)) / (high - low);
  const lines = rows.map(({ label, value, ends, from, to }) => {
    const style = `left: ${x(Math.min(from, to))}%; width: ${Math.abs(x(to) - x(from))}%`;
    return make(
      "li",
      { class: ends ? "ends" : value < 0 ? "down" : "up" },
      make("span", { class: "l" }, label),
      make("span", { class: "b", "aria-hidden": "true" }, make("i", { style })),
      make("b", {}, ends ? value.toFixed(1) : signed(value, 1)),
    );
  });
  return make("ol", { class: "fall" }, ...lines);
}
