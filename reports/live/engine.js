/* The engine in a page: the compiled kernel, strategies and powers, called with addresses.
   The memory holds the stack, the modules' data, the page's image of memory, the heap of strategies,
   and rooms for scripts. */

import { unpackedBytes } from "../rendering/templates/packed.js";

/** @typedef {[offset: number, type: string, shape: number[]]} Place */
/** @typedef {{ size: number, fields: Record<string, Place> }} Layout */
/** @typedef {{ name: string, meaning: string, clan: number | null, offset: number,
     numbers: [number, number] | null, count_offset: number | null, low: number, high: number,
     choices: number[], switch: boolean, rising: boolean, multiset: boolean,
     players: [number, number], value: number | boolean | number[] }} StatedField */
/** @typedef {{ clans: string[], values: number, clan_records: number, fields: StatedField[] }} LiveRules */
/** @typedef {{ packed: string, modules: number[], functions: Record<string, number>, table: number,
     image: number, stack: number, low: Record<"heap" | "heap_end", number>,
     layouts: Record<string, Layout>,
     rules: Record<string, LiveRules>,
     entries: Record<string, Record<string, Record<string, number>>>, strategies: string[],
     most_players: number, gives_up: number,
     modes: Record<string, [number, number]>, decisions: string[], faults: Record<string, string>,
     worker: string }} Live */
/** @typedef {{ values: number, clans: number, count: number }} State */
/** @typedef {{ view: number, players: number, sides: number }} Table */
/** Games to play: `entries` is the address of a line-up, and `rotations` in how many seatings it plays
    a deal. @typedef {{ table: Table, entries: number, rotations: number, seed: number | bigint,
     firstGame: number, games: number, givesUp?: boolean }} Work */
/** @typedef {{ at: number, type: string, count: number }} Numbers */

/** The message for a browser that cannot play. */
export const NEEDS = "This browser cannot play: it has no WebAssembly.";

/** Whether this browser can run the engine. Browsers that are too old for its vector instructions
    cannot show the page either. */
export const supported = () => typeof WebAssembly === "object";

const PAGE = 65536;
const LINE = 64;

/** The size of the heap in bytes; strategies take memory from it while they decide. */
const HEAP_ROOM = 4 << 20;

/** The status of code that runs out of heap (`_RUNTIME` in webassembly.py). */
const NO_ROOM = -100;

/** The size of each type in bytes, and DataView's methods that read and write it. */
const TYPES = /** @type {const} */ ({
  i1: [1, "getInt8", "setInt8"],
  u1: [1, "getUint8", "setUint8"],
  i2: [2, "getInt16", "setInt16"],
  u2: [2, "getUint16", "setUint16"],
  i8: [8, "getBigInt64", "setBigInt64"],
  u8: [8, "getBigUint64", "setBigUint64"],
  f8: [8, "getFloat64", "setFloat64"],
});

/** @param {string} type @returns {(typeof TYPES)[keyof typeof TYPES]} */
function typeOf(type) {
  const known = TYPES[/** @type {keyof typeof TYPES} */ (type)];
  if (!known) throw new Error(`no number is of type ${type}`);
  return known;
}

const lined = (/** @type {number} */ size) => Math.ceil(size / LINE) * LINE;

/** One engine in one thread. Addresses count bytes of its memory. New games overwrite old ones. */
export class Engine {
  /** @param {Live} live @param {Uint8Array} bytes its unpacked modules and image */
  constructor(live, bytes) {
    this.live = live;
    this.layouts = live.layouts;
    this.functions = live.functions;
    const code = live.modules.reduce((sum, size) => sum + size, 0);
    const image = bytes.subarray(code);
    const heap = lined(live.image + image.length);
    this.top = heap + HEAP_ROOM;
    this.memory = new WebAssembly.Memory({ initial: Math.ceil(this.top / PAGE) });
    this.table = new WebAssembly.Table({
      initial: live.table,
      element: "anyfunc",
    });
    this.pointer = new WebAssembly.Global({ value: "i32", mutable: true }, live.stack);
    new Uint8Array(this.memory.buffer).set(image, live.image);
    this.view = new DataView(this.memory.buffer);
    this.view.setInt32(live.low.heap, heap, true);
    this.view.setInt32(live.low.heap_end, this.top, true);
    /** @type {Map<string, { offset: number, type: string, shape: number[] }>} */
    this.places = new Map();
    /** @type {Record<string, { at: number, size: number }>} */
    this.rooms = {};
    this.answer = this.allocate(LINE);
    this.hiddens = this.allocate(2 * this.sizeOf("HIDDEN_DTYPE"));
    this.viewed = this.allocate(this.sizeOf("VIEW_DTYPE"));
    this.log = this.allocate(this.sizeOf("LOG_DTYPE"));
    this.positions = this.allocate(this.sizeOf("POSITION_LOG_DTYPE"));
  }

  /** Compile the modules and connect them. @param {Uint8Array} bytes */
  async load(bytes) {
    let begin = 0;
    const compiling = this.live.modules.map((size) => {
      begin += size;
      return WebAssembly.compile(bytes.slice(begin - size, begin));
    });
    for (const module of await Promise.all(compiling))
      await WebAssembly.instantiate(module, { env: this.imported(module) });
    const none = (/** @type {string} */ layout) => ({ at: this.answer, type: layout, count: 0 });
    this.call(
      "prepare_tables",
      ...["VALUES_DTYPE", "CLAN_DTYPE", "TABLE_DTYPE", "VIEW_DTYPE"].map(none),
      { at: this.hiddens, type: "HIDDEN_DTYPE", count: 1 },
    );
  }

  /** The imports of a module. @param {WebAssembly.Module} module */
  imported(module) {
    /** @type {Record<string, WebAssembly.ImportValue>} */
    const env = {
      __linear_memory: this.memory,
      __stack_pointer: this.pointer,
      __indirect_function_table: this.table,
      stopped,
    };
    for (const { name, kind } of WebAssembly.Module.imports(module))
      if (kind === "function" && !(name in env))
        env[name] = Reflect.get(Math, name) ?? missing(name);
    return env;
  }

  /** Allocate room filled with zeros. @param {number} size in bytes @returns {number} its address */
  allocate(size) {
    const at = this.top;
    this.top = lined(at + size);
    const lacking = this.top - this.memory.buffer.byteLength;
    if (lacking > 0) {
      this.memory.grow(Math.ceil(lacking / PAGE) + 16);
      this.view = new DataView(this.memory.buffer);
    } else this.bytes(at, size).fill(0);
    return at;
  }

  /** Free all rooms from an address on. @param {number} mark what `top` was before */
  release(mark) {
    this.top = mark;
    for (const [name, { at }] of Object.entries(this.rooms))
      if (at >= mark) delete this.rooms[name];
  }

  /** The room with a name; the next use of the name overwrites it. @param {string} name @param {number} size */
  room(name, size) {
    const known = this.rooms[name];
    if (known && known.size >= size) return known.at;
    const at = this.allocate(size);
    this.rooms[name] = { at, size };
    return at;
  }

  /** A view of some memory, valid until more is allocated. @param {number} at @param {number} size */
  bytes(at, size) {
    return new Uint8Array(this.memory.buffer, at, size);
  }

  /** @param {string} type of a number or a record @returns {number} */
  sizeOf(type) {
    return this.layouts[type]?.size ?? typeOf(type)[0];
  }

  /** The place of a field in a record. @param {string} layout @param {string} path "own.memory" */
  place(layout, path) {
    const key = `${layout} ${path}`;
    const known = this.places.get(key);
    if (known) return known;
    let [offset, type, shape] = /** @type {Place} */ ([0, layout, []]);
    for (const word of path.split(".")) {
      const field = this.layouts[type]?.fields[word];
      if (!field) throw new Error(`${layout} has no field ${path}`);
      offset += field[0];
      [, type, shape] = field;
    }
    const place = { offset, type, shape };
    this.places.set(key, place);
    return place;
  }

  /** The address of a number of a field. @param {{ offset: number, type: string, shape: number[] }} place
      @param {number} at @param {readonly number[]} indices */
  addressOf({ offset, type, shape }, at, indices) {
    let [index, step] = [0, 1];
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      index += (indices[axis] ?? 0) * step;
      step *= shape[axis] ?? 1;
    }
    return at + offset + index * this.sizeOf(type);
  }

  /** Read a number of a record; a BigInt if it has 64 bits. @param {string} layout @param {number} at
      @param {string} path @param {number[]} indices @returns {any} */
  get(layout, at, path, ...indices) {
    const place = this.place(layout, path);
    const [, read] = typeOf(place.type);
    return this.view[read](this.addressOf(place, at, indices), true);
  }

  /** Write a number of a record. @param {string} layout @param {number} at @param {string} path
      @param {any} value @param {number[]} indices */
  set(layout, at, path, value, ...indices) {
    const place = this.place(layout, path);
    const [size, , write] = typeOf(place.type);
    const number = typeof value === "number" && size === 8 && !/^f/.test(place.type);
    const written = /** @type {never} */ (number ? BigInt(value) : value);
    this.view[write](this.addressOf(place, at, indices), written, true);
  }

  /** Write several numbers of a record. @param {string} layout @param {number} at
      @param {Record<string, number | bigint>} numbers */
  write(layout, at, numbers) {
    for (const [path, value] of Object.entries(numbers)) this.set(layout, at, path, value);
  }

  /** Copy rules and change some values. @param {string} key
      @param {import("./changes.js").Changes} changes by the names of the stated values
      @returns {State} */
  state(key, changes = {}) {
    const rules = this.live.rules[key];
    if (!rules) throw new Error(`there are no rules ${key}`);
    const sizes = [this.sizeOf("VALUES_DTYPE"), this.sizeOf("CLAN_DTYPE")];
    const [size, clan] = /** @type {[number, number]} */ (sizes);
    const values = this.copied(rules.values, size);
    const clans = this.copied(rules.clan_records, clan * rules.clans.length);
    for (const [name, value] of Object.entries(changes)) {
      const field = rules.fields.find((row) => row.name === name);
      if (!field) throw new Error(`there is no rule value ${name}`);
      const at = field.clan === null ? values : clans + clan * field.clan;
      const numbers = Array.isArray(value) ? value : [value];
      const room = field.numbers?.[1] ?? 1;
      for (let i = 0; i < room; i += 1)
        this.view.setInt16(at + field.offset + 2 * i, Number(numbers[i] ?? 0), true);
      if (field.count_offset !== null)
        this.view.setInt16(at + field.count_offset, numbers.length, true);
    }
    return { values, clans, count: rules.clans.length };
  }

  /** Copy some memory to another place. @param {number} to @param {number} from @param {number} size */
  copy(to, from, size) {
    this.bytes(to, size).set(this.bytes(from, size));
  }

  /** Copy some memory into new room. @param {number} from @param {number} size */
  copied(from, size) {
    const at = this.allocate(size);
    this.copy(at, from, size);
    return at;
  }

  /** Prepare a table, without any checks. @param {State} state
      @param {{ players: number, mode: string, clans: readonly number[] }} asked clans by number
      @returns {Table} */
  prepare(state, { players, mode, clans }) {
    const asked = this.room("asked", this.sizeOf("TABLE_DTYPE"));
    const [solo, recruitment] = this.live.modes[mode] ?? [0, 0];
    const numbers = { players, solo, recruitment, clan_count: clans.length };
    this.write("TABLE_DTYPE", asked, numbers);
    for (const [place, clan] of clans.entries())
      this.set("TABLE_DTYPE", asked, "clans", clan, place);
    const view = this.allocate(this.sizeOf("VIEW_DTYPE"));
    this.call(
      "prepare_tables",
      { at: state.values, type: "VALUES_DTYPE", count: 1 },
      { at: state.clans, type: "CLAN_DTYPE", count: state.count },
      { at: asked, type: "TABLE_DTYPE", count: 1 },
      { at: view, type: "VIEW_DTYPE", count: 1 },
      { at: this.answer, type: "HIDDEN_DTYPE", count: 0 },
    );
    return { view, players, sides: Math.max(players, 2) };
  }

  /** Make a line-up; a short list of strategies repeats until all seats are taken.
      @param {string} key of rules @param {number} players @param {readonly string[]} strategies
      @returns {number} the address of its entries */
  lineUp(key, players, strategies) {
    const size = this.sizeOf("ENTRY_DTYPE");
    const at = this.allocate(size * this.live.most_players);
    for (let place = 0; place < players; place += 1) {
      const strategy = strategies[place % strategies.length] ?? "";
      const from = this.live.entries[key]?.[players]?.[strategy];
      if (from === undefined)
        throw new Error(`no ${strategy} plays by ${key} with ${players} players`);
      const own = at + place * size;
      this.copy(own, from, size);
      this.set("ENTRY_DTYPE", own, "never_leads", -1);
    }
    return at;
  }

  /** Play games of one table, as `PreparedTables.run` does natively.
      @param {Work} work
      @param {{ log?: number, positions?: number, deal?: number }} [noted] how many numbers the log of
      events can hold, how many positions the log of questions, and the address of a deal that every
      game uses instead of its own (0 for none) */
  play(work, { log = 0, positions = 0, deal = 0 } = {}) {
    const { table, entries, rotations, seed, firstGame, games: count } = work;
    const { sides } = table;
    const row = this.room("work", this.sizeOf("WORK_DTYPE"));
    const games = this.room("games", this.sizeOf("GAME_DTYPE") * count);
    const seats = this.room("seats", this.sizeOf("SEAT_DTYPE") * count * sides);
    this.beginNotes(log, positions);
    this.write("WORK_DTYPE", row, {
      ...{ table: 0, line_up: 0, seed, first_game: firstGame, games: count, rotations },
      kind: work.givesUp ? this.live.gives_up : 0,
    });
    const code = this.call(
      "run_games",
      { at: row, type: "WORK_DTYPE", count: 1 },
      { at: table.view, type: "VIEW_DTYPE", count: 1 },
      { at: entries, type: "ENTRY_DTYPE", count: this.live.most_players },
      { at: this.viewed, type: "VIEW_DTYPE", count: 1 },
      { at: this.hiddens, type: "HIDDEN_DTYPE", count: 2 },
      { at: deal || this.answer, type: "DEAL_DTYPE", count: deal ? 1 : 0 },
      { at: games, type: "GAME_DTYPE", count },
      { at: seats, type: "SEAT_DTYPE", count: count * sides },
      { at: this.log, type: "LOG_DTYPE", count: 1 },
    );
    const reason = Number(code & 255n);
    const noted = (/** @type {string} */ layout, /** @type {number} */ at) => ({
      address: Number(this.get(layout, at, "address")),
      used: Number(this.get(layout, at, "used")),
    });
    return {
      ...{ reason, games, seats, count, sides },
      sentence: reason ? `a strategy ${this.live.faults[reason]}` : "",
      view: this.viewed,
      hidden: this.hiddens + this.sizeOf("HIDDEN_DTYPE"),
      log: noted("LOG_DTYPE", this.log),
      positions: noted("POSITION_LOG_DTYPE", this.positions),
    };
  }

  /** Empty the logs, and give them room for some numbers and positions.
      @param {number} log @param {number} positions */
  beginNotes(log, positions) {
    const at = log ? this.room("log", 8 * log) : 0;
    this.write("LOG_DTYPE", this.log, { address: at, used: 0 });
    const size = this.sizeOf("POSITION_DTYPE");
    this.write("POSITION_LOG_DTYPE", this.positions, {
      address: positions ? this.room("positions", size * positions) : 0,
      ...{ used: 0, room: positions },
    });
    this.set("HIDDEN_DTYPE", this.hiddens, "positions", positions ? this.positions : 0);
  }

  /** Call a compiled entry. @param {string} name @param {(Numbers | bigint | number)[]} given arrays
      of one dimension, which compiled code takes as seven arguments, and whole numbers
      @returns {bigint} */
  call(name, ...given) {
    const passed = given.flatMap((argument) => {
      if (typeof argument !== "object") return [BigInt(argument)];
      const [count, size] = [BigInt(argument.count), BigInt(this.sizeOf(argument.type))];
      return [0, 0, count, size, argument.at, count, size];
    });
    const status = this.run(name, this.answer, this.answer + 16, ...passed);
    if (status !== 0 && status !== -2) stopped(Number(status));
    return this.view.getBigInt64(this.answer, true);
  }

  /** Call a function of the table. Stack and heap are restored, even after an error.
      @param {string} name @param {(number | bigint)[]} given @returns {any} */
  run(name, ...given) {
    const index = this.functions[name];
    const called = index === undefined ? null : this.table.get(index);
    if (!called) throw new Error(`there is no function ${name}`);
    const [stack, { heap }] = [this.pointer.value, this.live.low];
    const free = this.view.getInt32(heap, true);
    try {
      return called(...given);
    } finally {
      this.pointer.value = stack;
      this.view.setInt32(heap, free, true);
    }
  }
}

/** Raise the error of compiled code. @param {number} status its status @returns {never} */
function stopped(status) {
  const why = status === NO_ROOM ? "takes more memory than a page gives it" : "raised an exception";
  throw new Error(`the code of a strategy or a power ${why}`);
}

/** Stands in place of a function that only native code can call. @param {string} name */
const missing = (name) => () => {
  throw new Error(`the code of a strategy or a power calls ${name}, which no page has`);
};

/** Open the engine of a page. @param {Live} live */
export async function openEngine(live) {
  const bytes = await unpackedBytes(live.packed);
  const engine = new Engine(live, bytes);
  await engine.load(bytes);
  return engine;
}
