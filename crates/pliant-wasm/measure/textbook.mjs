// The textbook loop in plain JavaScript, as one writes it after reading the book: typed arrays, constraints in the order of the mesh, one after the other,
// accumulated multipliers; the edges may have a compliance, m/N, volumes are rigid. Arithmetic is in double precision, as JavaScript has it, and the state in single.

// How far edges are from their lengths, m: the root of the mean square.
export function edgeError({ positions, edges }, x) {
  const length = (x, e) => Math.hypot(...[0, 1, 2].map((k) => x[3 * edges[e] + k] - x[3 * edges[e + 1] + k]));
  let sum = 0;
  for (let e = 0; e < edges.length; e += 2) sum += (length(x, e) - length(positions, e)) ** 2;
  return Math.sqrt(sum / (edges.length / 2));
}

export class Textbook {
  constructor({ positions, masses, fixed, edges, tets, compliance = 0 }) {
    const n = masses.length;
    this.x = Float32Array.from(positions);
    this.previous = Float32Array.from(positions);
    this.v = new Float32Array(3 * n);
    this.w = Float32Array.from(masses, (mass) => 1 / mass);
    for (const i of fixed) this.w[i] = 0;
    this.compliance = compliance;
    this.edges = Uint32Array.from(edges);
    this.tets = Uint32Array.from(tets);
    this.lengths = new Float32Array(edges.length / 2);
    this.volumes = new Float32Array(tets.length / 4);
    this.ofEdges = new Float32Array(this.lengths.length);
    this.ofTets = new Float32Array(this.volumes.length);
    const { x } = this;
    for (let e = 0; e < this.lengths.length; e++) {
      const a = 3 * edges[2 * e], b = 3 * edges[2 * e + 1];
      this.lengths[e] = Math.hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]);
    }
    for (let t = 0; t < this.volumes.length; t++) {
      const [a, b, c, d] = tets.slice(4 * t, 4 * t + 4).map((i) => 3 * i);
      const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
      const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
      const [wx, wy, wz] = [x[d] - x[a], x[d + 1] - x[a + 1], x[d + 2] - x[a + 2]];
      this.volumes[t] = ((uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz) / 6;
    }
  }

  frame(dt, substeps) {
    const { x, previous, v, w } = this, h = dt / substeps, n = w.length;
    for (let s = 0; s < substeps; s++) {
      for (let i = 0; i < n; i++) {
        if (w[i] === 0) continue;
        const k = 3 * i;
        v[k + 1] -= 9.81 * h;
        for (let j = k; j < k + 3; j++) {
          previous[j] = x[j];
          x[j] += v[j] * h;
        }
      }
      this.ofEdges.fill(0);
      this.ofTets.fill(0);
      this.#solveEdges(this.compliance / h ** 2);
      this.#solveTets(0);
      for (let i = 0; i < n; i++) {
        if (w[i] === 0) continue;
        for (let j = 3 * i; j < 3 * i + 3; j++) v[j] = (x[j] - previous[j]) / h;
      }
    }
  }

  #solveEdges(alpha) {
    const { x, w, edges, lengths, ofEdges } = this;
    for (let e = 0; e < lengths.length; e++) {
      const i = edges[2 * e], j = edges[2 * e + 1], a = 3 * i, b = 3 * j, wa = w[i], wb = w[j];
      let dx = x[a] - x[b], dy = x[a + 1] - x[b + 1], dz = x[a + 2] - x[b + 2];
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz), sum = wa + wb + alpha;
      if (length === 0 || sum === 0) continue;
      const delta = -(length - lengths[e] + alpha * ofEdges[e]) / sum, by = delta / length;
      ofEdges[e] += delta;
      dx *= by, dy *= by, dz *= by;
      x[a] += wa * dx, x[a + 1] += wa * dy, x[a + 2] += wa * dz;
      x[b] -= wb * dx, x[b + 1] -= wb * dy, x[b + 2] -= wb * dz;
    }
  }

  #solveTets(alpha) {
    const { x, w, tets, volumes, ofTets } = this;
    for (let t = 0; t < volumes.length; t++) {
      const i = tets[4 * t], j = tets[4 * t + 1], k = tets[4 * t + 2], l = tets[4 * t + 3];
      const a = 3 * i, b = 3 * j, c = 3 * k, d = 3 * l;
      const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
      const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
      const tx = x[d] - x[a], ty = x[d + 1] - x[a + 1], tz = x[d + 2] - x[a + 2];
      const bx = (vy * tz - vz * ty) / 6, by = (vz * tx - vx * tz) / 6, bz = (vx * ty - vy * tx) / 6;
      const cx = (ty * uz - tz * uy) / 6, cy = (tz * ux - tx * uz) / 6, cz = (tx * uy - ty * ux) / 6;
      const dx = (uy * vz - uz * vy) / 6, dy = (uz * vx - ux * vz) / 6, dz = (ux * vy - uy * vx) / 6;
      const ax = -bx - cx - dx, ay = -by - cy - dy, az = -bz - cz - dz;
      const volume = dx * tx + dy * ty + dz * tz;
      const sum = alpha + w[i] * (ax * ax + ay * ay + az * az) + w[j] * (bx * bx + by * by + bz * bz)
        + w[k] * (cx * cx + cy * cy + cz * cz) + w[l] * (dx * dx + dy * dy + dz * dz);
      if (sum === 0) continue;
      const delta = -(volume - volumes[t] + alpha * ofTets[t]) / sum;
      ofTets[t] += delta;
      const wa = w[i] * delta, wb = w[j] * delta, wc = w[k] * delta, wd = w[l] * delta;
      x[a] += wa * ax, x[a + 1] += wa * ay, x[a + 2] += wa * az;
      x[b] += wb * bx, x[b + 1] += wb * by, x[b + 2] += wb * bz;
      x[c] += wc * cx, x[c + 1] += wc * cy, x[c + 2] += wc * cz;
      x[d] += wd * dx, x[d + 1] += wd * dy, x[d + 2] += wd * dz;
    }
  }
}
