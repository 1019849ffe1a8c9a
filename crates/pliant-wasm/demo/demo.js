// A source that runs the solver in this page.
function startSource(hear) {
  const source = { saves: false, touched: false, ask };
  const worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
  const waiting = new Map();
  let last = 0, scene = null;
  worker.onerror = event => { fail(event.message); hear.gone(); };
  worker.onmessage = ({ data }) => {
    if (data.kind === "stage") hear.stage({ ...data.stage, native: scene.native, samples: scene.samples });
    else if (data.kind === "frame") {
      hear.frame(data.buffer, data.ms);
      // Not before the next picture: a page that draws slowly is sent fewer frames.
      requestAnimationFrame(() => worker.postMessage({ kind: "drawn" }));
    } else {
      const { done, refused } = waiting.get(data.id);
      waiting.delete(data.id);
      data.problem ? refused(data.problem) : done(data.answer);
    }
  };
  function send(message, transfer) {
    const id = ++last;
    return new Promise((done, refused) => {
      waiting.set(id, { done, refused });
      worker.postMessage({ ...message, id }, transfer ?? []);
    });
  }
  function ask(command) {
    if (command.do === "restart") source.touched = false;
    else if (!["play", "pause", "step", "speed", "field"].includes(command.do) && !command.key?.startsWith("view.")) source.touched = true;
    return send({ kind: "act", command });
  }
  const nav = document.getElementById("scenes");
  const buttons = SCENES.map(each => {
    const button = document.createElement("button");
    button.textContent = each.title;
    button.onclick = () => show(each);
    nav.append(button);
    return button;
  });
  function show(next) {
    // What comes of the scene before is no longer of interest.
    scene = next;
    source.touched = false;
    buttons.forEach((button, k) => button.setAttribute("aria-current", SCENES[k] === scene));
    try { history.replaceState(null, "", `#${scene.title.toLowerCase()}`); } catch { /* Pages that may not change the address keep it. */ }
    return send({ kind: "open", toml: scene.toml, duel: scene.title === "Duel" }).catch(problem => fail(problem.what));
  }
  async function begin() {
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") throw new Error(typeof WebAssembly !== "object" ? "WebAssembly is off" : "it cannot unpack the solver");
    const packed = new Blob([bytes(MODULE)]).stream().pipeThrough(new DecompressionStream("gzip"));
    const module = await new Response(packed).arrayBuffer();
    await send({ kind: "load", bytes: module }, [module]);
    hear.seat({ page: 1, controls: true, pages: 1 });
    await show(SCENES.find(({ title }) => location.hash === `#${title.toLowerCase()}`) ?? SCENES[0]);
  }
  begin().catch(problem => {
    const still = document.getElementById("still"), words = still.querySelector("figcaption");
    words.textContent = `${words.textContent} (${problem.what ?? problem.message})`;
    still.classList.remove("waiting");
    document.body.classList.add("still");
    document.body.dataset.problem = words.textContent;
  });
  return source;
}
