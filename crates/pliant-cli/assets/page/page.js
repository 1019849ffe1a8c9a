// Errors are stored in the document, so that a test can read them.
const failures = [];
const fail = text => { failures.push(text); document.body.dataset.failures = failures.join("; "); };
document.body.dataset.failures = "";
window.addEventListener("error", event => fail(event.message));

const data = JSON.parse(document.getElementById("data").textContent);
const theme = document.getElementById("theme"), isDark = () => document.documentElement.dataset.theme === "dark";
const label = () => { theme.textContent = isDark() ? "light" : "dark"; };
theme.onclick = () => dress(!isDark());
addEventListener("dressed", label);
label();
if (data.bodies.length > 0) play();

function bytes(text) {
  const raw = atob(text);
  const array = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) array[i] = raw.charCodeAt(i);
  return array.buffer;
}

function play() {
  const canvas = document.getElementById("view");
  const gl = canvas.getContext("webgl2", { antialias: true, stencil: true });
  if (!gl) {
    document.getElementById("hint").textContent = "This browser cannot show 3-D pictures (WebGL 2 is off); the numbers below are complete.";
    document.body.dataset.playback = "none";
    return;
  }
  const count = data.times.length;
  const bodies = data.bodies.map(body => ({
    ...body,
    triangles: new Uint32Array(bytes(body.triangles)),
    positions: new Uint16Array(bytes(body.positions)),
    fields: body.fields.map(field => field ? new Uint8Array(bytes(field)) : null),
  }));

  const program = link(gl, SURFACE_VERTEX, SURFACE_FRAGMENT);
  const marks = rings(gl, data.crossings, data.crossing_colour);
  const at = name => gl.getUniformLocation(program, name);
  const uniform = Object.fromEntries(["view", "ground", "light", "shadow", "colour", "eye", "field", "middle", "reach", "opacity", "fill", "shares", "finish", "paper", "shade"].map(name => [name, at(name)]));

  for (const body of bodies) {
    body.x = new Float32Array(3 * body.vertices);
    body.n = new Float32Array(3 * body.vertices);
    body.s = new Float32Array(body.vertices);
    body.array = gl.createVertexArray();
    gl.bindVertexArray(body.array);
    body.buffers = [["position", 3], ["normal", 3], ["number", 1]].map(([name, size]) => attribute(name, size));
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, body.triangles, gl.STATIC_DRAW);
  }
  function attribute(name, size) {
    const buffer = gl.createBuffer(), place = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    if (place >= 0) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
    }
    return buffer;
  }
  const floor = gl.createVertexArray();
  if (data.ground !== null) {
    const [x, z, r, y] = [data.centre[0], data.centre[2], 6 * data.radius, data.ground];
    gl.bindVertexArray(floor);
    attribute("position", 3);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([x - r, y, z - r, x + r, y, z - r, x - r, y, z + r, x + r, y, z + r]), gl.STATIC_DRAW);
  }

  // Positions between two frames, and their normals.
  function pose(time) {
    const low = Math.min(Math.floor(time), count - 1), high = Math.min(low + 1, count - 1), share = time - low;
    for (const body of bodies) {
      const frames = body.positions.length / (3 * body.vertices);
      if (body.posed && !body.moves && frames === 1) continue;
      body.posed = true;
      const [a, b] = [Math.min(low, frames - 1), Math.min(high, frames - 1)].map(frame => 3 * body.vertices * frame);
      const { x, n, s } = body;
      for (let i = 0; i < x.length; i++) {
        const k = i % 3, q = body.positions[a + i] * (1 - share) + body.positions[b + i] * share;
        x[i] = body.low[k] + q / 65535 * body.size[k];
      }
      n.fill(0);
      for (let t = 0; t < body.triangles.length; t += 3) {
        const [i, j, k] = [3 * body.triangles[t], 3 * body.triangles[t + 1], 3 * body.triangles[t + 2]];
        const ux = x[j] - x[i], uy = x[j + 1] - x[i + 1], uz = x[j + 2] - x[i + 2];
        const vx = x[k] - x[i], vy = x[k + 1] - x[i + 1], vz = x[k + 2] - x[i + 2];
        const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        for (const v of [i, j, k]) { n[v] += nx; n[v + 1] += ny; n[v + 2] += nz; }
      }
      const levels = body.fields[chosen];
      if (levels) for (let v = 0; v < body.vertices; v++) s[v] = levels[a / 3 + v] / 255;
      [[0, x], [1, n], [2, s]].forEach(([k, values]) => {
        gl.bindBuffer(gl.ARRAY_BUFFER, body.buffers[k]);
        gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
      });
    }
  }

  // The largest distance of all boxes from the middle.
  const extent = Math.max(...bodies.map(body => Math.hypot(...data.centre.map((c, k) => Math.max(c - body.low[k], body.low[k] + body.size[k] - c)))));
  const half = Math.tan(data.field_of_view * Math.PI / 360);
  const home = { azimuth: data.azimuth, elevation: data.elevation, distance: 0.911 / half * data.radius, target: [...(data.target ?? data.centre)] };
  if (data.eye) {
    const back = data.eye.map((c, k) => c - home.target[k]);
    home.distance = Math.hypot(...back);
    home.azimuth = Math.atan2(back[0], back[2]) * 180 / Math.PI;
    home.elevation = Math.asin(back[1] / home.distance) * 180 / Math.PI;
  }
  let camera = { ...home, target: [...home.target] };
  // The key light has the place that it has in pictures from the initial camera; the fill light moves with the eye.
  const along = (parts, axes) => normalise([0, 1, 2].map(k => parts[0] * axes[0][k] + parts[1] * axes[1][k] + parts[2] * axes[2][k]));
  const turn = home.azimuth * Math.PI / 180;
  const light = along(data.light.key_from, [[Math.cos(turn), 0, -Math.sin(turn)], [0, 1, 0], [Math.sin(turn), 0, Math.cos(turn)]]);
  // One over the tangent of half the angle from bottom to top: wider if the window is narrow, so that nothing is cut off at the sides.
  const lens = () => Math.min(1, canvas.clientWidth / Math.max(canvas.clientHeight, 1) / 1.1) / half;
  const look = () => {
    const [a, e] = [camera.azimuth, camera.elevation].map(degrees => degrees * Math.PI / 180);
    const back = [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)];
    return { back, right: [Math.cos(a), 0, -Math.sin(a)], up: [-Math.sin(a) * Math.sin(e), Math.cos(e), -Math.cos(a) * Math.sin(e)] };
  };

  function draw() {
    const wide = Math.round(canvas.clientWidth * devicePixelRatio), high = Math.round(canvas.clientHeight * devicePixelRatio);
    if (canvas.width !== wide || canvas.height !== high) { canvas.width = wide; canvas.height = high; }
    gl.viewport(0, 0, wide, high);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    const { back, right, up } = look();
    const eye = camera.target.map((c, k) => c + back[k] * camera.distance);
    const away = Math.hypot(...eye.map((c, k) => c - data.centre[k]));
    const near = Math.max(away - 3 * data.radius, 0.02 * Math.min(away, camera.distance)), far = away + Math.max(12 * data.radius, extent);
    const aspect = wide / Math.max(high, 1), f = lens();
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const rows = [right, up, back].map(axis => [...axis, -dot(axis, eye)]);
    const clip = [rows[0].map(c => c * f / aspect), rows[1].map(c => c * f), rows[2].map((c, k) => c * (far + near) / (near - far) + (k === 3 ? 2 * far * near / (near - far) : 0)), rows[2].map(c => -c)];
    const matrix = new Float32Array(16);
    for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) matrix[4 * c + r] = clip[r][c];
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniform.view, false, matrix);
    gl.uniform3fv(uniform.eye, eye);
    gl.uniform3fv(uniform.light, light);
    gl.uniform3fv(uniform.fill, along(data.light.fill_from, [right, [0, 1, 0], back]));
    gl.uniform4fv(uniform.shares, data.light.shares);
    gl.uniform4fv(uniform.finish, data.light.finish);
    gl.uniform3fv(uniform.paper, isDark() ? [0.18, 0.215, 0.255] : [0.93, 0.945, 0.96]);
    gl.uniform4fv(uniform.shade, isDark() ? [0, 0, 0, 0.45] : [0.16, 0.2, 0.26, 0.30]);
    gl.uniform3fv(uniform.middle, data.centre);
    gl.uniform1f(uniform.reach, 6 * data.radius);
    gl.uniform4f(uniform.ground, data.ground ?? 0, 0, 0, 0);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.CULL_FACE);
    if (data.ground !== null) {
      gl.disable(gl.DEPTH_TEST);
      gl.uniform1f(uniform.shadow, -1);
      gl.bindVertexArray(floor);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      // Each pixel is darkened only once: where a shadow has been drawn, the stencil rejects the next one.
      gl.enable(gl.STENCIL_TEST);
      gl.stencilFunc(gl.EQUAL, 0, 255);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
      gl.uniform1f(uniform.shadow, 1);
      for (const body of bodies.filter(body => body.shadow)) {
        cull(body.opacity[1] < 1 ? gl.BACK : null);
        gl.uniform4fv(uniform.ground, ground(body));
        mesh(body);
      }
      gl.disable(gl.STENCIL_TEST);
    }
    gl.enable(gl.DEPTH_TEST);
    gl.uniform1f(uniform.shadow, 0);
    // The order of painting: all bodies are in front of the fronts of walls and behind their backs, which are like glass.
    const walls = bodies.filter(body => body.opacity[1] < 1);
    cull(gl.BACK);
    for (const wall of walls) surface(wall, wall.opacity[0]);
    cull(null);
    for (const body of bodies) if (!walls.includes(body)) surface(body, 1);
    cull(gl.FRONT);
    gl.depthMask(false);
    for (const wall of walls) surface(wall, wall.opacity[1]);
    gl.depthMask(true);
    cull(null);
    marks.draw(current(), matrix, [wide, high]);
    const error = gl.getError();
    if (error) fail(`WebGL error ${error}`);
  }
  function surface(body, opacity) {
    const lacks = chosen >= 0 && body.moves && !body.fields[chosen];
    gl.uniform3fv(uniform.colour, lacks ? data.no_value : body.colour);
    gl.uniform1f(uniform.field, !body.fields[chosen] ? 0 : data.fields[chosen].map === "warm" ? 2 : 1);
    gl.uniform1f(uniform.opacity, opacity);
    gl.uniform4fv(uniform.ground, ground(body));
    mesh(body);
  }
  // The height of the ground, whether it hides what is below, how far bodies may be below it, and the depth from which it hides: rims of walls that end at it stay visible.
  function ground(body) {
    return [data.ground ?? 0, data.ground !== null && !body.moves ? 1 : 0, 0.01 * data.radius, 0];
  }
  function cull(side) {
    if (side === null) return gl.disable(gl.CULL_FACE);
    gl.enable(gl.CULL_FACE);
    gl.cullFace(side);
  }
  function mesh(body) {
    gl.bindVertexArray(body.array);
    gl.drawElements(gl.TRIANGLES, body.triangles.length, gl.UNSIGNED_INT, 0);
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
  const number = x => x === 0 ? "0" : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e4 ? x.toExponential(2) : x.toPrecision(3);
  function colour() {
    chosen = data.fields.findIndex(field => field.field === colours.value);
    stage.classList.toggle("coloured", chosen >= 0);
    dirty = true;
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
  let [running, time, last, dirty] = [count > 1, 0, null, true];
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
    dirty = true;
  }
  run(running);
  button.onclick = () => run(!running);
  slider.oninput = () => show(+slider.value);
  colours.onchange = colour;
  marks.box.onchange = () => { dirty = true; };
  addEventListener("resize", () => { dirty = true; });
  addEventListener("dressed", () => { dirty = true; });

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

  // Mouse buttons and fingers that are down: one turns; two fingers, or shift, move; two fingers also zoom.
  const held = new Map();
  canvas.onpointerdown = event => { held.set(event.pointerId, event); canvas.setPointerCapture(event.pointerId); };
  canvas.onpointerup = canvas.onpointercancel = event => { held.delete(event.pointerId); };
  canvas.onpointermove = event => {
    const before = held.get(event.pointerId);
    if (!before) return;
    held.set(event.pointerId, event);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    const other = [...held.values()].find(finger => finger.pointerId !== event.pointerId);
    if (other) {
      const apart = finger => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
      move(dx / 2, dy / 2);
      zoom(Math.max(apart(before), 1) / Math.max(apart(event), 1));
    } else if (event.shiftKey || event.buttons === 4) {
      move(dx, dy);
    } else {
      camera.azimuth -= 0.4 * dx;
      camera.elevation = Math.min(89, Math.max(-89, camera.elevation + 0.4 * dy));
    }
    dirty = true;
  };
  function move(dx, dy) {
    const { right, up } = look(), step = 2 * camera.distance / (lens() * canvas.clientHeight);
    camera.target = camera.target.map((c, k) => c - step * (dx * right[k] - dy * up[k]));
  }
  function zoom(factor) {
    camera.distance = Math.min(30, Math.max(0.05, camera.distance / data.radius * factor)) * data.radius;
    dirty = true;
  }
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(Math.exp(0.0012 * event.deltaY));
  }, { passive: false });
  if (matchMedia("(pointer: coarse)").matches) document.getElementById("hint").textContent = "drag: turn · two fingers: zoom and move · double tap: back";
  canvas.ondblclick = () => { camera = { ...home, target: [...home.target] }; dirty = true; };

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
      dirty = true;
    }
    if (dirty) {
      dirty = false;
      const where = place(Math.min(time, span));
      pose(where);
      draw();
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

function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source.trim());
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) fail(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) fail(gl.getProgramInfoLog(program));
  return program;
}

function normalise(v) {
  const length = Math.hypot(...v);
  return v.map(c => c / length);
}
