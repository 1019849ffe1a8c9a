// Lines that run along: `plot.add(time, { name: value })`.
function createPlot(canvas) {
  const COLOURS = ["#2e74b5", "#e27d2f", "#349e7c", "#c45460", "#966eb8", "#62b0dc", "#b98a1c", "#80868e"], MOST = 600;
  let times = [], lines = new Map(), last = null, isLog = false;
  const brief = x => Math.abs(x) >= 1e3 || (x !== 0 && Math.abs(x) < 1e-2) ? x.toExponential(1) : String(Number(x.toPrecision(2)));
  const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  function clear() { times = []; lines = new Map(); last = null; draw(); }
  function add(time, values) {
    if (last !== null && time <= last) { if (time === last) return; clear(); }
    last = time;
    times.push(time);
    for (const [name, value] of Object.entries(values)) {
      if (!lines.has(name)) lines.set(name, Array(times.length - 1).fill(null));
      lines.get(name).push(value);
    }
    for (const line of lines.values()) if (line.length < times.length) line.push(null);
    // Half of the points, when there are many: the whole run stays in view.
    if (times.length > MOST) {
      const keep = (_, i) => i % 2 === 1;
      times = times.filter(keep);
      for (const [name, line] of lines) lines.set(name, line.filter(keep));
    }
    draw();
  }
  function draw() {
    const scale = devicePixelRatio, wide = canvas.clientWidth, high = canvas.clientHeight, g = canvas.getContext("2d");
    if (!wide) return;
    canvas.width = wide * scale;
    canvas.height = high * scale;
    g.scale(scale, scale);
    g.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    const map = value => value === null ? null : isLog ? (value > 0 ? Math.log10(value) : null) : value;
    let low = Infinity, high0 = -Infinity;
    for (const line of lines.values()) for (const value of line) {
      const y = map(value);
      if (y !== null && Number.isFinite(y)) { low = Math.min(low, y); high0 = Math.max(high0, y); }
    }
    if (!(low <= high0)) {
      g.fillStyle = ink("--dim");
      g.fillText("nothing yet", 2, 16);
      return;
    }
    if (isLog) { low = Math.floor(low); high0 = Math.max(Math.ceil(high0), low + 1); }
    else { const room = 0.06 * (high0 - low) || Math.abs(high0) || 1; low -= room; high0 += room; }
    // Names stand in two columns; a long one has a row of its own.
    const left = 54, column = 0.5 * (wide - left), names = [...lines.keys()];
    let [row, next] = [0, 0];
    const places = names.map(name => {
      const span = g.measureText(name).width + 18 < column ? 1 : 2;
      if (next + span > 2) [row, next] = [row + 1, 0];
      next += span;
      return [next - span, row];
    });
    const box = [left, 6, wide - 4, high - 8 - 15 * (row + 1)];
    const at = (time, y) => [box[0] + (box[2] - box[0]) * (times.length > 1 ? (time - times[0]) / (times.at(-1) - times[0]) : 1), box[3] - (box[3] - box[1]) * (y - low) / (high0 - low)];
    g.strokeStyle = ink("--line");
    g.fillStyle = ink("--dim");
    g.textAlign = "right";
    const marks = isLog ? Array.from({ length: high0 - low + 1 }, (_, i) => low + i).filter((_, i, all) => i % Math.ceil(all.length / 4) === 0) : [low + 0.06 * (high0 - low), 0.5 * (low + high0), high0 - 0.06 * (high0 - low)];
    for (const y of marks) {
      const [, py] = at(0, y);
      g.beginPath(); g.moveTo(box[0], py); g.lineTo(box[2], py); g.stroke();
      g.fillText(isLog ? `1e${y}` : brief(y), box[0] - 5, py + 4);
    }
    g.textAlign = "left";
    names.forEach((name, k) => {
      g.strokeStyle = g.fillStyle = COLOURS[k % COLOURS.length];
      g.lineWidth = 1.6;
      g.beginPath();
      let on = false;
      lines.get(name).forEach((value, i) => {
        const y = map(value);
        if (y === null || !Number.isFinite(y)) { on = false; return; }
        const [px, py] = at(times[i], y);
        on ? g.lineTo(px, py) : g.moveTo(px, py);
        on = true;
      });
      g.stroke();
      const [x, y] = [left + places[k][0] * column, high - 15 * (row - places[k][1]) - 3];
      g.fillRect(x, y - 8, 9, 9);
      g.fillStyle = ink("--ink");
      g.fillText(name, x + 14, y);
    });
  }
  addEventListener("dressed", draw);
  addEventListener("resize", draw);
  return { add, clear, scale(log) { isLog = log; } };
}
