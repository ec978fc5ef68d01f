/* A seat at a table of the page, in a page of its own that this one carries (reports/viewer). */

/**
 * The page of a game without its game, and by rules and players what stands in it.
 * @typedef {{page: string, games: Record<string, Record<string, {data: object, seats: any}>>}} Seat
 */

/** What ends a script, which may not stand in one. */
const END = "\x3c/script>";

/**
 * Open the page of a game at which a person sits down.
 * @param {Seat} seat @param {object} live the engine
 * @param {{key: string, players: number, mode: string}} table
 */
export function sitDown(seat, live, { key, players, mode }) {
  const game = seat.games[key]?.[players];
  if (!game) return;
  const seats = { ...game.seats, head: { ...game.seats.head, mode } };
  const put = (/** @type {string} */ page, /** @type {string} */ id, /** @type {object} */ value) =>
    page.replace(`id="${id}">${END}`, () => {
      const text = JSON.stringify(value).replaceAll("<", "\\u003c");
      return `id="${id}">${text}${END}`;
    });
  const page = put(put(seat.page, "game", game.data), "live", { live, seats });
  window.open(URL.createObjectURL(new Blob([page], { type: "text/html" })));
}
