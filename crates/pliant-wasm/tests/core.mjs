// What JavaScript hands to the module `core.wasm`, with a module in its place that only writes down what it hears.
import assert from "node:assert/strict";
import { World } from "../pkg/core.js";

const memory = new WebAssembly.Memory({ initial: 1 }), heard = [];
let length = 0, refusal = "";
const question = () => new Uint8Array(memory.buffer, 64, length).slice();
const mesh = kind => vertices => { heard.push([kind, vertices, length]); return 1; };
const world = new World({
  memory,
  core_input: bytes => { length = bytes; return 64; },
  core_output: () => 32768,
  core_output_length: () => new TextEncoder().encodeInto(refusal, new Uint8Array(memory.buffer, 32768)).written,
  core_say() {
    const bytes = question(), end = bytes.indexOf(0);
    heard.push([new TextDecoder().decode(bytes.subarray(0, end)), ...new Float64Array(bytes.slice(end + 1).buffer)]);
    return refusal ? 0 : 1;
  },
  core_cloth: mesh("cloth"),
  core_solid: mesh("solid"),
  core_pin() { heard.push(["pin", ...new Uint32Array(question().buffer)]); return 1; },
  core_hash: () => -1n,
});

world.settings({ gravity: [0, -1, 0], method: "newton", substeps: 2 });
const sheet = new Float32Array(9);
assert.equal(world.cloth({ positions: sheet, triangles: [0, 1, 2], friction: 0.5, collide: true, stretch: 0, pin: [2] }), 0);
assert.equal(world.solid({ positions: new Array(12).fill(0), tetrahedra: new Uint32Array(4), neoHookean: [1e5, 0.4] }), 1);
assert.equal(world.obstacle("capsule", { radius: 0.1, to: [0, 1, 0], from: [0, 0, 0], restitution: 0 }), 0);
world.build();
assert.deepEqual(heard, [
  ["newton"], ["substeps", 2], ["gravity", 0, -1, 0],
  ["cloth", 3, 48], ["stretch", 0], ["collide", 1], ["friction", 0.5], ["pin", 2],
  ["solid", 4, 64], ["neoHookean", 1e5, 0.4],
  ["capsule", 0, 0, 0, 0, 1, 0, 0.1], ["restitution", 0],
  ["build"],
]);
assert.equal(world.hash, "f".repeat(16));
// A part of a larger array.
world.cloth({ positions: new Float32Array(20).subarray(3, 12), triangles: [0, 1, 2] });
assert.deepEqual(heard.at(-1), ["cloth", 3, 48]);

assert.throws(() => world.cloth({ positions: sheet, triangles: [], strech: 1 }), /has no `strech`/);
assert.throws(() => world.settings({ method: "magic" }), /no method `magic`/);
assert.throws(() => world.obstacle("cone", {}), /no obstacle `cone`/);
// Numbers that a module of 32 bits would take for others.
assert.throws(() => world.cloth({ positions: sheet, triangles: [0, 1, -1] }), /`triangles\[2\]` is -1/);
assert.throws(() => world.cloth({ positions: sheet, triangles: [0, 1, 1.5] }), /`triangles\[2\]` is 1.5/);
assert.throws(() => world.cloth({ positions: new Float32Array(10), triangles: [0, 1, 2] }), /`positions` has 10 numbers/);
assert.throws(() => world.cloth({ triangles: [0, 1, 2] }), /`positions` is undefined/);
assert.throws(() => world.cloth({ positions: sheet, triangles: [0, 1, 2], pin: 3 }), /`pin` is 3/);
assert.throws(() => world.step(-1), /number of frames is -1/);
refusal = "it cannot be moved";
assert.throws(() => world.move(0, [0, 0, 0]), /it cannot be moved/);
