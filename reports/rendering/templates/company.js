/* What clans are worth in a company: the model of reports/estimators/company.py, evaluated for any set. */

/**
 * A value and half of its 95 % interval.
 * @typedef {[number, number]} Pair
 */

/**
 * A clan's model: what it is worth without any of `others`, then what each of them adds, and of the
 * covariance of these the lower triangle, row by row, in units of COVARIANCE.
 * @typedef {{others: string[], mean: number[], covariance: number[]}} ClanModel
 */

/**
 * What can be chosen: an edition and mode (`setting`), so many players, and who played; and the
 * page's sections of it, packed.
 * @typedef {{
 *   setting: string, title: string, players: number, who: string, size: number,
 *   clans: Record<string, string>, sets: number, leftover: number,
 *   worth: Record<string, ClanModel>, played: Record<string, Record<string, Pair>>,
 *   seat: Pair | null, turns: Pair | null, ways: [string, number, number][],
 *   gaps: Record<string, Pair>, games?: number, sections: string,
 * }} Choice
 */

const Z = 1.96;
const COVARIANCE = 1e-8;

/**
 * A clan's worth in a company, as a winning chance.
 * @param {ClanModel} model
 * @param {string[]} company
 * @param {number} leftover
 * @returns {Pair}
 */
export function predict(model, company, leftover) {
  const row = [1, ...model.others.map((clan) => (company.includes(clan) ? 1 : 0))];
  let value = 0;
  let spread = leftover ** 2;
  row.forEach((one, i) => {
    value += one * (model.mean[i] ?? 0);
    row.forEach((other, j) => {
      spread += one * other * covarianceOf(model, i, j);
    });
  });
  return [value, Z * Math.sqrt(Math.max(0, spread))];
}

/**
 * @param {ClanModel} model
 * @param {number} i
 * @param {number} j
 */
function covarianceOf(model, i, j) {
  const [low, high] = i < j ? [i, j] : [j, i];
  return COVARIANCE * (model.covariance[(high * (high + 1)) / 2 + low] ?? 0);
}

/**
 * Every clan of a set that can lead, from the strongest on.
 * @param {Choice} choice
 * @param {string[]} clans
 */
export function worths(choice, clans) {
  const played = choice.played[[...clans].sort().join(",")] ?? {};
  return clans
    .flatMap((clan) => {
      const model = choice.worth[clan];
      if (!model) return [];
      const company = clans.filter((other) => other !== clan);
      return [{ clan, worth: predict(model, company, choice.leftover), played: played[clan] }];
    })
    .sort((a, b) => b.worth[0] - a.worth[0]);
}

/**
 * What a clan's presence does to another one's worth, where it is sure; the largest first.
 * @param {Choice} choice
 * @param {string[]} clans
 */
export function sureEffects(choice, clans) {
  return clans
    .flatMap((clan) => {
      const model = choice.worth[clan];
      return (model?.others ?? []).flatMap((other, place) => {
        if (!model || !clans.includes(other)) return [];
        const value = model.mean[place + 1] ?? 0;
        const half = Z * Math.sqrt(Math.max(0, covarianceOf(model, place + 1, place + 1)));
        return Math.abs(value) > half
          ? [{ clan, other, effect: /** @type {Pair} */ ([value, half]) }]
          : [];
      });
    })
    .sort((a, b) => Math.abs(b.effect[0]) - Math.abs(a.effect[0]));
}

/**
 * A difference in winning chances in points: "+2.1 ± 0.4".
 * @param {Pair} pair
 */
export function points([value, half]) {
  const shown = (100 * value).toFixed(1).replace("-", "\u2212");
  return `${value >= 0 ? "+" : ""}${shown} ± ${(100 * half).toFixed(1)}`;
}

/**
 * What an address says is chosen: "#second;3;fox,bear,koi,owl,deer;champion"; null for any other.
 * @param {string} hash
 * @returns {{setting: string, players: number | null, clans: string[], who: string} | null}
 */
export function readChoice(hash) {
  const text = decodeURIComponent(hash.replace(/^#/, ""));
  if (!text.includes(";")) return null;
  const [setting = "", players = "", clans = "", who = ""] = text.split(";");
  return {
    setting,
    players: /^[2-6]$/.test(players) ? Number(players) : null,
    clans: [...new Set(clans.split(",").filter(Boolean))],
    who,
  };
}

/**
 * The address of a choice.
 * @param {{setting: string, players: number | null, clans: string[], who: string}} chosen
 */
export function writeChoice({ setting, players, clans, who }) {
  const parts = [setting, players ?? "", clans.join(",")];
  return `#${[...parts, ...(who ? [encodeURIComponent(who)] : [])].join(";")}`;
}
