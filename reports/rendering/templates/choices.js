/* The reader's choice: edition, mode, players, strategies, clans and rule values. The whole page
   shows what is chosen. */

import { make, makeButton } from "./elements.js";

/** @typedef {{edition: string, mode: string, players: number, who: string}} Table */
/**
 * A kind of table that can be chosen, with the words for its players, the key of its rules, the number
 * of clans in play, and the names of all clans (reports/page/views.py).
 * @typedef {Table & {level: string, key: string, size: number, clans: Record<string, string>}} Choice
 */
/** A table, the reader's clans, and changed rule values as NAME=VALUE. @typedef {Table & {clans: string[], changes: string[]}} Chosen */

const NAMES = {
  edition: "Edition",
  mode: "Mode",
  players: "Number of players",
  who: "The players’ level",
};
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

/** Two buttons or more, one of which is pressed. @param {string} name @param {Node[]} buttons */
const group = (name, buttons) =>
  make("div", { class: "choice", role: "group", "aria-label": name }, ...buttons);

/**
 * The control for one kind of choice: a list for players' levels, else buttons; nothing if there is no
 * choice.
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
    const items = options.map((who) =>
      make("option", { value: who, selected: who === chosen.who }, levelOf(all, String(who))),
    );
    const list = /** @type {HTMLSelectElement} */ (
      make("select", { name: key, "aria-label": NAMES[key] }, ...items)
    );
    list.addEventListener("change", () => choose(value(list.value)));
    return [list];
  }
  const buttons = options.map((option) => {
    const pressed = String(option === chosen[key]);
    const label = String(option).replace(/^./, (letter) => letter.toUpperCase());
    return makeButton([label], () => choose(value(String(option))), {
      ...{ "aria-pressed": pressed, "data-key": `${key}-${option}` },
    });
  });
  const unit = key === "players" ? [make("span", { class: "unit" }, "players")] : [];
  return [group(NAMES[key], buttons), ...unit];
}

/** The words for some players: "strong players". @param {Choice[]} all @param {string} who */
const levelOf = (all, who) => all.find((choice) => choice.who === who)?.level ?? who;

/**
 * All controls of the choice.
 * @param {Choice[]} all @param {Chosen} chosen @param {(change: Partial<Chosen>) => void} choose
 */
export const bar = (all, chosen, choose) =>
  KINDS_OF_TABLE.flatMap((key) => control(all, chosen, key, choose));
