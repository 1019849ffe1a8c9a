// A source that asks the server of this page: one answer that never ends, and a request for each command.
function startSource(hear) {
  let page = 0;
  async function listen() {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await fetch("frames", { cache: "no-store" });
        if (!answer.ok) throw new Error(answer.status);
        tries = 0;
        const reader = answer.body.getReader();
        let bytes = new Uint8Array(1 << 16), filled = 0;
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          if (filled + value.length > bytes.length) {
            const more = new Uint8Array(Math.max(2 * bytes.length, filled + value.length));
            more.set(bytes.subarray(0, filled));
            bytes = more;
          }
          bytes.set(value, filled);
          filled += value.length;
          let at = 0, newest = null;
          const numbers = new DataView(bytes.buffer);
          while (filled - at >= 8) {
            const kind = numbers.getUint32(at, true), length = numbers.getUint32(at + 4, true);
            if (filled - at - 8 < length) break;
            const message = bytes.slice(at + 8, at + 8 + length);
            at += 8 + length;
            // Of several frames that came together the last is enough.
            if (kind === 2) newest = message;
            else if (kind === 1) { if (newest) hear.frame(newest.buffer); newest = null; hear.stage(JSON.parse(new TextDecoder().decode(message))); }
            else if (kind === 3) { const seat = JSON.parse(new TextDecoder().decode(message)); page = seat.page; hear.seat(seat); }
          }
          if (newest) hear.frame(newest.buffer);
          bytes.copyWithin(0, at, filled);
          filled -= at;
        }
      } catch { /* It may come back. */ }
      page = 0;
      hear.gone();
      await new Promise(done => setTimeout(done, Math.min(250 * 2 ** tries, 2000)));
    }
  }
  listen();
  return {
    saves: true,
    async ask(command) {
      let answer;
      try {
        answer = await fetch("do", { method: "POST", headers: { "Content-Type": "application/json", "Pliant-Page": String(page) }, body: JSON.stringify(command) });
      } catch {
        throw { what: "the program that shows this page does not answer" };
      }
      const said = await answer.json().catch(() => ({ problem: { what: "the program that shows this page has refused" } }));
      if (answer.ok) return said;
      throw said.problem;
    },
  };
}
