/* Predict the worth of clans in any set by the model of reports/estimators/interactions.py. */

/**
 * A value and the half-width of its 95 % interval.
 * @typedef {[number, number]} Pair
 */

/**
 * A clan's model. `mean` holds the clan's worth without any of `others`, then what each of them adds.
 * `covariance` is the lower triangle of the covariance of `mean`, row by row (unit: COVARIANCE).
 * @typedef {{others: string[], mean: number[], covariance: number[]}} ClanModel
 */

/**
 * A kind of table that can be chosen, with the key of its rules and the models of its clans
 * (reports/page/views.py).
 * @typedef {{
 *   edition: string, mode: string, players: number, who: string, key: string,
 *   size: number, clans: Record<string, string>, sets: number, leftover: number,
 *   worth: Record<string, ClanModel>,
 * }} Choice
 */

export const Z = 1.96;
const COVARIANCE = 1e-8;

/**
 * Predict a clan's worth in a set of clans, as a winning chance.
 * @param {ClanModel} model @param {string[]} clans @param {number} leftover @returns {Pair}
 */
export function predict(model, clans, leftover) {
  const row = [1, ...model.others.map((clan) => (clans.includes(clan) ? 1 : 0))];
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

/** @param {ClanModel} model @param {number} i @param {number} j */
function covarianceOf(model, i, j) {
  const [low, high] = i < j ? [i, j] : [j, i];
  return COVARIANCE * (model.covariance[(high * (high + 1)) / 2 + low] ?? 0);
}

/**
 * The worth of each clan that can lead in a set, less the average of these clans; the strongest first.
 * @param {Choice} choice @param {string[]} clans
 */
export function worths(choice, clans) {
  const predicted = clans.flatMap((clan) => {
    const model = choice.worth[clan];
    const others = clans.filter((other) => other !== clan);
    return model ? [{ clan, worth: predict(model, others, choice.leftover) }] : [];
  });
  const sum = predicted.reduce((total, { worth: [value] }) => total + value, 0);
  const mean = sum / (predicted.length || 1);
  return predicted
    .map(({ clan, worth: [value, half] }) => {
      return { clan, worth: /** @type {Pair} */ ([value - mean, half]) };
    })
    .sort((a, b) => b.worth[0] - a.worth[0]);
}

/**
 * The clans that may be the strongest: the clans whose interval reaches the interval of the first.
 * @param {{clan: string, worth: Pair}[]} values the strongest first
 */
export function strongest(values) {
  const [first] = values;
  if (!first) return [];
  const least = first.worth[0] - first.worth[1];
  return values.filter(({ worth: [value, half] }, place) => !place || value + half >= least);
}

/**
 * A sentence that names the clans that may be the strongest.
 * @param {string[]} best @param {number} all the number of clans
 */
export function bestOf(best, all) {
  const last = best.at(-1) ?? "";
  if (best.length === 1) return `${last} is the strongest of these.`;
  if (best.length === all) return "No clan stands out: their intervals all reach the first one's.";
  return `${best.slice(0, -1).join(", ")} or ${last} is the strongest: too close to tell.`;
}

/**
 * The effects of clans on each other's worth whose intervals exclude 0; the largest first.
 * @param {Choice} choice @param {string[]} clans
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
