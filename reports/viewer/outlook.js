/* What a party would bring, said before it is played, and the rules of the table at a glance. */

import { make } from "../rendering/templates/elements.js";
import { fixed } from "../rendering/templates/numbers.js";
import { needed } from "./board.js";
import { plain } from "./sitting.js";
import {
  against,
  capital,
  counted,
  effects,
  regionWords,
  shortName,
  signed,
  sourceWords,
  spoken,
} from "./words.js";

/** @import { StatedField } from "../live/engine.js" */
/** @import { Seen } from "./board.js" */
/** @import { Answer, Seats, Sitting } from "./sitting.js" */
/** @import { Names } from "./words.js" */
/** @import { Event } from "./events.js" */
/** @import { State } from "./seen.js" */
/** A line on a party: what it is about, and what it says. @typedef {[string, (Node | string)[]]} Line */

/** What a party brings at once, and what its leader's power asks. @param {Event} event @param {number} taken points for the largest party @param {Seen} seen */
function atOnce(event, taken, { names }) {
  const asked = /** @type {Record<string, string>} */ ({
    sea_region: "a marker anywhere",
    token: "a tie-break token",
    settle: "a marker on your board",
    second_party: "another may follow",
    keep: `keep up to ${counted(event.limit, "card")}`,
    draw: `draw ${counted(event.limit, "card")}`,
  })[event.asks];
  const points = taken ? [`+${counted(taken, "point")}`] : [];
  return [...effects(event, names), ...points, ...(asked ? [asked] : [])].join(", ");
}

/** What a party would bring at the age's end, in all and by region and source. @param {Sitting} game @param {Answer} answer @param {number} taken @param {Names} names @returns {Line[1]} */
function atEnd(game, answer, taken, names) {
  const { kinds } = game.seats;
  const now = game.ifAgeEnded(game.now.decision === "turn" ? [] : [plain(kinds.decline)]);
  const then = now && game.ifAgeEnded([answer]);
  if (!now || !then) return ["not known before the next turn"];
  /** @param {(event: Event) => number[] | null} won */
  const more = (won) => (won(then)?.[game.seat] ?? 0) - (won(now)?.[game.seat] ?? 0);
  const sources = Object.keys(names.sources).filter((source) => source !== "regions");
  const changes = [
    ...names.colors.map((color) => ({
      name: regionWords(color, names),
      points: more((event) => event.regions[color]),
    })),
    ...sources.map((source) => ({
      name: sourceWords(source, names),
      points: more((event) => event[source]),
    })),
  ].filter(({ points }) => points);
  const sum = make("b", { class: "plus" }, signed(more((event) => event.prestige) - taken));
  return [sum, changes.map(({ name, points }) => `${name} ${fixed(points, 0)}`).join(", ")];
}

/**
 * The four lines on a party: its marker, what it brings now and at the age's end, and what it leaves; and
 * in `marked` the region where its marker goes.
 * @param {Sitting} game @param {Answer} answer @param {Seen} seen @param {State} state
 * @returns {{lines: Line[], marked: string[]}}
 */
export function outlook(game, answer, seen, state) {
  const { names, rules } = seen;
  const event = game.tried(answer);
  const { region, asks } = event;
  const [clan = "", color = ""] = event.leader.split(":");
  const more = state.markers[region]?.map((count, side) => count + Number(side === game.seat));
  const placed = more && `: ${more[game.seat]}, ${against(more, game.seat, names)}`;
  const lacks = `none: ${regionWords(color, names)} needs ${counted(needed(state, color, seen), "card")}`;
  const marker = placed ? [make("b", {}, regionWords(region, names)), placed] : [lacks];
  const taken = event.largest ? (rules[`${clan}.on_take`] ?? 0) : 0;
  const left = (state.hands[game.seat]?.length ?? 0) - event.cards.length;
  const next = shortName((game.seat + 1) % names.players.length, names);
  const pool = `${counted(left, "card")}${asks === "keep" ? " less those kept" : ""}`;
  const after = names.players[1] === "Bruno" ? pool : `${pool}, and ${next} is next`;
  return {
    marked: region === null ? [] : [region],
    lines: [
      ["Marker", asks === "region" ? ["in a region that you choose"] : marker],
      ["Now", [atOnce(event, taken, seen) || "nothing more"]],
      [`${capital(names.words.age)}’s end`, atEnd(game, answer, taken, names)],
      ["To the pool", [asks === "second_party" ? "after your last party" : after]],
    ],
  };
}

/** Values that every clan has, which are told only if they are changed. */
const USUAL =
  /\.(places_marker|marker_bonus|score_bonus|times_cards|needs_marker|per_card|more|margin|each_symbol|winner_only|follow_ups|scored)$/;

/** The values of the whole table that the panel tells. */
const TOLD = ["party_points", "hand_limit", "dragons", "markers", "markers_needed", "pool_refill"];

const GOAL =
  "Take a card or lead a party of one clan or one color. It places a marker in its leader’s region if it has more cards than you have markers there, uses the leader’s power (X is its number of cards), and the rest of your hand goes to the pool.";

/**
 * A panel with the rules at a glance: the points for parties, what regions pay, and each clan's power
 * with its values. Changed values are marked.
 * @param {Names} names @param {Seats} seats @param {StatedField[]} fields
 */
export function glance(names, { head, changes }, fields) {
  const { rules, players, clans } = head;
  const told = fields.filter(({ name, clan, players: [low, high] }) => {
    const counts = name in rules && low <= players && players <= high;
    const usual = clan === null ? !TOLD.includes(name) : USUAL.test(name);
    return name in changes || (counts && !usual);
  });
  /** @param {StatedField} field */
  const said = ({ name, meaning }) => {
    const value = [rules[name]].flat().join(", ");
    const shown = make("b", {}, value.replace("true", "yes").replace("false", "no"));
    return make("li", {}, `${capital(meaning)}: `, shown, name in changes ? " (house rule)" : "");
  };
  const table = told.filter(({ clan }) => clan === null);
  const powers = clans.map((/** @type {string} */ clan) => {
    const values = told.filter(({ name }) => name.startsWith(`${clan}.`));
    const list = values.length ? [make("ul", {}, ...values.map(said))] : [];
    const title = make("b", {}, capital(spoken(clan)));
    return make("li", {}, title, `: ${names.powers[clan]}.`, ...list);
  });
  const close = { type: "button", popovertarget: "rules", popovertargetaction: "hide" };
  return make(
    "div",
    { id: "rules", popover: "auto", role: "dialog", "aria-label": "Rules at a glance" },
    make("h2", {}, "Rules at a glance"),
    make("p", {}, GOAL),
    make("ul", {}, ...table.map(said)),
    make("h3", {}, "Powers"),
    make("ul", {}, ...powers),
    make("button", close, "Close"),
  );
}
