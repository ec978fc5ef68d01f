/* Sums of finished games by block of deals; the page keeps nothing else of the games that it plays. */

/**
 * The layouts of records by name: the size, and [offset, type, shape] of every field.
 * @typedef {Record<string, {size: number, fields: Record<string, [number, string, number[]]>}>} Layouts
 */

/**
 * Rows of finished games as the engine writes them (GAME_DTYPE and SEAT_DTYPE in
 * simulator/game/records.py). `clans` are the numbers of the clans in play; `task.last` is the number of
 * the last age, from 0.
 * @typedef {{
 *   bytes: DataView, layouts: Layouts, games: number, seats: number, count: number, sides: number,
 *   clans: number[], task: {last: number},
 * }} Rows
 */

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

/** The sums of some games, block by block. @param {Rows} rows */
export function sumsOf({ bytes, layouts, games, seats, count, sides, clans, task: { last } }) {
  const sums = new Float64Array(BLOCKS * PLACES);
  /** @param {string} record @param {number} address @param {string} name @param {number} [place] */
  const read = (record, address, name, place = 0) => {
    const [offset = 0, type = "i1"] = layouts[record]?.fields[name] ?? [];
    const at = address + offset + place * Number(type.slice(1));
    if (type === "i8") return Number(bytes.getBigInt64(at, true));
    if (type === "i2") return bytes.getInt16(at, true);
    return bytes.getInt8(at);
  };
  const [size, side] = [layouts.GAME_DTYPE?.size ?? 0, layouts.SEAT_DTYPE?.size ?? 0];
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
