/* The words of a trace and of the table after each of its events. */

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

export {};
