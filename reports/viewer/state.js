/* The table after each event of a game, put together from changes. */

/** @typedef {string} Card "clan:color" */

/**
 * An event of a trace (docs/trace.md). The other keys depend on `event`, the kind.
 * @typedef {{event: string, [key: string]: any}} Event
 */

/**
 * The table. Lists are by player, with Bruno last in solo; tracks, boards and largest-party tokens are
 * by clan. `deck` counts cards and dragons together.
 * @typedef {{
 *   age: number, turn: number, hands: Card[][], known: Card[][], pool: Card[], deck: number,
 *   dragons: number, columns: Card[], faceUp: string[], markers: Record<string, number[]>,
 *   supply: number[], coins: Record<string, number>, tokens: number[][],
 *   sea: Record<string, number[]>, largest: Record<string, {player: number, size: number} | null>,
 *   settled: Record<string, string[][]>,
 *   parties: {cards: Card[], leader: string}[][], partyPoints: number[],
 *   prestige: number[], sources: Record<string, number[]>, winners: number[] | null,
 * }} State
 */

/**
 * Apply a change to a value (`changes` in reports/viewer/page.py); the old value stays as it is.
 * @param {any} before
 * @param {any} change
 * @returns {any}
 */
function changed(before, change) {
  const parts = [before, change].every((value) => value !== null && typeof value === "object");
  if (!parts || Array.isArray(change)) return change;
  const after = Array.isArray(before) ? [...before] : { ...before };
  for (const [key, value] of Object.entries(change)) after[key] = changed(before[key], value);
  return after;
}

/**
 * The tables after each event, in their order.
 * @param {any[]} changes
 * @returns {State[]}
 */
export function statesOf(changes) {
  let state = /** @type {State} */ ({});
  return changes.map((change) => {
    state = changed(state, change);
    return state;
  });
}
