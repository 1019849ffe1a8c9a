// Steps a simulation in a thread of its own. Frames go to the page one at a time: the next when it has drawn the one before.
let sim = null, plain = null, duel = null, module = null, ready = true, fresh = false, due = 0, staged = -1, timer = null;

onmessage = async ({ data }) => {
  const { kind, id } = data;
  if (kind === "drawn") { ready = true; return show(); }
  try {
    let answer = null;
    if (kind === "load") {
      module = data.bytes;
      sim = plain = await Pliant.load(module);
    } else if (kind === "open") {
      sim = data.duel ? duel ??= new Duel(plain, await Pliant.load(module)) : plain;
      sim.open(data.toml);
      staged = -1;
      due = performance.now();
    }
    else answer = sim.ask(data.command);
    postMessage({ kind: "answer", id, answer });
  } catch ({ message, what, place }) {
    postMessage({ kind: "answer", id, problem: { what: what ?? message, place } });
  }
  fresh = true;
  show();
  go();
};

function show() {
  if (!sim || !fresh || !ready || !sim.version) return;
  if (staged !== sim.version) {
    staged = sim.version;
    postMessage({ kind: "stage", stage: sim.stage() });
  }
  const { buffer } = sim.bytes();
  fresh = ready = false;
  postMessage({ kind: "frame", buffer, ms }, [buffer]);
}

let ms = null;
function go() {
  clearTimeout(timer);
  if (!sim?.version || sim.pace < 0) return;
  timer = setTimeout(() => {
    const begun = performance.now();
    try { sim.step(); } catch { /* The stage says why. */ }
    ms = performance.now() - begun;
    fresh = true;
    show();
    due = Math.max(due + 1000 * sim.pace, performance.now() - 50);
    go();
  }, Math.max(0, due - performance.now()));
}
