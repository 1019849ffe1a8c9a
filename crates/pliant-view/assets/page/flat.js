// A picture without a graphics card: triangles from back to front, each in one shade.
function drawFlat(canvas, scene) {
  const g = canvas.getContext("2d"), { clientWidth: wide, clientHeight: high } = canvas;
  if (!g || !wide) return;
  canvas.width = wide;
  canvas.height = high;
  const [a, e] = [scene.azimuth, scene.elevation].map(degrees => degrees * Math.PI / 180);
  const back = [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)], right = [Math.cos(a), 0, -Math.sin(a)], up = cross(back, right);
  const size = 0.5 * Math.min(wide, high) / scene.radius, dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2], list = [];
  for (const body of scene.bodies) {
    if (body.opacity[1] < 1) continue;
    const point = v => { const m = body.pose ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0], x = body.x.subarray(3 * v, 3 * v + 3); return [0, 1, 2].map(k => m[k] * x[0] + m[4 + k] * x[1] + m[8 + k] * x[2] + m[12 + k] - scene.centre[k]); };
    for (let t = 0; t < body.triangles.length; t += 3) {
      const [p, q, r] = [0, 1, 2].map(k => point(body.triangles[t + k])), n = cross(q.map((c, k) => c - p[k]), r.map((c, k) => c - p[k])), length = Math.hypot(...n) || 1;
      const lit = 0.35 + 0.6 * Math.abs(dot(n, back)) / length;
      list.push({ far: dot(p, back), corners: [p, q, r], paint: `rgb(${body.colour.map(c => Math.round(255 * c * lit)).join(" ")})` });
    }
  }
  list.sort((one, other) => one.far - other.far);
  g.clearRect(0, 0, wide, high);
  for (const { corners, paint } of list) {
    g.fillStyle = g.strokeStyle = paint;
    g.beginPath();
    corners.forEach((c, k) => g[k ? "lineTo" : "moveTo"](0.5 * wide + size * dot(c, right), 0.5 * high - size * dot(c, up)));
    g.closePath();
    g.fill();
    g.stroke();
  }
}
