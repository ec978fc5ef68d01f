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
 * "#edition=2nd+edition&mode=standard&players=4&who=learned&clan=fox&clan=koi&change=dragons=4"; null for
 * any other address.
 * @param {string} hash @returns {Chosen | null}
 */
export function readChoice(hash) {
  const said = new URLSearchParams(hash.slice(1));
  const [edition, mode, who] = ["edition", "mode", "who"].map((key) => said.get(key));
  if (!edition || !mode || !who) return null;
  const table = { edition, mode, players: Number(said.get("players")), who };
  return { ...table, clans: said.getAll("clan"), changes: said.getAll("change") };
}

/** @param {Chosen} chosen */
export function writeChoice({ edition, mode, players, who, clans, changes }) {
  const said = new URLSearchParams({ edition, mode, players: String(players), who });
  for (const clan of clans) said.append("clan", clan);
  for (const change of changes) said.append("change", change);
  return `#${said}`;
}

/** Whether two tables are the same. @param {Table} one @param {Table} other */
export const isSame = (one, other) => KINDS_OF_TABLE.every((key) => one[key] === other[key]);

/**
 * The choice itself if its table was played, else the most similar one that was.
 * @param {Choice[]} all @param {Chosen} chosen
 * @param {Partial<Chosen>} [change] what the reader has just chosen, which stays
 * @returns {Chosen}
 */
export function nearest(all, chosen, change = {}) {
  /** @param {keyof Table} key */
  const weight = (key) => (key in change ? 100 : key === "who" ? 1 : 8);
  /** @param {Choice} choice */
  const distance = (choice) =>
    KINDS_OF_TABLE.reduce((sum, key) => sum + Number(choice[key] !== chosen[key]) * weight(key), 0);
  const [first] = [...all].sort((one, other) => distance(one) - distance(other));
  const { edition, mode, players, who } = first ?? chosen;
  return { edition, mode, players, who, clans: chosen.clans, changes: chosen.changes };
}

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
    const items = options.map((who) => {
      const level = all.find((choice) => choice.who === who)?.level ?? who;
      return make("option", { value: who, selected: who === chosen.who }, level);
    });
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
  return [
    make("div", { class: "choice", role: "group", "aria-label": NAMES[key] }, ...buttons),
    ...unit,
  ];
}

/**
 * All controls of the choice.
 * @param {Choice[]} all @param {Chosen} chosen @param {(change: Partial<Chosen>) => void} choose
 */
export const bar = (all, chosen, choose) =>
  KINDS_OF_TABLE.flatMap((key) => control(all, chosen, key, choose));
