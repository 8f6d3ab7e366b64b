// The live page of `rung view --live`, behind viewer.js: the model itself, as WebAssembly
// (runtime/fmi/fmi_live.h), takes the place of the recorded run.
'use strict';

const LIVE_NONE = 0xffffffff;

// ---- the model ----

class LiveModel {
  // imports of WASI's C library: a page has no files
  static async open(text) {
    const module = await WebAssembly.compile(bytes(text));
    const stubs = {};
    for (const {module: from, name} of WebAssembly.Module.imports(module)) {
      stubs[from] = stubs[from] || {};
      stubs[from][name] = name === 'proc_exit' ? () => { throw new Error('the model has stopped'); } : () => 52;
    }
    return new LiveModel((await WebAssembly.instantiate(module, stubs)).exports);
  }
  constructor(f) {
    this.f = f;
    f._initialize();
    this.live = f.live_new();
    if (!this.live) throw new Error('out of memory');
    this.row = new Map();
    for (let k = 0, n = f.live_variables(); k < n; k++) this.row.set(this.text(f.live_name(k)), k);
  }
  text(at) {
    const all = new Uint8Array(this.f.memory.buffer);
    return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
  }
  check(status) {
    if (status >= 2) throw new Error(this.text(this.f.live_message(this.live)) || 'the model has failed');
    return status;
  }
  // variables whose values are read after each step
  choose(names) {
    const at = this.f.live_rows(this.live, names.length);
    if (!at) throw new Error('out of memory');
    const rows = new Uint32Array(this.f.memory.buffer, at, names.length);
    names.forEach((name, k) => {
      if (!this.row.has(name)) throw new Error('the model has no variable ' + name);
      rows[k] = this.row.get(name);
    });
    this.n = names.length;
  }
  read() {
    this.check(this.f.live_read(this.live));
    return new Float64Array(this.f.memory.buffer, this.f.live_values(this.live), this.n);
  }
  quantity(row) {
    const f = this.f;
    return {row, name: this.text(f.live_name(row)), unit: this.text(f.live_unit(row)), type: f.live_type(row),
      description: this.text(f.live_description(row)), min: f.live_minimum(this.live, row), max: f.live_maximum(this.live, row)};
  }
  some(n, rowOf) {
    const found = [];
    for (let k = 0; k < n; k++) {
      const row = rowOf(this.live, k) >>> 0;
      if (row !== LIVE_NONE) found.push(this.quantity(row));
    }
    return found;
  }
}

// ---- curves of the last seconds ----

class LiveChart {
  constructor(name, unit, read) {
    Object.assign(this, {name, unit, read, t: [], y: [], span: 10});
    this.canvas = el('canvas', {'aria-label': name});
    curves.append(this.canvas);
  }
  clear() { this.t = []; this.y = []; }
  add(t) {
    const y = this.read();
    if (!isFinite(y)) return;
    this.t.push(t);
    this.y.push(y);
    if (this.t.length > 4000) { this.t.splice(0, 1000); this.y.splice(0, 1000); }
  }
  resize() {
    const ratio = window.devicePixelRatio, c = this.canvas;
    c.width = c.clientWidth * ratio;
    c.height = c.clientHeight * ratio;
  }
  cursor(now) {
    const g = this.canvas.getContext('2d'), ratio = window.devicePixelRatio;
    const width = this.canvas.width / ratio, bottom = this.canvas.height / ratio - 10, top = 18, left = 70;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, bottom + 10);
    let first = this.t.length;
    while (first > 0 && this.t[first - 1] >= now - this.span) first--;
    const seen = this.y.slice(first);
    let low = Math.min(...seen), high = Math.max(...seen);
    if (!(high > low)) { low = (seen[0] || 0) - 1; high = low + 2; }
    g.font = '12px system-ui, sans-serif';
    g.fillStyle = getComputedStyle(document.body).color;
    g.fillText(this.name + (this.unit ? ' / ' + this.unit : ''), left, 13);
    g.textAlign = 'right';
    g.fillText(high.toPrecision(4), left - 6, top + 4);
    g.fillText(low.toPrecision(4), left - 6, bottom + 4);
    if (seen.length) g.fillText(seen[seen.length - 1].toPrecision(5), width - 10, 13);
    g.strokeStyle = '#2f6fb5';
    g.lineWidth = 1.5;
    g.beginPath();
    seen.forEach((y, k) => g.lineTo(left + (1 + (this.t[first + k] - now) / this.span) * (width - left - 8),
      bottom - (y - low) / (high - low) * (bottom - top)));
    g.stroke();
    g.textAlign = 'left';
  }
}

// ---- the page ----

async function goLive() {
  const run = runs[0], model = await LiveModel.open(RUNG.live.module), f = model.f;
  const tolerance = RUNG.live.tolerance === null ? NaN : RUNG.live.tolerance;
  const fixed = new Set(RUNG.live.fixed), changed = new Map();
  let values, failed = '';
  model.check(f.live_open(model.live, tolerance));
  model.choose(run.names);
  const parameters = model.some(f.live_parameters(), f.live_parameter);
  const given = model.some(f.live_inputs(), f.live_input);
  const inputs = given.filter((q) => !q.name.startsWith("'pull "));

  const say = el('div', {id: 'message', role: 'alert'});
  stage.append(say);
  const attempt = (act) => {
    try {
      act();
      return true;
    } catch (e) {
      failed = e.message;
      say.textContent = failed + ' \u2013 reset begins anew.';
      document.body.dataset.failed = failed;
      play(false);
      return false;
    }
  };

  // The recorded run gave the scene its forms; from now on its numbers are the model's.
  const read = () => { values = model.read(); };
  run.at = (v) => typeof v === 'number' ? v : values[v.c];
  run.go = () => {};
  const live = run.signals.map((s) => new LiveChart(s.name, s.unit, () => shown(s, run.at(s.value))));
  for (const c of charts) c.canvas.remove();
  charts.splice(0, charts.length, ...live);

  // paths of frames, as far as they have come
  const paths = new Map();
  trace = (of, frame, name, on) => {
    if (paths.has(name)) { scene.remove(paths.get(name).line); paths.delete(name); }
    if (on) {
      const line = new THREE.Line(new THREE.BufferGeometry(),
        new THREE.LineBasicMaterial({color: new THREE.Color().setHSL((paths.size * 0.37) % 1, 0.75, 0.45)}));
      line.frustumCulled = false;
      scene.add(line);
      paths.set(name, {line, frame, points: []});
    }
    draw();
  };
  const follow = () => {
    for (const p of paths.values()) {
      p.points.push(run.vector(p.frame.r));
      if (p.points.length > 2000) p.points.shift();
      p.line.geometry.dispose();
      p.line.geometry = new THREE.BufferGeometry().setFromPoints(p.points);
    }
  };

  const look = () => {
    read();
    const t = f.live_time(model.live);
    for (const c of live) c.add(t);
    follow();
    show(t);
    document.body.dataset.time = t;
  };

  function reset() {
    failed = say.textContent = '';
    if (pulled) pulled.end();
    delete document.body.dataset.failed;
    for (const c of live) c.clear();
    for (const p of paths.values()) p.points = [];
    return attempt(() => {
      model.check(f.live_open(model.live, tolerance));
      for (const [row, value] of changed) model.check(f.live_set(model.live, row, value));
      model.check(f.live_start(model.live));
      look();
    });
  }

  function set(quantity, value) {
    changed.set(quantity.row, value);
    if (failed || fixed.has(quantity.name)) reset();
    else attempt(() => { model.check(f.live_set(model.live, quantity.row, value)); look(); });
  }

  function step(h) {
    return !failed && attempt(() => {
      const parts = pulled ? Math.ceil(h * PULL_RATE) : 1;
      for (let k = 0; k < parts; k++) {
        if (pulled) pulled.act(h / parts);
        if (model.check(f.live_step(model.live, h / parts)) < 0) {
          play(false);
          say.textContent = 'The model has ended the run.';
          break;
        }
        if (pulled) read();
      }
      look();
    });
  }

  // ---- pulled with the mouse: a spring and a damper from a frame to the pointer ----

  const PULL_RATE = 120; // forces per second of the model
  const PULL_OMEGA = 4 * Math.PI; // rad/s of the mass that is felt at the frame
  let pulled = null;
  const rowsOf = (frame) => [1, 2, 3].map((k) => model.row.get(frame.pull + '[' + k + ']'));
  const push = (rows, force) => rows.forEach((row, k) => model.check(f.live_set(model.live, row, force[k])));
  // the flow variables of a frame are resolved in it, those of a point in the world
  const resolved = (frame, force) => frame.T.length && typeof frame.T[0] === 'number' ? force.toArray()
    : [0, 3, 6].map((k) => run.vector(frame.T.slice(k, k + 3)).dot(force));

  // The mass that a force along one of the directions has to move, by trying; 0: it moves nothing.
  function massAt(frame, directions) {
    const rows = rowsOf(frame), h = 1e-3, least = 1e-7 * scale;
    model.check(f.live_keep(model.live));
    const after = (force) => {
      push(rows, resolved(frame, force));
      model.check(f.live_step(model.live, h));
      read();
      const r = run.vector(frame.r);
      model.check(f.live_return(model.live));
      read();
      return r;
    };
    let mass = 0;
    const free = after(new THREE.Vector3());
    for (const d of directions)
      for (let force = 1; force < 1e10; force *= 100) {
        const off = after(d.clone().multiplyScalar(force)).sub(free).length();
        if (off < least) continue;
        const found = force * h * h / 2 / off;
        mass = mass ? Math.min(mass, found) : found;
        break;
      }
    push(rows, [0, 0, 0]);
    return mass;
  }

  class Pull {
    constructor(frame, mass) {
      Object.assign(this, {frame, mass, rows: rowsOf(frame), at: run.vector(frame.r)});
      this.target = this.at.clone();
      this.line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: 0xc8642b}));
      this.line.frustumCulled = false;
      scene.add(this.line);
    }
    act(h) {
      const r = run.vector(this.frame.r), velocity = r.clone().sub(this.at).divideScalar(this.h || h);
      this.at = r;
      this.h = h;
      const force = this.target.clone().sub(r).multiplyScalar(PULL_OMEGA * PULL_OMEGA * this.mass)
        .addScaledVector(velocity, -PULL_OMEGA * this.mass);
      push(this.rows, resolved(this.frame, force));
      this.line.geometry.dispose();
      this.line.geometry = new THREE.BufferGeometry().setFromPoints([r, this.target]);
    }
    end() {
      scene.remove(this.line);
      pulled = null;
      attempt(() => push(this.rows, [0, 0, 0]));
      draw();
    }
  }
  function pull(frame) {
    const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    let mass = 0;
    if (failed || !attempt(() => { mass = massAt(frame, [right, up]); }) || !mass) return false;
    pulled = new Pull(frame, mass);
    if (!isPlaying) play(true);
    return true;
  }

  const pullable = run.frames.filter((frame) => frame.pull && rowsOf(frame).every((row) => row !== undefined));
  const canvas = renderer.domElement;
  function nearest(e) {
    let found = null, least = 20; // pixels
    for (const frame of pullable) {
      const p = run.vector(frame.r).project(camera);
      const x = (p.x + 1) / 2 * canvas.clientWidth, y = (1 - p.y) / 2 * canvas.clientHeight;
      const off = Math.hypot(x - e.offsetX, y - e.offsetY);
      if (off < least) { least = off; found = frame; }
    }
    return found;
  }
  // where the pointer is on the plane through the frame that faces the camera
  function toward(e) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera({x: 2 * e.offsetX / canvas.clientWidth - 1, y: 1 - 2 * e.offsetY / canvas.clientHeight}, camera);
    const normal = camera.getWorldDirection(new THREE.Vector3());
    ray.ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, pulled.target), pulled.target);
  }
  canvas.addEventListener('pointerdown', (e) => {
    const frame = e.button === 0 && nearest(e);
    if (!frame || !pull(frame)) return;
    controls.enabled = false;
    canvas.setPointerCapture(e.pointerId);
  }, true);
  canvas.addEventListener('pointermove', (e) => {
    if (pulled) toward(e);
    else if (!e.buttons) canvas.style.cursor = nearest(e) ? 'grab' : '';
  });
  for (const ends of ['pointerup', 'pointercancel'])
    canvas.addEventListener(ends, () => { if (pulled) pulled.end(); controls.enabled = true; });

  // ---- controls ----

  const number = (value) => Number(value.toPrecision(4));
  // where the model gives no bounds: around the value
  function rangeOf(q, value) {
    const size = Math.abs(value) || 1;
    const low = isFinite(q.min) ? q.min : value > 0 && !q.isInput ? 0 : -3 * size;
    const high = isFinite(q.max) ? q.max : 3 * size;
    return [Math.min(low, value), Math.max(high, value)];
  }
  function control(q) {
    const value = changed.has(q.row) ? changed.get(q.row) : q.value;
    const name = el('span', {title: q.description || q.name}, q.name + (q.unit && q.unit !== '1' ? ' / ' + q.unit : ''));
    if (q.type === 2) { // a Boolean
      const box = el('input', {type: 'checkbox', checked: value !== 0, 'aria-label': q.name});
      box.addEventListener('change', () => set(q, box.checked ? 1 : 0));
      return el('label', {}, name, box);
    }
    const [min, max] = rangeOf(q, value), whole = q.type !== 0;
    const bar = el('input', {type: 'range', min, max, step: whole ? 1 : 'any', value, 'aria-label': q.name});
    const box = el('input', {type: 'number', step: whole ? 1 : 'any', value: number(value), 'aria-label': q.name});
    bar.addEventListener('input', () => { box.value = number(bar.valueAsNumber); set(q, bar.valueAsNumber); });
    box.addEventListener('change', () => {
      if (!isFinite(box.valueAsNumber)) return;
      bar.value = box.valueAsNumber;
      set(q, box.valueAsNumber);
    });
    return el('label', {}, name, bar, box);
  }

  const panel = el('details', {id: 'live', open: true}), rows = el('div');
  const filter = el('input', {type: 'search', placeholder: 'parameters', 'aria-label': 'find parameters'});
  const MOST = 30;
  function listParameters() {
    // those of the model itself, if it has some, unless others are asked for
    const wanted = filter.value.trim(), own = parameters.filter((q) => !q.name.includes('.'));
    const found = wanted ? parameters.filter((q) => q.name.includes(wanted)) : own.length ? own : parameters;
    rows.replaceChildren(...found.slice(0, MOST).map(control),
      ...(found.length > MOST ? [el('div', {}, found.length - MOST + ' more')] : []));
  }
  filter.addEventListener('input', listParameters);
  panel.append(el('summary', {}, 'values'));
  const again = el('button', {title: 'from the start, with these values', id: 'reset'}, 'reset');
  again.addEventListener('click', reset);
  playing.after(again);
  slider.remove();

  attempt(() => {
    model.check(f.live_start(model.live));
    // values at the start: only where an instance has been initialised are all of them known
    const names = [...parameters, ...inputs].map((q) => q.name);
    model.choose(names);
    const at = model.read();
    [...parameters, ...inputs].forEach((q, k) => { q.value = at[k]; });
    model.choose(run.names);
  });
  for (const q of inputs) q.isInput = true;
  if (inputs.length) panel.append(el('b', {}, 'inputs'), ...inputs.map(control));
  if (parameters.length) panel.append(el('b', {}, 'parameters'), filter, rows);
  listParameters();
  if (inputs.length || parameters.length) stage.append(panel);

  ending = () => false;
  const LONGEST = 0.1; // seconds of one picture: a page that was hidden does not catch up
  // the time of a picture may be earlier than that of the click
  advance = (seconds) => { step(Math.min(Math.max(0, seconds), LONGEST) * speed.value); };
  const quantity = (name) => [...parameters, ...given].find((q) => q.name === name);
  // for scripts in the page
  window.rungLive = {model, reset, step, pullable, pull, pulled: () => pulled, set: (name, value) => set(quantity(name), value), time: () => f.live_time(model.live),
    value: (name) => run.at({c: run.names.indexOf(name)})};
  reset();
  resize();
  if (RUNG.play) play(true);
}

goLive().catch((e) => {
  document.body.dataset.failed = e.message;
  stage.append(el('div', {id: 'message', role: 'alert'}, 'The model cannot run in this browser: ' + e.message));
});
