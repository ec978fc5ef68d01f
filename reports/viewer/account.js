/* Accounts: the points of an age by region and source, the standing, and what of a result was luck. */

import { make, makeTable } from "../rendering/templates/elements.js";
import { marks, person } from "./board.js";
import { capital, counted, listed, regionWords, signed, sourceWords } from "./words.js";

/** @import { Account } from "./sitting.js" */
/** @import { State } from "./state.js" */
/** @import { Names } from "./words.js" */
/**
 * What a region or source paid each player, with a note for each and sentences on why.
 * @typedef {{label: string, won: number[], notes: string[], why?: string[], color?: string}} Paid
 */

/**
 * Why a track or region paid as it did: who shared, and where tie-break tokens decided.
 * @param {number[]} places markers or spaces by player @param {number[]} won @param {State} state
 * @param {Names} names
 */
function whyPaid(places, won, state, names) {
  return [...new Set(places)].filter(Boolean).flatMap((place) => {
    const level = [...places.keys()].filter((player) => places[player] === place);
    const most = Math.max(...level.map((player) => won[player] ?? 0));
    if (level.length < 2 || most === 0) return [];
    const first = level.filter((player) => won[player] === most);
    const rest = level.filter((player) => won[player] !== most);
    if (!rest.length) return [`${listed(level, names)} share: ${most} each.`];
    const tokens = first.map((player) => (state.tokens[player] ?? []).join(" + ")).filter(Boolean);
    if (!tokens.length) return [];
    const what = `${tokens.length > 1 ? "tokens" : "token"} of ${listed(first, names)}`;
    return [
      `Level with ${listed(rest, names)}: the tie-break ${what} (${tokens.join("; ")}) decided.`,
    ];
  });
}

/** What a region paid. @param {string} color @param {Account} account @param {Names} names @returns {Paid} */
function paidByRegion(color, { event, state }, names) {
  const [won, places] = [event.regions[color] ?? [], state.markers[color] ?? []];
  const coins = state.coins[color] ?? 0;
  const bonus = coins ? [`With ${counted(coins, "point")} of coins for the first place.`] : [];
  return {
    ...{ label: regionWords(color, names), color, won },
    notes: places.map((count, player) => (count ? `${marks(player, 1)} ${count}` : "")),
    why: [...whyPaid(places, won, state, names), ...bonus],
  };
}

/** What another source paid. @param {string} source @param {Account} account @param {Names} names @returns {Paid} */
function paidBySource(source, { event, state, gained }, names) {
  const label = sourceWords(source, names);
  const won = gained[source] ?? [];
  /** A note for each player; none where it is empty. @param {(player: number) => string | number | undefined} note @param {string} text with a place for it */
  const noted = (note, text) =>
    won.map((_, player) => (note(player) ? text.replace("%", String(note(player))) : ""));
  if (source === "parties") {
    const sizes = (/** @type {number} */ player) =>
      (state.parties[player] ?? []).map(({ cards }) => cards.length).sort((a, b) => b - a);
    return { label, won, notes: noted((player) => sizes(player).join(", "), "(%)") };
  }
  if (source === "sea") {
    const clans = names.sources.sea ?? [];
    const places = won.map((_, player) =>
      Math.max(0, ...clans.map((clan) => state.sea[clan]?.[player] ?? 0)),
    );
    const why = clans.length > 1 ? [] : whyPaid(places, won, state, names);
    return { label, won, notes: noted((player) => places[player], "at %"), why };
  }
  if (source === "largest") {
    const once = (/** @type {number} */ player) =>
      Math.max(0, (won[player] ?? 0) - (event.largest?.[player] ?? 0));
    return { label, won, notes: noted(once, "% at once") };
  }
  const emptied = source === "settlement" ? (event.emptied ?? []) : [];
  return { label, won, notes: noted((player) => emptied[player] && "emptied", "%") };
}

/** The rows of a table for what a region or source paid. @param {Paid} paid */
function paidRows({ label, won, notes, why = [], color }) {
  const most = Math.max(...won, 1);
  const cells = won.map((points, player) => {
    const kind = points === most ? "best" : points ? null : "nil";
    const note = make("small", {}, ` ${notes[player] ?? ""}`);
    return make("td", { class: kind }, make("b", {}, points), note);
  });
  const head = make("th", { scope: "row", "data-color": color ?? null }, make("span", {}, label));
  const reason = make("td", { colspan: won.length + 1 }, why.join(" "));
  const reasons = why.length ? [make("tr", { class: "why" }, reason)] : [];
  return [make("tr", {}, head, ...cells), ...reasons];
}

/** The account of an age: a row for each region and source. @param {Account} account @param {Names} names */
export function ageAccount(account, names) {
  const { event, before } = account;
  const others = Object.keys(names.sources).filter((source) => source !== "regions");
  const paid = [
    ...names.colors.map((color) => paidByRegion(color, account, names)),
    ...others.map((source) => paidBySource(source, account, names)),
  ];
  const sums = before.map((points, player) => signed((event.prestige[player] ?? 0) - points));
  const table = makeTable(
    `Points of ${names.words.age} ${event.age}, by region and source`,
    [capital(names.words.prestige), ...before.map((_, player) => person(player, names))],
    [],
  );
  table.classList.add("account");
  table.querySelector("tbody")?.append(...paid.flatMap(paidRows));
  const foot = sums.map((sum) => make("td", {}, make("b", {}, sum)));
  const age = make("th", { scope: "row" }, `${capital(names.words.age)} ${event.age}`);
  table.append(make("tfoot", {}, make("tr", {}, age, ...foot)));
  return table;
}

/** The players, the one with the most points first. @param {number[]} points */
const leading = (points) => [...points.keys()].sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0));

/** Bars of the points before and in an age, the leader first. @param {number[]} before @param {number[]} now @param {Names} names */
export function standingBars(before, now, names) {
  const most = Math.max(...now, 1);
  const rows = leading(now).map((player) => {
    const [held, total] = [before[player] ?? 0, now[player] ?? 0];
    const part = (/** @type {number} */ points) => `width: ${(100 * points) / most}%`;
    return make(
      "li",
      {},
      person(player, names),
      make(
        "span",
        { class: `track player-${player}`, "aria-hidden": "true" },
        make("i", { style: part(held) }),
        make("i", { class: "new", style: part(total - held) }),
      ),
      make("strong", {}, total),
      make("small", {}, held ? `${held} ${signed(total - held)}` : signed(total)),
    );
  });
  return make("ol", { class: "stand" }, ...rows);
}

/** The final standing by source. @param {State} state @param {Names} names */
export function standingTable(state, names) {
  const sources = Object.keys(names.sources);
  const rows = leading(state.prestige).map((player) => [
    make("span", {}, person(player, names), state.winners?.includes(player) ? " ★" : ""),
    ...sources.map((source) => state.sources[source]?.[player] ?? 0),
    make("b", {}, state.prestige[player] ?? 0),
  ]);
  const heads = ["", ...sources.map((source) => sourceWords(source, names)), "all"];
  const table = makeTable("Final standing", heads, rows);
  table.classList.add("final");
  return make("div", { class: "scroll" }, table);
}

/**
 * Round numbers to tenths so that they add up to the rounded sum; the first keeps its own tenths.
 * @param {number[]} values
 */
export function inTenths([first = 0, ...others]) {
  const own = Math.round(1000 * first);
  const tenths = others.map((value) => Math.floor(1000 * value));
  const rest = others.map((value, place) => 1000 * value - (tenths[place] ?? 0));
  const sum = Math.round(1000 * others.reduce((total, value) => total + value, first));
  const missing = sum - tenths.reduce((total, value) => total + value, own);
  const most = [...rest.keys()].sort((a, b) => (rest[b] ?? 0) - (rest[a] ?? 0));
  for (let i = 0; i < missing; i += 1) {
    const place = most[i % most.length] ?? 0;
    tenths[place] = (tenths[place] ?? 0) + 1;
  }
  return [own, ...tenths].map((value) => value / 10);
}

/**
 * The parts of a result as bars that begin where the one above ends.
 * @param {{label: string, note?: string, value: number}[]} parts in points of 100; the first is the
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
  const lines = rows.map(({ label, note = "", value, ends, from, to }) => {
    const style = `left: ${x(Math.min(from, to))}%; width: ${Math.abs(x(to) - x(from))}%`;
    return make(
      "li",
      { class: ends ? "ends" : value < 0 ? "down" : "up" },
      make("span", { class: "l" }, label, make("small", {}, note)),
      make("span", { class: "b", "aria-hidden": "true" }, make("i", { style })),
      make("b", {}, ends ? value.toFixed(1) : signed(value, 1)),
    );
  });
  return make("ol", { class: "fall" }, ...lines);
}
