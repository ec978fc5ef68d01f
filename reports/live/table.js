/* A kind of table that the page can play, from what the page knows of it and what is chosen. */

import { written } from "./changes.js";

/** @typedef {import("../rendering/templates/interactions.js").Choice} Choice */
/** @typedef {import("../rendering/templates/choices.js").Chosen} Chosen */
/** @typedef {import("./changes.js").RuleValue} RuleValue */

/**
 * What the page plays with (reports/page/playable.py): the engine, as far as panels look at it;
 * margins; and by the key of rules how they differ from their edition's (`base`), their clans in
 * the order of powers, those that lead, ages by players, and samples of clan sets by their size.
 * @typedef {{
 *   engine: {strategies: string[], rules: Record<string, {clans: string[], fields: RuleValue[]}>},
 *   margins: import("./compared.js").Margins,
 *   tables: Record<string, {
 *     base: string[], order: string[], leads: string[], ages: Record<string, number>,
 *     samples: Record<string, string[][]>,
 *   }>,
 * }} Live
 */

/** Who plays where those of a table cannot play in a page. */
const STRONGEST = "learned";

/**
 * The table that is chosen, whoever played it; null where the page has none of its kind.
 * @param {Live | null} live @param {Choice[]} all @param {Chosen} chosen
 */
export function kindOf(live, all, chosen) {
  const alike = all.filter(
    ({ edition, mode, players }) =>
      edition === chosen.edition && mode === chosen.mode && players === chosen.players,
  );
  const kind = alike.find(({ who }) => who === chosen.who) ?? alike[0];
  if (!kind) return null;
  const { key, size, players, mode } = kind;
  const { clans = [], fields = [] } = live?.engine.rules[key] ?? {};
  const { order = Object.keys(kind.clans), leads, base, ages, samples } = live?.tables[key] ?? {};
  return {
    ...{ key, size, players, mode, fields, base: base ?? [], labels: kind.clans },
    clans: order.filter((clan) => chosen.clans.includes(clan)),
    last: (ages?.[players] ?? 1) - 1,
    samples: samples?.[size] ?? [],
    /** Whose games tell what clans are worth among any others. */
    model: alike.find(({ worth }) => Object.keys(worth).length) ?? null,
    who: live?.engine.strategies.includes(chosen.who) ? chosen.who : STRONGEST,
    /** @param {string} clan */
    numberOf: (clan) => clans.indexOf(clan),
    /** @param {string} clan */
    name: (clan) => kind.clans[clan] ?? clan,
    /** @param {string} clan */
    leads: (clan) => leads?.includes(clan) ?? clan in kind.worth,
  };
}

/** @typedef {NonNullable<ReturnType<typeof kindOf>>} Table */

/**
 * The command line that plays the same games: of a table, or of two rule sets at it.
 * @param {"table" | "compare"} command @param {Table} table
 * @param {string[][]} sets the clan sets, where they are the reader's own @param {number} games
 * @param {import("./changes.js").Changes} changes
 */
export function commandLine(
  command,
  { key, base: changed, players, mode, who },
  sets,
  games,
  changes,
) {
  const set = Object.entries(changes).map(([name, value]) => `${name}=${written(value)}`);
  const base = [key, ...changed].join("+");
  const own = changed.length > 0 && command === "compare";
  const words = [
    `ethnos-sim ${command}`,
    ...(own ? [base, [base, ...set].join("+")] : []),
    ...(key === "second" || own ? [] : [`--edition ${key}`]),
    ...(own ? [] : [...changed, ...set].map((one) => `--set ${one}`)),
    ...(mode === "standard" ? [] : [`--mode ${mode}`]),
    `--players ${players}`,
    ...(who === STRONGEST ? [] : [`--strategies ${who}`]),
    ...(sets[0] ? [`--clans ${sets[0].join(",")}`] : []),
    ...(games ? [`--games ${games}`] : []),
  ];
  return words.join(" ");
}
