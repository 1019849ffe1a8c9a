// Compares hashes of the module in a package, frame by frame, with those that come from standard input: `node compare.mjs PACKAGE < hashes.json`.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2], { Pliant } = await import(pathToFileURL(resolve(folder, "pliant.js")));
const bytes = await readFile(resolve(folder, "pliant.wasm"));
let text = "";
for await (const piece of process.stdin) text += piece;
let differ = 0;
for (const { name, toml, hashes, ms } of JSON.parse(text)) {
  const sim = await Pliant.load(bytes);
  sim.open(toml);
  let first = sim.hash === hashes[0] ? -1 : 0;
  const begun = performance.now();
  for (let frame = 1; frame < hashes.length && first < 0; frame++) {
    sim.step();
    if (sim.hash !== hashes[frame]) first = frame;
  }
  const mean = (performance.now() - begun) / (hashes.length - 1);
  console.log(`${name.padEnd(12)} ${hashes.length - 1} frames  ${first < 0 ? "equal" : `DIFFERS from frame ${first} on`}  ${hashes.at(-1)}  ${mean.toFixed(2)} ms a frame here, ${ms.toFixed(2)} native, one thread`);
  if (first >= 0) differ++;
}
process.exit(differ ? 1 : 0);
