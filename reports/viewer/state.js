/* What lies on the table after each event of a trace (docs/trace.md): pure functions, no page. */

/** @typedef {string} Card "clan:color" */

/**
 * An event of a trace; which of its keys are there depends on `event`.
 * @typedef {{event: string, [key: string]: any}} Event
 */

/**
 * A trace of a game.
 * @typedef {{
 *   game: number, seed: number, players: number, mode: string, clans: string[],
 *   strategies: string[], prestige_tokens: Record<string, number[]>, events: Event[],
 * }} Trace
 */

/**
 * What the rules say of this game beyond its trace; names are the edition's. `parts` has the clan
 * whose track (`sea`), board (`settlement`) and token (`largest`) custom powers use.
 * @typedef {{
 *   colors: string[], regions: string[], ages: number, dragons: number, supply: number,
 *   onTake: Record<string, number>, wild: string[], unscored: string[],
 *   scoreBonus: Record<string, number>, partyPoints: number[], parts: Record<string, string>,
 * }} Facts
 */

/**
 * The table. Lists are by player, in solo Bruno's last; tracks, boards and largest-party tokens are
 * by clan.
 * @typedef {{
 *   age: number, turn: number, hands: Card[][], known: Card[][], pool: Card[], deck: Card[],
 *   dragons: number, columns: Card[], faceUp: string[], markers: Record<string, number[]>,
 *   supply: number[], coins: Record<string, number>, tokens: number[][],
 *   sea: Record<string, number[]>, largest: Record<string, {player: number, size: number}>,
 *   settled: Record<string, string[][]>,
 *   parties: {cards: Card[], leader: string}[][], partyPoints: number[],
 *   prestige: number[], sources: Record<Source, number[]>, winners: number[] | null,
 * }} State
 */

/** @typedef {"regions" | "sea" | "largest" | "settlement" | "parties" | "powers"} Source */

/** Where prestige comes from; coins count with the regions, `powers` are those of one's own. */
export const SOURCES = /** @type {Source[]} */ ([
  "regions",
  "sea",
  "largest",
  "settlement",
  "parties",
  "powers",
]);

const BRUNO = 1;

/** @param {Card} card */
export const clanOf = (card) => /** @type {string} */ (card.split(":")[0]);

/** @param {Card} card */
export const colorOf = (card) => /** @type {string} */ (card.split(":")[1]);

/**
 * Cards without some others; what is not among them is passed over.
 * @param {Card[]} cards
 * @param {Card[]} gone
 * @returns {Card[]}
 */
function without(cards, gone) {
  const left = [...cards];
  for (const card of gone) {
    const place = left.indexOf(card);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

/**
 * An element that is there by the trace's own promise.
 * @template T
 * @param {T[]} list
 * @param {number} place
 * @returns {T}
 */
const at = (list, place) => /** @type {T} */ (list[place]);

/**
 * What is kept of a clan or region that is in the game.
 * @template T
 * @param {Record<string, T>} table
 * @param {string} name
 * @returns {T}
 */
const of = (table, name) => /** @type {T} */ (table[name]);

/**
 * The table before the first age.
 * @param {Trace} trace
 * @param {Facts} facts
 * @returns {State}
 */
export function firstState(trace, facts) {
  const sides = Math.max(2, trace.players);
  /** @type {<T>(value: () => T) => T[]} */
  const each = (value) => Array.from({ length: sides }, value);
  const zeros = () => each(() => 0);
  /** @type {<T>(value: () => T) => Record<string, T>} */
  const byClan = (value) => Object.fromEntries(trace.clans.map((clan) => [clan, value()]));
  return {
    age: 0,
    turn: 0,
    hands: [],
    known: [],
    pool: [],
    deck: [],
    dragons: 0,
    columns: [],
    faceUp: [...trace.clans],
    markers: Object.fromEntries(facts.colors.map((color) => [color, zeros()])),
    supply: each(() => facts.supply),
    coins: {},
    sea: byClan(zeros),
    tokens: each(() => []),
    largest: {},
    settled: byClan(() => each(() => /** @type {string[]} */ ([]))),
    parties: each(() => []),
    partyPoints: zeros(),
    prestige: zeros(),
    sources: {
      regions: zeros(),
      sea: zeros(),
      largest: zeros(),
      settlement: zeros(),
      parties: zeros(),
      powers: zeros(),
    },
    winners: null,
  };
}

/**
 * The table after an event; the one before is left as it is.
 * @param {State} before
 * @param {Event} event
 * @param {Trace} trace
 * @param {Facts} facts
 * @returns {State}
 */
export function nextState(before, event, trace, facts) {
  const state = structuredClone(before);
  const { player } = event;
  switch (event.event) {
    case "age":
      beginAge(state, event, trace, facts);
      break;
    case "recruit":
      recruit(state, event);
      break;
    case "party":
      if (!continues(trace.events, event)) state.turn += 1;
      // A full hand of wild cards is shown, not played.
      if (facts.wild.includes(clanOf(event.leader))) break;
      layParty(state, event, player, colorOf(event.leader), facts);
      for (const action of event.actions ?? []) act(state, action, facts);
      finishParty(state, event);
      break;
    case "pass":
      state.turn += 1;
      break;
    case "refill":
      drawFrom(state, event.cards, event.dragons);
      state.pool.push(...event.cards);
      break;
    case "bruno_gets":
      if (event.source === "deck") drawFrom(state, event.cards, event.dragons);
      else state.pool = without(state.pool, event.cards);
      state.columns.push(...event.cards);
      break;
    case "bruno_party":
      layParty(state, event, BRUNO, event.column, facts);
      playColumn(state, event, trace);
      break;
    case "power":
      for (const action of event.actions) act(state, action, facts);
      break;
    case "age_end":
      score(state, event);
      break;
    case "game_end":
      state.winners = event.winners;
      break;
    default:
      throw new Error(`no event is called ${event.event}`);
  }
  return state;
}

/**
 * The tables after each event, in their order.
 * @param {Trace} trace
 * @param {Facts} facts
 * @returns {State[]}
 */
export function statesOf(trace, facts) {
  let state = firstState(trace, facts);
  return trace.events.map((event) => {
    state = nextState(state, event, trace, facts);
    return state;
  });
}

/**
 * Whether a party follows another one of the same turn.
 * @param {Event[]} events
 * @param {Event} event
 */
function continues(events, event) {
  const last = events[events.indexOf(event) - 1];
  return last?.event === "party" && last.again;
}

/**
 * @param {State} state
 * @param {Event} event
 * @param {Trace} trace
 * @param {Facts} facts
 */
function beginAge(state, event, trace, facts) {
  const { turn, faceUp, markers, supply, sea, settled, prestige, sources } = state;
  Object.assign(state, firstState(trace, facts));
  Object.assign(state, { turn, faceUp, markers, supply, sea, settled, prestige, sources });
  state.age = event.age;
  state.hands = event.hands.map((/** @type {Card[]} */ hand) => [...hand]);
  state.known = state.hands.map(() => []);
  state.pool = [...event.pool];
  state.deck = [...event.deck];
  state.columns = [...(event.columns ?? [])];
}

/**
 * Take cards and dragons off the deck.
 * @param {State} state
 * @param {Card[]} cards
 * @param {number} dragons
 */
function drawFrom(state, cards, dragons) {
  state.deck.splice(0, cards.length + dragons);
  state.dragons += dragons;
}

/**
 * @param {State} state
 * @param {Event} event
 */
function recruit(state, event) {
  const cards = event.card === null ? [] : [event.card];
  state.turn += 1;
  if (event.source === "deck") {
    drawFrom(state, cards, event.dragons);
  } else {
    state.pool = without(state.pool, cards);
    at(state.known, event.player).push(...cards);
  }
  at(state.hands, event.player).push(...cards);
}

/**
 * What every party does to the table, a player's and Bruno's.
 * @param {State} state
 * @param {Event} event
 * @param {number} player
 * @param {string} color
 * @param {Facts} facts
 */
function layParty(state, event, player, color, facts) {
  const leader = event.leader.includes(":") ? clanOf(event.leader) : event.leader;
  at(state.parties, player).push({ cards: event.cards, leader: event.leader });
  const members = event.cards.filter(
    (/** @type {Card} */ card) => !facts.unscored.includes(clanOf(card)),
  );
  const scored = members.length + (facts.scoreBonus[leader] ?? 0);
  state.partyPoints[player] =
    at(state.partyPoints, player) +
    at(facts.partyPoints, Math.min(scored, facts.partyPoints.length - 1));
  const placed = event.region === null ? event.sea_regions : [event.region, ...event.sea_regions];
  for (const region of placed) {
    const row = of(state.markers, region);
    row[player] = at(row, player) + 1;
  }
  const used = placed.length + (event.settled === null ? 0 : 1);
  state.supply[player] = at(state.supply, player) - used;
  if (event.settled !== null) at(of(state.settled, leader), player).push(event.settled);
  if (event.sea !== null) of(state.sea, leader)[player] = event.sea;
  if (event.largest) takeLargest(state, leader, player, event.cards.length, facts);
  if (event.coin !== null) {
    const { region, value } =
      typeof event.coin === "number" ? { region: color, value: event.coin } : event.coin;
    state.coins[region] = (state.coins[region] ?? 0) + value;
  }
}

/**
 * @param {State} state
 * @param {string} clan
 * @param {number} player
 * @param {number} size
 * @param {Facts} facts
 */
function takeLargest(state, clan, player, size, facts) {
  state.largest[clan] = { player, size };
  add(state, "largest", player, facts.onTake[clan] ?? 0);
}

/**
 * What a custom power did (docs/trace.md); what it remembers and asks moves nothing.
 * @param {State} state
 * @param {Event} action
 * @param {Facts} facts
 */
function act(state, action, facts) {
  const { player } = action;
  /** @type {(region: string, number: number) => void} */
  const mark = (region, number) => {
    const row = of(state.markers, region);
    row[player] = at(row, player) + number;
    state.supply[player] = at(state.supply, player) - number;
  };
  switch (action.action) {
    case "draw": {
      const cards = action.card === null ? [] : [action.card];
      drawFrom(state, cards, action.dragons);
      (state.hands[player] ?? state.columns).push(...cards);
      break;
    }
    case "take":
      state.pool = without(state.pool, [action.card]);
      at(state.hands, player).push(action.card);
      at(state.known, player).push(action.card);
      break;
    case "discard":
    case "give":
      state.hands[player] = without(at(state.hands, player), [action.card]);
      state.known[player] = without(at(state.known, player), [action.card]);
      if (action.action === "discard") state.pool.push(action.card);
      else {
        at(state.hands, action.to).push(action.card);
        at(state.known, action.to).push(action.card);
      }
      break;
    case "place":
      mark(action.region, 1);
      break;
    case "remove":
      mark(action.region, -1);
      break;
    case "move":
      mark(action.region, -1);
      mark(action.to_region, 1);
      break;
    case "pay":
      add(state, "powers", player, action.prestige);
      break;
    case "sea":
      of(state.sea, facts.parts.sea ?? "")[player] = action.space;
      break;
    case "settle":
      at(of(state.settled, facts.parts.settlement ?? ""), player).push(action.region);
      state.supply[player] = at(state.supply, player) - 1;
      break;
    case "coin":
      state.coins[action.region] = (state.coins[action.region] ?? 0) + action.value;
      break;
    case "largest":
      takeLargest(state, facts.parts.largest ?? "", player, action.size, facts);
      break;
    case "token":
      at(state.tokens, player).push(action.value);
      break;
    case "scores_as": {
      const party = at(state.parties, player).at(-1);
      const leader = party?.leader ?? "";
      const members = (party?.cards ?? []).filter((card) => !facts.unscored.includes(clanOf(card)));
      const usual = members.length + (facts.scoreBonus[leader.split(":")[0] ?? ""] ?? 0);
      const most = facts.partyPoints.length - 1;
      /** @type {(size: number) => number} */
      const points = (size) => at(facts.partyPoints, Math.min(size, most));
      const change = points(action.size) - points(usual);
      state.partyPoints[player] = at(state.partyPoints, player) + change;
      break;
    }
  }
}

/**
 * The rest of a player's party: token, hand, pool, deck.
 * @param {State} state
 * @param {Event} event
 */
function finishParty(state, event) {
  const { player } = event;
  if (event.token !== null) at(state.tokens, player).push(event.token);
  const gone = [...event.cards, ...event.discarded];
  state.hands[player] = [...event.kept, ...event.drawn];
  state.known[player] = without(at(state.known, player), gone);
  state.pool.push(...event.discarded);
  drawFrom(state, event.drawn, event.dragons);
}

/**
 * The rest of Bruno's party: his leader, his columns, the card that leaves them.
 * @param {State} state
 * @param {Event} event
 * @param {Trace} trace
 */
function playColumn(state, event, trace) {
  state.faceUp = state.faceUp.filter((clan) => clan !== event.leader);
  if (state.faceUp.length === 0) state.faceUp = [...trace.clans];
  state.columns = [...without(state.columns, event.cards), ...event.drawn];
  drawFrom(state, event.drawn, event.dragons);
  if (event.released === null) return;
  state.columns = without(state.columns, [event.released]);
  (event.released_to === "pool" ? state.pool : at(state.hands, 0)).push(event.released);
}

/**
 * @param {State} state
 * @param {Source} source
 * @param {number} player
 * @param {number} prestige
 */
function add(state, source, player, prestige) {
  const list = state.sources[source];
  list[player] = at(list, player) + prestige;
  state.prestige[player] = at(state.prestige, player) + prestige;
}

/**
 * An age's end: what each source brings, and boards that are emptied.
 * @param {State} state
 * @param {Event} event
 */
function score(state, event) {
  state.prestige.forEach((_, player) => {
    for (const won of Object.values(event.regions)) add(state, "regions", player, won[player]);
    for (const source of SOURCES.slice(1)) {
      if (event[source]) add(state, source, player, event[source][player]);
    }
    for (const [clan, boards] of Object.entries(state.settled)) {
      if (!(event.by_clan?.[clan] ?? event).emptied?.[player]) continue;
      state.supply[player] = at(state.supply, player) + at(boards, player).length;
      boards[player] = [];
    }
  });
}
