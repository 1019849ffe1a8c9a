// Steps a scene, or a world of meshes, and compares the hash of every frame with that of native code. Runs in Node and, as text, in a browser.
export async function compare(Module, bytes, { toml, settings, cloth = [], solids = [], obstacles = [], hashes }) {
  const sim = await Module.load(bytes);
  if (toml) sim.open(toml);
  else {
    sim.settings(settings);
    for (const body of cloth) sim.cloth(body);
    for (const body of solids) sim.solid(body);
    for (const obstacle of obstacles) sim.obstacle(...obstacle);
    sim.build();
  }
  let first = sim.hash === hashes[0] ? -1 : 0;
  const begun = performance.now();
  for (let frame = 1; frame < hashes.length && first < 0; frame++) {
    sim.step();
    if (sim.hash !== hashes[frame]) first = frame;
  }
  return { first, hash: sim.hash, ms: (performance.now() - begun) / (hashes.length - 1) };
}
