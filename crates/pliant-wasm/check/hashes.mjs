// Compares hashes of a module in a package, frame by frame, with those that come from standard input, in Node and in Chromium if there is one:
// `node hashes.mjs PACKAGE pliant Pliant < scenes.json`, `node hashes.mjs PACKAGE core World < worlds.json`.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compare } from "./compare.mjs";
import { Tab } from "./tab.mjs";

const [folder, name, of] = process.argv.slice(2), script = resolve(folder, `${name}.js`), { [of]: Module } = await import(pathToFileURL(script));
const bytes = await readFile(resolve(folder, `${name}.wasm`));
let text = "";
for await (const piece of process.stdin) text += piece;
const scenes = JSON.parse(text);
let differ = 0;
function say(scene, { first, hash, ms }) {
  const frames = scene.hashes.length - 1, verdict = first < 0 ? "equal" : `DIFFERS from frame ${first} on`;
  console.log(`  ${scene.name.padEnd(12)} ${frames} frames  ${verdict}  ${hash}  ${ms.toFixed(2)} ms a frame here, ${scene.ms.toFixed(2)} native, one thread`);
  if (first >= 0) differ++;
}

console.log(`${name}.wasm in Node ${process.version}`);
for (const scene of scenes) say(scene, await compare(Module, bytes, scene));

const tab = await Tab.open();
if (tab) {
  console.log(`${name}.wasm in ${await tab.version()}`);
  const source = (await readFile(script, "utf8")).replace(`export class ${of}`, `globalThis.Module = class ${of}`);
  await tab.value(`{ ${source} } globalThis.compare = ${compare}; globalThis.bytes = Uint8Array.from(atob("${bytes.toString("base64")}"), c => c.charCodeAt(0)); true`);
  for (const scene of scenes) say(scene, await tab.value(`compare(Module, bytes, ${JSON.stringify(scene)})`));
  for (const error of tab.errors) console.log(`  error: ${error}`);
  differ += tab.errors.length;
  tab.close();
} else {
  console.log("Chromium: skipped, it is not installed");
}
process.exit(differ ? 1 : 0);
