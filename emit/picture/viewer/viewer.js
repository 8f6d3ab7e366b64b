// The page of `rung view`: RUNG holds runs, each with frames, parts and solids whose numbers are
// constants or {c: k}, the k-th column of the run. See emit/picture/view.c.
'use strict';

// ---- data ----

const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
const floats = (text) => new Float32Array(bytes(text));

// A run at a time between its rows: k and share, from row k to the next one.
class Run {
  constructor(data) {
    Object.assign(this, data);
    this.time = floats(data.time);
    this.column = data.columns.map(floats);
    this.forms = data.looks;
    this.rows = this.time.length;
    this.k = 0;
    this.share = 0;
  }
  begin() { return this.time[0]; }
  end() { return this.time[this.rows - 1]; }
  go(t) {
    let low = 0, high = this.rows - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= t) low = middle; else high = middle;
    }
    this.k = low;
    const width = high > low ? this.time[high] - this.time[low] : 0;
    this.share = width > 0 ? Math.min(1, Math.max(0, (t - this.time[low]) / width)) : 0;
  }
  row(k) { this.k = k; this.share = 0; }
  looksOf(form) { return this.forms.filter((l) => l.form === form); }
  at(v) {
    if (typeof v === 'number') return v;
    const c = this.column[v.c], a = c[this.k];
    return this.share > 0 ? a + this.share * (c[this.k + 1] - a) : a;
  }
  vector(v) { return new THREE.Vector3(this.at(v[0]), this.at(v[1]), this.at(v[2])); }
  // frame -> world: the rows of T are the frame's axes
  rotation(T) {
    const x = this.vector(T), y = this.vector(T.slice(3, 6)), z = this.vector(T.slice(6, 9));
    return new THREE.Matrix4().makeBasis(x, y, z);
  }
}

const runs = RUNG.runs.map((r) => new Run(r));
// Of CAD files: points, three of them for each triangle, and the box around all.
const shapes = RUNG.shapes.map((s) => {
  const points = floats(s.points), corners = bytes(s.corners);
  return {points, colors: s.colors, corners: s.bytes === 2 ? new Uint16Array(corners) : new Uint32Array(corners),
    box: new THREE.Box3().setFromArray(points)};
});
const begin = Math.min(...runs.map((r) => r.begin()));
const end = Math.max(...runs.map((r) => r.end()));
let now = begin;

// Rows to look at where all would be too many.
function someRows(run, most) {
  const rows = [];
  const n = Math.min(run.rows, most);
  for (let k = 0; k < n; k++) rows.push(n > 1 ? Math.round(k * (run.rows - 1) / (n - 1)) : 0);
  return rows;
}

// ---- extent of the scene ----

function extent(run) {
  const box = new THREE.Box3();
  for (const k of someRows(run, 40)) {
    run.row(k);
    for (const f of run.frames) box.expandByPoint(run.vector(f.r));
    for (const s of run.solids) {
      const form = run.at(s.form);
      if (s.file !== undefined) {
        const m = new THREE.Matrix4();
        placeShape(run, s, m.elements, 0);
        box.union(shapes[s.file].box.clone().applyMatrix4(m));
      }
      if (form < 1 || form > 9) continue;
      const r = run.vector(s.r), size = run.vector(s.size);
      box.expandByPoint(r);
      box.expandByPoint(r.addScaledVector(run.vector(s.x), size.x));
    }
  }
  if (box.isEmpty()) box.expandByPoint(new THREE.Vector3());
  return box;
}

const boxes = runs.map(extent);
const sizes = boxes.map((b) => b.getSize(new THREE.Vector3()));
const scale = Math.max(1e-9, ...sizes.map((s) => Math.max(s.x, s.y, s.z))) || 1;
// side by side along the first axis
let shift = 0;
runs.forEach((run, i) => {
  run.offset = new THREE.Vector3(shift, 0, 0);
  if (i + 1 < runs.length)
    shift += boxes[i].max.x - boxes[i + 1].min.x + 0.3 * scale;
});

// ---- what the camera follows ----

const meanOf = (spots) => {
  const sum = new THREE.Vector3();
  for (const at of spots) sum.add(at());
  return sum.multiplyScalar(1 / spots.length);
};

// Where solids begin and end.
function endsOf(run, s) {
  if (s.file !== undefined) {
    const {min, max} = shapes[s.file].box, m = new THREE.Matrix4();
    return [min, max].map((corner) => () => {
      placeShape(run, s, m.elements, 0);
      return corner.clone().applyMatrix4(m);
    });
  }
  run.row(0);
  const form = run.at(s.form), tip = () => run.vector(s.r).addScaledVector(run.vector(s.x), run.at(s.size[0]));
  return form < 1 || form > 9 ? [] : [() => run.vector(s.r), tip];
}

// A rigid part holds something that moves at something that does not: it swings and goes nowhere.
function isHeld(run, rows) {
  const spots = (f) => rows.map((k) => { run.row(k); return run.vector(f.r); });
  const change = (all, to) => Math.max(...all.map((at, k) => Math.abs(to(at, k) - to(all[0], 0))));
  const rests = (all) => change(all, (at) => at.distanceTo(all[0])) < 1e-5 * scale;
  return run.parts.some((p) => {
    const all = p.frames.map((k) => spots(run.frames[k]));
    return all.slice(1).some((b) => rests(all[0]) !== rests(b) &&
      change(b, (at, k) => at.distanceTo(all[0][k])) < 1e-5 * scale);
  });
}

// RUNG.follow, or all that moves where it travels several times its size, as a vehicle does; the size of all that
// moves. Null: the camera stands.
function findFollowed() {
  const run = runs[0], rows = someRows(run, 60);
  if (RUNG.live || RUNG.loops || runs.length > 1 && !RUNG.follow) return null;
  const moves = (at) => {
    run.row(0);
    const first = at();
    return rows.some((k) => { run.row(k); return at().distanceTo(first) > 1e-3 * scale; });
  };
  const spotsOf = (frames) => frames.map((f) => () => run.vector(f.r));
  const moving = [...spotsOf(run.frames), ...run.solids.flatMap((s) => endsOf(run, s))].filter(moves);
  if (!moving.length && !RUNG.follow) return null;
  const size = new THREE.Vector3(), start = new THREE.Vector3();
  let path = 0;
  rows.forEach((k, i) => {
    run.row(k);
    const box = new THREE.Box3();
    for (const at of moving) box.expandByPoint(at());
    if (!box.isEmpty()) size.max(box.getSize(new THREE.Vector3()));
    const middle = box.isEmpty() ? start : box.getCenter(new THREE.Vector3());
    if (i === 0) start.copy(middle);
    path = Math.max(path, middle.distanceTo(start));
  });
  if (!RUNG.follow && (path < 3 * size.length() || isHeld(run, rows))) return null;
  const named = (f) => (f.name + '.').startsWith(RUNG.follow + '.');
  // one body alone has no size
  size.max(new THREE.Vector3(1, 1, 1).multiplyScalar(Math.max(0.3 * size.length(), 0.02 * scale)));
  return {run, spots: RUNG.follow ? spotsOf(run.frames.filter(named)) : moving, size};
}
const followed = findFollowed();

// ---- forms, one mesh of many instances for each ----

const alongX = (g) => g.rotateZ(-Math.PI / 2);

function pipe(inner) {
  const i = Math.min(0.999, Math.max(0.001, inner)) / 2;
  const profile = [[i, -0.5], [0.5, -0.5], [0.5, 0.5], [i, 0.5], [i, -0.5]];
  return alongX(new THREE.LatheBufferGeometry(profile.map((p) => new THREE.Vector2(...p)), 32));
}

class Helix extends THREE.Curve {
  constructor(windings) { super(); this.windings = windings; }
  getPoint(t) {
    const a = 2 * Math.PI * this.windings * t;
    return new THREE.Vector3(t - 0.5, 0.5 * Math.cos(a), 0.5 * Math.sin(a));
  }
}

// A spring whose wire is round where it is four times as long as wide.
function coil() {
  class Wire extends Helix {
    getPoint(t) { const p = super.getPoint(t); p.x *= 4; return p; }
  }
  return new THREE.TubeBufferGeometry(new Wire(7), 160, 0.07, 8).scale(0.25, 1, 1);
}

// Where corners of triangles that meet at less than 40 degrees are round, others sharp.
function geometryOfFile({points, corners, colors}, lacking) {
  const n = corners.length, at = new Float32Array(3 * n), flat = new Float32Array(n), normals = new Float32Array(3 * n);
  for (let k = 0; k < n; k++)
    for (let i = 0; i < 3; i++) at[3 * k + i] = points[3 * corners[k] + i];
  // of triangles, not of unit length: twice their area
  const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
  for (let k = 0; k < n; k += 3) {
    a.fromArray(at, 3 * k);
    b.fromArray(at, 3 * k + 3).sub(a);
    c.fromArray(at, 3 * k + 6).sub(a);
    b.cross(c).toArray(flat, k);
  }
  // the corners of each point, as lists
  const next = new Int32Array(n), first = new Int32Array(points.length / 3).fill(-1);
  for (let k = 0; k < n; k++) { next[k] = first[corners[k]]; first[corners[k]] = k; }
  for (let k = 0; k < n; k++) {
    a.fromArray(flat, k - k % 3);
    c.set(0, 0, 0);
    for (let j = first[corners[k]]; j >= 0; j = next[j]) {
      b.fromArray(flat, j - j % 3);
      const along = a.dot(b) / Math.sqrt(a.lengthSq() * b.lengthSq());
      if (along > 0.76) c.add(b); else if (along < -0.76) c.sub(b);
    }
    c.normalize().toArray(normals, 3 * k);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(at, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
  if (colors.every(([, color]) => color < 0)) return geometry;
  const painted = new Float32Array(3 * n);
  let k = 0;
  for (const [count, color] of colors)
    for (const to = k + 3 * count, own = color < 0 ? lacking : new THREE.Color(color); k < to; k++) own.toArray(painted, 3 * k);
  geometry.setAttribute('color', new THREE.BufferAttribute(painted, 3));
  return geometry;
}

const GLASS = 'glass'; // of solids that would hide the mechanism
const TUBE = 0.13; // half the width of a tyre of unit diameter

// Heights over a grid of lines along x and y, in the frame that carries it.
function geometryOfSurface({grid}) {
  const {x, y, z} = grid, n = y.length, g = new THREE.BufferGeometry(), at = [], corners = [];
  x.forEach((p, i) => y.forEach((q, j) => at.push(p, q, z[i * n + j])));
  for (let i = 0; i + 1 < x.length; i++)
    for (let j = 0; j + 1 < n; j++) {
      const k = i * n + j;
      corners.push(k, k + n, k + 1, k + 1, k + n, k + n + 1);
    }
  g.setAttribute('position', new THREE.Float32BufferAttribute(at, 3));
  g.setIndex(corners);
  g.computeVertexNormals();
  return g;
}

// Of unit length along x, unit width and height, around the origin; of a file as large as it says.
function geometryOf(form, extra, items) {
  switch (form) {
    case 'file': return geometryOfFile(shapes[extra], items[0].color);
    case 'sphere': return new THREE.SphereBufferGeometry(0.5, 24, 16);
    case 'cylinder': return alongX(new THREE.CylinderBufferGeometry(0.5, 0.5, 1, 28));
    case 'cone': return alongX(new THREE.CylinderBufferGeometry(0.5 * extra, 0.5, 1, 28));
    case 'pipe': return pipe(extra);
    case 'tyre': return new THREE.TorusBufferGeometry(0.5 - TUBE, TUBE, 14, 36).rotateY(Math.PI / 2);
    case 'coil': return coil();
    case 'cloth': return geometryOfSurface(items[0]);
    case 'spring': return new THREE.TubeBufferGeometry(new Helix(extra), Math.ceil(24 * extra), 0.06, 6);
    default: return new THREE.BoxBufferGeometry(1, 1, 1);
  }
}

const forms = new Map(); // name -> {form, extra, items}
// item: {run, color, isGround, place(m, o)}: isGround of what need not be in the picture as a whole; place writes the 16 numbers of its matrix into m from o on, by numbers
// alone, since it is called for each item of each picture; false: not to be seen.
function add(form, extra, item) {
  const key = form + ' ' + extra;
  if (!forms.has(key)) forms.set(key, {form, extra, items: []});
  forms.get(key).items.push(item);
}

// Columns l (xx, xy, xz), w (yx, yy, yz), h times their cross product, origin (px, py, pz).
function write(m, o, px, py, pz, xx, xy, xz, yx, yy, yz, l, w, h) {
  m[o] = l * xx; m[o + 1] = l * xy; m[o + 2] = l * xz; m[o + 3] = 0;
  m[o + 4] = w * yx; m[o + 5] = w * yy; m[o + 6] = w * yz; m[o + 7] = 0;
  m[o + 8] = h * (xy * yz - xz * yy); m[o + 9] = h * (xz * yx - xx * yz);
  m[o + 10] = h * (xx * yy - xy * yx); m[o + 11] = 0;
  m[o + 12] = px; m[o + 13] = py; m[o + 14] = pz; m[o + 15] = 1;
  return true;
}

// A cylinder from a to b.
function rod(m, o, ax, ay, az, bx, by, bz, width) {
  const dx = bx - ax, dy = by - ay, dz = bz - az, l = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(l > 1e-9 * scale)) return false;
  const x = dx / l, y = dy / l, z = dz / l;
  // across: the y axis without its part along, or the z axis
  const flat = Math.abs(y) < 0.9;
  let p = flat ? -x * y : -x * z, q = flat ? 1 - y * y : -y * z, r = flat ? -z * y : 1 - z * z;
  const n = Math.sqrt(p * p + q * q + r * r);
  p /= n; q /= n; r /= n;
  return write(m, o, (ax + bx) / 2, (ay + by) / 2, (az + bz) / 2, x, y, z, p, q, r, l, width, width);
}

// ---- solids: what the model says that its parts look like ----

// The shape of a file: as large as it is, or scaled by length, width and height.
function placeShape(run, s, m, o) {
  const isScaled = run.at(s.extra) === 1;
  return write(m, o, run.at(s.r[0]), run.at(s.r[1]), run.at(s.r[2]), run.at(s.x[0]), run.at(s.x[1]), run.at(s.x[2]),
    run.at(s.y[0]), run.at(s.y[1]), run.at(s.y[2]), isScaled ? run.at(s.size[0]) : 1,
    isScaled ? run.at(s.size[1]) : 1, isScaled ? run.at(s.size[2]) : 1);
}

const FORMS = {1: 'box', 2: 'sphere', 3: 'cylinder', 4: 'pipe', 5: 'cone', 6: 'pipe', 7: 'box',
  8: 'cylinder', 9: 'spring'};
const ARROW = 11;

// material: 256^2 red + 256 green + blue + 0.99 reflection
const colorOf = (material) => new THREE.Color(Math.min(0xffffff, Math.max(0, Math.floor(material))));

// Arrows: the vectors of one quantity (forces, torques, those of solids) have one scale in all runs; the longest is a
// third of the scene, or of what the camera goes along with.
const span = followed ? followed.size.length() : scale;
const longest = {f: 0, t: 0, solid: 0};
const sizeOf = (run, l) => Math.hypot(...['f', 't'].flatMap((q) => l[q] || []).map((v) => run.at(v)));
function measureArrows(run) {
  const see = (quantity, size) => { longest[quantity] = Math.max(longest[quantity], Math.abs(size) || 0); };
  run.row(0);
  const solids = run.solids.filter((s) => run.at(s.form) === ARROW), looks = run.looksOf('arrow');
  if (solids.length + looks.length === 0) return;
  for (const k of someRows(run, 200)) {
    run.row(k);
    for (const s of solids) see('solid', run.at(s.size[0]));
    for (const l of looks) see(l.f ? 'f' : 't', sizeOf(run, l));
  }
}

// r(k), d(k): coordinate k of the beginning and of the vector; size(): its length.
function putArrow(run, color, quantity, r, d, size) {
  const width = 0.012 * span, head = 4 * width;
  const factor = () => 0.35 * span / (longest[quantity] || 1);
  const tip = (k, by) => r(k) + d(k) * (factor() + by);
  const isSeen = () => arrowsAreSeen && Math.abs(size()) > 1e-6 * longest[quantity];
  add('cylinder', 0, {run, color, isGround: true, place: (m, o) => isSeen() &&
    rod(m, o, r(0), r(1), r(2), tip(0, 0), tip(1, 0), tip(2, 0), width)});
  add('cone', 0, {run, color, isGround: true, place: (m, o) => {
    const by = head / Math.abs(size());
    return isSeen() && rod(m, o, tip(0, 0), tip(1, 0), tip(2, 0), tip(0, by), tip(1, by), tip(2, by), head);
  }});
}
let arrowsAreSeen = true;

function addArrow(run, s) {
  putArrow(run, colorOf(run.at(s.material)), 'solid', (k) => run.at(s.r[k]), (k) => run.at(s.size[0]) * run.at(s.x[k]),
    () => run.at(s.size[0]));
}

function addSolid(run, s) {
  run.row(0);
  const number = run.at(s.form), form = FORMS[number], extra = run.at(s.extra);
  if (number === ARROW) { addArrow(run, s); return; }
  if (!form && s.file === undefined) return;
  // the parts around it say what they look like, and what those with connectors are made of, too
  for (let at = s.name.lastIndexOf('.'); at > 0; at = s.name.lastIndexOf('.', at - 1)) {
    const part = s.name.slice(0, at);
    run.looks.add(part);
    if (run.owners.has(part)) run.shells.add(part);
  }
  if (s.file !== undefined) {
    add('file', s.file, {run, color: colorOf(run.at(s.material)), place: (m, o) => placeShape(run, s, m, o)});
    return;
  }
  const more = form === 'cone' ? extra : form === 'pipe' ? (extra || 0.8)
    : form === 'spring' ? Math.max(1, extra) : 0;
  add(form, Math.round(more * 1000) / 1000, {run, color: colorOf(run.at(s.material)), place: (m, o) => {
    const l = run.at(s.size[0]), w = run.at(s.size[1]), h = run.at(s.size[2]);
    const x = run.at(s.x[0]), y = run.at(s.x[1]), z = run.at(s.x[2]);
    return (l !== 0 || w !== 0 || h !== 0) &&
      write(m, o, run.at(s.r[0]) + l * x / 2, run.at(s.r[1]) + l * y / 2, run.at(s.r[2]) + l * z / 2,
        x, y, z, run.at(s.y[0]), run.at(s.y[1]), run.at(s.y[2]), l || 1e-9, w || 1e-9, h || 1e-9);
  }});
}

// ---- parts that say nothing: rods from frame to frame, and joints where frames meet ----

const STEEL = new THREE.Color(0x5b7fa6), JOINT = new THREE.Color(0xd98032), LOOSE = new THREE.Color(0x7c8894);
const REST = new THREE.Color(0x8f979f); // of what never moves

// Motions to first order, as those of RUNG.loops, stretch what is rigid by the square of their size.
const RIGID = RUNG.loops ? 0.05 : 1e-5;

// Whether two frames keep their distance, are in one place, turn against each other and about what.
function relation(run, a, b) {
  let least = Infinity, most = 0, axis = null, largest = 0, isFixed = true;
  const turns = [], first = [];
  let isMoving = false;
  for (const k of someRows(run, 60)) {
    run.row(k);
    const d = run.vector(a.r).distanceTo(run.vector(b.r));
    [a, b].forEach((f, i) => {
      const at = run.vector(f.r);
      first[i] = first[i] || at;
      isMoving = isMoving || at.distanceTo(first[i]) > 1e-6 * scale;
    });
    least = Math.min(least, d);
    most = Math.max(most, d);
    const A = run.rotation(a.T), B = run.rotation(b.T);
    const R = new THREE.Matrix4().getInverse(A).multiply(B); // b's components -> a's
    const e = R.elements;
    turns.push(new THREE.Vector3(e[6] - e[9], e[8] - e[2], e[1] - e[4]));
  }
  for (const v of turns)
    if (v.length() > largest) { largest = v.length(); axis = v.clone().normalize(); }
  if (largest > 1e-4)
    for (const v of turns)
      isFixed = isFixed && v.clone().cross(axis).length() < 1e-3;
  return {meets: most < 1e-6 * scale, slides: most - least > RIGID * scale,
    axis: largest > 1e-4 && isFixed ? axis : null, turns: largest > 1e-4, rests: !isMoving};
}

// What thicknesses go by: a few times the length of a link, at most.
function girthOf(run) {
  const lengths = [];
  run.row(0);
  for (const p of run.parts)
    for (const k of p.frames.slice(1)) {
      const d = run.vector(run.frames[p.frames[0]].r).distanceTo(run.vector(run.frames[k].r));
      if (d > 1e-6 * scale) lengths.push(d);
    }
  lengths.sort((a, b) => a - b);
  const most = followed ? followed.size.length() : scale;
  return Math.min(most, lengths.length ? 14 * lengths[lengths.length >> 1] : most);
}

const detailed = runs.every((r) => r.parts.length <= 3000);

// About e, fixed in frame a; a ball where that is null.
function addJoint(run, girth, a, e) {
  const d = 0.02 * girth;
  const [p, q, w] = a.r;
  if (e) {
    const along = alongAxes(run, a, e.clone().multiplyScalar(1.2 * d));
    add('cylinder', 0, {run, color: JOINT, place: (m, o) => {
      const x = run.at(p), y = run.at(q), z = run.at(w), i = along(0), j = along(1), k = along(2);
      return rod(m, o, x - i, y - j, z - k, x + i, y + j, z + k, 1.3 * d);
    }});
  } else {
    add('sphere', 0, {run, color: JOINT, place: (m, o) =>
      write(m, o, run.at(p), run.at(q), run.at(w), 1, 0, 0, 0, 1, 0, 1.5 * d, 1.5 * d, 1.5 * d)});
  }
}

const isShown = (run, part) => run.looks.has(part.name) || run.shells.has(around(part.name));

function addPart(run, girth, part) {
  const frames = part.frames.map((k) => run.frames[k]);
  if (isShown(run, part) || frames.length < 2) return;
  for (const b of frames.slice(1)) {
    const a = frames[0], r = detailed ? relation(run, a, b) : {};
    if (r.meets) {
      if (r.turns) addJoint(run, girth, a, r.axis);
      continue;
    }
    const width = (r.slides ? 0.006 : r.rests ? 0.008 : 0.012) * girth;
    add('cylinder', 0, {run, color: r.slides ? LOOSE : r.rests ? REST : STEEL, place: (m, o) => rod(m, o, run.at(a.r[0]),
      run.at(a.r[1]), run.at(a.r[2]), run.at(b.r[0]), run.at(b.r[1]), run.at(b.r[2]), width)});
  }
}

// What hangs at a frame that no part with two frames has: a free body, say.
function addLonely(run) {
  const key = (f) => JSON.stringify(f.r), seen = new Set();
  for (const p of run.parts)
    if (p.frames.length > 1 || isShown(run, p))
      for (const k of p.frames) seen.add(key(run.frames[k]));
  for (const p of run.parts) {
    const f = run.frames[p.frames[0]];
    if (p.frames.length !== 1 || isShown(run, p) || seen.has(key(f))) continue;
    const d = 0.05 * scale;
    add('box', 0, {run, color: STEEL, place: (m, o) => write(m, o, run.at(f.r[0]), run.at(f.r[1]),
      run.at(f.r[2]), run.at(f.T[0]), run.at(f.T[1]), run.at(f.T[2]), run.at(f.T[3]), run.at(f.T[4]),
      run.at(f.T[5]), d, d, d)});
  }
}

// ---- looks: forms that the library gives its parts ----

const BODIES = [0x9db8d2, 0xd9b98a, 0xa9c79b, 0xc9a9b5, 0xb3b1d6, 0x9cc7c4].map((c) => new THREE.Color(c));
const RUBBER = new THREE.Color(0x3a3f46), RIM = new THREE.Color(0xb9c0c8), SPOKE = new THREE.Color(0xe8ebee);
const EARTH = new THREE.Color(0xb9b19c), TAR = new THREE.Color(0x8d9096), FORCE = new THREE.Color(0xc23b2a);
const STEEL_DENSITY = 7850;

// Coordinate k in the world of a vector that is fixed in a frame.
function alongAxes(run, f, e) {
  return (k) => run.at(f.T[k]) * e.x + run.at(f.T[3 + k]) * e.y + run.at(f.T[6 + k]) * e.z;
}
// Coordinate k in the world of a point fixed in a frame.
function pointOf(run, f, r) {
  const along = alongAxes(run, f, r);
  return (k) => run.at(f.r[k]) + along(k);
}
const across = (e) => new THREE.Vector3(...(Math.abs(e.x) < 0.8 ? [1, 0, 0] : [0, 1, 0])).cross(e).normalize();

// A form of length l along e and w, h across, p among these, around a point that is fixed in a frame like e and p.
function addFixed(form, run, f, r, e, p, l, w, h, color, more = {}) {
  const at = pointOf(run, f, r), x = alongAxes(run, f, e), y = alongAxes(run, f, p);
  const hides = !more.isGround && Math.max(l, w, h) > 0.3 * span;
  add(form, hides ? GLASS : 0, {run, color, ...more,
    place: (m, o) => write(m, o, at(0), at(1), at(2), x(0), x(1), x(2), y(0), y(1), y(2), l, w, h)});
}

// Moments about principal axes and these axes, by Jacobi's rotations.
function principal(I) {
  const A = I.map((row) => row.slice()), V = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 30; sweep++)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(A[p][q]) <= 1e-12 * (Math.abs(A[p][p]) + Math.abs(A[q][q]))) continue;
      const th = (A[q][q] - A[p][p]) / (2 * A[p][q]), t = (th < 0 ? -1 : 1) / (Math.abs(th) + Math.hypot(th, 1));
      const c = 1 / Math.hypot(t, 1), s = t * c;
      for (let k = 0; k < 3; k++) [A[k][p], A[k][q]] = [c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q]];
      for (let k = 0; k < 3; k++) [A[p][k], A[q][k]] = [c * A[p][k] - s * A[q][k], s * A[p][k] + c * A[q][k]];
      for (const row of V) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
    }
  return {moment: [0, 1, 2].map((k) => A[k][k]), axis: [0, 1, 2].map((k) => new THREE.Vector3(V[0][k], V[1][k], V[2][k]))};
}

const ballOf = (m, girth) => // of steel, to be seen and no more than that
  Math.min(0.03 * girth, Math.max(0.014 * girth, Math.cbrt(0.75 * Math.abs(m) / (Math.PI * STEEL_DENSITY))));

// The angle of a wheel: as the model has it, or its speed added up.
function angleOf(run, l) {
  if (l.angle !== undefined) return () => run.at(l.angle);
  if (l.spin === undefined && l.speed === undefined) return () => 0;
  const v = l.spin !== undefined ? l.spin : l.speed, by = l.spin !== undefined ? 1 : 1 / (run.at(l.radius) || 1);
  if (RUNG.live) {
    let t = null, sum = 0;
    return () => { sum += t === null ? 0 : Math.max(0, now - t) * by * run.at(v); t = now; return sum; };
  }
  const sum = new Float64Array(run.rows), value = (k) => typeof v === 'number' ? v : run.column[v.c][k];
  for (let k = 1; k < run.rows; k++)
    sum[k] = sum[k - 1] + by * (run.time[k] - run.time[k - 1]) * (value(k) + value(k - 1)) / 2;
  return () => sum[run.k] + (run.share > 0 ? run.share * (sum[run.k + 1] - sum[run.k]) : 0);
}

// A solid of one density with the mass and the moments of inertia: ball, cylinder or box.
function addBody(run, girth, l, index) {
  const f = run.frames[l.frame], m = run.at(l.m), color = BODIES[index % BODIES.length];
  if (!(m > 0)) return;
  const r = l.r ? run.vector(l.r) : new THREE.Vector3();
  const {moment, axis} = principal([0, 3, 6].map((k) => [0, 1, 2].map((i) => run.at(l.I[k + i]))));
  const most = Math.max(...moment), least = 0.014 * girth, same = (a, b) => Math.abs(a - b) <= 1e-6 * most;
  // as much smaller as to leave the mechanism to be seen: three equal moments are often those of a default
  const bound = (size, share = 1.3) => {
    const by = Math.min(1, share * span / Math.max(...size));
    return size.map((s) => Math.max(s * by, Math.min(least, s * by + 0.6 * least)));
  };
  if (r.length() > least) addStick(run, girth, f, r);
  if (!(most > 0) || same(moment[0], moment[1]) && same(moment[1], moment[2])) {
    const d = most > 0 ? bound([2 * Math.sqrt(2.5 * most / m)], 0.2)[0] : 2 * ballOf(m, girth);
    addFixed('sphere', run, f, r, axis[0], axis[1], d, d, d, color);
    return;
  }
  const k = [0, 1, 2].find((i) => same(moment[(i + 1) % 3], moment[(i + 2) % 3]));
  if (k !== undefined) {
    const d = 2 * Math.sqrt(2 * Math.max(0, moment[k]) / m);
    const h = Math.sqrt(Math.max(0, 12 * (moment[(k + 1) % 3] - moment[k] / 2) / m));
    const [length, width] = bound([h, d]);
    if (l.spin === undefined) addFixed('cylinder', run, f, r, axis[k], across(axis[k]), length, width, width, color);
    else addWheelForm('cylinder', run, f, r, axis[k], angleOf(run, l), length, width, color, true);
    return;
  }
  const side = bound([0, 1, 2].map((i) => Math.sqrt(Math.max(0, 6 * (moment[(i + 1) % 3] + moment[(i + 2) % 3] - moment[i]) / m))));
  addFixed('box', run, f, r, axis[0], axis[1], ...side, color);
}

function addStick(run, girth, f, r) {
  const tip = pointOf(run, f, r), width = 0.008 * girth;
  add('cylinder', 0, {run, color: STEEL, place: (m, o) =>
    rod(m, o, run.at(f.r[0]), run.at(f.r[1]), run.at(f.r[2]), tip(0), tip(1), tip(2), width)});
}

// Round about e, turned; with spokes by which the turn is seen.
function addWheelForm(form, run, f, r, e, turn, length, width, color, hasSpokes) {
  const p = across(e), q = e.clone().cross(p);
  const at = pointOf(run, f, r), x = alongAxes(run, f, e), y = alongAxes(run, f, p), z = alongAxes(run, f, q);
  const parts = [[form, 0, length, width, width, color]];
  if (hasSpokes)
    for (let k = 0; k < 3; k++) parts.push(['box', k * Math.PI / 3, 1.12 * length, 0.92 * width, 0.1 * width, SPOKE]);
  for (const [of, ahead, l, w, h, own] of parts)
    add(of, 0, {run, color: own, place: (m, o) => {
      const a = turn() + ahead, c = Math.cos(a), s = Math.sin(a);
      return write(m, o, at(0), at(1), at(2), x(0), x(1), x(2), c * y(0) + s * z(0), c * y(1) + s * z(1), c * y(2) + s * z(2),
        l, w, h);
    }});
}

function addWheel(run, girth, l) {
  const f = run.frames[l.frame], e = run.vector(l.n).normalize(), radius = run.at(l.radius), turn = angleOf(run, l);
  const width = l.width !== undefined ? run.at(l.width) : 0.5 * radius;
  const r = e.clone().multiplyScalar(l.track !== undefined ? l.side * run.at(l.track) / 2 : 0);
  addWheelForm('tyre', run, f, r, e, turn, width / (2 * TUBE), 2 * radius, RUBBER, false);
  addWheelForm('cylinder', run, f, r, e, turn, 0.45 * width, 1.3 * radius, RIM, true);
  if (r.length() > 0) addStick(run, girth, f, r);
}

function addCoil(run, girth, l) {
  const a = run.frames[l.a], b = run.frames[l.b];
  const rest = run.vector(a.r).distanceTo(run.vector(b.r)) || girth;
  const width = Math.min(0.06 * girth, 0.25 * rest);
  const between = (from, to, thick) => (m, o) => {
    const A = (k) => run.at(a.r[k]), B = (k) => run.at(b.r[k]), P = (k, u) => A(k) + u * (B(k) - A(k));
    return rod(m, o, P(0, from), P(1, from), P(2, from), P(0, to), P(1, to), P(2, to), thick);
  };
  if (run.at(l.c) !== 0) add('coil', 0, {run, color: LOOSE, place: between(0.1, 0.9, width)});
  if (run.at(l.d) !== 0) add('cylinder', 0, {run, color: RIM, place: between(0.12, 0.55, 0.6 * width)});
  if (run.at(l.d) !== 0) add('cylinder', 0, {run, color: LOOSE, place: between(0, 1, 0.2 * width)});
  else for (const [u, v] of [[0, 0.1], [0.9, 1]]) add('cylinder', 0, {run, color: LOOSE, place: between(u, v, 0.12 * width)});
}

function addRod(run, girth, l) {
  const a = run.frames[l.a], b = run.frames[l.b], to = pointOf(run, b, l.to ? run.vector(l.to) : new THREE.Vector3());
  add('cylinder', 0, {run, color: STEEL, place: (m, o) =>
    rod(m, o, run.at(a.r[0]), run.at(a.r[1]), run.at(a.r[2]), to(0), to(1), to(2), 0.012 * girth)});
  if (l.to) for (const at of [(k) => run.at(a.r[k]), to])
    add('sphere', 0, {run, color: JOINT, place: (m, o) =>
      write(m, o, at(0), at(1), at(2), 1, 0, 0, 0, 1, 0, 0.022 * girth, 0.022 * girth, 0.022 * girth)});
}

// A square of a plane, below what there is.
function addPlate(run, l) {
  const f = run.frames[l.frame], e = run.vector(l.n).normalize();
  const T = run.rotation(f.T), origin = run.vector(f.r), thick = 0.004 * scale;
  const normal = e.clone().applyMatrix4(T), box = boxes[runs.indexOf(run)];
  const middle = box.getCenter(new THREE.Vector3()).sub(origin);
  middle.addScaledVector(normal, -middle.dot(normal) - thick / 2);
  const r = middle.applyMatrix4(new THREE.Matrix4().getInverse(T)); // in the frame
  // sides along the axes of the frame, where the normal is one of them
  const side = 1.3 * Math.max(...box.getSize(new THREE.Vector3()).toArray(), 4 * girthOf(run) / 14);
  addFixed('box', run, f, r, e, across(e), thick, side, side, EARTH, {isGround: true});
}

// The frame of a look that names none: that which the part around it says, or the world.
const WORLD = {r: [0, 0, 0], T: [1, 0, 0, 0, 1, 0, 0, 0, 1]};
function frameOf(run, l) {
  const outer = run.forms.find((o) => o.form === 'inside' && o.name === around(l.name));
  return run.frames[l.frame !== undefined ? l.frame : outer ? outer.frame : -1] || WORLD;
}

const surfaces = new Set();
function addSurface(run, l) {
  const f = frameOf(run, l), key = runs.indexOf(run) + JSON.stringify([l.x, l.y, l.z, f.r, f.T]);
  if (surfaces.has(key)) return; // several points on one ground
  surfaces.add(key);
  const values = (v) => v.map((x) => run.at(x));
  const grid = {x: values(l.x), y: values(l.y), z: values(l.z)};
  const at = pointOf(run, f, new THREE.Vector3()), x = alongAxes(run, f, new THREE.Vector3(1, 0, 0));
  const y = alongAxes(run, f, new THREE.Vector3(0, 1, 0));
  add('cloth', forms.size, {run, color: EARTH, grid, isGround: true,
    place: (m, o) => write(m, o, at(0), at(1), at(2), x(0), x(1), x(2), y(0), y(1), y(2), 1, 1, 1)});
}

// The strip of a road that a wheel has run over, z up.
const strips = [];
function addRoad(run, l) {
  if (RUNG.live) return;
  const width = run.at(l.width), line = [];
  for (let k = 0; k < run.rows; k++) {
    run.row(k);
    const p = new THREE.Vector3(run.at(l.x), run.at(l.y), run.at(l.h));
    if (!line.length || p.distanceTo(line[line.length - 1]) > 0.1 * width) line.push(p);
  }
  if (line.length < 2) return;
  const at = [], corners = [];
  line.forEach((p, k) => {
    const ahead = line[Math.min(k + 1, line.length - 1)].clone().sub(line[Math.max(k - 1, 0)]);
    const side = new THREE.Vector3(-ahead.y, ahead.x, 0).normalize().multiplyScalar(width / 2);
    at.push(...p.clone().add(side).add(run.offset).toArray(), ...p.clone().sub(side).add(run.offset).toArray());
    if (k) corners.push(2 * k - 2, 2 * k - 1, 2 * k, 2 * k, 2 * k - 1, 2 * k + 1);
  });
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.Float32BufferAttribute(at, 3));
  g.setIndex(corners);
  g.computeVertexNormals();
  const strip = new THREE.Mesh(g, new THREE.MeshLambertMaterial({color: TAR, side: THREE.DoubleSide}));
  strip.frustumCulled = false;
  strips.push(strip);
}

function addForce(run, l) {
  const f = run.frames[l.frame], v = l.f || l.t;
  // the flow is into the component: its negative is the force on the mechanism
  const along = (k) => -(run.at(f.T[k]) * run.at(v[0]) + run.at(f.T[3 + k]) * run.at(v[1]) + run.at(f.T[6 + k]) * run.at(v[2]));
  putArrow(run, l.f ? FORCE : JOINT, l.f ? 'f' : 't', (k) => run.at(f.r[k]), along, () => sizeOf(run, l));
}

function addLook(run, girth, l, index) {
  const frame = run.frames[l.frame];
  switch (l.form) {
    case 'body': addBody(run, girth, l, index); break;
    case 'ball': {
      const d = 2 * (l.radius !== undefined ? run.at(l.radius) : ballOf(run.at(l.m), girth));
      addFixed('sphere', run, frame, new THREE.Vector3(), new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), d, d, d,
        BODIES[index % BODIES.length]);
      break;
    }
    case 'wheel': addWheel(run, girth, l); break;
    case 'coil': addCoil(run, girth, l); break;
    case 'rod': addRod(run, girth, l); break;
    case 'joint': addJoint(run, girth, frame, l.n ? run.vector(l.n).normalize() : null); break;
    case 'anchor': {
      const d = 0.03 * girth;
      addFixed('box', run, frame, new THREE.Vector3(), new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), d, d, d, REST);
      break;
    }
    case 'plate': addPlate(run, l); break;
    case 'surface': addSurface(run, l); break;
    case 'road': addRoad(run, l); break;
    case 'arrow': addForce(run, l); break;
  }
}

const around = (name) => name.slice(0, Math.max(0, name.lastIndexOf('.')));
for (const run of runs) measureArrows(run);
for (const run of runs) {
  const girth = girthOf(run);
  run.looks = new Set();
  run.shells = new Set();
  run.owners = new Set(run.frames.map((f) => around(f.name)));
  for (const s of run.solids) addSolid(run, s);
  // shapes that the model itself has come before the looks of its library
  const given = run.forms.filter((l) => !run.looks.has(l.name) && !run.shells.has(around(l.name)));
  for (const l of run.forms) run.looks.add(l.name);
  given.forEach((l, k) => { run.row(0); addLook(run, girth, l, k); });
  for (const p of run.parts) addPart(run, girth, p);
  addLonely(run);
}

// ---- the page ----

const el = (tag, attributes = {}, ...children) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes))
    if (k in e) e[k] = v; else e.setAttribute(k, v);
  e.append(...children);
  return e;
};

const stage = el('div', {id: 'stage'}), curves = el('div', {id: 'curves'});
const playing = el('button', {title: 'space', 'aria-label': 'play or stop'}, '\u25b6');
const slider = el('input', {type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'time'});
const clock = el('span', {id: 'clock'});
const speeds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100];
if (!speeds.includes(RUNG.speed)) speeds.push(RUNG.speed);
const speed = el('select', {'aria-label': 'speed'},
  ...speeds.sort((a, b) => a - b).map((s) => el('option', {value: s, selected: s === RUNG.speed}, s + ' \u00d7')));
const list = el('details', {id: 'list'}), views = el('div', {id: 'views'});
stage.append(list, views);
document.body.append(el('div', {id: 'page'}, stage, curves,
  el('div', {id: 'bar'}, playing, slider, speed, clock)));
document.title = [...new Set(runs.map((r) => r.model))].join(', ') + ' \u2013 rung';

let renderer;
try {
  renderer = new THREE.WebGLRenderer({antialias: true, alpha: true, preserveDrawingBuffer: true});
} catch (e) {
  stage.append(el('div', {id: 'message'}, 'This browser does not offer WebGL, by which the picture is drawn.'));
  throw e;
}
renderer.setPixelRatio(window.devicePixelRatio);
stage.prepend(renderer.domElement);

const scene = new THREE.Scene();
scene.add(new THREE.HemisphereLight(0xffffff, 0x8890a0, 0.75));
const sun = new THREE.DirectionalLight(0xffffff, 0.55);
scene.add(sun);

const camera = new THREE.PerspectiveCamera(40, 1, scale / 1000, scale * 100);
camera.up.set(RUNG.up === 'x', RUNG.up === 'y', RUNG.up === 'z'); // the controls turn about this axis
const controls = new THREE.OrbitControls(camera, renderer.domElement);
const everything = new THREE.Box3();
runs.forEach((r, i) => everything.union(boxes[i].clone().translate(r.offset)));
// Parts are larger than their frames: the picture has to hold them, and what the camera goes along with is as large.
function measureItems() {
  const m = new Float64Array(16), all = [...forms.values()].flatMap((f) => f.form === 'file' ? [] : f.items);
  for (const run of runs) {
    const items = all.filter((item) => item.run === run && !item.isGround), first = [], moves = [], seen = [];
    for (const k of someRows(run, RUNG.live ? 1 : 20)) {
      run.row(k);
      const spots = items.map((item) => item.place(m, 0) && [[12, 13, 14].map((i) => m[i]),
        [0, 1, 2].map((i) => (Math.abs(m[i]) + Math.abs(m[i + 4]) + Math.abs(m[i + 8])) / 2)]);
      seen.push(spots);
      spots.forEach((spot, i) => {
        if (!spot) return;
        first[i] = first[i] || spot[0];
        moves[i] = moves[i] || Math.hypot(...spot[0].map((x, j) => x - first[i][j])) > 1e-3 * scale;
        const at = new THREE.Vector3(...spot[0]).add(run.offset), half = new THREE.Vector3(...spot[1]);
        everything.union(new THREE.Box3(at.clone().sub(half), at.add(half)));
      });
    }
    if (!followed || followed.run !== run || RUNG.follow) continue;
    for (const spots of seen) {
      const box = new THREE.Box3();
      spots.forEach((spot, i) => {
        if (!spot || !moves[i]) return;
        const at = new THREE.Vector3(...spot[0]), half = new THREE.Vector3(...spot[1]);
        box.union(new THREE.Box3(at.clone().sub(half), at.add(half)));
      });
      if (!box.isEmpty()) followed.size.max(box.getSize(new THREE.Vector3()));
    }
  }
}
measureItems();
for (const strip of strips) scene.add(strip);
// what the picture holds: everything, or what is followed, around where it is
let isFollowing = Boolean(followed), whole, centre, radius;
const place = () => meanOf(followed.spots).add(followed.run.offset);
function setWhole() {
  whole = isFollowing ? new THREE.Box3().setFromCenterAndSize(place(), followed.size) : everything;
  centre = whole.getCenter(new THREE.Vector3());
  radius = isFollowing ? followed.size.length() : Math.max(whole.getSize(new THREE.Vector3()).length() / 2, 0.3 * scale);
}
setWhole();

let upAxis = RUNG.up;
let ground, cell, gridIsSeen = surfaces.size === 0; // the model has a ground of its own
// What follows is lifted and lowered in the picture, except if it falls or climbs far.
function moveAlong() {
  const by = place().sub(centre), up = new THREE.Vector3(upAxis === 'x', upAxis === 'y', upAxis === 'z');
  const rise = by.dot(up);
  if (Math.abs(rise) < followed.size.length()) by.addScaledVector(up, -rise);
  centre.add(by);
  whole.translate(by);
  controls.target.add(by);
  camera.position.add(by);
  layGround();
}
// The lines are fixed, and those around the centre are drawn.
function layGround() {
  const up = new THREE.Vector3(upAxis === 'x', upAxis === 'y', upAxis === 'z');
  ground.position.copy(centre).addScaledVector(up, everything.min.dot(up) - 0.02 * radius - centre.dot(up));
  if (!isFollowing) return;
  for (const a of ['x', 'y', 'z'])
    if (a !== upAxis) ground.position[a] = cell * Math.round(ground.position[a] / cell);
}
function setUp(axis) {
  upAxis = axis;
  const up = new THREE.Vector3(axis === 'x', axis === 'y', axis === 'z');
  camera.up.copy(up);
  if (ground) scene.remove(ground);
  // lines 1, 2 or 5 times a power of ten apart
  const rough = radius / 4, power = Math.pow(10, Math.floor(Math.log10(rough)));
  cell = power * [1, 2, 5, 10].find((f) => f * power >= rough);
  ground = new THREE.GridHelper(20 * cell, 20, 0x8c97a5, 0xb4bdc9);
  ground.material.transparent = true;
  ground.material.opacity = 0.6;
  ground.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
  ground.visible = gridIsSeen;
  layGround();
  scene.add(ground);
}

const DIRECTIONS = {x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], '3D': [0.62, 0.38, 0.7]};
function look(name) {
  const d = new THREE.Vector3(...DIRECTIONS[name]).normalize();
  // not along the vertical
  camera.up.set(upAxis === 'x', upAxis === 'y', upAxis === 'z');
  if (name === upAxis) d.addScaledVector(new THREE.Vector3(upAxis === 'z', 0, upAxis !== 'z'), 1e-3);
  controls.target.copy(centre);
  camera.position.copy(centre).add(d);
  camera.lookAt(centre);
  camera.updateMatrixWorld();
  // as near as all corners of the box allow
  const high = Math.tan(camera.fov * Math.PI / 360), wide = high * camera.aspect;
  let distance = 0;
  for (let k = 0; k < 8; k++) {
    const p = new THREE.Vector3(k & 1 ? whole.max.x : whole.min.x, k & 2 ? whole.max.y : whole.min.y,
      k & 4 ? whole.max.z : whole.min.z).sub(centre);
    const depth = p.dot(d), q = p.applyQuaternion(camera.quaternion.clone().inverse());
    distance = Math.max(distance, depth + Math.abs(q.x) / wide, depth + Math.abs(q.y) / high);
  }
  camera.position.copy(centre).addScaledVector(d, 1.12 * distance + 0.1 * (isFollowing ? radius : scale));
  controls.update();
  draw();
}

// Instances with a colour each.
const meshes = [];
for (const {form, extra, items} of forms.values()) {
  const geometry = geometryOf(form, extra, items), colors = new Float32Array(3 * items.length);
  items.forEach((item, k) => item.color.toArray(colors, 3 * k));
  if (!geometry.getAttribute('color'))
    geometry.setAttribute('color', new THREE.InstancedBufferAttribute(colors, 3));
  const material = new THREE.MeshLambertMaterial({vertexColors: THREE.VertexColors,
    side: form === 'file' || form === 'cloth' ? THREE.DoubleSide : THREE.FrontSide});
  if (extra === GLASS) Object.assign(material, {transparent: true, opacity: 0.45, depthWrite: false});
  const mesh = new THREE.InstancedMesh(geometry, material, items.length);
  mesh.frustumCulled = false;
  scene.add(mesh);
  meshes.push({mesh, items});
}

// ---- which run is which ----

function addName(run, box) {
  const canvas = document.createElement('canvas'), high = 48, font = high * 0.7 + 'px system-ui, sans-serif';
  let g = canvas.getContext('2d');
  g.font = font;
  canvas.width = Math.ceil(g.measureText(run.file).width) + high / 2;
  canvas.height = high;
  g = canvas.getContext('2d');
  g.font = font;
  g.fillStyle = getComputedStyle(document.body).color;
  g.fillText(run.file, high / 4, high * 0.72);
  const map = new THREE.CanvasTexture(canvas);
  map.minFilter = THREE.LinearFilter; // of any size
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({map, depthTest: false}));
  const most = 1.2 * Math.max(box.max.x - box.min.x, 0.5 * scale), tall = Math.min(0.05 * scale, most * high / canvas.width);
  sprite.scale.set(tall * canvas.width / high, tall, 1);
  box.getCenter(sprite.position).add(run.offset);
  sprite.position.y = box.min.y - 1.5 * tall;
  scene.add(sprite);
}
if (runs.length > 1 || RUNG.loops) runs.forEach((r, i) => addName(r, boxes[i]));

// ---- traces ----

const traces = new Map();
function trace(run, frame, name, on) {
  const key = runs.indexOf(run) + name;
  if (traces.has(key)) { scene.remove(traces.get(key)); traces.delete(key); }
  if (on) {
    const points = [];
    for (let k = 0; k < run.rows; k++) { run.row(k); points.push(run.vector(frame.r).add(run.offset)); }
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points),
      new THREE.LineBasicMaterial({color: new THREE.Color().setHSL((traces.size * 0.37) % 1, 0.75, 0.45)}));
    line.frustumCulled = false;
    traces.set(key, line);
    scene.add(line);
  }
  show(now);
}

// frames drawn as axes
const axes = new THREE.Group();
axes.visible = false;
scene.add(axes);
function makeAxes() {
  for (const run of runs)
    for (const f of run.frames.slice(0, 2000)) {
      const a = new THREE.AxesHelper(0.08 * scale);
      a.userData = {run, f};
      a.matrixAutoUpdate = false;
      axes.add(a);
    }
}

list.append(el('summary', {}, 'parts'));
for (const run of runs) {
  if (runs.length > 1) list.append(el('b', {}, run.file));
  for (const p of run.parts.slice(0, 500)) {
    if (!p.frames.length) continue;
    const f = run.frames[p.frames[p.frames.length - 1]];
    const box = el('input', {type: 'checkbox', title: 'the path of its frame ' + f.name});
    box.addEventListener('change', () => trace(run, f, p.name, box.checked));
    list.append(el('label', {}, box, ' ' + (p.name || run.model)));
  }
  if (run.parts.length > 500) list.append(el('div', {}, run.parts.length - 500 + ' more'));
}

// ---- drawing ----

let dirty = true;
function draw() { dirty = true; }
controls.addEventListener('change', draw);

function show(t) {
  now = t;
  for (const run of runs) run.go(Math.min(run.end(), Math.max(run.begin(), t)));
  for (const {mesh, items} of meshes) {
    const m = mesh.instanceMatrix.array;
    items.forEach((item, k) => {
      if (item.place(m, 16 * k)) m[16 * k + 12] += item.run.offset.x;
      else m.fill(0, 16 * k, 16 * k + 16);
    });
    mesh.instanceMatrix.needsUpdate = true;
  }
  if (axes.visible)
    for (const a of axes.children) {
      const {run, f} = a.userData;
      a.matrix.copy(run.rotation(f.T)).setPosition(run.vector(f.r).add(run.offset));
      a.matrixWorldNeedsUpdate = true;
    }
  if (isFollowing && ground) moveAlong();
  slider.value = end > begin ? (t - begin) / (end - begin) : 0;
  clock.textContent = t.toFixed(Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(end - begin || 1))))) + ' s';
  for (const c of charts) c.cursor(t);
  draw();
}

// ---- curves that follow the time ----

// in the display unit of the signal
const shown = (s, y) => s.factor * y + s.offset;

class Chart {
  constructor(name, lines) {
    // CSV has no units: as the first result that tells them
    const scale = (lines.find(({s}) => s.unit) || lines[0]).s;
    Object.assign(this, {name, unit: scale.unit, scale, lines});
    this.canvas = el('canvas', {'aria-label': name});
    curves.append(this.canvas);
    const seek = (e) => {
      if (e.buttons !== 1) return;
      const x = (e.offsetX - this.left) / (this.width - this.left - 8);
      show(begin + Math.min(1, Math.max(0, x)) * (end - begin));
    };
    this.canvas.addEventListener('pointerdown', seek);
    this.canvas.addEventListener('pointermove', seek);
    this.low = Infinity;
    this.high = -Infinity;
    for (const {run, v} of lines)
      for (let k = 0; k < run.rows; k++) {
        const y = this.value(run, v, k);
        if (isFinite(y)) { this.low = Math.min(this.low, y); this.high = Math.max(this.high, y); }
      }
    if (!(this.high > this.low)) { this.low -= 1; this.high += 1; }
    this.left = 70;
  }
  value(run, v, k) {
    return shown(this.scale, typeof v === 'number' ? v : run.column[v.c][k]);
  }
  resize() {
    const ratio = window.devicePixelRatio, c = this.canvas;
    this.width = c.clientWidth;
    this.height = c.clientHeight;
    c.width = this.width * ratio;
    c.height = this.height * ratio;
    this.back = document.createElement('canvas');
    this.back.width = c.width;
    this.back.height = c.height;
    const g = this.back.getContext('2d'), front = getComputedStyle(document.body).color;
    g.scale(ratio, ratio);
    g.font = '12px system-ui, sans-serif';
    g.fillStyle = front;
    const top = 18, bottom = this.height - 10;
    this.x = (t) => this.left + (t - begin) / (end - begin || 1) * (this.width - this.left - 8);
    this.y = (v) => bottom - (v - this.low) / (this.high - this.low) * (bottom - top);
    g.fillText(this.name + (this.unit ? ' / ' + this.unit : ''), this.left, 13);
    g.textAlign = 'right';
    g.fillText(this.high.toPrecision(4), this.left - 6, top + 4);
    g.fillText(this.low.toPrecision(4), this.left - 6, bottom + 4);
    this.lines.forEach(({run, v}, i) => {
      g.strokeStyle = ['#2f6fb5', '#c8642b', '#3c8f4e', '#8b5bb0'][i % 4];
      g.lineWidth = 1.5;
      g.beginPath();
      for (let k = 0; k < run.rows; k++) {
        const y = this.y(this.value(run, v, k));
        if (k) g.lineTo(this.x(run.time[k]), y); else g.moveTo(this.x(run.time[k]), y);
      }
      g.stroke();
    });
  }
  cursor(t) {
    if (!this.back) return;
    const g = this.canvas.getContext('2d'), ratio = window.devicePixelRatio;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, this.canvas.width, this.canvas.height);
    g.drawImage(this.back, 0, 0);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.strokeStyle = getComputedStyle(document.body).color;
    g.beginPath();
    g.moveTo(this.x(t), 16);
    g.lineTo(this.x(t), this.height - 6);
    g.stroke();
    g.textAlign = 'right';
    g.fillStyle = g.strokeStyle;
    g.font = '12px system-ui, sans-serif';
    g.fillText(this.lines.map(({run, v}) => shown(this.scale, run.at(v)).toPrecision(5)).join('  '), this.width - 10, 13);
  }
}

const charts = [];
const names = new Map();
for (const run of runs)
  for (const s of run.signals) {
    if (!names.has(s.name)) names.set(s.name, []);
    names.get(s.name).push({run, v: s.value, s});
  }
for (const [name, lines] of names) charts.push(new Chart(name, lines));

// ---- controls ----

let isPlaying = false, last = 0, ending = () => now >= end;
function play(on) {
  if (on && ending()) show(begin);
  isPlaying = on;
  last = performance.now();
  playing.textContent = on ? '\u275a\u275a' : '\u25b6';
  draw();
}
playing.addEventListener('click', () => play(!isPlaying));
slider.addEventListener('input', () => { play(false); show(begin + slider.value * (end - begin)); });

function button(text, title, act) {
  const b = el('button', {title}, text);
  b.addEventListener('click', () => act(b));
  views.append(b);
  return b;
}
const toggle = (b) => {
  const on = b.getAttribute('aria-pressed') !== 'true';
  b.setAttribute('aria-pressed', on);
  return on;
};
for (const name of Object.keys(DIRECTIONS)) button(name, 'look along ' + name, () => look(name));
button('up: ' + upAxis, 'which axis is up', (b) => {
  setUp({y: 'z', z: 'x', x: 'y'}[upAxis]);
  b.textContent = 'up: ' + upAxis;
  look('3D');
});
if (followed)
  button('follow', 'the camera goes along', (b) => {
    isFollowing = toggle(b);
    setWhole();
    setUp(upAxis);
    look('3D');
  }).setAttribute('aria-pressed', isFollowing);
button('frames', 'axes of all frames: x red, y green, z blue', (b) => {
  axes.visible = toggle(b);
  if (axes.visible && !axes.children.length) makeAxes();
  show(now);
});
if (longest.f + longest.t > 0)
  button('forces', 'arrows of forces and torques', (b) => { arrowsAreSeen = toggle(b); show(now); })
    .setAttribute('aria-pressed', true);
button('ground', 'the grid', (b) => { gridIsSeen = ground.visible = toggle(b); draw(); })
  .setAttribute('aria-pressed', gridIsSeen);

function save(url, ending) {
  el('a', {href: url, download: (runs[0].model.replace(/[^\w.]+/g, '_') || 'view') + ending}).click();
}
button('picture', 'save as PNG', () => {
  renderer.render(scene, camera);
  save(renderer.domElement.toDataURL('image/png'), '.png');
});
if (!RUNG.live && window.MediaRecorder && renderer.domElement.captureStream)
  button('film', 'play from the beginning and save as WebM', (b) => {
    const pieces = [], film = new MediaRecorder(renderer.domElement.captureStream(60), {mimeType: 'video/webm'});
    film.ondataavailable = (e) => pieces.push(e.data);
    film.onstop = () => { b.disabled = false; save(URL.createObjectURL(new Blob(pieces)), '.webm'); };
    b.disabled = true;
    show(begin);
    play(true);
    atEnd = () => film.stop();
    film.start();
  });
let atEnd = null;

window.addEventListener('keydown', (e) => {
  if (e.target.tagName === 'SELECT') return;
  const step = (end - begin) / 200;
  if (e.target.type === 'search' || e.target.type === 'number') return;
  if (e.key === ' ') { e.preventDefault(); play(!isPlaying); }
  else if (RUNG.live) return;
  else if (e.key === 'ArrowRight' && e.target !== slider) show(Math.min(end, now + step));
  else if (e.key === 'ArrowLeft' && e.target !== slider) show(Math.max(begin, now - step));
  else if (e.key === 'Home' && e.target !== slider) show(begin);
});

let isSized = false;
function resize() {
  const w = stage.clientWidth, h = stage.clientHeight;
  // a frame inside a page, of a notebook for example, may get its size later
  if (!w || !h) return;
  renderer.setSize(w, h);
  camera.aspect = w / h;
  camera.updateProjectionMatrix();
  for (const c of charts) c.resize();
  show(now);
  if (!isSized) look('3D');
  isSized = true;
}
new ResizeObserver(resize).observe(stage);

document.body.dataset.follows = Boolean(followed);
// Of the last hundred pictures: draw calls and milliseconds of script, for tests.
const spent = [];
function measure(ms) {
  spent.push(ms);
  if (spent.length > 100) spent.shift();
  document.body.dataset.pictures = Number(document.body.dataset.pictures || 0) + 1;
  document.body.dataset.calls = renderer.info.render.calls;
  document.body.dataset.milliseconds = (spent.reduce((a, b) => a + b, 0) / spent.length).toFixed(3);
}

// On by so many seconds of the clock; live.js has its own.
let advance = (seconds) => {
  const t = now + seconds * speed.value;
  show(Math.min(t, end));
  if (t >= end && RUNG.loops) show(begin);
  else if (t >= end) { play(false); if (atEnd) { atEnd(); atEnd = null; } }
};

function frame(at) {
  requestAnimationFrame(frame);
  const before = performance.now();
  if (isPlaying) {
    const seconds = (at - last) / 1000;
    last = at;
    advance(seconds);
  }
  if (!dirty) return;
  dirty = false;
  sun.position.copy(camera.position).add(new THREE.Vector3(0.3, 1, 0.2).multiplyScalar(scale));
  renderer.render(scene, camera);
  measure(performance.now() - before);
}

setUp(RUNG.up);
resize();
show(begin);
requestAnimationFrame(frame);
if (RUNG.play && !RUNG.live) play(true);
