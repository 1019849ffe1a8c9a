import assert from "node:assert/strict";
import { Textbook, edgeError } from "../measure/textbook.mjs";

const near = (a, b, within) => assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);
const h = 1 / 600;

// A particle that falls: x = −g h² n (n + 1) / 2 after n substeps.
const falling = new Textbook({ positions: [0, 0, 0], masses: [2], fixed: [], edges: [], tets: [] });
for (let frame = 0; frame < 6; frame++) falling.frame(1 / 60, 10);
near(falling.x[1], (-9.81 * h * h * 60 * 61) / 2, 1e-6);

// A pendulum keeps its length, and swings to where a pendulum swings: down, after a quarter of a period, at the speed of the height.
const pendulum = { positions: [0, 0, 0, 1, 0, 0], masses: [1, 1], fixed: [0], edges: [0, 1], tets: [] };
const swinging = new Textbook(pendulum);
let lowest = 0, fastest = 0;
for (let frame = 0; frame < 60; frame++) {
  swinging.frame(1 / 60, 10);
  near(edgeError(pendulum, swinging.x), 0, 1e-6);
  lowest = Math.min(lowest, swinging.x[4]);
  fastest = Math.max(fastest, Math.hypot(...swinging.v.slice(3)));
}
near(lowest, -1, 0.01);
near(fastest, Math.sqrt(2 * 9.81), 0.05);

// A mass on a soft edge comes to rest where the force of the edge is its weight: at x = α m g below the length; damped by hand.
const soft = { positions: [0, 0, 0, 0, -1, 0], masses: [1, 2], fixed: [0], edges: [0, 1], tets: [], compliance: 0.01 };
const hanging = new Textbook(soft);
for (let frame = 0; frame < 300; frame++) {
  hanging.frame(1 / 60, 10);
  hanging.v.forEach((speed, k) => { hanging.v[k] = 0.9 * speed; });
}
near(hanging.x[4], -1 - 0.01 * 2 * 9.81, 1e-4);

// What hangs on itself only falls as a whole, with unequal masses too.
const pair = new Textbook({ positions: [0, 0, 0, 1, 0, 0], masses: [1, 3], fixed: [], edges: [0, 1], tets: [] });
pair.v.set([0, 3, 0, 0, -1, 0]);
for (let frame = 0; frame < 6; frame++) pair.frame(1 / 60, 10);
near((pair.x[1] + 3 * pair.x[4]) / 4, (-9.81 * h * h * 60 * 61) / 2, 1e-5);
near((pair.x[0] + 3 * pair.x[3]) / 4, 0.75, 1e-5);

// A tetrahedron whose top was pushed in gets its volume back by one projection: the volume is linear in one vertex.
const tet = new Textbook({ positions: [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0], masses: [1, 1, 1, 1], fixed: [0, 1, 2], edges: [], tets: [0, 1, 2, 3] });
near(tet.volumes[0], 1 / 6, 1e-7);
tet.x[10] = -0.5;
tet.frame(h, 1);
near(tet.x[10], -1, 1e-6);
