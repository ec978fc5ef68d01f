/* What a party would bring, said before it is played, and the rules of the table at a glance. */

import { make } from "../rendering/templates/elements.js";
import { against, needed } from "./board.js";
import { capital, shortName, spoken } from "./table.js";
import { counted, regionWords } from "./words.js";

/** @typedef {import("./board.js").Seen} Seen */
/** @typedef {import("./sitting.js").Answer} Answer */
/** @typedef {import("./sitting.js").Sitting} Sitting */
/** @typedef {import("./state.js").Event} Event */

/** What the power of a party's leader does at once. @param {Event} event @param {Record<string, any>} rules */
function atOnce(event, rules) {
  const [clan = ""] = event.leader.split(":");
  const { asks, limit } = event;
  return [
    ...(event.sea === null ? [] : [`sea track to ${event.sea}`]),
    ...(asks === "sea_region" ? ["a marker anywhere"] : []),
    ...(event.token ? [`tie-break token ${event.token}`] : []),
    ...(event.largest ? [`${signedPoints(rules[`${clan}.on_take`] ?? 0)} for the largest`] : []),
    ...(asks === "settle" ? ["a marker on your board"] : []),
    ...(event.coin === null ? [] : [`a coin of ${event.coin} on the region`]),
    ...(asks === "second_party" ? ["another may follow"] : []),
    ...(asks === "keep" ? [`keep up to ${counted(limit, "card")}`] : []),
    ...(asks === "draw" ? [`draw ${counted(limit, "card")}`] : []),
  ];
}

const signedPoints = (/** @type {number} */ points) => `+${counted(points, "point")}`;

/** The prestige that an age's end would bring a player, by source and region. @param {Event} event @param {number} seat @param {Seen} seen */
function byPlace(event, seat, { names }) {
  const places = names.colors.map(
    (color) =>
      /** @type {[string, number]} */ ([regionWords(color, names), event.regions[color][seat]]),
  );
  const sources = Object.entries(names.sources).flatMap(([source, clans]) => {
    const won = source === "regions" ? null : event[source];
    return won
      ? [
          /** @type {[string, number]} */ ([
            source === "parties" ? names.words.parties : clans.map(spoken).join(", "),
            won[seat],
          ]),
        ]
      : [];
  });
  return [...places, ...sources];
}

/**
 * The four lines on a party: its marker, what it brings now and at the age's end, and what it leaves.
 * @param {Sitting} game @param {Answer} answer @param {Seen} seen @param {import("./state.js").State} state
 * @returns {{lines: [string, (Node | string)[]][], region: string | null}}
 */
export function outlook(game, answer, seen, state) {
  const { names, seat, rules } = seen;
  const event = game.tried(answer);
  if (!event) return { lines: [], region: null };
  const row = state.markers[event.region];
  const more = row?.map((count, side) => count + Number(side === seat)) ?? [];
  const chosen = event.asks === "region";
  const color = event.leader.split(":")[1] ?? "";
  const lacks = `none: ${regionWords(color, names)} needs ${counted(needed(state, color, seen), "card")}`;
  const marker = row
    ? [
        make("b", {}, regionWords(event.region, names)),
        `: ${more[seat]}, ${against(more, seat, names)}`,
      ]
    : [lacks];
  const decline = {
    kind: game.seats.kinds.decline ?? 0,
    leader: 0,
    choice: 0,
    once: "0",
    twice: "0",
  };
  const now = game.ifAgeEnded(game.decision === "turn" ? [] : [decline]);
  const then = now && game.ifAgeEnded([answer]);
  const paid = event.largest ? (rules[`${event.leader.split(":")[0]}.on_take`] ?? 0) : 0;
  const before = now ? byPlace(now, seat, seen) : [];
  const parts = then
    ? byPlace(then, seat, seen).map(([name, points], i) => ({
        name,
        points: points - (before[i]?.[1] ?? 0),
      }))
    : [];
  const told = parts
    .filter(({ points }) => points)
    .map(({ name, points }) => `${name} ${points > 0 ? points : `−${-points}`}`);
  const total = then && now ? then.prestige[seat] - now.prestige[seat] - paid : 0;
  const end = then
    ? [make("b", { class: "plus" }, total < 0 ? `−${-total}` : `+${total}`), told.join(", ")]
    : ["not known before the next turn"];
  const left = (state.hands[seat]?.length ?? 0) - event.cards.length;
  const next = shortName((seat + 1) % names.players.length, names);
  const after = rules.players > 1 || names.players[1] !== "Bruno" ? `, and ${next} is next` : "";
  const pool =
    event.asks === "second_party"
      ? "after your last party"
      : `${counted(left, "card")}${event.asks === "keep" ? " less those kept" : ""}${after}`;
  return {
    region: chosen ? null : event.region,
    lines: [
      ["Marker", chosen ? ["in a region that you choose"] : marker],
      ["Now", [atOnce(event, rules).join(", ") || "nothing more"]],
      [`${capital(names.words.age)}’s end`, end],
      ["To the pool", [pool]],
    ],
  };
}

/** Values that every clan has, which are told only if they are changed. */
const USUAL =
  /\.(places_marker|marker_bonus|score_bonus|times_cards|needs_marker|per_card|more|margin|each_symbol|winner_only|follow_ups|scored)$/;

/** The values of the whole table that the panel tells. */
const TOLD = ["party_points", "hand_limit", "dragons", "markers", "markers_needed", "pool_refill"];

/**
 * The rules of this table at a glance: the points for parties, what regions pay, and each clan's power
 * with its values. Changed values are marked.
 * @param {Seen} seen @param {string[]} clans @param {import("../live/engine.js").StatedField[]} fields
 * @param {Record<string, unknown>} changes
 */
export function glance({ names, rules }, clans, fields, changes) {
  const players = rules.players;
  /** @param {import("../live/engine.js").StatedField} field */
  const counts = ({ players: [low, high] }) => low <= players && players <= high;
  /** @param {import("../live/engine.js").StatedField} field */
  const said = ({ name, meaning }) => {
    const value = rules[name];
    const shown = Array.isArray(value)
      ? value.join(", ")
      : value === true
        ? "yes"
        : value === false
          ? "no"
          : value;
    return make(
      "li",
      {},
      `${capital(meaning)}: `,
      make("b", {}, shown),
      name in changes ? " (house rule)" : "",
    );
  };
  const wanted = (/** @type {import("../live/engine.js").StatedField} */ field) =>
    field.name in rules && (field.name in changes || counts(field));
  const table = fields.filter(
    (field) =>
      field.clan === null && wanted(field) && (TOLD.includes(field.name) || field.name in changes),
  );
  const rows = clans.flatMap((clan) => {
    const values = fields.filter(
      (field) =>
        field.name.startsWith(`${clan}.`) &&
        wanted(field) &&
        (!USUAL.test(field.name) || field.name in changes),
    );
    const list = values.length ? [make("ul", {}, ...values.map(said))] : [];
    return [
      make("li", {}, make("b", {}, capital(spoken(clan))), `: ${names.powers[clan]}.`, ...list),
    ];
  });
  return make(
    "div",
    { id: "rules", popover: "auto", role: "dialog", "aria-label": "Rules at a glance" },
    make("h2", {}, "Rules at a glance"),
    make(
      "p",
      {},
      "Take a card or lead a party of one clan or one color. It places a marker in its leader’s region if it has more cards than you have markers there, uses the leader’s power (X is its number of cards), and the rest of your hand goes to the pool.",
    ),
    make("ul", {}, ...table.map(said)),
    make("h3", {}, "Powers"),
    make("ul", {}, ...rows),
    make(
      "button",
      { type: "button", popovertarget: "rules", popovertargetaction: "hide" },
      "Close",
    ),
  );
}
