// Steps a scene and compares the hash of every frame with that of native code. Runs in Node and, as text, in a browser.
export async function compare(Pliant, bytes, { toml, hashes }) {
  const sim = await Pliant.load(bytes);
  sim.open(toml);
  let first = sim.hash === hashes[0] ? -1 : 0;
  const begun = performance.now();
  for (let frame = 1; frame < hashes.length && first < 0; frame++) {
    sim.step();
    if (sim.hash !== hashes[frame]) first = frame;
  }
  return { first, hash: sim.hash, ms: (performance.now() - begun) / (hashes.length - 1) };
}
