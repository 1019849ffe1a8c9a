// Cloth and soft bodies in a browser or in Node: scenes in, positions out. See pliant.d.ts.
export class Pliant {
  #exports; #stage = null; #version = -1;

  constructor(exports) { this.#exports = exports; }

  static async load(source) {
    const bytes = source instanceof Promise || (typeof Response !== "undefined" && source instanceof Response) ? await (await source).arrayBuffer() : source;
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Pliant(instance.exports);
  }

  #say(text) {
    const bytes = new TextEncoder().encode(text), at = this.#exports.pliant_input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }
  // A copy: the next call may move the original.
  #hear() {
    const at = this.#exports.pliant_output();
    return new Uint8Array(this.#exports.memory.buffer, at, this.#exports.pliant_output_length()).slice();
  }
  #json() { return JSON.parse(new TextDecoder().decode(this.#hear())); }
  #done(done) {
    if (done) return;
    const problem = this.#json();
    throw Object.assign(new Error(problem.what), problem);
  }

  open(toml) {
    this.#say(toml);
    this.#done(this.#exports.pliant_open());
    this.#version = -1;
    return this.stage();
  }
  ask(command) {
    this.#say(JSON.stringify(command));
    this.#done(this.#exports.pliant_act());
    return this.#json();
  }
  step(frames = 1) {
    if (!Number.isInteger(frames) || frames < 0 || frames > 0xffffffff) throw new TypeError(`the number of frames is ${frames}; expected a whole number of at least 0`);
    this.#done(this.#exports.pliant_step(frames));
  }
  get version() { return this.#exports.pliant_version(); }
  get hash() { return BigInt.asUintN(64, this.#exports.pliant_hash()).toString(16).padStart(16, "0"); }
  get pace() { return this.#exports.pliant_pace(); }
  stage() {
    if (this.#version !== this.version) {
      this.#exports.pliant_stage();
      this.#stage = this.#json();
      this.#version = this.version;
    }
    return this.#stage;
  }
  bytes() {
    this.#exports.pliant_frame();
    return this.#hear();
  }
  frame() {
    const { buffer } = this.bytes(), length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))), positions = [];
    let at = 4 + length;
    for (const body of this.stage().bodies.filter(body => body.moves)) {
      positions.push(new Float32Array(buffer, at, 3 * body.vertices));
      at += 12 * body.vertices;
    }
    return { head, positions };
  }
}
