// Times a frame of scenes in Node: `node speed.mjs PACKAGE [JOLT] < scenes.json`. Answers with JSON, an object for each scene.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Soft, load } from "./jolt.mjs";
import { Textbook, edgeError } from "./textbook.mjs";

const [folder, jolt] = process.argv.slice(2), { Pliant } = await import(pathToFileURL(resolve(folder, "pliant.js")));
const bytes = await readFile(resolve(folder, "pliant.wasm")), Jolt = jolt && await load(jolt);
let text = "";
for await (const piece of process.stdin) text += piece;

// The median of the frames after the first, in which the engine compiles, in ms.
function time(warm, frames, step) {
  const times = [];
  for (let frame = 0; frame < warm + frames; frame++) {
    const begun = performance.now();
    step();
    if (frame >= warm) times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[frames >> 1];
}

const all = [];
for (const { toml, mesh, substeps, warm, frames } of JSON.parse(text)) {
  const sim = await Pliant.load(bytes);
  sim.open(toml);
  const found = { module: { ms: time(warm, frames, () => sim.step()), hash: sim.hash } };
  // A pause makes a report, of which the first residual is that of the edges: where they are rigid it is what their lengths are off by. Of a solid only the
  // surface is in a frame.
  sim.ask({ do: "pause" });
  const { head, positions: [x] } = sim.frame();
  if (mesh) found.module.error = x.length === mesh.positions.length ? edgeError(mesh, x) : head.report.residuals[0].rms;
  const others = mesh && { textbook: new Textbook(mesh), jolt: Jolt && new Soft(Jolt, mesh, substeps) };
  for (const [name, other] of Object.entries(others ?? {})) {
    if (!other) continue;
    const step = name === "jolt" ? () => other.frame(1 / 60) : () => other.frame(1 / 60, substeps);
    found[name] = { ms: time(warm, frames, step), error: edgeError(mesh, other.x) };
  }
  all.push(found);
}
console.log(JSON.stringify(all));
// Some packages keep threads or timers.
process.exit(0);
