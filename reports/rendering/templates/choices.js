/* The reader's choice: edition, mode, players, strategies, clans and rule values. The whole page
   shows what is chosen. */

import { make, makeButton } from "./elements.js";

/**
 * A kind of table that can be chosen, with the key of its rules (reports/page/views.py).
 * @typedef {{
 *   edition: string, mode: string, players: number, who: string, key: string,
 *   size: number, clans: Record<string, string>,
 * }} Choice
 */
/** @typedef {{edition: string, mode: string, players: number, who: string}} Table */
/** A table, the reader's clans, and changed rule values as NAME=VALUE. @typedef {Table & {clans: string[], changes: string[]}} Chosen */

const NAMES = { edition: "Edition", mode: "Mode", players: "Players", who: "Played by" };
const KINDS_OF_TABLE = /** @type {(keyof Table)[]} */ (Object.keys(NAMES));

/**
 * Read a choice from an address, as in
 * "#2nd edition;standard;4;learned;fox,koi;bear.on_take=2&dragons=4"; null for any other address.
 * @param {string} hash @returns {Chosen | null}
 */
export function readChoice(hash) {
  const parts = hash.slice(1).split(";").map(decoded);
  const [edition, mode, players, who, clans = "", changes = ""] = parts;
  if (!edition || !mode || !players || !who) return null;
  /** @param {string} text @param {string} mark */
  const several = (text, mark) => [...new Set(text.split(mark).filter(Boolean))];
  const table = { edition, mode, players: Number(players), who };
  return { ...table, clans: several(clans, ","), changes: several(changes, "&") };
}

/** Decode a part of an address; a part that is not encoded is returned unchanged. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {Chosen} chosen */
export function writeChoice({ edition, mode, players, who, clans, changes }) {
  const parts = [edition, mode, players, who, clans.join(","), changes.join("&")];
  while (parts.at(-1) === "") parts.pop();
  return `#${parts.map(encodeURIComponent).join(";")}`;
}

/**
 * Find the choice of a table; undefined if the table was not played.
 * @param {Choice[]} all @param {Table} chosen
 */
export const choiceOf = (all, chosen) =>
  all.find((choice) => KINDS_OF_TABLE.every((key) => choice[key] === chosen[key]));

/**
 * A sentence that the table was not played, and the nearest table that was.
 * @param {Choice[]} all @param {Table} chosen
 */
export function notPlayed(all, chosen) {
  const mode = chosen.mode === "standard" ? "" : `, ${chosen.mode}`;
  const text = `${chosen.who} did not play the ${chosen.edition}${mode} with ${chosen.players} players.`;
  /** @param {Choice} choice */
  const distance = (choice) =>
    8 * Number(choice.edition !== chosen.edition) +
    8 * Number(choice.mode !== chosen.mode) +
    8 * Number(choice.players !== chosen.players) +
    Number(choice.who !== chosen.who);
  const nearest = [...all].sort((a, b) => distance(a) - distance(b))[0];
  return { text, nearest };
}

/**
 * The control for one kind of choice: a list for strategies, else buttons; nothing if there is no choice.
 * @param {Choice[]} all @param {Chosen} chosen @param {keyof Table} key
 * @param {(change: Partial<Chosen>) => void} choose
 */
function control(all, chosen, key, choose) {
  const options = [...new Set(all.map((choice) => choice[key]))];
  if (key === "players") options.sort();
  if (options.length < 2) return [];
  /** @param {string} text */
  const value = (text) => ({ [key]: key === "players" ? Number(text) : text });
  if (key === "who") {
    const list = /** @type {HTMLSelectElement} */ (
      make(
        "select",
        { name: key },
        ...options.map((option) =>
          make("option", { value: option, selected: option === chosen[key] }, option),
        ),
      )
    );
    list.addEventListener("change", () => choose(value(list.value)));
    return [make("label", {}, `${NAMES[key]} `, list)];
  }
  const buttons = options.map((option) => {
    const pressed = String(option === chosen[key]);
    return makeButton([String(option)], () => choose(value(String(option))), {
      ...{ "aria-pressed": pressed, "data-key": `${key}-${option}` },
    });
  });
  return [
    make(
      "div",
      { role: "group", "aria-label": NAMES[key] },
      make("span", {}, NAMES[key]),
      ...buttons,
    ),
  ];
}

/**
 * All controls of the choice.
 * @param {Choice[]} all @param {Chosen} chosen @param {(change: Partial<Chosen>) => void} choose
 */
export const bar = (all, chosen, choose) =>
  KINDS_OF_TABLE.flatMap((key) => control(all, chosen, key, choose));
