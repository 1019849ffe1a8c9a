// Cloth and soft bodies in a browser or in Node: meshes and typed arrays in, positions out. See core.d.ts.
const SETTINGS = ["substeps", "iterations", "gravity", "damping", "drag", "wind", "accuracy"], METHODS = ["sweeps", "coarse", "newton", "auto"];
// In the order in which they are said: coefficients of a contact belong to one.
const OF_BODIES = ["density", "velocity", "radius", "stretch", "bend", "bendModulus", "membrane", "volume", "bulkModulus", "neoHookean", "collide", "friction", "restitution"];
const OBSTACLES = { floor: ["height"], plane: ["normal", "offset"], sphere: ["centre", "radius"], box: ["centre", "half"], container: ["min", "max"], capsule: ["from", "to", "radius"] };
const OF_OBSTACLES = ["friction", "restitution"];

function check(options, known, what) {
  const wrong = Object.keys(options).find(key => !known.includes(key));
  if (wrong) throw new TypeError(`${what} has no \`${wrong}\`; it has ${known.join(", ")}`);
}
const bytes = (array, Kind) => {
  const typed = array instanceof Kind ? array : new Kind(array);
  return new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength);
};
// Numbers that the module would take for others: it has only those of 32 bits.
function whole(number, what) {
  if (!Number.isInteger(number) || number < 0 || number > 0xffffffff) throw new TypeError(`${what} is ${number}; expected a whole number of at least 0`);
  return number;
}
function list(array, what, of) {
  if (typeof array !== "object" || typeof array?.length !== "number") throw new TypeError(`\`${what}\` is ${array}; expected an array of ${of}`);
  return array;
}
function vertices(array, what) {
  if (!(array instanceof Uint32Array)) Array.prototype.forEach.call(list(array, what, "numbers of vertices"), (vertex, k) => whole(vertex, `\`${what}[${k}]\``));
  return bytes(array, Uint32Array);
}

export class World {
  #exports; #bodies = 0; #obstacles = 0;

  constructor(exports) { this.#exports = exports; }

  static async load(source) {
    const bytes = source instanceof Promise || (typeof Response !== "undefined" && source instanceof Response) ? await (await source).arrayBuffer() : source;
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new World(instance.exports);
  }

  #ask(...parts) {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    let at = this.#exports.core_input(length);
    for (const part of parts) {
      new Uint8Array(this.#exports.memory.buffer, at, part.length).set(part);
      at += part.length;
    }
  }
  // A copy: the next call may move the original.
  #hear() {
    const at = this.#exports.core_output();
    return new Uint8Array(this.#exports.memory.buffer, at, this.#exports.core_output_length()).slice();
  }
  #done(done) {
    if (!done) throw new Error(new TextDecoder().decode(this.#hear()));
  }
  #say(word, ...numbers) {
    this.#ask(new TextEncoder().encode(`${word}\0`), bytes(numbers.flat().map(Number), Float64Array));
    this.#done(this.#exports.core_say());
  }
  #sayAll(options, words) {
    for (const word of words) if (options[word] !== undefined) this.#say(word, options[word]);
  }

  settings(options) {
    check(options, [...SETTINGS, "method"], "a world");
    const { method } = options;
    if (method !== undefined && !METHODS.includes(method)) throw new TypeError(`there is no method \`${method}\`; there are ${METHODS.join(", ")}`);
    if (method !== undefined) this.#say(method);
    this.#sayAll(options, SETTINGS);
    return this;
  }
  #body(options, elements, begin) {
    check(options, ["positions", elements, "pin", ...OF_BODIES], "such a body");
    const { length } = list(options.positions, "positions", "numbers");
    if (length % 3 !== 0) throw new TypeError(`\`positions\` has ${length} numbers; expected x, y, z of each vertex`);
    const pin = options.pin !== undefined && vertices(options.pin, "pin");
    this.#ask(bytes(options.positions, Float32Array), vertices(options[elements], elements));
    this.#done(begin(length / 3));
    this.#sayAll(options, OF_BODIES);
    if (pin) {
      this.#ask(pin);
      this.#done(this.#exports.core_pin());
    }
    return this.#bodies++;
  }
  cloth(options) { return this.#body(options, "triangles", vertices => this.#exports.core_cloth(vertices)); }
  solid(options) { return this.#body(options, "tetrahedra", vertices => this.#exports.core_solid(vertices)); }
  obstacle(kind, options) {
    const numbers = OBSTACLES[kind];
    if (!numbers) throw new TypeError(`there is no obstacle \`${kind}\`; there are ${Object.keys(OBSTACLES).join(", ")}`);
    check(options, [...numbers, ...OF_OBSTACLES], `a ${kind}`);
    this.#say(kind, ...numbers.map(name => options[name] ?? []));
    this.#sayAll(options, OF_OBSTACLES);
    return this.#obstacles++;
  }
  build() { this.#say("build"); return this; }

  step(frames = 1, dt = 1 / 60) { this.#done(this.#exports.core_advance(whole(frames, "the number of frames"), dt)); }
  positions(body) { return this.#numbers(this.#exports.core_positions(body)); }
  velocities(body) { return this.#numbers(this.#exports.core_velocities(body)); }
  #numbers(done) {
    this.#done(done);
    return new Float32Array(this.#hear().buffer);
  }
  get hash() { return BigInt.asUintN(64, this.#exports.core_hash()).toString(16).padStart(16, "0"); }

  grab(body, vertex, stiffness) {
    this.#say("grab", body, vertex, stiffness);
    return new DataView(this.#hear().buffer).getUint32(0, true);
  }
  move(hand, to) { this.#say("move", hand, to); }
  release(hand) { this.#say("release", hand); }
  place(obstacle, by, turn = [0, 0, 0]) { this.#say("place", obstacle, by, turn); }
  gravity(acceleration) { this.#say("gravity", acceleration); }
  wind(velocity) { this.#say("wind", velocity); }
}
