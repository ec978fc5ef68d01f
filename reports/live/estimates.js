/* Numbers with intervals from blocks of deals, by the formulas of experiments/statistics
   (docs/statistics.md). */

/**
 * Numbers and their jackknife pseudo-values, one list per block of deals. `leverage` is the number of
 * all games divided by the games of the block, less one.
 * @typedef {{value: number[], pseudo: number[][], leverage: number[]}} Numbers
 */

/** The fewest blocks of deals for an interval (experiments/statistics/blocks.py). */
const LEAST_BLOCKS = 20;

/**
 * The delete-one-block jackknife of any smooth function of sums (Busing et al. 1999).
 * @param {(sums: Float64Array) => number[]} statistic
 * @param {Float64Array[]} blocks the sums of each block of deals
 * @param {number[]} sizes games in each block @returns {Numbers}
 */
export function jackknife(statistic, blocks, sizes) {
  const filled = blocks.filter((_, block) => sizes[block]);
  const games = sizes.filter(Boolean);
  const all = games.reduce((sum, count) => sum + count, 0);
  const totals = new Float64Array(blocks[0]?.length ?? 0);
  for (const block of filled) {
    block.forEach((sum, place) => {
      totals[place] = (totals[place] ?? 0) + sum;
    });
  }
  const value = statistic(totals);
  const leverage = games.map((count) => all / count - 1);
  const pseudo = filled.map((block, number) => {
    const without = statistic(totals.map((sum, place) => sum - (block[place] ?? 0)));
    return value.map((one, row) => one + (leverage[number] ?? 0) * (one - (without[row] ?? 0)));
  });
  return { value, pseudo, leverage };
}

/** The means of the pseudo-values: the numbers without their first-order bias. @param {Numbers} numbers */
const centers = ({ value, pseudo, leverage }) =>
  value.map((_, row) =>
    pseudo.reduce((sum, rows, block) => sum + (rows[row] ?? 0) / ((leverage[block] ?? 0) + 1), 0),
  );

/**
 * The half-width of each 95 % interval; infinite with too few blocks.
 * @param {Numbers} numbers @param {number} [comparisons] the number of simultaneous intervals
 */
export function halves(numbers, comparisons = 1) {
  return rowsOf(numbers).map((row) => reachOf(row, comparisons));
}

/**
 * Apply a linear map to the numbers and to the pseudo-values of each block.
 * @param {Numbers} numbers @param {(values: number[]) => number[]} map @returns {Numbers}
 */
export const mapped = ({ value, pseudo, leverage }, map) => ({
  value: map(value),
  pseudo: pseudo.map(map),
  leverage,
});

/**
 * The second numbers less the first, on the same deals.
 * @param {Numbers} first @param {Numbers} second @returns {Numbers}
 */
export function differences(first, second) {
  /** @param {number[]} ours @param {number[]} theirs */
  const less = (ours, theirs) => theirs.map((value, row) => value - (ours[row] ?? 0));
  return {
    value: less(first.value, second.value),
    pseudo: first.pseudo.map((rows, block) => less(rows, second.pseudo[block] ?? [])),
    leverage: first.leverage,
  };
}

/** The variance of some values. @param {number[]} values */
function variance(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/**
 * The variance over some numbers as a jackknifed number (`squares`), and their standard deviation
 * without noise (`apart`), as in reports/estimators/clan_spread.py.
 * @param {Numbers} numbers
 */
export function spreadOf(numbers) {
  const { value, pseudo, leverage } = numbers;
  const whole = variance(value);
  const squares = {
    value: [whole],
    pseudo: pseudo.map((rows, block) => {
      const h = leverage[block] ?? 0;
      const without = value.map((one, row) => one - ((rows[row] ?? 0) - one) / h);
      return [whole + h * (whole - variance(without))];
    }),
    leverage,
  };
  return { squares, apart: Math.sqrt(Math.max(0, centers(squares)[0] ?? 0)) };
}

/**
 * The change of the standard deviation over some numbers: s2 - s1 = (v2 - v1) / (s1 + s2)
 * (reports/comparison/differences.py).
 * @param {Numbers} first @param {Numbers} second @returns {Numbers}
 */
export function spreadChange(first, second) {
  const [one, two] = [spreadOf(first), spreadOf(second)];
  const both = one.apart + two.apart;
  const change = differences(one.squares, two.squares);
  const scaled = mapped(change, ([gap = 0]) => [both > 0 ? gap / both : Number.NaN]);
  return { ...scaled, value: [two.apart - one.apart] };
}

/**
 * Whether two of some numbers, chosen after the games, differ significantly (Bonferroni over all pairs).
 * @param {Numbers} numbers @param {number} one @param {number} other their places
 */
export function differ(numbers, one, other) {
  const count = numbers.value.length;
  const gap = mapped(numbers, (values) => [(values[one] ?? 0) - (values[other] ?? 0)]);
  return Math.abs(gap.value[0] ?? 0) > (halves(gap, (count * (count - 1)) / 2)[0] ?? 0);
}

/**
 * A single number with its standard error and the degrees of freedom of this error.
 * @typedef {{value: number, error: number, degrees: number}} Row
 */

/** Numbers as single rows. @param {Numbers} numbers @returns {Row[]} */
export function rowsOf(numbers) {
  const { value, pseudo, leverage } = numbers;
  const center = centers(numbers);
  return value.map((one, row) => {
    const squares = pseudo.map(
      (rows, block) => ((rows[row] ?? 0) - (center[row] ?? 0)) ** 2 / (leverage[block] ?? 0),
    );
    const variance = squares.reduce((sum, square) => sum + square, 0) / pseudo.length;
    const error = pseudo.length < 2 ? Number.NaN : Math.sqrt(variance);
    return { value: one, error, degrees: pseudo.length - 1 };
  });
}

/** @typedef {"matters" | "alike" | "close" | "open"} Verdict */

/**
 * The verdict on a difference by its interval (`verdict_of` in experiments/statistics/verdict.py).
 * @param {number} low @param {number} high the ends of the interval; not finite if there is none
 * @param {number} limit the size from which a difference matters @returns {Verdict}
 */
export function verdictOf(low, high, limit) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return "open";
  if (low > limit || high < -limit) return "matters";
  if (Math.max(-low, high) <= limit) return "alike";
  return high - low <= limit ? "close" : "open";
}

/**
 * The verdict on each of some differences that are read together (`family_verdicts` in the same file).
 * @param {Row[]} changes @param {number[]} limits @param {number} looks at these differences
 */
export function verdicts(changes, limits, looks) {
  const family = changes.filter(({ error }) => Number.isFinite(error)).length || 1;
  return changes.map((row, place) => {
    const limit = limits[place] ?? 0;
    /** @param {number} comparisons */
    const among = (comparisons) => {
      const half = reachOf(row, comparisons);
      return verdictOf(row.value - half, row.value + half, limit);
    };
    const jointly = among(family * looks);
    const alone = among(looks);
    return jointly === "matters" || alone !== "matters" ? alone : "open";
  });
}

/**
 * The half-width of an interval that holds together with others (Bonferroni); infinite with too few blocks.
 * @param {Row} row @param {number} [comparisons] the number of intervals
 */
export function reachOf({ error, degrees }, comparisons = 1) {
  if (degrees + 1 < LEAST_BLOCKS || !Number.isFinite(error)) return Number.POSITIVE_INFINITY;
  return quantileOfT(1 - 0.025 / comparisons, degrees) * error;
}

/**
 * P(T > t) for Student's t with whole degrees of freedom (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4).
 * @param {number} t @param {number} degrees
 */
export function tailOfT(t, degrees) {
  if (Number.isNaN(t)) return 1;
  const angle = Math.atan(t / Math.sqrt(degrees));
  const cosine = Math.cos(angle) ** 2;
  const odd = degrees % 2;
  let term = odd ? Math.cos(angle) : 1;
  let sum = degrees > 1 ? term : 0;
  for (let n = odd + 2; n < degrees; n += 2) {
    term *= cosine * ((n - 1) / n);
    sum += term;
  }
  const inside = odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
  return (1 - inside) / 2;
}

/** The quantile of Student's t, from -50 to 50. @param {number} probability @param {number} degrees */
export function quantileOfT(probability, degrees) {
  let [low, high] = [-50, 50];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (1 - tailOfT(middle, degrees) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
