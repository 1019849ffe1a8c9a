import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../demo/duel.js", import.meta.url), "utf8"), Duel = new Function(`${source}; return Duel;`)();

// In place of a simulation: a body of two vertices and an obstacle. It remembers what it was asked.
class Stub {
  asked = []; frame = 0; version = 1; pace = 0; fails = false; field = false;
  constructor(hash, residual) { Object.assign(this, { hash, residual }); }
  open() { this.asked.length = 0; }
  ask(command) { this.asked.push(command); return { by: this.hash }; }
  step() { if (this.fails) throw new Error("it diverged"); this.frame++; }
  stage() {
    const bodies = [{ name: "floor", moves: false, vertices: 4 }, { name: "beam", moves: true, vertices: 2 }];
    const knobs = ["solver.substeps", "solver.method", "wind"].map((key) => ({ key, value: 4 }));
    return { version: this.version, bodies, knobs, centre: [0, 1, 0], radius: 4, title: "duel" };
  }
  bytes() {
    const report = { frame: this.frame, time: 0, grade: "good", energy: { elastic: 1, kinetic: 2 }, residuals: [{ name: "tets", max: this.residual }, { name: "contacts", max: this.residual < 1 ? 0 : 1 }] };
    const hands = [{ hand: 1, at: [0, 0, 0], to: [1, 2, 3] }], largest = this.field ? this.residual : null;
    const head = new TextEncoder().encode(JSON.stringify({ frame: this.frame, hash: this.hash, hands, largest, report })), length = 4 * Math.ceil(head.length / 4);
    const numbers = [0, 1, 2, 3, 4, 5, ...(this.field ? [0.25, 0.5] : [])], bytes = new Uint8Array(4 + length + 4 * numbers.length).fill(32);
    new DataView(bytes.buffer).setUint32(0, length, true);
    bytes.set(head, 4);
    new Float32Array(bytes.buffer, 4 + length).set(numbers);
    return bytes;
  }
}
function read({ buffer }) {
  const length = new DataView(buffer).getUint32(0, true);
  return { head: JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))), numbers: [...new Float32Array(buffer, 4 + length)] };
}
const accurate = new Stub("aa", 1e-7), sweeps = new Stub("bb", 1), duel = new Duel(accurate, sweeps);
const stage = duel.open("");
assert.deepEqual(sweeps.asked, [{ do: "set", key: "solver.method", value: "sweeps" }]);
assert.deepEqual(accurate.asked, []);
assert.deepEqual(stage.bodies.map(({ name }) => name), ["floor", "beam", "beam"]);
assert.deepEqual(stage.knobs.map(({ key }) => key), ["wind"]);
assert.deepEqual(stage.labels.map(({ at }) => at[2]), [1, -1]);

// Both are in a frame, a quarter of the radius to either side; the state is that of the accurate one.
duel.step();
let { head, numbers } = read(duel.bytes());
assert.deepEqual(numbers, [0, 1, 3, 3, 4, 6, 0, 1, 1, 3, 4, 4]);
assert.deepEqual([head.frame, head.hash, head.version], [1, "aa", stage.version]);
assert.deepEqual(head.report.residuals.map(({ name, max }) => [name, max]), [["accurate", 1e-7], ["sweeps", 1]]);
assert.deepEqual(head.report.energy, { "elastic, accurate": 1, "elastic, sweeps": 1 });
assert.deepEqual(head.hands.map(({ to }) => to[2]), [4, 2]);
accurate.field = sweeps.field = true;
({ head, numbers } = read(duel.bytes()));
assert.deepEqual(numbers.slice(12), [0.25, 0.5, 0.25, 0.5]);
assert.equal(head.largest, 1);

// A hand holds one body; a setting is for both.
const last = (stub) => stub.asked.at(-1);
assert.equal(duel.ask({ do: "grab", hand: 7, body: 2, vertex: 1 }).by, "bb");
assert.deepEqual(last(sweeps), { do: "grab", hand: 7, body: 1, vertex: 1 });
duel.ask({ do: "move", hand: 7, to: [0, 0, 0] });
assert.deepEqual(last(sweeps), { do: "move", hand: 7, to: [0, 0, 1] });
duel.ask({ do: "release", hand: 7 });
assert.equal(accurate.asked.length, 0);
duel.ask({ do: "set", key: "wind", value: 3 });
assert.deepEqual([last(accurate), last(sweeps)], Array(2).fill({ do: "set", key: "wind", value: 3 }));
duel.ask({ do: "undo" });
assert.equal(last(accurate).do, "undo");
assert.equal(last(sweeps).value, "sweeps", "what is undone is not the other method");

// At 6 ms against 2 ms for four substeps there is time for twelve; a small difference changes nothing.
for (let frame = 0; frame < 10; frame++) duel.measured(6, 2);
assert.deepEqual(last(sweeps), { do: "set", key: "solver.substeps", value: 12 });
const count = sweeps.asked.length;
for (let frame = 0; frame < 10; frame++) duel.measured(6, 6.1);
assert.equal(sweeps.asked.length, count);

// A frame that something else has held up does not count.
duel.measured(500, 2);
for (let frame = 0; frame < 9; frame++) duel.measured(6, 6);
assert.equal(sweeps.asked.length, count);

// Where sweeps diverge, the other goes on.
sweeps.fails = true;
const before = accurate.frame;
duel.step();
duel.step();
assert.equal(accurate.frame, before + 2);
assert.equal(read(duel.bytes()).head.facts["verdict on sweeps"], "failed");
