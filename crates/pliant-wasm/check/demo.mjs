// Opens the page of demos in Chromium: every scene runs with the hashes of native code, a mouse and a finger take hold of bodies, a browser that lacks what
// the page needs shows a sentence and a picture, and the page asks for nothing else: `node demo.mjs PAGE.html [PICTURES]`. Pictures of all scenes, light and dark, on a desktop and on a phone, go to a folder if it is named.
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Tab } from "./tab.mjs";

const SCENES = ["flag", "folds", "bowl", "dancer", "skin", "duel"];
// How many frames are compared, every tenth, and where a body is met, as shares of the canvas.
const FRAMES = 60, PLACES = [[0.5, 0.72], [0.48, 0.78], [0.4, 0.82], [0.55, 0.75], [0.38, 0.78], [0.52, 0.66], [0.5, 0.5], [0.5, 0.4], [0.45, 0.55], [0.6, 0.45], [0.4, 0.45], [0.5, 0.6], [0.35, 0.4], [0.65, 0.35]];

const [page, folder] = process.argv.slice(2), tab = await Tab.open();
if (!tab) {
  console.log("demo: the check is skipped, no browser is installed");
  process.exit(0);
}
if (folder) await mkdir(folder, { recursive: true });
const address = pathToFileURL(resolve(page)).href;
let wrong = 0;
function judge(is, what) {
  if (!is) { wrong++; console.log(`  WRONG: ${what}`); }
}
const press = (key) => tab.value(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", shiftKey: true, bubbles: true }))`), lines = "document.querySelectorAll('#hands line').length";

try {
  console.log(await tab.version());
  await tab.resize(1100, 720);
  await tab.ask("Page.navigate", { url: address });
  await tab.until("document.body?.dataset.frame > 0");
  for (const scene of SCENES) {
    await tab.value(`[...document.querySelectorAll("#scenes button")].find(({ textContent }) => textContent.toLowerCase() === "${scene}").click()`);
    await tab.until(`document.title === "${scene}" && document.body.dataset.playing === "true"`);
    // It is paused, so that no frame is left out and bodies stay where they are met.
    await tab.value("document.getElementById('play').click()");
    await tab.until("document.body.dataset.playing === 'false'");
    await press("r");
    await tab.until("+document.body.dataset.frame === 0");
    const hash = async (frame) => {
      const text = await tab.value("document.querySelector('#hash').textContent");
      judge(text.endsWith("= native"), `${scene}: the state of frame ${frame} is ${text}`);
      return text;
    };
    let last = await hash(0);
    for (let frame = 10; frame <= FRAMES; frame += 10) {
      await press("ArrowRight");
      await tab.until(`+document.body.dataset.frame === ${frame}`);
      last = await hash(frame);
    }
    const box = await tab.value("(r => [r.left, r.top, r.width, r.height])(document.getElementById('view').getBoundingClientRect())");
    const places = PLACES.map(([x, y]) => [box[0] + x * box[2], box[1] + y * box[3]]);
    if (folder) await writeFile(join(folder, `${scene}.png`), await tab.picture());
    for (const [kind, hold, move, release] of [
      ["mouse", (x, y) => tab.mouse("mousePressed", x, y), (x, y) => tab.mouse("mouseMoved", x, y), (x, y) => tab.mouse("mouseReleased", x, y)],
      ["finger", (x, y) => tab.touch("touchStart", [[x, y]]), (x, y) => tab.touch("touchMove", [[x, y]]), () => tab.touch("touchEnd", [])],
    ]) {
      let held = false;
      for (const [x, y] of places) {
        await hold(x, y);
        for (let k = 1; k <= 4; k++) await move(x + 8 * k, y - 4 * k);
        for (let tries = 0; tries < 10 && !held; tries++) {
          held = await tab.value(`${lines} > 0`);
          if (!held) await new Promise((done) => setTimeout(done, 50));
        }
        await release(x + 32, y - 16);
        if (held) break;
      }
      judge(held, `${scene}: a ${kind} takes hold of nothing`);
      await tab.until(`${lines} === 0`);
    }
    if (scene === "duel") {
      const names = await tab.value("[...document.querySelectorAll('#hands .label')].map(({ textContent }) => textContent).join()");
      judge(names === "accurate,sweeps", `duel: the labels are ${names}`);
    }
    console.log(`  ${scene.padEnd(7)} frame ${FRAMES}: ${last}`);
  }
  if (folder) {
    for (const [name, width, height] of [["desktop", 1280, 800], ["phone", 390, 844]]) {
      for (const theme of ["light", "dark"]) {
        await tab.resize(width, height);
        await tab.ask("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: theme }] });
        for (const scene of SCENES) {
          await tab.ask("Page.navigate", { url: "about:blank" });
          await tab.ask("Page.navigate", { url: `${address}#${scene}` });
          await tab.until(`document.title === "${scene}" && +document.body.dataset.frame > 60 && document.body.dataset.shown > 1`);
          await writeFile(join(folder, `${scene}-${name}-${theme}.png`), await tab.picture());
        }
      }
    }
  }
  const failures = await tab.value("document.body.dataset.failures");
  judge(!failures, `the page reports ${failures}`);
  // Browsers that lack something: a sentence, and a picture of the scene.
  const seen = (id) => `(e => !!e && getComputedStyle(e).display !== "none" && e.getBoundingClientRect().height > 0)(document.querySelector("${id}"))`;
  for (const [name, lack, until, wanted] of [
    ["webassembly", "delete globalThis.WebAssembly", "document.body?.dataset.problem", { "#still img": true, "#still figcaption": true, ".bar": false }],
    ["simd", "const Real = Worker; Worker = class extends Real { constructor() { super(URL.createObjectURL(new Blob(['onmessage = ({ data }) => postMessage({ kind: \"answer\", id: data.id, problem: { what: \"no SIMD\" } })']))); } }", "document.body?.dataset.problem", { "#still img": true, "#still figcaption": true, ".bar": false }],
    ["webgl", "HTMLCanvasElement.prototype.getContext = (get => function (kind, ...more) { return kind === 'webgl2' ? null : get.call(this, kind, ...more); })(HTMLCanvasElement.prototype.getContext)", "document.body?.dataset.view === 'flat' && +document.body.dataset.frame > 20", { "#still img": false, "#view": true, ".bar": true }],
    ["scripts", null, "document.readyState === 'complete'", { "#still img": true, "#still figcaption": true }],
  ]) {
    await tab.resize(1100, 720);
    await tab.ask("Page.navigate", { url: "about:blank" });
    const script = lack && await tab.ask("Page.addScriptToEvaluateOnNewDocument", { source: lack });
    if (!lack) await tab.ask("Emulation.setScriptExecutionDisabled", { value: true });
    await tab.ask("Page.navigate", { url: address });
    await tab.until(until);
    for (const [id, is] of Object.entries(wanted)) judge(await tab.value(seen(id)) === is, `without ${name}: ${id} is ${is ? "not " : ""}seen`);
    if (wanted["#still img"]) judge(await tab.value("document.querySelector('#still img').naturalWidth === 960"), `without ${name}: there is no picture`);
    if (folder) await writeFile(join(folder, `without-${name}.png`), await tab.picture());
    const failed = await tab.value("document.body.dataset.failures");
    judge(!failed, `without ${name}: the page reports ${failed}`);
    if (script) await tab.ask("Page.removeScriptToEvaluateOnNewDocument", script);
    else await tab.ask("Emulation.setScriptExecutionDisabled", { value: false });
    console.log(`  without ${name}`);
  }
  tab.errors.forEach((error) => judge(false, error));
  const asked = tab.requests.filter((url) => !url.startsWith(address) && !/^(blob|data|about):/.test(url));
  judge(asked.length === 0, `the page asks for ${asked}`);
} catch (error) {
  judge(false, error.message);
}
tab.close();
process.exit(wrong ? 1 : 0);
