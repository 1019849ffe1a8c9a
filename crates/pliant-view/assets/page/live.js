// A simulation that runs, here or elsewhere: `startSource(hear)` gives stages and frames and takes commands.
const $ = id => document.getElementById(id);
// What the plots show, how it is measured, and whether their axis is that of logarithms.
const USUAL = { energy: ["Energy", "J", false], residuals: ["Residuals", "largest of each kind of constraint", true] };
live();

function live() {
  // The picture that the page came with stays until there is another; its words are for browsers that get no further.
  $("still").classList.add("waiting");
  const canvas = $("view"), box = $("scene"), view = createView(canvas, fail);
  let stage = null, head = null, seat = null, shown = 0, largest = 0, told = -1, open = false, ownProblem = null, texts = null;
  const energy = createPlot($("energy")), residuals = createPlot($("residuals"));
  document.body.dataset.view = view ? "webgl2" : "flat";
  $("hint").textContent = !view
    ? "This browser cannot show 3-D pictures (WebGL 2 is off): here is a plain one. The numbers are complete."
    : matchMedia("(pointer: coarse)").matches
      ? "drag a body: pull it · beside it: turn · two fingers: zoom and move · double tap: back"
      : "drag a body: pull it · beside it: turn · wheel: zoom · shift and drag: move · double click: back";

  const source = startSource({ stage: takeStage, frame: takeFrame, seat: takeSeat, gone });
  const ask = async command => {
    try {
      const answer = await source.ask(command);
      ownProblem = null;
      problems();
      return answer;
    } catch (problem) {
      ownProblem = problem?.what ? problem : { what: String(problem) };
      problems();
      throw problem;
    }
  };
  const quietly = command => ask(command).catch(() => {});
  const knobs = createKnobs($("sliders"), async command => {
    await ask(command);
    // What is seen is no part of the scene.
    if (command.key.startsWith("view.")) return;
    $("undo").hidden = false;
    $("save").hidden = !source.saves;
  });
  function problems() {
    const problem = ownProblem ?? stage?.problem;
    showProblem($("problem"), problem, ownProblem ? () => { ownProblem = null; problems(); } : null);
    document.body.dataset.problem = problem?.what ?? "";
  }

  function takeSeat(now) {
    seat = now;
    $("state").hidden = seat.controls;
    if (!seat.controls) {
      const button = document.createElement("button");
      button.textContent = "take them";
      button.onclick = () => quietly({ do: "take" });
      $("state").replaceChildren("Another page has the controls. ", button);
    }
    document.body.dataset.controls = seat.controls;
  }
  function gone() {
    $("state").hidden = false;
    $("state").textContent = "The program has ended. This page goes on when it is back.";
    document.body.dataset.controls = "gone";
  }

  function takeStage(next) {
    const isNew = !stage || stage.title !== next.title;
    stage = next;
    for (const body of stage.bodies) {
      body.triangles = new Uint32Array(bytes(body.triangles));
      body.wide = !body.moves && body.opacity[1] < 1;
    }
    const turned = body => body.pose && new Float32Array(body.pose);
    const poses = stage.bodies.map(turned);
    if (view) view.load(stage, !isNew);
    else for (const body of stage.bodies) body.x = new Float32Array(3 * body.vertices);
    stage.bodies.forEach((body, k) => {
      body.pose = poses[k] ?? new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
      if (!body.positions) return;
      body.x.set(new Float32Array(bytes(body.positions)));
      view?.changed(body);
    });
    energy.clear();
    residuals.clear();
    told = -1;
    $("title").textContent = document.title = stage.title;
    const { knobs: list } = stage;
    $("knobs").hidden = !list;
    if (list) knobs.show(list, isNew);
    $("undo").hidden = !stage.changed;
    $("save").hidden = !stage.changed || !source.saves;
    if (isNew) { $("saved").hidden = true; }
    if (isNew) $("colour").replaceChildren(new Option("bodies", ""), ...stage.fields.map(({ field }) => new Option(field, field)));
    const plots = { ...USUAL, ...stage.plots };
    explain("energy", energy, plots.energy);
    explain("residuals", residuals, plots.residuals);
    $("speed").value = String(stage.speed);
    $("record").hidden = !stage.records;
    if (stage.text !== null) {
      $("code").hidden = false;
      texts = { ...stage.samples, TOML: stage.text };
      tabs(isNew ? "TOML" : null);
    }
    problems();
    document.body.dataset.stage = stage.version;
  }

  // A plot that shows nothing of this stage is left out.
  function explain(id, plot, words) {
    const section = $(id).parentElement, [h2] = section.getElementsByTagName("h2");
    section.hidden = !words;
    if (!words) return;
    const [what, how, isLog] = words, small = document.createElement("small");
    small.textContent = how;
    h2.replaceChildren(`${what} `, small);
    plot.scale(isLog);
  }

  // The texts that make the scene; that of the scene itself can be changed and run.
  let tab = "TOML";
  function tabs(choose) {
    if (choose) tab = choose;
    $("tabs").replaceChildren(...Object.keys(texts).reverse().map(name => {
      const button = document.createElement("button");
      button.textContent = name;
      button.setAttribute("aria-current", name === tab);
      button.onclick = () => tabs(name);
      return button;
    }));
    if (document.activeElement !== $("text") || choose) $("text").value = texts[tab];
    $("text").readOnly = tab !== "TOML";
    $("run-text").hidden = tab !== "TOML";
  }
  $("rerun").onclick = () => quietly({ do: "text", toml: $("text").value });
  $("text").onkeydown = event => {
    event.stopPropagation();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("rerun").click();
  };

  // `ms` is the time that the frame took, where the solver has no clock.
  function takeFrame(buffer, ms) {
    if (!stage) return;
    const length = new DataView(buffer).getUint32(0, true), next = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    if (next.version !== stage.version) return;
    $("still").hidden = true;
    const isEarlier = next.frame < (head?.frame ?? 0);
    head = next;
    head.ms ??= ms ?? null;
    const numbers = new Float32Array(buffer, 4 + length), moving = stage.bodies.filter(body => body.moves);
    let at = 0;
    for (const body of moving) {
      body.x.set(numbers.subarray(at, at + 3 * body.vertices));
      at += 3 * body.vertices;
    }
    if (head.field) {
      // The scale falls slowly, so that colours can be compared over time.
      largest = Math.max(head.largest || 0, 0.995 * largest, 1e-12);
      for (const body of moving) {
        for (let v = 0; v < body.vertices; v++) body.s[v] = numbers[at + v] / largest;
        at += body.vertices;
      }
    }
    for (const body of moving) {
      body.coloured = !!head.field;
      view?.changed(body);
    }
    for (const [body, pose] of head.poses) stage.bodies[body].pose.set(pose);
    if (view) {
      view.field = head.field ? { map: "viridis" } : null;
      view.follow(isEarlier);
      view.dirty = true;
    } else {
      drawFlat(canvas, stage);
    }
    legend();
    words();
    recording(head.recording);
    document.body.dataset.frame = head.frame;
    document.body.dataset.hash = head.hash;
    document.body.dataset.playing = head.playing;
  }

  function legend() {
    box.classList.toggle("coloured", !!head.field);
    if (!head.field) return;
    const { what, unit } = stage.fields.find(({ field }) => field === head.field) ?? {};
    $("most").textContent = `${number(largest)} ${unit}`;
    $("what").textContent = what;
  }

  // The button while frames are written, and where the last recording is.
  let kept = null;
  function recording(told) {
    if (!told) return;
    const { now, last } = told;
    $("record").classList.toggle("on", !!now);
    $("record").textContent = now ? `Stop · ${now.frames}` : "Record";
    document.body.dataset.recording = now?.folder ?? "";
    const place = last && `${last.folder} ${last.frames}`;
    // What was recorded before this page came is no news.
    if (kept !== null && place && place !== kept) {
      const code = document.createElement("code"), close = document.createElement("button");
      code.textContent = `pliant view ${last.folder}`;
      close.textContent = "Close";
      close.onclick = () => { $("recorded").hidden = true; };
      $("recorded").replaceChildren(`${last.frames} frames recorded. To play them: `, code, close);
      $("recorded").hidden = false;
    } else if (now) {
      $("recorded").hidden = true;
    }
    kept = place ?? "";
    document.body.dataset.recorded = last?.folder ?? "";
  }

  let frames = [];
  function words() {
    const now = performance.now();
    frames.push(now);
    frames = frames.filter(time => now - time < 1000);
    $("play").textContent = head.playing ? "Pause" : "Play";
    const cost = head.ms === null ? "" : ` · ${head.ms < 10 ? head.ms.toFixed(1) : Math.round(head.ms)} ms a frame`;
    $("time").textContent = `t = ${head.time.toFixed(2)} s · frame ${head.frame}${cost}`;
    const { report } = head;
    if (report && report.frame !== told) {
      told = report.frame;
      if (report.energy) energy.add(report.time, report.energy);
      residuals.add(report.time, Object.fromEntries(report.residuals.map(({ name, max }) => [name, max])));
      verdict(report);
    }
    $("hash").replaceChildren(hashWords());
    const facts = {
      vertices: stage.about.particles.toLocaleString("en"),
    };
    if (stage.about.constraints != null) facts.constraints = stage.about.constraints.toLocaleString("en");
    if (stage.about.precision) facts.precision = stage.about.precision;
    if (report?.stretch != null) facts["largest stretch"] = `${number(100 * report.stretch)} %`;
    if (report?.intersections != null) facts["crossings"] = String(report.intersections);
    if (report?.contacts != null) facts["contacts with obstacles"] = String(report.contacts);
    Object.assign(facts, head.facts);
    $("numbers").replaceChildren(...Object.entries(facts).flatMap(([name, value]) => {
      const [dt, dd] = ["dt", "dd"].map(tag => document.createElement(tag));
      dt.textContent = name;
      dd.append(value);
      return [dt, dd];
    }));
  }
  function hashWords() {
    const code = document.createElement("code");
    code.textContent = head.hash;
    const native = stage.native?.[head.frame];
    if (!native || stage.changed || source.touched) return code;
    const both = document.createElement("span"), same = native === head.hash, mark = document.createElement("span");
    mark.className = same ? "same" : "differs";
    mark.textContent = same ? " = native" : ` ≠ ${native} native`;
    both.append(code, mark);
    document.body.dataset.same = same;
    return both;
  }
  function verdict({ grade, findings }) {
    const chip = $("verdict");
    chip.hidden = !grade;
    if (!grade) { $("findings").hidden = true; return; }
    chip.textContent = grade;
    chip.className = grade === "good" ? "good" : grade === "rough" ? "rough" : "bad";
    document.body.dataset.grade = grade;
    if (!findings.length) open = false;
    $("findings").hidden = !open;
    $("findings").replaceChildren(...findings.map(({ what, cure }) => {
      const p = document.createElement("p"), small = document.createElement("small");
      small.textContent = cure;
      p.append(what, small);
      return p;
    }));
  }
  $("verdict").onclick = () => { open = !open && head?.report?.findings.length > 0; $("findings").hidden = !open; };

  // Hands.
  let hands = 0;
  const held = new Map();
  // The newest of something is sent when the one before has been answered.
  function newest(send) {
    let next = null, busy = false;
    return async value => {
      next = value;
      if (busy) return;
      busy = true;
      while (next !== null) {
        const value = next;
        next = null;
        await send(value).catch(() => {});
      }
      busy = false;
    };
  }
  const canTouch = body => body.moves || body.pushable;
  if (view) view.press = event => {
    if (!stage || !seat?.controls) return null;
    const found = view.hit(event.clientX, event.clientY, body => body.opacity[1] === 1);
    if (!found || !canTouch(found.body)) return null;
    const body = stage.bodies.indexOf(found.body);
    if (!found.body.moves) {
      let last = found.point;
      const push = newest(async to => { const by = to.map((c, k) => c - last[k]); last = to; await source.ask({ do: "push", body, by }); });
      return { move: event => push(view.alongScreen(found.point, event.clientX, event.clientY)), end() {} };
    }
    const hand = ++hands, x = found.body.x, v = 3 * found.vertex, start = [x[v], x[v + 1], x[v + 2]];
    const own = { to: start, offset: start.map((c, k) => c - found.point[k]) };
    held.set(hand, own);
    const ready = quietly({ do: "grab", hand, body, vertex: found.vertex });
    const move = newest(async to => { await ready; await source.ask({ do: "move", hand, to }); });
    return {
      move(event) {
        own.to = view.alongScreen(found.point, event.clientX, event.clientY).map((c, k) => c + own.offset[k]);
        move(own.to);
        view.dirty = true;
      },
      end() {
        held.delete(hand);
        ready.then(() => source.ask({ do: "release", hand })).catch(() => {});
        view.dirty = true;
      },
    };
  };
  canvas.addEventListener("pointermove", event => {
    if (!view || event.buttons || event.pointerType === "touch" || !stage) return;
    const found = view.hit(event.clientX, event.clientY, body => body.opacity[1] === 1);
    box.classList.toggle("over", !!found && canTouch(found.body));
  });
  function drawHands() {
    const svg = $("hands"), make = (name, attributes) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      return made;
    };
    const parts = [];
    for (const { hand, at, to, force, stiffness } of head?.hands ?? []) {
      const [x1, y1] = view.project(at), [x2, y2] = view.project(held.get(hand)?.to ?? to);
      parts.push(make("line", { x1, y1, x2, y2 }), make("circle", { cx: x1, cy: y1, r: 4 }), make("circle", { cx: x2, cy: y2, r: 5, class: "to" }));
      if (stiffness == null) continue;
      const isRight = x2 > box.clientWidth / 2, text = make("text", { x: x2 + (isRight ? -10 : 10), y: y2 - 8, "text-anchor": isRight ? "end" : "start" });
      text.textContent = `${number(force ?? 0)} N · spring ${number(stiffness)} N/m`;
      parts.push(text);
    }
    const labels = (stage.labels ?? []).map(({ text, at }) => {
      const [x, y] = view.project(at), label = make("text", { x, y, class: "label" });
      label.textContent = text;
      return label;
    });
    svg.replaceChildren(...parts, ...labels);
    // One that would cover another stands above it.
    labels.forEach((label, k) => {
      for (const other of labels.slice(0, k)) {
        const [a, b] = [label, other].map(each => each.getBBox());
        if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height) label.setAttribute("y", +label.getAttribute("y") + b.y - a.y - a.height);
      }
    });
  }

  // The bar.
  const toggle = () => quietly({ do: head?.playing ? "pause" : "play" });
  $("play").onclick = toggle;
  $("step").onclick = () => quietly({ do: "step", frames: 1 });
  $("record").onclick = () => quietly({ do: "record", on: !head?.recording?.now });
  $("restart").onclick = () => { energy.clear(); residuals.clear(); quietly({ do: "restart" }); };
  $("speed").onchange = event => quietly({ do: "speed", value: +event.target.value });
  $("colour").onchange = event => { largest = 0; quietly({ do: "field", name: event.target.value || null }); };
  $("lines").onchange = event => { if (view) { view.lines = event.target.checked; view.dirty = true; } };
  $("undo").onclick = () => quietly({ do: "undo" });
  $("save").onclick = async () => {
    const { path } = await ask({ do: "save" });
    $("saved").hidden = false;
    $("saved").textContent = `written: ${path}`;
  };
  const app = $("app");
  $("full").hidden = !app.requestFullscreen;
  $("full").onclick = () => { document.fullscreenElement ? document.exitFullscreen() : app.requestFullscreen().catch(() => {}); };
  const keys = {
    " ": toggle,
    ArrowRight: event => quietly({ do: "step", frames: event.shiftKey ? 10 : 1 }),
    r: () => $("restart").click(),
    m: () => $("lines").click(),
    h: () => view?.home(),
    f: () => $("full").click(),
  };
  addEventListener("keydown", event => {
    const act = keys[event.key.length > 1 ? event.key : event.key.toLowerCase()], { tagName } = event.target;
    if (!act || event.ctrlKey || event.altKey || event.metaKey || ["SELECT", "INPUT", "TEXTAREA"].includes(tagName) || (tagName === "BUTTON" && event.key === " ")) return;
    event.preventDefault();
    act(event);
  });

  function tick() {
    if (stage && head && view?.isDue()) {
      view.dirty = false;
      view.draw(isDark());
      drawHands();
      document.body.dataset.shown = ++shown;
    }
    document.body.dataset.requests = performance.getEntriesByType("resource").length;
    requestAnimationFrame(tick);
  }
  requestAnimationFrame(tick);
}
