/* The step and the seat in the address of a game's page: "#step=117&seat=2". */

/**
 * Read the step and the seat from an address; the first step and no seat if they are missing or wrong.
 * @param {string} hash
 * @param {number} steps
 * @param {number} seats
 * @returns {{step: number, seat: number | null}}
 */
export function readAddress(hash, steps, seats) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const step = Number(said.get("step") ?? 1);
  const seat = said.has("seat") ? Number(said.get("seat")) : null;
  return {
    step: Number.isInteger(step) ? Math.min(steps, Math.max(1, step)) : 1,
    seat: seat !== null && Number.isInteger(seat) && seat >= 0 && seat < seats ? seat : null,
  };
}

/**
 * @param {number} step
 * @param {number | null} seat
 */
export const writeAddress = (step, seat) => `#step=${step}${seat === null ? "" : `&seat=${seat}`}`;
