// A recording in the page itself: frames of some positions, played back.
const data = JSON.parse(document.getElementById("data").textContent);
if (data.bodies.length > 0) play();

function play() {
  const still = document.getElementById("still");
  still.classList.add("waiting");
  const canvas = document.getElementById("view");
  const view = createView(canvas, fail);
  const count = data.times.length;
  const bodies = data.bodies.map(body => ({
    ...body,
    wide: !body.moves && body.opacity[1] < 1,
    triangles: new Uint32Array(bytes(body.triangles)),
    positions: new Uint16Array(bytes(body.positions)),
    fields: body.fields.map(field => field ? new Uint8Array(bytes(field)) : null),
  }));
  if (!view) {
    document.getElementById("hint").textContent = "This browser cannot play in 3-D (WebGL 2 is off): here is the end. The numbers below are complete.";
    document.body.dataset.playback = "none";
    for (const body of bodies) {
      body.x = new Float32Array(3 * body.vertices);
      stand(body, body.positions.length - body.x.length, body.positions.length - body.x.length, 0);
    }
    drawFlat(canvas, { ...data, bodies });
    still.hidden = true;
    return;
  }
  const marks = rings(view.gl, data.crossings, data.crossing_colour);
  view.load({ ...data, bodies });
  view.over = (matrix, size) => marks.draw(current(), matrix, size);

  // Positions of a body between those that start at two places of its list.
  function stand({ x, positions, low, size }, a, b, share) {
    for (let i = 0; i < x.length; i++) {
      const k = i % 3, q = positions[a + i] * (1 - share) + positions[b + i] * share;
      x[i] = low[k] + q / 65535 * size[k];
    }
  }
  // Positions between two frames.
  function pose(time) {
    const low = Math.min(Math.floor(time), count - 1), high = Math.min(low + 1, count - 1), share = time - low;
    for (const body of bodies) {
      const frames = body.positions.length / (3 * body.vertices);
      if (body.posed && !body.moves && frames === 1) continue;
      body.posed = true;
      const [a, b] = [Math.min(low, frames - 1), Math.min(high, frames - 1)].map(frame => 3 * body.vertices * frame);
      const { s } = body;
      stand(body, a, b, share);
      const levels = body.fields[chosen];
      body.coloured = !!levels;
      if (levels) for (let v = 0; v < body.vertices; v++) s[v] = levels[a / 3 + v] / 255;
      view.changed(body);
    }
  }

  const [button, slider, label, speed, colours, stage] = ["play", "at", "time", "speed", "colour", "stage"].map(id => document.getElementById(id));
  slider.max = count - 1;
  // The field by which the bodies are coloured; none at first.
  let chosen = -1;
  for (const { name, field } of data.fields) colours.append(new Option(name, field));
  for (const name of data.left_out) {
    const option = new Option(`${name} (no room)`);
    option.disabled = true;
    colours.append(option);
  }
  function colour() {
    chosen = data.fields.findIndex(field => field.field === colours.value);
    stage.classList.toggle("coloured", chosen >= 0);
    view.field = data.fields[chosen] ?? null;
    view.dirty = true;
    if (chosen < 0) return;
    const { name, what, unit, low, high, largest, map } = data.fields[chosen];
    document.getElementById("legend").classList.toggle("warm", map === "warm");
    const beyond = largest > high;
    const texts = {
      least: number(low),
      most: `${number(high)} ${unit}${beyond ? " or more" : ""}`,
      what: what ? `${name}, ${what}` : name,
      beyond: beyond ? `up to ${number(largest)} ${unit}` : "",
    };
    for (const [id, text] of Object.entries(texts)) document.getElementById(id).textContent = text;
  }
  let [running, time, last] = [count > 1, 0, null];
  const begin = data.times[0], span = data.times[count - 1] - begin;
  function run(on) {
    running = on && count > 1;
    last = null;
    button.textContent = running ? "Pause" : "Play";
  }
  // Pauses at one of the frames of the page.
  function show(index) {
    run(false);
    time = data.times[Math.min(count - 1, Math.max(0, index))] - begin;
    view.dirty = true;
  }
  run(running);
  button.onclick = () => run(!running);
  slider.oninput = () => show(+slider.value);
  colours.onchange = colour;
  document.getElementById("lines").onchange = event => { view.lines = event.target.checked; view.dirty = true; };
  marks.box.onchange = () => { view.dirty = true; };

  const full = document.getElementById("full");
  full.hidden = !stage.requestFullscreen;
  full.onclick = () => { document.fullscreenElement ? document.exitFullscreen() : stage.requestFullscreen().catch(() => {}); };
  const current = () => Math.round(place(Math.min(time, span)));
  const keys = {
    " ": () => run(!running),
    ArrowLeft: event => show(current() - (event.shiftKey ? 10 : 1)),
    ArrowRight: event => show(current() + (event.shiftKey ? 10 : 1)),
    Home: () => show(0),
    End: () => show(count - 1),
    f: () => full.onclick(),
  };
  addEventListener("keydown", event => {
    const act = keys[event.key.length > 1 ? event.key : event.key.toLowerCase()], { tagName } = event.target;
    // Lists keep their keys, buttons the key that presses them, and the browser its own.
    if (!act || event.ctrlKey || event.altKey || event.metaKey || tagName === "SELECT" || (tagName === "BUTTON" && event.key === " ")) return;
    event.preventDefault();
    act(event);
  });

  // The address names the frame, so that it can be shared.
  let named = null, namedAt = 0;
  function follow() {
    const asked = /^#frame=(\d+)$/.exec(location.hash);
    if (!asked || +asked[1] === named) return;
    const away = data.numbers.map(number => Math.abs(number - asked[1]));
    show(away.indexOf(Math.min(...away)));
  }
  addEventListener("hashchange", follow);
  function name(now) {
    const frame = data.numbers[current()];
    // Browsers limit the number of changes; during playback an occasional one is enough.
    if (frame === named || (running && now - namedAt < 1000)) return;
    [named, namedAt] = [frame, now];
    try { history.replaceState(null, "", `#frame=${frame}`); } catch { /* Pages that may not change the address keep it. */ }
  }

  if (matchMedia("(pointer: coarse)").matches) document.getElementById("hint").textContent = "drag: turn · two fingers: zoom and move · double tap: back";

  // The place of a time among the frames: 2.25 is a quarter of the way from frame 2 to frame 3.
  function place(t) {
    let low = 0, high = count - 1;
    while (high - low > 1) { const middle = (low + high) >> 1; if (data.times[middle] - begin <= t) low = middle; else high = middle; }
    const step = data.times[high] - data.times[low];
    return count === 1 || step <= 0 ? low : low + Math.min(1, (t - (data.times[low] - begin)) / step);
  }
  let shown = 0;
  function tick(now) {
    if (running && span > 0) {
      if (last !== null) time += (now - last) / 1000 * +speed.value;
      // A pause at the end, then again.
      if (time > span + 0.6) time = 0;
      last = now;
      view.dirty = true;
    }
    if (view.isDue()) {
      const where = place(Math.min(time, span));
      pose(where);
      view.dirty = false;
      view.draw(isDark());
      still.hidden = true;
      slider.value = Math.round(where);
      label.textContent = `t = ${(begin + Math.min(time, span)).toFixed(3)} s, frame ${data.numbers[Math.round(where)]}${marks.words(Math.round(where))}`;
      document.body.dataset.frame = Math.round(where);
      document.body.dataset.shown = ++shown;
    }
    name(now);
    document.body.dataset.requests = performance.getEntriesByType("resource").length;
    requestAnimationFrame(tick);
  }
  document.body.dataset.playback = "webgl2";
  follow();
  requestAnimationFrame(tick);
}
