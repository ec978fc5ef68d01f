/* Play the cases of test_same_games.py by the engine of a page, in node or in a browser. */

/** @typedef {import("../../../reports/live/engine.js").Engine} Engine */
/** @typedef {{ key: string, changes?: Record<string, number | number[]>, players: number,
     mode: string, clans: number[], seed: number, games: number, rotations: number,
     entries: string[] }} Case */

/** The results of each case: digests of the prepared table and of the rows.
    @param {Engine} engine @param {Case[]} cases */
export async function played(engine, cases) {
  /** @param {number} at @param {number} size */
  const digest = async (at, size) => {
    const bytes = await crypto.subtle.digest("SHA-256", engine.bytes(at, size).slice());
    return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  const results = [];
  for (const { key, changes, players, mode, clans, entries, rotations, seed, games } of cases) {
    const table = engine.prepare(engine.state(key, changes), { players, mode, clans });
    const line = engine.lineUp(key, players, entries);
    const rows = engine.play({ table, entries: line, rotations, seed, firstGame: 0, games });
    for (let slot = 0; slot < 7; slot += 1)
      engine.set("VIEW_DTYPE", table.view, "power_code", 0n, slot); // where code lies
    results.push({
      view: await digest(table.view, engine.sizeOf("VIEW_DTYPE")),
      sentence: rows.sentence,
      games: await digest(rows.games, engine.sizeOf("GAME_DTYPE") * rows.count),
      seats: await digest(rows.seats, engine.sizeOf("SEAT_DTYPE") * rows.count * rows.sides),
    });
  }
  return results;
}
