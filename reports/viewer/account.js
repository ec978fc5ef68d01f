/* Accounts: the points of an age by region and source, the result, and what of it was luck. */

import { make, makeTable } from "../rendering/templates/elements.js";
import { marks, person } from "./board.js";
import { capital, shortName, sourcesOf, spoken } from "./table.js";
import { counted, regionWords } from "./words.js";

/** @typedef {import("./state.js").Event} Event */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./table.js").Names} Names */

/** @param {number[]} players @param {Names} names */
const listed = (players, names) =>
  players
    .map((player) => shortName(player, names))
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");

/** A number with its sign and a true minus. @param {number} value @param {number} [digits] */
export const signed = (value, digits = 0) =>
  `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

/**
 * Why a track or region paid as it did: who shared, and where tie-break tokens decided.
 * @param {number[]} places markers or spaces by player @param {number[]} won @param {State} state
 * @param {Names} names
 */
function whyPaid(places, won, state, names) {
  const reasons = [];
  for (const place of [...new Set(places)].filter(Boolean)) {
    const level = [...places.keys()].filter((player) => places[player] === place);
    const most = Math.max(...level.map((player) => won[player] ?? 0));
    if (level.length < 2 || most === 0) continue;
    const first = level.filter((player) => won[player] === most);
    const rest = level.filter((player) => won[player] !== most);
    const tokens = first.map((player) => (state.tokens[player] ?? []).join(" + ")).filter(Boolean);
    if (rest.length && tokens.length)
      reasons.push(
        `Level with ${listed(rest, names)}: the tie-break ${tokens.length > 1 ? "tokens" : "token"} of ${listed(first, names)} (${tokens.join("; ")}) decided.`,
      );
    else if (!rest.length) reasons.push(`${listed(level, names)} share: ${most} each.`);
  }
  return reasons;
}

/**
 * The account of an age: a row for each region and source, with the reasons below.
 * @param {import("./sitting.js").Account} account @param {Names} names
 */
export function ageAccount({ event, state, before, gained }, names) {
  const players = [...names.players.keys()];
  /** @param {string} label @param {number[]} won @param {string[]} notes @param {string[]} [why] @param {string | null} [color] */
  const row = (label, won, notes, why = [], color = null) => {
    const most = Math.max(...won, 1);
    const cells = players.map((player) => {
      const points = won[player] ?? 0;
      const style = points === most ? "best" : points ? "" : "nil";
      return make(
        "td",
        { class: style || null },
        make("b", {}, points),
        make("small", {}, ` ${notes[player] ?? ""}`),
      );
    });
    const head = make("th", { scope: "row", "data-color": color }, make("span", {}, label));
    return [
      make("tr", {}, head, ...cells),
      ...(why.length
        ? [make("tr", { class: "why" }, make("td", { colspan: players.length + 1 }, why.join(" ")))]
        : []),
    ];
  };
  const regions = names.colors.flatMap((color) => {
    const [won, places] = [event.regions[color] ?? [], state.markers[color] ?? []];
    const notes = places.map((count, player) => (count ? `${marks(player, 1)} ${count}` : ""));
    const coins = state.coins[color]
      ? [`With ${counted(state.coins[color] ?? 0, "point")} of coins for the first place.`]
      : [];
    return row(
      regionWords(color, names),
      won,
      notes,
      [...whyPaid(places, won, state, names), ...coins],
      color,
    );
  });
  const tracks = Object.entries(names.sources).flatMap(([source, clans]) => {
    if (source === "regions") return [];
    const label = capital(clans.map(spoken).join(", "));
    if (source === "parties") {
      const sizes = state.parties.map((laid) =>
        laid
          .map(({ cards }) => cards.length)
          .sort((a, b) => b - a)
          .join(", "),
      );
      return row(
        label,
        event.parties,
        sizes.map((size) => (size ? `(${size})` : "")),
      );
    }
    const won = gained[source] ?? [];
    if (source === "sea") {
      const places = players.map((player) =>
        Math.max(0, ...clans.map((clan) => state.sea[clan]?.[player] ?? 0)),
      );
      return row(
        label,
        won,
        places.map((place) => (place ? `at ${place}` : "")),
        clans.length > 1 ? [] : whyPaid(places, won, state, names),
      );
    }
    if (source === "largest") {
      const once = won.map((points, player) => points - (event.largest?.[player] ?? 0));
      return row(
        label,
        won,
        once.map((points) => (points > 0 ? `${points} at once` : "")),
      );
    }
    const notes = (source === "settlement" ? (event.emptied ?? []) : []).map(
      (/** @type {boolean} */ emptied) => (emptied ? "emptied" : ""),
    );
    return row(label, won, notes);
  });
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, capital(names.words.prestige)),
    ...players.map((player) => make("th", { scope: "col" }, person(player, names))),
  );
  const sums = event.prestige.map(
    (/** @type {number} */ points, /** @type {number} */ player) => points - (before[player] ?? 0),
  );
  const foot = make(
    "tr",
    {},
    make("th", { scope: "row" }, `${capital(names.words.age)} ${event.age}`),
    ...sums.map((/** @type {number} */ points) => make("td", {}, make("b", {}, signed(points)))),
  );
  return make(
    "table",
    { class: "account" },
    make(
      "caption",
      { class: "unseen" },
      `Points of ${names.words.age} ${event.age}, by region and source`,
    ),
    make("thead", {}, head),
    make("tbody", {}, ...regions, ...tracks),
    make("tfoot", {}, foot),
  );
}

/** Bars of the points before and in an age, the leader first. @param {number[]} before @param {number[]} now @param {Names} names */
export function standingBars(before, now, names) {
  const most = Math.max(...now, 1);
  const order = [...now.keys()].sort((a, b) => (now[b] ?? 0) - (now[a] ?? 0));
  const rows = order.map((player) => {
    const [held, total] = [before[player] ?? 0, now[player] ?? 0];
    const part = (/** @type {number} */ points) => `width: ${(100 * points) / most}%`;
    const bar = make(
      "span",
      { class: `track player-${player}`, "aria-hidden": "true" },
      make("i", { style: part(held) }),
      make("i", { class: "new", style: part(total - held) }),
    );
    return make(
      "li",
      {},
      person(player, names),
      bar,
      make("strong", {}, total),
      make("small", {}, `${held} ${signed(total - held)}`),
    );
  });
  return make("ol", { class: "stand" }, ...rows);
}

/** Who won and why, in one sentence. @param {Event} event @param {number} seat @param {Names} names */
export function resultWords({ prestige, markers, winners }, seat, names) {
  const [best = 0] = winners;
  const most = prestige[best];
  const who = listed(winners, names);
  const level = [...prestige.keys()].filter(
    (player) => prestige[player] === most && !winners.includes(player),
  );
  const wins = winners.length > 1 ? "share the win" : who === "You" ? "win" : "wins";
  const own = winners.includes(seat)
    ? Math.max(
        ...prestige.filter((/** @type {number} */ _, /** @type {number} */ side) => side !== seat),
      )
    : prestige[seat];
  const points =
    winners.length > 1
      ? ` with ${most}`
      : `, ${most} to ${winners.includes(seat) ? "" : "your "}${own}`;
  if (!level.length) return `${who} ${wins}${points}`;
  const more = level.every((player) => markers[player] < markers[best]);
  const rival = Math.max(...level.map((player) => markers[player]));
  return `${who} ${wins}${points}: ${
    more
      ? `more markers in the regions decide, ${markers[best]} to ${rival}`
      : "larger parties in the last age decide"
  }`;
}

/** The final standing by source. @param {State} state @param {Names} names */
export function finalTable(state, names) {
  const order = [...state.prestige.keys()].sort(
    (a, b) => (state.prestige[b] ?? 0) - (state.prestige[a] ?? 0),
  );
  const heads = Object.values(names.sources).map((clans) => capital(clans.map(spoken).join(", ")));
  const rows = order.map((player) => [
    make("span", {}, person(player, names), state.winners?.includes(player) ? " ★" : ""),
    ...sourcesOf(state, player, names),
    make("b", {}, state.prestige[player] ?? 0),
  ]);
  const table = makeTable("Final standing", ["", ...heads, "all"], rows);
  table.classList.add("standing", "final");
  return table;
}

/**
 * Round numbers to tenths so that they add up to the rounded sum; the first keeps its own tenths.
 * @param {number[]} values
 */
export function inTenths(values) {
  const tenths = values.map((value, place) =>
    place ? Math.floor(1000 * value) : Math.round(1000 * value),
  );
  const sum = Math.round(1000 * values.reduce((total, value) => total + value, 0));
  const rest = values.map((value, place) => 1000 * value - (tenths[place] ?? 0));
  const order = [...values.keys()].slice(1).sort((a, b) => (rest[b] ?? 0) - (rest[a] ?? 0));
  let missing = sum - tenths.reduce((total, value) => total + value, 0);
  for (let i = 0; missing > 0; i += 1, missing -= 1)
    tenths[order[i % order.length] ?? 0] = (tenths[order[i % order.length] ?? 0] ?? 0) + 1;
  return tenths.map((value) => value / 10);
}

/**
 * The parts of a result as bars that begin where the one above ends.
 * @param {{label: string, note: string, value: number}[]} parts in points of 100; the first is the
 *   fair share, the last the result
 */
export function waterfall(parts) {
  let at = 0;
  const rows = parts.map(({ label, note, value }, place) => {
    const ends = place === 0 || place === parts.length - 1;
    const [from, to] = ends ? [0, value] : [at, at + value];
    at = to;
    return { label, note, value, ends, from, to };
  });
  const [low, high] = [
    Math.min(0, ...rows.map(({ to }) => to)),
    Math.max(100, ...rows.map(({ to }) => to)),
  ];
  const x = (/** @type {number} */ value) => (100 * (value - low)) / (high - low);
  return make(
    "ol",
    { class: "fall" },
    ...rows.map(({ label, note, value, ends, from, to }) => {
      const style = `left: ${x(Math.min(from, to))}%; width: ${Math.abs(x(to) - x(from))}%`;
      return make(
        "li",
        { class: ends ? "ends" : value < 0 ? "down" : "up" },
        make("span", { class: "l" }, label, make("small", {}, note)),
        make("span", { class: "b", "aria-hidden": "true" }, make("i", { style })),
        make("b", {}, ends ? value.toFixed(1) : signed(value, 1)),
      );
    }),
  );
}
