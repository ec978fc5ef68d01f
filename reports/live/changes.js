/* Search rule values, read them, check them by the checks of simulator/rules, and write them. */

/** A rule value with its permitted values. @typedef {import("./engine.js").StatedField} RuleValue */

/** @typedef {number | boolean | number[]} Stated */

/** Values that differ from the printed ones, by name. @typedef {Record<string, Stated>} Changes */

/** Values that set the number of clans in play. The page leaves them out: they need other clans. */
const OTHER_CLANS = ["clans_2_3", "clans_4_6"];
const REGIONS = 6;
const SMALL_TABLE = 3;
const MOST_SLOTS = 7;

/** Write a value for the command line: 2, true, 1,2,3, or "1," for a list of one number. @param {Stated} value */
export const written = (value) =>
  Array.isArray(value) ? value.join(",") + (value.length === 1 ? "," : "") : String(value);

/**
 * The values that matter at a table and whose name or meaning contains every word of a search, or a
 * word that stands for it.
 * @param {RuleValue[]} values @param {string} words @param {number} players
 * @param {(value: RuleValue) => boolean} inPlay whether a value belongs to a clan in play, or to none
 * @param {string[][]} groups names and words of the editions that mean the same
 */
export function matching(values, words, players, inPlay, groups) {
  /** A word, and all that stand for it. @param {string} word */
  const meant = (word) => [word, ...groups.filter((group) => group.includes(word)).flat()];
  const text = words.toLowerCase().trim();
  const asked = groups.some((group) => group.includes(text)) ? [text] : text.split(/\s+/);
  return values.filter((value) => {
    const about =
      `${value.name} ${value.name.replace(/[._]/g, " ")} ${value.meaning}`.toLowerCase();
    const [fewest, most] = value.players;
    const counts = fewest <= players && players <= most && !OTHER_CLANS.includes(value.name);
    return (
      counts &&
      inPlay(value) &&
      asked.every((word) => meant(word).some((one) => about.includes(one)))
    );
  });
}

/** The permitted values in words that follow "must be". @param {RuleValue} rule */
export function shapeOf({ switch: isSwitch, choices, low, high, numbers, value, rising }) {
  if (isSwitch) return "true or false";
  if (choices.length) return choices.join(" or ");
  if (!numbers || !Array.isArray(value)) return `a whole number from ${low} to ${high}`;
  const order = rising ? ", each larger than the one before" : "";
  const count = value.length || `at most ${numbers[1]}`;
  const empty = numbers[0] ? "" : "shuffled, or ";
  return `${empty}${count} whole numbers from ${low} to ${high}${order}`;
}

/**
 * Read a value from a text; null if the rule does not permit it. A list must keep its length, but
 * for a list that is printed empty.
 * @param {RuleValue} rule @param {string} text @returns {Stated | null}
 */
export function readValue(rule, text) {
  const trimmed = text.trim().toLowerCase();
  if (rule.switch) return trimmed === "true" ? true : trimmed === "false" ? false : null;
  const { value, choices, numbers } = rule;
  const [fewest, most] =
    Array.isArray(value) && value.length ? [value.length, value.length] : (numbers ?? [1, 1]);
  if (!fewest && ["[]", "shuffled"].includes(trimmed)) return [];
  const parts = trimmed.replace(/^\[|\]$|,$/g, "").split(",");
  const read = parts.map((part) =>
    /^[+-]?\d{1,9}$/.test(part.trim()) ? Number(part) : Number.NaN,
  );
  const fits = read.every(
    (number) =>
      rule.low <= number && number <= rule.high && (!choices.length || choices.includes(number)),
  );
  const rises =
    !rule.rising || read.every((number, place) => !place || number > (read[place - 1] ?? 0));
  if (!fits || !rises || read.length < fewest || read.length > most) return null;
  if (!Array.isArray(value)) return read[0] ?? null;
  return rule.multiset ? read.sort((a, b) => a - b) : read;
}

/**
 * A sentence on why changed rules make no game at a table; "" if they make one. The checks are those
 * of `check_consistency` (simulator/rules/editions.py), `check_clans` and `check_mode_values`
 * (simulator/tables/table.py).
 * @param {RuleValue[]} values @param {Changes} changes
 * @param {{players: number, mode: string, clans: string[]}} table
 */
export function problemOf(values, changes, { players, mode, clans }) {
  const stated = new Map(values.map(({ name, value }) => [name, changes[name] ?? value]));
  /** @param {string} name */
  const number = (name) => Number(stated.get(name) ?? 0);
  /** @param {string} name @returns {number[]} */
  const list = (name) => [stated.get(name) ?? []].flat().map(Number);
  if (number("last_dragon") > number("dragons"))
    return `last_dragon = ${number("last_dragon")} is more than dragons = ${number("dragons")}.`;
  if (number("first_cards") > number("hand_limit"))
    return `first_cards = ${number("first_cards")} is more than hand_limit = ${number("hand_limit")}.`;
  for (const name of stated.keys()) {
    const clan = name.split(".")[0];
    if (name.endsWith(".symbols") && Math.max(0, ...list(name)) > number(`${clan}.last_space`))
      return `${name} reaches beyond ${clan}.last_space = ${number(`${clan}.last_space`)}.`;
  }
  for (const side of ["_2_3", "_4_6"]) {
    const more = side === "_4_6" ? list("prestige_tokens.four_plus") : [];
    const count = list("prestige_tokens.base").length + more.length;
    const tokens = count / REGIONS;
    const laid = list("tokens").length;
    if (laid && laid !== count && (side === "_4_6") === players > SMALL_TABLE)
      return `tokens lists ${laid} prestige tokens; with ${players} players there are ${count}.`;
    const ages = number(`ages${side}`);
    let paid = 0;
    for (let age = 1; age <= ages; age += 1) {
      const most = Math.max(0, ...list(`pays.age_${age}`));
      if (most > tokens) return `pays.age_${age} gives out token ${most} of ${tokens} in a region.`;
      paid = Math.max(paid, most);
    }
    for (const [name, value] of stated) {
      const [least, counted] = name.endsWith(`.age${side}`)
        ? [ages, `ages${side} = ${ages}`]
        : name.endsWith(`.prestige${side}`)
          ? [paid, `the ${paid} tokens that pays gives out`]
          : [0, ""];
      if ([value].flat().length < least)
        return `${name} needs ${least} numbers, one for each of ${counted}.`;
    }
  }
  if (number("pool_refill") && mode !== "standard")
    return "pool_refill has no place in Recruitment, which refills the pool: change recruitment_pool.";
  const slots = clans.reduce((sum, clan) => sum + number(`${clan}.times_cards`), 0);
  if (slots > MOST_SLOTS) return `These clans have the cards of ${slots} usual clans; 7 fit.`;
  const dealt = (number("pool_per_player") + number("first_cards")) * players;
  const cards = slots * number("cards_per_clan");
  return cards < dealt ? `${cards} cards are too few for the ${dealt} that are dealt.` : "";
}
