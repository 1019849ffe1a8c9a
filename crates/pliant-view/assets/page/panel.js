// The sliders: one for every knob of the stage.
function createKnobs(box, ask) {
  const shown = new Map();
  const toShare = ({ scale, min, max }, value) => scale === "log" ? Math.log(Math.max(value, min) / min) / Math.log(max / min) : (value - min) / (max - min);
  const toValue = ({ scale, min, max, whole }, share) => {
    const value = scale === "log" ? min * (max / min) ** share : min + (max - min) * share;
    return whole ? Math.round(value) : Number(value.toPrecision(3));
  };
  // The newest value is sent when the one before has been answered.
  function sender(key) {
    let next, busy = false;
    return async value => {
      next = value;
      if (busy) return;
      busy = true;
      while (next !== undefined) {
        const value = next;
        next = undefined;
        await ask({ do: "set", key, value }).catch(() => {});
      }
      busy = false;
    };
  }
  function make(knob) {
    const row = document.createElement("div"), label = document.createElement("label"), out = document.createElement("output"), id = `knob-${knob.key}`;
    row.className = "knob";
    label.textContent = knob.label;
    label.title = knob.key;
    label.htmlFor = id;
    const send = sender(knob.key), words = knob.scale === "words";
    const input = document.createElement(words ? "select" : "input");
    input.id = id;
    if (words) {
      for (const word of knob.words) input.append(new Option(word));
      input.onchange = () => send(input.value);
      row.append(label, input);
    } else {
      Object.assign(input, { type: "range", min: 0, max: 1000, step: 1 });
      input.oninput = () => {
        const value = toValue(made.knob, input.value / 1000);
        tell(value);
        send(value);
      };
      row.append(label, out, input);
    }
    const tell = value => { out.textContent = `${knob.whole ? value : number(value)} ${knob.unit}`; };
    const made = {
      knob, row,
      set(knob) {
        if (document.activeElement === input && !words) { row.classList.toggle("changed", made.first !== undefined && knob.value !== made.first); return; }
        made.knob = knob;
        if (words) input.value = knob.value;
        else { input.value = Math.round(1000 * toShare(knob, knob.value)); tell(knob.value); }
        made.first ??= knob.value;
        row.classList.toggle("changed", knob.value !== made.first);
      },
    };
    return made;
  }
  // Takes the knobs of a stage; those that stay keep their place, so that a hand on one is not disturbed.
  function show(knobs, isNew) {
    if (isNew) { shown.clear(); box.replaceChildren(); }
    const keys = new Set(knobs.map(knob => knob.key));
    for (const [key, made] of shown) if (!keys.has(key)) { made.row.remove(); shown.delete(key); }
    for (const knob of knobs) {
      if (!shown.has(knob.key)) {
        const made = make(knob);
        shown.set(knob.key, made);
        box.append(made.row);
      }
      shown.get(knob.key).set(knob);
    }
  }
  return { show };
}

// What went wrong, with the lines of the scene that it is about.
function showProblem(box, problem, close) {
  box.hidden = !problem;
  box.replaceChildren();
  if (!problem) return;
  if (close) {
    const button = document.createElement("button");
    button.textContent = "close";
    button.onclick = close;
    box.append(button);
  }
  box.append(problem.what);
  const { place } = problem;
  if (!place) return;
  const code = document.createElement("pre"), wide = String(place.first + place.lines.length).length;
  place.lines.forEach((line, k) => {
    const here = place.first + k === place.line, from = place.column - 1;
    code.append(`${String(place.first + k).padStart(wide)} │ `);
    if (here) {
      const wrong = document.createElement("b");
      wrong.textContent = line.slice(from, from + place.length);
      code.append(line.slice(0, from), wrong, line.slice(from + place.length), "\n");
      const below = document.createElement("b");
      below.textContent = "^".repeat(Math.max(1, Math.min(place.length, line.length - from)));
      code.append(`${" ".repeat(wide)} │ ${" ".repeat(from)}`, below, "\n");
    } else {
      code.append(line, "\n");
    }
  });
  box.append(code);
}
