// A tab of Chromium without a window, controlled through its own protocol: JSON ended by a zero byte, on descriptors 3 and 4.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

export class Tab {
  // Errors that the page has reported, and addresses that it has asked for.
  errors = [];
  requests = [];
  #program; #profile; #last = 0; #waiting = new Map(); #session;

  // Nothing if no browser is installed.
  static async open() {
    const name = NAMES.find((name) => spawnSync(name, ["--version"]).status === 0);
    if (!name) return null;
    const tab = new Tab();
    tab.#profile = mkdtempSync(join(tmpdir(), "pliant-tab-"));
    tab.#program = spawn(
      name,
      ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--disable-dev-shm-usage",
        "--enable-unsafe-swiftshader", "--use-angle=swiftshader", `--user-data-dir=${tab.#profile}`],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    let text = "";
    tab.#program.stdio[4].setEncoding("utf8").on("data", (piece) => {
      const messages = (text + piece).split("\0");
      text = messages.pop();
      messages.forEach((message) => tab.#hear(JSON.parse(message)));
    });
    const { targetId } = await tab.ask("Target.createTarget", { url: "about:blank" });
    tab.#session = (await tab.ask("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const part of ["Page", "Runtime", "Log", "Network"]) await tab.ask(`${part}.enable`);
    return tab;
  }

  ask(method, params = {}) {
    const id = ++this.#last;
    this.#program.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.#session })}\0`);
    return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
  }
  #hear({ id, method, params, result, error }) {
    if (id) {
      const { done, failed } = this.#waiting.get(id);
      this.#waiting.delete(id);
      error ? failed(new Error(error.message)) : done(result);
    } else if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    else if (method === "Runtime.consoleAPICalled" && params.type === "error") this.errors.push(JSON.stringify(params.args));
    else if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
    else if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
  }

  async version() { return (await this.ask("Browser.getVersion")).product; }

  // The value of an expression in the page, awaited if it is a promise.
  async value(expression) {
    const { result, exceptionDetails } = await this.ask("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  // Waits until an expression is true; fails after a minute and a half, with what the page says of itself.
  async until(expression) {
    for (const end = Date.now() + 90_000; !(await this.value(expression)); await new Promise((done) => setTimeout(done, 50))) {
      if (Date.now() > end) throw new Error(`never: ${expression}; ${await this.value("JSON.stringify(document.body.dataset)")}`);
    }
  }
  resize(width, height) { return this.ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false }); }
  mouse(type, x, y) { return this.ask("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1 }); }
  // `points` are the fingers that are down.
  touch(type, points) { return this.ask("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) }); }
  async picture() { return Buffer.from((await this.ask("Page.captureScreenshot")).data, "base64"); }

  close() {
    this.#program.kill("SIGKILL");
    try { rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 }); } catch { /* What is left is in the folder for such files. */ }
  }
}
