// Two simulations of one scene side by side: by the accurate method, and by sweeps with as many substeps as take the same time. It is used as one
// simulation is, see pliant.d.ts. Settings go to both, a hand to the one whose body it holds; the hash is that of the accurate one.
class Duel {
  static WHO = ["accurate", "sweeps"];
  // The colour of the second, how many substeps it may have, and of how many frames the times are remembered.
  static #COLOUR = [0.886, 0.49, 0.184];
  static #MOST = 400;
  static #FRAMES = 21;
  #sims; #stage = null; #bodies = []; #hands = new Map(); #offset = 0; #times; #since; #substeps; #failed;

  constructor(accurate, sweeps) { this.#sims = [accurate, sweeps]; }

  open(toml) {
    this.#sims.forEach(sim => sim.open(toml));
    this.#begin();
    return this.stage();
  }
  get version() { return this.#sims[0].version + this.#sims[1].version; }
  get hash() { return this.#sims[0].hash; }
  get pace() { return this.#sims[0].pace; }

  // After the scene of both was opened or set back: the second takes the other method.
  #begin() {
    const [accurate, sweeps] = this.#sims;
    sweeps.ask({ do: "set", key: "solver.method", value: "sweeps" });
    this.#substeps = accurate.stage().knobs.find(({ key }) => key === "solver.substeps").value;
    this.#times = [[], []];
    this.#since = 0;
    this.#failed = false;
  }

  step() {
    const [accurate, sweeps] = this.#sims, times = [performance.now()];
    accurate.step();
    times.push(performance.now());
    // Sweeps may diverge; the other goes on.
    try { if (!this.#failed) sweeps.step(); } catch { this.#failed = true; }
    times.push(performance.now());
    this.measured(times[1] - times[0], times[2] - times[1]);
  }
  // Takes the times of a frame, and now and then gives the second as many substeps as fit into the time of the first.
  measured(...times) {
    this.#times = this.#times.map((known, k) => [...known, times[k]].slice(-Duel.#FRAMES));
    if (++this.#since < 10 || this.#failed) return;
    const [accurate, sweeps] = this.costs();
    if (!(sweeps > 0)) return;
    const fit = Math.round(this.#substeps * accurate / sweeps), next = Math.min(Math.max(fit, 1), Duel.#MOST);
    this.#since = 0;
    // Times are uncertain by more than that.
    if (Math.abs(next / this.#substeps - 1) < 0.05) return;
    this.#times[1] = this.#times[1].map(time => time * next / this.#substeps);
    this.#substeps = next;
    this.#sims[1].ask({ do: "set", key: "solver.substeps", value: next });
  }

  // Medians: what else the machine does now and then should not count.
  costs() { return this.#times.map(known => [...known].sort((a, b) => a - b)[known.length >> 1] ?? 0); }

  ask(command) {
    const [accurate, sweeps] = this.#sims;
    if (command.do === "grab") {
      const { who, body } = this.#bodies[command.body];
      const answer = this.#sims[who].ask({ ...command, body });
      this.#hands.set(command.hand, who);
      return answer;
    }
    if (command.do === "move" || command.do === "release") {
      const who = this.#hands.get(command.hand) ?? 0;
      if (command.do === "release") this.#hands.delete(command.hand);
      return this.#sims[who].ask(command.to ? { ...command, to: this.#moved(command.to, who, -1) } : command);
    }
    const answer = accurate.ask(command);
    // The accuracy belongs to one method, and what is asked of an obstacle to both.
    if (command.key !== "solver.accuracy") sweeps.ask(command);
    if (command.do === "text" || command.do === "undo") this.#begin();
    if (command.do === "restart") this.#failed = false;
    return answer;
  }

  #moved(point, who, sign = 1) { return [point[0], point[1], point[2] + sign * this.#side(who)]; }
  #side(who) { return who === 0 ? this.#offset : -this.#offset; }

  stage() {
    if (this.#stage?.version === this.version) return this.#stage;
    const stages = this.#sims.map(sim => sim.stage()), [first, second] = stages;
    this.#offset = 0.25 * first.radius;
    const others = second.bodies.map((body, k) => ({ ...body, k, colour: Duel.#COLOUR })).filter(body => body.moves);
    this.#bodies = [...first.bodies.map((_, body) => ({ who: 0, body })), ...others.map(({ k }) => ({ who: 1, body: k }))];
    this.#stage = {
      ...first,
      version: this.version,
      bodies: [...first.bodies, ...others],
      knobs: first.knobs.filter(({ key }) => key !== "solver.method" && key !== "solver.substeps"),
      labels: Duel.WHO.map((text, who) => ({ text, at: this.#moved(first.centre, who).map((c, k) => k === 1 ? c + 0.5 * first.radius : c) })),
    };
    return this.#stage;
  }

  bytes() {
    this.stage();
    const parts = this.#sims.map((sim, who) => {
      const { buffer } = sim.bytes(), length = new DataView(buffer).getUint32(0, true);
      const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))), numbers = new Float32Array(buffer, 4 + length);
      const places = 3 * sim.stage().bodies.reduce((sum, body) => sum + (body.moves ? body.vertices : 0), 0);
      for (let z = 2; z < places; z += 3) numbers[z] += this.#side(who);
      return { head, places: numbers.subarray(0, places), field: numbers.subarray(places) };
    });
    const head = new TextEncoder().encode(JSON.stringify(this.#head(parts.map(({ head }) => head))));
    const length = 4 * Math.ceil(head.length / 4), numbers = [...parts.map(({ places }) => places), ...parts.map(({ field }) => field)];
    const bytes = new Uint8Array(4 + length + 4 * numbers.reduce((sum, { length }) => sum + length, 0)).fill(32, 4, 4 + length);
    new DataView(bytes.buffer).setUint32(0, length, true);
    bytes.set(head, 4);
    let at = 4 + length;
    for (const part of numbers) {
      new Float32Array(bytes.buffer, at, part.length).set(part);
      at += 4 * part.length;
    }
    return bytes;
  }
  #head(heads) {
    const [first, second] = heads, costs = this.costs(), substeps = [this.#sims[0].stage().knobs.find(({ key }) => key === "solver.substeps").value, this.#substeps];
    const facts = Duel.WHO.map((who, k) => [who, `${costs[k].toFixed(1)} ms, ${substeps[k]} substeps`]);
    facts.push(["verdict on sweeps", this.#failed ? "failed" : second.report?.grade ?? ""]);
    // What only one of them has to do, such as contacts of a body that has fallen further, cannot be compared.
    const active = ({ report }, name) => report?.residuals.some(one => one.name === name && one.max > 0);
    const kinds = heads.map(({ report }) => report?.residuals.filter(({ name }) => heads.every(head => active(head, name))) ?? []);
    const named = (name, k, alone) => alone ? Duel.WHO[k] : `${name}, ${Duel.WHO[k]}`;
    const report = first.report && second.report && {
      ...first.report,
      energy: Object.fromEntries(heads.map(({ report }, k) => [named("elastic", k), report.energy.elastic])),
      residuals: kinds.flatMap((residuals, k) => residuals.map(one => ({ ...one, name: named(one.name, k, residuals.length === 1) }))),
    };
    const hands = heads.flatMap(({ hands }, who) => hands.map(hand => ({ ...hand, at: this.#moved(hand.at, who), to: this.#moved(hand.to, who) })));
    const largest = first.largest == null ? first.largest : Math.max(first.largest, second.largest);
    return { ...first, version: this.version, hands, largest, report, facts: Object.fromEntries(facts) };
  }
}
