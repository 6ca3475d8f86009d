#!/usr/bin/env node
// ORCA in JavaScript: problems as JSON lines on stdin, results as JSON lines on stdout. No packages.
//   orca-exact crosscheck --run "node examples/implementations/orca.js"
"use strict";

const range = (n, first = 0) => Array.from({ length: n }, (_, i) => first + i);
const sum = (list) => list.reduce((a, b) => a + b, 0);
const dot = (u, v) => u.reduce((total, x, i) => total + x * v[i], 0);
const outer = (u, v, f) => u.map((a) => v.map((b) => f(a, b)));
const each = (value, count) => (Array.isArray(value) ? value : Array(count).fill(value));

function number(text) {
  const hex = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?$/i.exec(text);
  if (hex) return Number(hex[1] + "1") * parseInt(hex[2] + hex[3], 16) * 2 ** ((hex[4] || 0) - 4 * hex[3].length);
  const [p, q] = String(text).split("/");
  return q ? Number(p) / Number(q) : Number(p);
}

function gamma(x) {                 // Lanczos' approximation with g = 7
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  const c = [676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7];
  const t = x + 6.5, series = c.reduce((total, v, k) => total + v / (x + k), 0.9999999999998099);
  return Math.sqrt(2 * Math.PI) * t ** (x - 0.5) * Math.exp(-t) * series;
}

function erf(x) {                   // all terms of this series have one sign
  if (Math.abs(x) > 6) return Math.sign(x);
  let total = 0;
  for (let k = 1, term = x; Math.abs(term) > 1e-17 * Math.abs(total); k += 2, term *= 2 * x * x / k) total += term;
  return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * total;
}

// Return rows [a_k, b_k], k = 0 ... n, of the monic recurrence pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}, with
// b_0 = h_0 and b_k = h_k/h_{k-1}. A measure of the indices may depend on the column x; its b_0 is not used.
function recurrence(measure, n, x = []) {
  const a = number(measure.alpha), b = number(measure.beta), s = a + b;
  const [low, high] = ends(measure, x), sd = number(measure.sd);
  const rows = {
    jacobi: (k, t = s + 2 * k) => k === 0
      ? [(b - a) / (s + 2), 2 ** (s + 1) * gamma(a + 1) * gamma(b + 1) / gamma(s + 2)]
      : [(b * b - a * a) / (t * (t + 2)), k === 1 ? 4 * (a + 1) * (b + 1) / (t * t * (t + 1))
        : 4 * k * (a + k) * (b + k) * (s + k) / (t * t * (t + 1) * (t - 1))],      // 0/0 at k = 1, a + b = -1
    hermite: (k) => [0, k || Math.sqrt(2 * Math.PI)],
    laguerre: (k) => [2 * k + a + 1, k ? k * (k + a) : gamma(a + 1)],
    normal: (k) => [number(measure.mean), k * sd * sd],
    uniform: (k) => [(low + high) / 2, ((high - low) / 2 * k) ** 2 / (4 * k * k - 1)],
  }[measure.family];
  return rows && low !== high ? range(n + 1).map((k) => rows(k)) : stieltjes(...nodes(measure, x), n);
}

function stieltjes(t, w, n) {       // b_k = 0 from the number of different nodes on
  const rows = range(n + 1).map(() => [0, 0]), count = new Set(t).size;
  let behind = t.map(() => 0), current = t.map(() => 1), last = 1;
  for (let k = 0; k <= n && k < count; k++) {
    const weighted = current.map((v, i) => w[i] * v * v), h = sum(weighted);
    const [a, b] = (rows[k] = [dot(weighted, t) / h, h / last]);
    [last, behind, current] = [h, current, current.map((v, i) => (t[i] - a) * v - b * behind[i])];
  }
  return rows;
}

// Return nodes and weights of a discrete or the empirical measure, or of a constant column.
function nodes(measure, x) {
  const t = (measure.nodes || x).map(number);
  return [t, (measure.weights || Array(t.length).fill(1 / t.length)).map(number)];
}

const ends = (measure, x) => "lower" in measure ? [number(measure.lower), number(measure.upper)]
  : measure.family === "uniform" ? [Math.min(...x), Math.max(...x)] : [NaN, NaN];

// Return the orthonormal polynomials p_0 ... p_n at x, one row for each.
function basis(x, n, measure) {
  const steps = recurrence(measure, n);
  const rows = [x.map(() => 1)];
  for (let k = 0; k < n; k++)
    rows.push(x.map((v, i) => (v - steps[k][0]) * rows[k][i] - (k && steps[k][1] * rows[k - 1][i])));
  let h = 1;
  return rows.map((row, k) => { h *= steps[k][1]; return row.map((v) => v / Math.sqrt(h)); });
}

// Maximise sum y_i s_i - s'Ks/2 over 0 <= y_i s_i <= C_i, sum s_i = 0, where s_i = alpha_i y_i: pairs of variables
// by second-order selection (SMO), and now and then Newton steps on all variables that are not at a bound.
function solveDual(K, y, C) {
  const m = y.length, low = C.map((c, i) => Math.min(0, y[i] * c)), high = C.map((c, i) => Math.max(0, y[i] * c));
  const s = Array(m).fill(0), gradient = () => y.map((v, i) => v - dot(K[i], s));
  let g = gradient(), best = Infinity, dual = 0, stalled = 0;
  for (let round = 0; round < 500 && stalled < 3; round++) {
    for (let step = 0; step < 20 * m; step++) {
      let i = -1, j = -1, gain = 0;
      for (let k = 0; k < m; k++) if (s[k] < high[k] && (i < 0 || g[k] > g[i])) i = k;
      for (let k = 0; k < m; k++) {
        const rise = i < 0 || s[k] === low[k] ? 0 : g[i] - g[k];
        if (rise > 0 && rise * rise > gain * curvature(K, i, k)) [j, gain] = [k, rise * rise / curvature(K, i, k)];
      }
      if (j < 0) break;
      const t = Math.min((g[i] - g[j]) / curvature(K, i, j), high[i] - s[i], s[j] - low[j]);
      s[i] = t === high[i] - s[i] ? high[i] : s[i] + t;
      s[j] = t === s[j] - low[j] ? low[j] : s[j] - t;
      for (let k = 0; k < m; k++) g[k] -= t * (K[k][i] - K[k][j]);
    }
    while (newton(K, s, gradient(), low, high));
    g = gradient();
    const gap = Math.max(...g.filter((_, i) => s[i] < high[i])) - Math.min(...g.filter((_, i) => s[i] > low[i]));
    const value = dot(s, y.map((v, i) => (v + g[i]) / 2));       // the dual function, which grows
    stalled = gap < best / 2 || value > (1 + 1e-12) * dual ? 0 : stalled + 1;
    [best, dual] = [Math.min(best, gap), Math.max(dual, value)];
  }
  return { s, b: bias(g, y, C) };
}

const curvature = (K, i, j) => Math.max(K[i][i] + K[j][j] - 2 * K[i][j], 1e-15 * (K[i][i] + K[j][j]), 1e-300);

// Move s towards the maximum over the free variables; return whether a bound was reached before it. The variable o
// is minus the sum of the others. A pivot that is only rounding is replaced, so that s moves far in its direction.
function newton(K, s, g, low, high) {
  const inside = range(s.length).filter((i) => low[i] < s[i] && s[i] < high[i]);
  const [o, ...free] = inside.sort((i, j) => K[i][i] - K[j][j]);
  const A = free.map((i) => [...free.map((j) => K[i][j] - K[o][j] - K[i][o] + K[o][o]), g[i] - g[o]]);
  for (let p = 0; p < free.length; p++) {
    const tiny = 1e-13 * (K[free[p]][free[p]] + K[o][o]) + 1e-300;
    if (A[p][p] < tiny) A[p].fill(0, 0, free.length)[p] = tiny;
    for (let i = p + 1; i < free.length; i++) {
      const f = A[p][i] / A[p][p];
      for (let j = p; j <= free.length; j++) A[i][j] -= f * A[p][j];
    }
  }
  const step = Array(s.length).fill(0), x = Array(free.length).fill(0);
  for (let p = free.length - 1; p >= 0; p--) step[free[p]] = x[p] = (A[p].at(-1) - dot(x, A[p])) / A[p][p];
  if (free.length) step[o] = -sum(step);
  const room = step.map((v, i) => (v > 0 ? (high[i] - s[i]) / v : v < 0 ? (low[i] - s[i]) / v : Infinity));
  const t = Math.min(1, ...room);
  step.forEach((v, i) => { s[i] = room[i] === t ? (v > 0 ? high[i] : low[i]) : s[i] + t * v; });
  return t < 1;
}

// Return the middle of the interval of b with the least loss sum C_i max(0, 1 - y_i g(x_i)), whose slope in b
// grows by C_i at the kink of point i.
function bias(kinks, y, C) {
  const by = range(y.length).sort((i, j) => kinks[i] - kinks[j]), tiny = 1e-9 * sum(C);
  let slope = -sum(C.filter((_, i) => y[i] > 0)), at = -1;
  while (slope <= -tiny) slope += C[by[++at]];
  return slope < tiny ? (kinks[by[at]] + kinks[by[at + 1]]) / 2 : kinks[by[at]];
}

function modesOf(n, order) {        // the modes with at most `order` active columns
  let modes = [[]];
  for (const top of n)
    modes = modes.flatMap((k) => range(top + 1).map((j) => [...k, j])).filter((k) => active(k).length <= order);
  return modes;
}

const active = (k) => range(k.length).filter((l) => k[l] > 0);

function indices(modes, share, d, top) {
  const q = modes.map((k) => active(k).length), N = modes.map(sum);
  const names = modes.map((k) => active(k).map((l) => l + 1).join());
  const add = (pick) => sum(share.filter((_, i) => pick(i))), columns = range(d, 1);
  const degree = range(top + 1).map((t) => add((i) => N[i] === t));
  const reach = (eps) => range(top + 1).find((t) => sum(degree.slice(0, t + 1)) >= 1 - eps);
  return {
    order: range(d + 1).map((r) => add((i) => q[i] === r)),
    degree,
    block: outer(range(d + 1), range(top + 1), (r, t) => add((i) => q[i] === r && N[i] === t)),
    marginal: columns.map((l) => add((i) => names[i] === `${l}`)),
    pair: Object.fromEntries(pairs(d).map(([j, l]) => [`${j},${l}`, add((i) => names[i] === `${j},${l}`)])),
    total: columns.map((l) => add((i) => modes[i][l - 1] > 0)),
    shapley: columns.map((l) => sum(share.map((v, i) => (modes[i][l - 1] > 0 ? v / q[i] : 0)))),
    even: add((i) => N[i] % 2 === 0),
    odd: add((i) => N[i] % 2 === 1),
    peak: degree.indexOf(Math.max(...degree)),
    threshold: { 0.1: reach(0.1), 0.05: reach(0.05), 0.01: reach(0.01) },
  };
}

const pairs = (d) => range(d, 1).flatMap((j) => range(d - j, j + 1).map((l) => [j, l]));

// Linear, polynomial and RBF kernels: the indices are shares of the variance under the measures of "under".

function gauss(n) {                 // nodes in [-1, 1], and weights of sum 1: Newton's method on P_n
  const found = range(n).map((i) => {
    let t = Math.cos(Math.PI * (i + 0.75) / (n + 0.5)), slope;
    for (let step = 0; step < 8; step++) {
      let [p, q] = [1, 0];
      for (let k = 0; k < n; k++) [p, q] = [((2 * k + 1) * t * p - k * q) / (k + 1), p];
      slope = n * (t * p - q) / (t * t - 1);
      t -= p / slope;
    }
    return [t, 1 / ((1 - t * t) * slope * slope)];
  });
  return [found.map(([t]) => t), found.map(([, w]) => w)];
}

// Return the means of exp(-g (x_i - t)^2) and their covariances under a measure of t.
function moments(x, g, measure) {
  if (measure.family === "normal") {
    const a = x.map((v) => v - number(measure.mean)), u = 2 * g * number(measure.sd) ** 2;
    const mean = a.map((v) => Math.exp(-g * v * v / (1 + u)) / Math.sqrt(1 + u));
    const E = outer(a, a, (v, z) => g * u / (1 + 2 * u) * (2 * v * z - u * (v * v + z * z) / (1 + u)));
    const extra = Math.log1p(u * u / (1 + 2 * u)) / 2;
    return { mean, B: E.map((row, i) => row.map((e, j) => mean[i] * mean[j] * Math.expm1(e + extra))) };
  }
  const [low, high] = ends(measure, x), width = high - low;
  if (g * width ** 2 >= 1) {
    const integral = (rate, c, z = Math.sqrt(rate)) =>
      Math.sqrt(Math.PI) / (2 * width * z) * (erf(z * (high - c)) - erf(z * (low - c)));
    const both = (u, v) => Math.exp(-g * (u - v) ** 2 / 2) * integral(2 * g, (u + v) / 2);
    const mean = x.map((v) => integral(g, v));
    return { mean, B: outer(x, x, (u, v) => both(u, v) - integral(g, u) * integral(g, v)) };
  }
  let [t, w] = width > 0 ? gauss(20) : nodes(measure, x);
  if (width > 0) t = t.map((z) => (low + high) / 2 + width / 2 * z);
  w = w.map((v) => v / sum(w));
  const less = outer(x, t, (v, z) => Math.expm1(-g * (v - z) ** 2));    // k - 1: no digits cancel if g is small
  const mean = less.map((row) => dot(row, w)), centred = less.map((row, i) => row.map((e) => e - mean[i]));
  return { mean: mean.map((e) => 1 + e), B: outer(centred, centred, (e, f) => sum(w.map((v, a) => v * e[a] * f[a]))) };
}

function rbfIndices(s, columns) {   // by sums over pairs of points
  const d = columns.length, points = range(s.length), others = (...left) => range(d).filter((l) => !left.includes(l));
  const M = (l, i, j) => columns[l].mean[i] * columns[l].mean[j], B = (l, i, j) => columns[l].B[i][j];
  const byOrder = (inside, outside) => {    // sums over the sets of `inside` and q columns of `outside`, q = 0, 1, ...
    const found = Array(outside.length + 1).fill(0);
    for (const i of points) for (const j of points) {
      let E = [inside.reduce((e, l) => e * B(l, i, j), s[i] * s[j])];
      for (const l of outside) E = [...E, 0].map((e, q) => M(l, i, j) * e + B(l, i, j) * (q && E[q - 1]));
      E.forEach((e, q) => { found[q] += e; });
    }
    return found;
  };
  const order = byOrder([], range(d));
  order[0] = 0;                     // the constant part belongs to the bias
  const variance = sum(order), withColumn = range(d).map((l) => byOrder([l], others(l)).map((v) => v / variance));
  return {
    order: order.map((v) => v / variance),
    marginal: withColumn.map((part) => part[0]),
    pair: Object.fromEntries(pairs(d).map(([j, l]) =>
      [`${j},${l}`, byOrder([j - 1, l - 1], others(j - 1, l - 1))[0] / variance])),
    total: withColumn.map(sum),
    shapley: withColumn.map((part) => sum(part.map((v, q) => v / (q + 1)))),
  };
}

// Return c_k of the modes in the orthonormal polynomials of the measures: p! times the coefficient of z^p in
// exp(z r_i) prod_l sum_e (z g x_il)^e/e! T_l[e][k_l], where (t - a_0)^e = sum_k T[e][k] p_k.
function polynomialCoefficients(X, s, modes, p, g, r, measures) {
  const steps = X[0].map((_, l) => recurrence(measures[l], p, X.map((row) => row[l])));
  const T = steps.map((step) => {
    const J = (v) => v.map((_, k) => (step[k][0] - step[0][0]) * v[k] + (k && Math.sqrt(step[k][1]) * v[k - 1])
      + (k < p ? Math.sqrt(step[k + 1][1]) * v[k + 1] : 0));
    return range(p).reduce((T) => [...T, J(T.at(-1))], [range(p + 1).map((k) => (k === 0 ? 1 : 0))]);
  });
  const powers = (x) => range(p).reduce((list, e) => [...list, list[e] * x / (e + 1)], [1]);      // x^e/e!
  const expanded = X.map((row) => row.map((x) => powers(g * x)));
  const shifted = X.map((row) => powers(g * dot(row, steps.map((step) => step[0][0])) + r));
  const factorial = range(p, 1).reduce((a, b) => a * b, 1);
  const times = (series, x, T, k) => series.map((_, e) => sum(range(e + 1).map((f) => series[e - f] * x[f] * T[f][k])));
  const term = (k, i) => k.reduce((series, kl, l) => times(series, expanded[i][l], T[l], kl), shifted[i])[p];
  return modes.map((k) => factorial * dot(s, range(s.length).map((i) => term(k, i))));
}

function profile(problem) {
  const y = problem.y, m = y.length, d = problem.X[0].length;
  const kernel = problem.kernel || problem;             // version 3 has these fields in "kernel"
  const orthogonal = (kernel.family || "orthogonal") === "orthogonal", rbf = kernel.family === "rbf";
  const one = { family: "jacobi", alpha: problem.alpha, beta: problem.beta };       // version 1 has one weight
  const measures = each(orthogonal ? kernel.measures || one : problem.under || { family: "empirical" }, d);
  const C = each(problem.C ?? 1, m).map(number), n = each(kernel.n, d);
  const p = kernel.degree ?? 1, g = number(kernel.gamma ?? 1), r = number(kernel.coef0 ?? 0);
  const X = problem.X.map((row) => row.map(number));
  if (problem.rescale) for (let l = 0; l < d; l++) if (!orthogonal || measures[l].family === "jacobi") {
    const x = X.map((row) => row[l]), low = Math.min(...x), high = Math.max(...x);
    X.forEach((row) => { row[l] = 2 * (row[l] - low) / (high - low) - 1; });
  }
  const modes = orthogonal ? modesOf(n, kernel.order ?? d) : rbf ? []
    : modesOf(Array(d).fill(p), Math.min(d, p)).filter((k) => sum(k) <= p);
  let features, K;
  if (orthogonal) {
    const P = range(d).map((l) => basis(X.map((row) => row[l]), n[l], measures[l]));
    features = range(m).map((i) => modes.map((k) => k.reduce((value, j, l) => value * P[l][j][i], 1)));
    K = outer(features, features, dot);
  } else if (rbf) K = outer(X, X, (u, v) => Math.exp(-g * sum(u.map((x, l) => (x - v[l]) ** 2))));
  else K = outer(X, X, (u, v) => (g * dot(u, v) + r) ** p);
  const out = { id: problem.id, gram: K, made_by: { program: "orca.js", "Node.js": process.version } };
  let alpha = problem.dual && problem.dual.map(number), s;
  if (alpha) s = alpha.map((v, i) => v * y[i]);
  else {      // since sum s_i = 0, K_ij - a_i - a_j has the same solution; its digits are not lost if K is near 1
    const mean = K.map((row) => sum(row) / m), a = mean.map((v) => (rbf ? v - sum(mean) / (2 * m) : 0));
    const found = solveDual(K.map((row, i) => row.map((v, j) => v - a[i] - a[j])), y, C);
    s = found.s;
    alpha = s.map((v, i) => v * y[i]);
    Object.assign(out, { alpha, b: found.b - dot(a, s) });
  }
  const noise = 1e-7 * sum(alpha.map((v, i) => v * Math.sqrt(Math.max(K[i][i], 0))));
  const c = orthogonal ? modes.map((_, k) => sum(s.map((v, i) => v * features[i][k])))
    : rbf ? [] : polynomialCoefficients(X, s, modes, p, g, r, measures);
  out.norm2 = orthogonal ? dot(c, c) : dot(s, K.map((row) => dot(row, s)));
  if (!rbf) out.coefficients = Object.fromEntries(modes.map((k, i) => [k.join(), c[i]]));
  out.okc = null;
  if (out.norm2 <= noise * noise) return out;
  if (rbf) out.okc = rbfIndices(s, range(d).map((l) => moments(X.map((row) => row[l]), g, measures[l])));
  else {      // for polynomial kernels the constant part, the mode 0, belongs to the bias
    const square = c.map((v, i) => (i === 0 && !orthogonal ? 0 : v * v)), whole = sum(square);
    const top = orthogonal ? sum(n) : p;
    if (whole > 1e-20 * c[0] * c[0]) out.okc = indices(modes, square.map((v) => v / whole), d, top);
  }
  return out;
}

require("readline").createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(JSON.stringify(profile(JSON.parse(line))) + "\n"));
