// The picture of a scene: camera, light, soft shadows, fields, mouse and touch. Where its bodies come from is no matter of it.
//
// A scene is { light, field_of_view, azimuth, elevation, eye, target, centre, radius, ground, no_value, bodies }, a body
// { colour, opacity, shadow, moves, cloth, vertices, triangles }, to which this adds the lists x (positions), n (normals) and s (numbers of
// a field, 0 to 1). Whoever fills x calls `changed(body)`.

// How much larger than what is in it a picture is, and how much larger than at the start it becomes by itself.
const ROOM = 1.15, FARTHEST = 4;

function createView(canvas, fail) {
  const isSoftware = drawsBySoftware(), gl = canvas.getContext("webgl2", { antialias: !isSoftware });
  if (!gl) return null;
  const program = link(gl, SURFACE_VERTEX, SURFACE_FRAGMENT, fail);
  const caster = link(gl, DEPTH_VERTEX, DEPTH_FRAGMENT, fail);
  const liner = link(gl, LINE_VERTEX, LINE_FRAGMENT, fail);
  const places = (of, names) => Object.fromEntries(names.split(" ").map(name => [name, gl.getUniformLocation(of, name)]));
  const uniform = places(program, "view pose ground light plane colour eye field middle reach opacity fill shares finish paper shade back depths hidden sun sunSize");
  const casting = places(caster, "view pose"), lining = places(liner, "view pose nearer colour");
  // Phones, and computers without a graphics card, get fewer taps of a smaller map.
  const isSmall = isSoftware || matchMedia("(pointer: coarse)").matches;
  const sun = sunMap(isSmall ? 1024 : 2048);
  const STILL = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  const self = {
    gl, scene: { bodies: [] }, camera: null, dirty: true, field: null, lines: false, over: null,
    load, changed, draw, isDue: () => pace.isDue(self.dirty), hit, alongScreen, project, follow, home: goHome, press: null,
  };
  // Where the camera goes by itself until somebody takes it, and the box of all that was seen since the start.
  let wanted = null, isFree = true, seen = null, eased = 0;
  let home = null, light = [0, 1, 0], floor = null, half = 1, drawn = 0;
  const pace = createPace(gl, isSoftware);

  // The depth of everything that casts a shadow, seen from the light; read as numbers and as comparisons.
  function sunMap(side) {
    const texture = gl.createTexture(), target = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, side, side);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const sampler = (filter, mode) => {
      const made = gl.createSampler();
      for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.samplerParameteri(made, name, filter);
      for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.samplerParameteri(made, name, gl.CLAMP_TO_EDGE);
      gl.samplerParameteri(made, gl.TEXTURE_COMPARE_MODE, mode);
      gl.samplerParameteri(made, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
      return made;
    };
    [sampler(gl.NEAREST, gl.NONE), sampler(gl.LINEAR, gl.COMPARE_REF_TO_TEXTURE)].forEach((made, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.bindSampler(unit, made);
    });
    return { target, side };
  }

  function attribute(of, name, size) {
    const buffer = gl.createBuffer(), place = gl.getAttribLocation(of, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    if (place >= 0) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
    }
    return buffer;
  }

  // Shows a scene. With `keep` the camera stays where it is.
  function load(scene, keep) {
    for (const body of self.scene.bodies) {
      for (const buffer of [...body.buffers, body.index, body.edges?.index]) if (buffer) gl.deleteBuffer(buffer);
      gl.deleteVertexArray(body.array);
      if (body.edges) gl.deleteVertexArray(body.edges.array);
    }
    self.scene = scene;
    for (const body of scene.bodies) {
      body.x = new Float32Array(3 * body.vertices);
      body.n = new Float32Array(3 * body.vertices);
      body.s = new Float32Array(body.vertices);
      body.pose = STILL;
      body.array = gl.createVertexArray();
      gl.bindVertexArray(body.array);
      // All programs have positions at the same place.
      body.buffers = [["position", 3], ["normal", 3], ["number", 1]].map(([name, size]) => attribute(program, name, size));
      body.index = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, body.index);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, body.triangles, gl.STATIC_DRAW);
    }
    floor = null;
    if (scene.ground !== null) {
      const [x, z, r, y] = [scene.centre[0], scene.centre[2], 6 * scene.radius, scene.ground];
      floor = gl.createVertexArray();
      gl.bindVertexArray(floor);
      attribute(program, "position", 3);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([x - r, y, z - r, x + r, y, z - r, x - r, y, z + r, x + r, y, z + r]), gl.STATIC_DRAW);
    }
    half = Math.tan(scene.field_of_view * Math.PI / 360);
    home = { azimuth: scene.azimuth, elevation: scene.elevation, distance: 0.911 / half * scene.radius, target: [...(scene.target ?? scene.centre)] };
    if (scene.eye) {
      const back = scene.eye.map((c, k) => c - home.target[k]);
      home.distance = Math.hypot(...back);
      home.azimuth = Math.atan2(back[0], back[2]) * 180 / Math.PI;
      home.elevation = Math.asin(back[1] / home.distance) * 180 / Math.PI;
    }
    seen = null;
    if (!keep || !self.camera) goHome();
    // The key light has the place that it has in pictures from the initial camera; the fill light moves with the eye.
    const turn = home.azimuth * Math.PI / 180;
    light = along(scene.light.key_from, [[Math.cos(turn), 0, -Math.sin(turn)], [0, 1, 0], [Math.sin(turn), 0, Math.cos(turn)]]);
    self.dirty = true;
  }
  function goHome() {
    self.camera = { ...home, target: [...home.target] };
    [isFree, wanted] = [true, null];
    self.dirty = true;
  }

  // Makes room for where bodies have gone, unless somebody has touched the picture or the scene has a camera of its own: for all places since the start; for
  // the present ones, if those are too far apart; and for neither, if these are. `anew` forgets the earlier ones.
  function follow(anew) {
    const { scene, camera } = self;
    if (!isFree || !camera || scene.eye || scene.target) return;
    const now = [0, 1, 2].map(() => [Infinity, -Infinity]);
    for (const { moves, box } of scene.bodies) if (moves && box) for (let k = 0; k < 3; k++) {
      now[k] = [Math.min(now[k][0], box[0][k]), Math.max(now[k][1], box[1][k])];
    }
    const union = (a, b) => a.map(([low, high], k) => [Math.min(low, b[k][0]), Math.max(high, b[k][1])]);
    if (anew || !seen) {
      // What stands still is in the first picture, and stays in it.
      const half = scene.bodies.some(({ moves }) => !moves) ? scene.radius / ROOM / Math.sqrt(3) : 0;
      seen = scene.centre.map(c => [c - half, c + half]);
    }
    seen = union(seen, now);
    const sizeOf = box => 0.5 * ROOM * Math.hypot(...box.map(([low, high]) => high - low));
    const box = [seen, now].find(box => sizeOf(box) < FARTHEST * scene.radius);
    if (!box) return;
    const radius = Math.max(sizeOf(box), scene.radius);
    wanted = { target: box.map(([low, high]) => 0.5 * (low + high)), distance: home.distance * radius / scene.radius };
    self.dirty = true;
  }
  // A part of the way there; half of it takes a third of a second.
  function ease(now) {
    const share = 1 - 0.5 ** (Math.min(now - eased, 100) / 333), { camera } = self;
    eased = now;
    if (!wanted || !isFree) return;
    camera.target = camera.target.map((c, k) => c + share * (wanted.target[k] - c));
    camera.distance *= (wanted.distance / camera.distance) ** share;
    const off = Math.hypot(...camera.target.map((c, k) => c - wanted.target[k])) / camera.distance + Math.abs(Math.log(wanted.distance / camera.distance));
    if (off < 1e-3) wanted = null;
  }
  const along = (parts, axes) => normalise([0, 1, 2].map(k => parts[0] * axes[0][k] + parts[1] * axes[1][k] + parts[2] * axes[2][k]));

  // New positions or numbers: its box at once, the rest when it is drawn, because more may come before.
  function changed(body) {
    const { x } = body, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let v = 0; v < x.length; v += 3) for (let k = 0; k < 3; k++) {
      const c = x[v + k];
      if (c < low[k]) low[k] = c;
      if (c > high[k]) high[k] = c;
    }
    body.box = [low, high];
    self.dirty = body.stale = true;
  }
  // Normals and buffers.
  function renew(body) {
    const { x, n, s, triangles } = body;
    n.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const i = 3 * triangles[t], j = 3 * triangles[t + 1], k = 3 * triangles[t + 2];
      const ux = x[j] - x[i], uy = x[j + 1] - x[i + 1], uz = x[j + 2] - x[i + 2];
      const vx = x[k] - x[i], vy = x[k + 1] - x[i + 1], vz = x[k + 2] - x[i + 2];
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      n[i] += nx; n[i + 1] += ny; n[i + 2] += nz;
      n[j] += nx; n[j + 1] += ny; n[j + 2] += nz;
      n[k] += nx; n[k + 1] += ny; n[k + 2] += nz;
    }
    // Numbers are uploaded once, as all attributes must be, and then with a field only.
    const lists = body.coloured || !body.filled ? [x, n, s] : [x, n];
    lists.forEach((values, k) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, body.buffers[k]);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    });
    body.filled = true;
    body.stale = false;
  }

  // One over the tangent of half the angle from bottom to top: wider if the window is narrow, so that nothing is cut off at the sides.
  const lens = () => Math.min(1, canvas.clientWidth / Math.max(canvas.clientHeight, 1) / 1.1) / half;
  const look = () => {
    const [a, e] = [self.camera.azimuth, self.camera.elevation].map(degrees => degrees * Math.PI / 180);
    const back = [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)];
    return { back, right: [Math.cos(a), 0, -Math.sin(a)], up: [-Math.sin(a) * Math.sin(e), Math.cos(e), -Math.cos(a) * Math.sin(e)] };
  };
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const eyeOf = back => self.camera.target.map((c, k) => c + back[k] * self.camera.distance);
  // A matrix for the graphics card from its rows.
  const matrixOf = rows => {
    const matrix = new Float32Array(16);
    for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) matrix[4 * c + r] = rows[r][c];
    return matrix;
  };
  // The corners of the boxes of all bodies that `wanted` accepts, in the world.
  function* cornersOf(wanted) {
    for (const body of self.scene.bodies) {
      if (!body.box || !wanted(body)) continue;
      for (let c = 0; c < 8; c++) {
        const p = [0, 1, 2].map(k => body.box[c >> k & 1][k]), m = body.pose;
        yield [0, 1, 2].map(k => m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k]);
      }
    }
  }

  // Draws the depth map, and returns the matrix and the size of the light.
  function lightUp(taps) {
    const { scene } = self;
    const across = normalise(cross(light, Math.abs(light[0]) < 0.8 ? [1, 0, 0] : [0, 0, 1])), axes = [across, cross(light, across), light];
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const take = p => axes.forEach((axis, k) => { const c = dot(axis, p); low[k] = Math.min(low[k], c); high[k] = Math.max(high[k], c); });
    for (const p of cornersOf(body => body.shadow && !body.wide)) take(p);
    if (!(high[0] > low[0])) { take(scene.centre.map(c => c - scene.radius)); take(scene.centre.map(c => c + scene.radius)); }
    // The shadows on the ground lie within the map too.
    if (scene.ground !== null) {
      for (const p of [...cornersOf(body => body.shadow && !body.wide)]) {
        const down = (p[1] - scene.ground) / light[1];
        low[2] = Math.min(low[2], dot(light, p) - down);
      }
    }
    const size = 1.04 * Math.max(high[0] - low[0], high[1] - low[1], 1e-6), depth = 1.02 * Math.max(high[2] - low[2], 1e-6) + 0.02 * size;
    const middle = k => 0.5 * (low[k] + high[k]);
    const matrix = matrixOf([
      [...axes[0].map(c => 2 * c / size), -2 * middle(0) / size],
      [...axes[1].map(c => 2 * c / size), -2 * middle(1) / size],
      [...axes[2].map(c => -2 * c / depth), 2 * middle(2) / depth],
      [0, 0, 0, 1],
    ]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, sun.target);
    gl.viewport(0, 0, sun.side, sun.side);
    gl.depthMask(true);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(caster);
    gl.uniformMatrix4fv(casting.view, false, matrix);
    for (const body of scene.bodies) {
      if (!body.shadow) continue;
      // Walls cast a shadow of light on their front only.
      cull(body.opacity[1] < 1 ? gl.BACK : null);
      gl.uniformMatrix4fv(casting.pose, false, body.pose);
      mesh(body);
    }
    cull(null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { matrix, size: [size, depth, taps, 0.09] };
  }

  function draw(dark) {
    const { scene, camera } = self;
    if (!camera) return;
    const began = performance.now();
    ease(began);
    const { taps, scale } = pace.next();
    const wide = Math.round(canvas.clientWidth * scale), high = Math.round(canvas.clientHeight * scale);
    if (canvas.width !== wide || canvas.height !== high) { canvas.width = wide; canvas.height = high; }
    for (const body of scene.bodies) if (body.stale) renew(body);
    const lit = lightUp(taps);
    gl.viewport(0, 0, wide, high);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const { back, right, up } = look(), eye = eyeOf(back);
    // Far enough for all boxes, near enough for what is close.
    let extent = scene.radius;
    for (const p of cornersOf(() => true)) extent = Math.max(extent, Math.hypot(...p.map((c, k) => c - scene.centre[k])));
    const away = Math.hypot(...eye.map((c, k) => c - scene.centre[k]));
    const near = Math.max(away - Math.max(3 * scene.radius, 1.1 * extent), 0.02 * Math.min(away, camera.distance)), far = away + Math.max(12 * scene.radius, extent);
    const aspect = wide / Math.max(high, 1), f = lens();
    const rows = [right, up, back].map(axis => [...axis, -dot(axis, eye)]);
    const matrix = matrixOf([rows[0].map(c => c * f / aspect), rows[1].map(c => c * f), rows[2].map((c, k) => c * (far + near) / (near - far) + (k === 3 ? 2 * far * near / (near - far) : 0)), rows[2].map(c => -c)]);
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniform.view, false, matrix);
    gl.uniformMatrix4fv(uniform.pose, false, STILL);
    gl.uniform3fv(uniform.eye, eye);
    gl.uniform3fv(uniform.light, light);
    gl.uniform3fv(uniform.fill, along(scene.light.fill_from, [right, [0, 1, 0], back]));
    gl.uniform4fv(uniform.shares, scene.light.shares);
    gl.uniform4fv(uniform.finish, scene.light.finish);
    gl.uniform3fv(uniform.paper, dark ? [0.18, 0.215, 0.255] : [0.93, 0.945, 0.96]);
    gl.uniform4fv(uniform.shade, dark ? [0, 0, 0, 0.5] : [0.16, 0.2, 0.26, 0.36]);
    gl.uniform3fv(uniform.middle, scene.centre);
    gl.uniform1f(uniform.reach, 5.5 * scene.radius);
    gl.uniform1i(uniform.depths, 0);
    gl.uniform1i(uniform.hidden, 1);
    gl.uniformMatrix4fv(uniform.sun, false, lit.matrix);
    gl.uniform4fv(uniform.sunSize, lit.size);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (floor) {
      gl.disable(gl.DEPTH_TEST);
      gl.uniform1f(uniform.plane, 1);
      gl.uniform4fv(uniform.ground, [scene.ground, 0, 0, 0]);
      gl.bindVertexArray(floor);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.enable(gl.DEPTH_TEST);
    gl.uniform1f(uniform.plane, 0);
    // The order of painting: all bodies are in front of the fronts of walls and behind their backs, which are like glass.
    const isWall = body => body.opacity[1] < 1;
    const walls = scene.bodies.filter(isWall), solids = scene.bodies.filter(body => !isWall(body));
    cull(gl.BACK);
    for (const wall of walls) surface(wall, wall.opacity[0]);
    cull(null);
    for (const body of solids) surface(body, 1);
    if (self.lines) edges(matrix, dark);
    gl.useProgram(program);
    cull(gl.FRONT);
    gl.depthMask(false);
    for (const wall of walls) surface(wall, wall.opacity[1]);
    gl.depthMask(true);
    cull(null);
    if (self.over) self.over(matrix, [wide, high]);
    // To ask is to wait: now and then is enough.
    if (drawn++ % 100 < 10) {
      const error = gl.getError();
      if (error) fail(`WebGL error ${error}`);
    }
    if (wanted && isFree) self.dirty = true;
    pace.drawn(began);
  }

  function surface(body, opacity) {
    const { field, scene } = self;
    const lacks = field && body.moves && !body.coloured;
    gl.uniform3fv(uniform.colour, lacks ? scene.no_value : body.colour);
    gl.uniform1f(uniform.field, !field || !body.coloured ? 0 : field.map === "warm" ? 2 : 1);
    gl.uniform1f(uniform.opacity, opacity);
    gl.uniform1f(uniform.back, body.cloth ? 0.35 : 0);
    gl.uniform4fv(uniform.ground, [scene.ground ?? 0, scene.ground !== null && !body.moves ? 1 : 0, 0.01 * scene.radius, 0]);
    gl.uniformMatrix4fv(uniform.pose, false, body.pose);
    mesh(body);
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

  // The edges of the bodies as thin lines.
  function edges(matrix, dark) {
    gl.useProgram(liner);
    gl.uniformMatrix4fv(lining.view, false, matrix);
    gl.uniform1f(lining.nearer, 2e-4);
    gl.uniform4fv(lining.colour, dark ? [0, 0, 0, 0.5] : [0.06, 0.09, 0.13, 0.4]);
    for (const body of self.scene.bodies) {
      if (!body.moves) continue;
      body.edges ??= edgesOf(body);
      gl.uniformMatrix4fv(lining.pose, false, body.pose);
      gl.bindVertexArray(body.edges.array);
      gl.drawElements(gl.LINES, body.edges.count, gl.UNSIGNED_INT, 0);
    }
  }
  function edgesOf({ triangles, vertices, buffers }) {
    const seen = new Set(), list = [];
    for (let t = 0; t < triangles.length; t += 3) for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[t + k], triangles[t + (k + 1) % 3]], key = Math.min(a, b) * vertices + Math.max(a, b);
      if (!seen.has(key)) { seen.add(key); list.push(a, b); }
    }
    const array = gl.createVertexArray(), index = gl.createBuffer(), place = gl.getAttribLocation(liner, "position");
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, index);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(list), gl.STATIC_DRAW);
    return { array, index, count: list.length };
  }

  // The ray through a point of the window: eye and direction.
  function ray(clientX, clientY) {
    const box = canvas.getBoundingClientRect(), { back, right, up } = look(), f = lens();
    const u = (2 * (clientX - box.left) / box.width - 1) * box.width / box.height / f, v = (1 - 2 * (clientY - box.top) / box.height) / f;
    return { eye: eyeOf(back), way: normalise([0, 1, 2].map(k => right[k] * u + up[k] * v - back[k])), back };
  }
  // What is first along the ray through a point of the window: the body, the nearest corner of its triangle, and the point; null where there is nothing.
  function hit(clientX, clientY, wanted) {
    const { eye, way } = ray(clientX, clientY);
    let best = null;
    for (const body of self.scene.bodies) {
      if (!body.box || !wanted(body)) continue;
      const m = body.pose, inward = (v, w) => [0, 1, 2].map(k => [0, 1, 2].reduce((sum, j) => sum + m[4 * k + j] * (v[j] - w * m[12 + j]), 0));
      const o = inward(eye, 1), d = inward(way, 0);
      if (!meets(body.box, o, d)) continue;
      const { x, triangles } = body;
      for (let t = 0; t < triangles.length; t += 3) {
        const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
        const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
        const px = d[1] * vz - d[2] * vy, py = d[2] * vx - d[0] * vz, pz = d[0] * vy - d[1] * vx;
        const det = ux * px + uy * py + uz * pz;
        if (det === 0) continue;
        const sx = o[0] - x[a], sy = o[1] - x[a + 1], sz = o[2] - x[a + 2];
        const s = (sx * px + sy * py + sz * pz) / det;
        if (s < 0 || s > 1) continue;
        const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
        const r = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
        if (r < 0 || s + r > 1) continue;
        const far = (vx * qx + vy * qy + vz * qz) / det;
        if (far > 0 && (!best || far < best.far)) {
          const shares = [1 - s - r, s, r];
          best = { far, body, vertex: triangles[t + shares.indexOf(Math.max(...shares))], point: eye.map((c, k) => c + far * way[k]) };
        }
      }
    }
    return best;
  }
  function meets([low, high], o, d) {
    let near = 0, far = Infinity;
    for (let k = 0; k < 3; k++) {
      const [a, b] = [(low[k] - 1e-6 - o[k]) / d[k], (high[k] + 1e-6 - o[k]) / d[k]];
      near = Math.max(near, Math.min(a, b));
      far = Math.min(far, Math.max(a, b));
    }
    return near <= far;
  }
  // The point under a point of the window in the plane through `point` that is parallel to the screen.
  function alongScreen(point, clientX, clientY) {
    const { eye, way, back } = ray(clientX, clientY);
    const far = dot(point.map((c, k) => c - eye[k]), back) / dot(way, back);
    return eye.map((c, k) => c + far * way[k]);
  }
  // Where a point is in the canvas, in its pixels of the page.
  function project(point) {
    const { back, right, up } = look(), eye = eyeOf(back), to = point.map((c, k) => c - eye[k]), far = -dot(to, back), f = lens();
    const { clientWidth: w, clientHeight: h } = canvas;
    return [0.5 * w + 0.5 * h * f * dot(to, right) / far, 0.5 * h - 0.5 * h * f * dot(to, up) / far];
  }

  // Mouse buttons and fingers that are down: one turns; two fingers, or shift, move; two fingers also zoom. `press` may take a pointer for itself: it
  // returns { move(event), end() } or nothing.
  const held = new Map();
  let taken = null;
  canvas.onpointerdown = event => {
    isFree = false;
    canvas.setPointerCapture(event.pointerId);
    if (held.size === 0 && !taken && !event.shiftKey && event.button === 0) {
      const take = self.press?.(event);
      if (take) { taken = { ...take, id: event.pointerId }; return; }
    }
    held.set(event.pointerId, event);
  };
  canvas.onpointerup = canvas.onpointercancel = event => {
    if (taken?.id === event.pointerId) { taken.end(event); taken = null; }
    held.delete(event.pointerId);
  };
  canvas.onpointermove = event => {
    if (taken?.id === event.pointerId) return taken.move(event);
    const before = held.get(event.pointerId), { camera } = self;
    if (!before || !camera) return;
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
    self.dirty = true;
  };
  function move(dx, dy) {
    const { camera } = self, { right, up } = look(), step = 2 * camera.distance / (lens() * canvas.clientHeight);
    camera.target = camera.target.map((c, k) => c - step * (dx * right[k] - dy * up[k]));
  }
  function zoom(factor) {
    const { camera, scene } = self;
    isFree = false;
    camera.distance = Math.min(30, Math.max(0.05, camera.distance / scene.radius * factor)) * scene.radius;
    self.dirty = true;
  }
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    if (self.camera) zoom(Math.exp(0.0012 * event.deltaY));
  }, { passive: false });
  canvas.ondblclick = () => goHome();
  addEventListener("resize", () => { self.dirty = true; });
  addEventListener("dressed", () => { self.dirty = true; });
  return self;
}

function link(gl, vertex, fragment, fail) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source.trim());
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) fail(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, "position");
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) fail(gl.getProgramInfoLog(program));
  return program;
}

function cross(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }

function normalise(v) {
  const length = Math.hypot(...v);
  return v.map(c => c / length);
}

// Bytes from base64.
function bytes(text) {
  const raw = atob(text);
  const array = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) array[i] = raw.charCodeAt(i);
  return array.buffer;
}
