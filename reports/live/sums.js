/* Sums of finished games by block of deals; the page keeps nothing else of the games that it plays. */

/** @import { Engine } from "./engine.js" */

export const BLOCKS = 32;
/** A win from this many points behind or more is a comeback (reports/estimators/game_shape.py). */
const FAR_BEHIND = 6;

/**
 * The places of the sums in a block: games; turns; seats that lead before the last age, and their wins;
 * seats that are far behind then, and their wins; from TURN_WON on, wins by order of play; from GAVE_UP
 * on, for each clan of the set the seats that gave it up, and their wins.
 */
export const [GAMES, TURNS, LEADERS, LEADERS_WON, BEHIND, BEHIND_WON, TURN_WON, GAVE_UP] = [
  0, 1, 2, 3, 4, 5, 6, 12,
];
export const PLACES = GAVE_UP + 2 * 7;

/**
 * The sums of some games, block by block.
 * @param {Engine} engine its memory holds the rows of the games
 * @param {{games: number, seats: number, count: number, sides: number}} rows the addresses of the rows of
 *   games and seats, the number of games, and the sides of a game
 * @param {number[]} clans the numbers of the clans in play
 * @param {number} last the number of the last age, from 0
 */
export function sumsOf(engine, { games, seats, count, sides }, clans, last) {
  const sums = new Float64Array(BLOCKS * PLACES);
  /** @param {string} record @param {number} address @param {string} name @param {number[]} place */
  const read = (record, address, name, ...place) =>
    Number(engine.get(record, address, name, ...place));
  const [size, side] = [engine.sizeOf("GAME_DTYPE"), engine.sizeOf("SEAT_DTYPE")];
  const before = Math.max(0, last - 1);
  for (let game = 0; game < count; game += 1) {
    const row = games + game * size;
    const at = Array.from({ length: sides }, (_, seat) => seats + (game * sides + seat) * side);
    const points = at.map((seat) => read("SEAT_DTYPE", seat, "after_age", before));
    const most = Math.max(...points);
    const first = read("GAME_DTYPE", row, "first_player");
    const goesOn = read("GAME_DTYPE", row, "drawn", before + 1) > 0;
    const block = (read("GAME_DTYPE", row, "deal") % BLOCKS) * PLACES;
    /** @param {number} place @param {number} value */
    const add = (place, value) => {
      sums[block + place] = (sums[block + place] ?? 0) + value;
    };
    add(GAMES, 1);
    add(TURNS, read("GAME_DTYPE", row, "turns"));
    at.forEach((seat, number) => {
      const won = read("SEAT_DTYPE", seat, "won");
      const behind = most - (points[number] ?? 0);
      const gaveUp = clans.indexOf(read("SEAT_DTYPE", seat, "gave_up"));
      if (gaveUp >= 0) {
        add(GAVE_UP + 2 * gaveUp, 1);
        add(GAVE_UP + 2 * gaveUp + 1, won);
      }
      add(TURN_WON + ((number - first + sides) % sides), won);
      if (behind === 0) {
        add(LEADERS, 1);
        add(LEADERS_WON, won);
      } else if (goesOn && behind >= FAR_BEHIND) {
        add(BEHIND, 1);
        add(BEHIND_WON, won);
      }
    });
  }
  return sums;
}
