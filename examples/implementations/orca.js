#!/usr/bin/env node
// ORCA in JavaScript: problems as JSON lines on stdin, results as JSON lines on stdout. No packages.
//   orca-exact crosscheck --run "node examples/implementations/orca.js"
"use strict";

const range = (n) => Array.from({ length: n }, (_, i) => i);
const sum = (list) => list.reduce((a, b) => a + b, 0);
const dot = (u, v) => u.reduce((total, x, i) => total + x * v[i], 0);
const outer = (u, v, f) => u.map((a) => v.map((b) => f(a, b)));
const column = (X, l) => X.map((row) => row[l]);
const each = (value, count) => (Array.isArray(value) ? value : Array(count).fill(value));

function number(text) {
  const hex = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?$/i.exec(text);
  if (hex) return Number(hex[1] + "1") * parseInt(hex[2] + hex[3], 16) * 2 ** ((hex[4] || 0) - 4 * hex[3].length);
  const [p, q] = String(text).split("/");
  return Number(p) / Number(q ?? 1);
}

function gamma(x) {                 // Stirling's series
  if (x < 20) return gamma(x + 1) / x;
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5) - 1 / (1680 * x ** 7);
  return Math.sqrt(2 * Math.PI / x) * (x / Math.E) ** x * Math.exp(series);
}

// Measures and their orthonormal polynomials.

// Return a measure with numbers for texts; what depends on the column x, its values or its range, is filled in.
function readMeasure({ family, ...given }, x) {
  const lower = Math.min(...x), upper = Math.max(...x);
  if (family === "empirical" || (family === "uniform" && lower === upper && !("upper" in given)))
    return readMeasure({ family: "discrete", nodes: x }, x);
  const measure = { family, lower, upper };
  for (const [name, value] of Object.entries(given))
    if (value !== null) measure[name] = Array.isArray(value) ? value.map(number) : number(value);
  if (family === "discrete") measure.weights ??= measure.nodes.map(() => 1 / measure.nodes.length);
  return measure;
}

// Return [a_k, b_k], k = 0 ... n, of the monic recurrence pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}; b_0 = h_0.
function recurrence(measure, n) {
  const { family, alpha: a, beta: b, mean, sd, lower, upper } = measure, s = a + b;
  const jacobi = (k, t = s + 2 * k) => [(b * b - a * a) / (t * (t + 2)),
    4 * k * (a + k) * (b + k) * (s + k) / (t * t * (t + 1) * (t - 1))];
  const formulas = {
    jacobi: (k) => k > 1 ? jacobi(k)
      : k === 1 ? [jacobi(1)[0], 4 * (a + 1) * (b + 1) / ((s + 2) ** 2 * (s + 3))]    // s + 1, which may be 0, cancels
      : [(b - a) / (s + 2), 2 ** (s + 1) * gamma(a + 1) * gamma(b + 1) / gamma(s + 2)],
    hermite: (k) => [0, k || Math.sqrt(2 * Math.PI)],
    laguerre: (k) => [2 * k + a + 1, k ? k * (k + a) : gamma(a + 1)],
    normal: (k) => [mean, k ? k * sd ** 2 : 1],
    uniform: (k) => [(lower + upper) / 2, k ? ((upper - lower) / 2 * k) ** 2 / (4 * k * k - 1) : 1],
  };
  return family === "discrete" ? stieltjes(measure.nodes, measure.weights, n) : range(n + 1).map(formulas[family]);
}

function stieltjes(t, w, n) {       // b_k = 0 from the number of different nodes on
  const steps = range(n + 1).map(() => [0, 0]), count = new Set(t).size;
  let previous = t.map(() => 0), current = t.map(() => 1), last = 1;
  for (let k = 0; k <= n && k < count; k++) {
    const weighted = current.map((v, i) => w[i] * v * v), h = sum(weighted);
    const [a, b] = steps[k] = [dot(weighted, t) / h, h / last];
    [last, previous, current] = [h, current, current.map((v, i) => (t[i] - a) * v - b * previous[i])];
  }
  return steps;
}

function basis(x, steps) {          // p_0(x), p_1(x), ...
  const monic = [1];
  for (const [k, [a, b]] of steps.slice(0, -1).entries()) monic.push((x - a) * monic[k] - (k && b * monic[k - 1]));
  let h = 1;
  return monic.map((v, k) => v / Math.sqrt(h *= steps[k][1]));
}

// The support vector machine.

function solve(A, b) {              // Gaussian elimination; a matrix of solveDual() needs no pivoting
  const rows = A.map((row, i) => [...row, b[i]]), n = b.length, x = Array(n).fill(0);
  for (let p = 0; p < n; p++)
    for (let i = p + 1; i < n; i++) {
      const factor = rows[i][p] / rows[p][p];
      for (let j = p; j <= n; j++) rows[i][j] -= factor * rows[p][j];
    }
  for (let p = n - 1; p >= 0; p--) x[p] = (rows[p][n] - dot(x, rows[p])) / rows[p][p];
  return x;
}

// Maximise sum a - a'Qa/2 over 0 <= a <= C, y'a = 0, where Q_ij = y_i y_j K_ij, by an interior-point method: Newton
// steps towards Qa + by = 1 + z - w, y'a = 0, a_i z_i = (C_i - a_i) w_i = mu, where mu decreases to 0.
function solveDual(K, y, C) {
  const m = y.length, Q = K.map((row, i) => row.map((v, j) => v * y[i] * y[j]));
  const limit = (list, change) => Math.min(...list.map((v, i) => (change[i] < 0 ? -v / change[i] : Infinity)));
  let a = C.map((c) => c / 2), rest = a, z = a.map(() => 1), w = z, b = 0;      // rest = C - a
  for (let round = 0; round < 200; round++) {
    const gap = dot(a, z) + dot(rest, w), mu = 0.1 * gap / (2 * m);
    if (gap <= 1e-15 * sum(a)) break;
    const diagonal = Q.map((row, i) => row[i] * (1 + 1e-14) + z[i] / a[i] + w[i] / rest[i]);     // Q may be singular
    const H = Q.map((row, i) => [...row.map((v, j) => (i === j ? diagonal[i] : v)), y[i]]);
    const r = Q.map((row, i) => 1 - dot(row, a) - b * y[i] + mu / a[i] - mu / rest[i]);
    const step = solve([...H, [...y, 0]], [...r, -dot(a, y)]), db = step.pop(), back = step.map((v) => -v);
    const dz = a.map((v, i) => (mu - z[i] * step[i]) / v - z[i]);
    const dw = rest.map((v, i) => (mu + w[i] * step[i]) / v - w[i]);
    const t = Math.min(1, 0.99 * Math.min(limit(a, step), limit(rest, back), limit(z, dz), limit(w, dw)));
    const move = (list, change) => list.map((v, i) => v + t * change[i]);
    [a, rest, z, w, b] = [move(a, step), move(rest, back), move(z, dz), move(w, dw), b + t * db];
  }
  return { alpha: a, b };
}

// Coefficients: a function is an object that has the coefficient of the mode k at the key "k_1,...,k_d".

const modeOf = (key) => key.split(",").map(Number);
const orderOf = (k) => k.filter((j) => j > 0).length;

// Return p_k(x) for the modes k with at most `order` active columns.
function features(x, steps, order) {
  let terms = [[[], 1]];
  x.forEach((xl, l) => {
    const p = basis(xl, steps[l]);
    terms = terms.flatMap(([k, v]) => p.map((pj, j) => [[...k, j], v * pj])).filter(([k]) => orderOf(k) <= order);
  });
  return Object.fromEntries(terms);
}

// Expand (g x.t + r)^p as a function of t, with t p_k = sqrt(b_{k+1}) p_{k+1} + a_k p_k + sqrt(b_k) p_{k-1}.
function expandPower(x, p, g, r, steps) {
  let power = { [x.map(() => 0)]: 1 };
  for (let e = 0; e < p; e++) {
    const next = {}, add = (k, v) => { next[k] = (next[k] ?? 0) + v; };
    for (const [key, v] of Object.entries(power)) {
      const k = modeOf(key), shifted = (l, by) => k.map((j, at) => (at === l ? j + by : j));
      add(k, r * v);
      x.forEach((xl, l) => {
        const [a, b] = steps[l][k[l]], above = steps[l][k[l] + 1][1];
        add(k, g * xl * v * a);
        add(shifted(l, 1), g * xl * v * Math.sqrt(above));
        if (k[l] > 0) add(shifted(l, -1), g * xl * v * Math.sqrt(b));
      });
    }
    power = next;
  }
  return power;
}

// RBF kernels.

// Return the means of exp(-g (x_i - t)^2) and their covariances under a measure of t.
function moments(x, g, measure) {
  if (measure.family === "normal") {
    const a = x.map((v) => v - measure.mean), u = 2 * g * measure.sd ** 2;
    const mean = a.map((v) => Math.exp(-g * v * v / (1 + u)) / Math.sqrt(1 + u));
    const E = outer(a, a, (v, z) => g * u / (1 + 2 * u) * (2 * v * z - u * (v * v + z * z) / (1 + u)));
    const extra = Math.log1p(u * u / (1 + 2 * u)) / 2;
    return { mean, B: E.map((row, i) => row.map((e, j) => mean[i] * mean[j] * Math.expm1(e + extra))) };
  }
  const { nodes: t, weights } = measure.family === "uniform" ? quadrature(measure, g) : measure;
  const w = weights.map((v) => v / sum(weights));
  const less = outer(x, t, (v, z) => Math.expm1(-g * (v - z) ** 2));    // k - 1: no digits cancel if g is small
  const mean = less.map((row) => dot(row, w)), centred = less.map((row, i) => row.map((e) => e - mean[i]));
  return { mean: mean.map((e) => 1 + e), B: outer(centred, centred, (e, f) => sum(w.map((v, a) => v * e[a] * f[a]))) };
}

// Return nodes and weights of the double exponential rule: the trapezoidal rule after t = middle + half tanh(sinh u).
function quadrature({ lower, upper }, g) {
  const half = (upper - lower) / 2, count = 36 * Math.ceil(1 + Math.sqrt(g) * half);
  const u = range(2 * count + 1).map((k) => 3.6 * (k / count - 1));
  return { nodes: u.map((v) => (lower + upper) / 2 + half * Math.tanh(Math.sinh(v))),
    weights: u.map((v) => Math.cosh(v) / Math.cosh(Math.sinh(v)) ** 2) };
}

// Indices: parts(inside) lists the variance that is due to the columns `inside` and q others, q = 0, 1, ...

const partsOfModes = (squares, d) => (inside) => {
  const found = Array(d - inside.length + 1).fill(0);
  for (const [k, v] of squares) if (inside.every((l) => k[l] > 0)) found[orderOf(k) - inside.length] += v;
  return found;
};

const partsOfRBF = (s, columns) => (inside) => {        // sums over pairs of points
  const others = columns.filter((_, l) => !inside.includes(l)), found = Array(others.length + 1).fill(0);
  for (const i of range(s.length)) for (const j of range(s.length)) {
    let E = [inside.reduce((e, l) => e * columns[l].B[i][j], s[i] * s[j])];
    for (const { mean, B } of others)
      E = [...E, 0].map((e, q) => mean[i] * mean[j] * e + B[i][j] * (q && E[q - 1]));
    E.forEach((e, q) => { found[q] += e; });
  }
  if (inside.length === 0) found[0] = 0;      // the constant part belongs to the bias
  return found;
};

function indicesByColumn(parts, d) {
  const variance = sum(parts([])), share = (...inside) => parts(inside).map((v) => v / variance);
  const pairs = range(d).flatMap((j) => range(j).map((i) => [`${i + 1},${j + 1}`, share(i, j)[0]]));
  return {
    order: share(),
    marginal: range(d).map((i) => share(i)[0]),
    pair: Object.fromEntries(pairs),
    total: range(d).map((i) => sum(share(i))),
    shapley: range(d).map((i) => sum(share(i).map((v, q) => v / (q + 1)))),
  };
}

function indicesByDegree(squares, d, top) {
  const variance = sum(column(squares, 1)), block = range(d + 1).map(() => Array(top + 1).fill(0));
  for (const [k, v] of squares) block[orderOf(k)][sum(k)] += v / variance;
  const degree = range(top + 1).map((N) => sum(column(block, N)));
  const reach = (eps) => range(top + 1).find((T) => sum(degree.slice(0, T + 1)) >= 1 - eps);
  return {
    degree, block,
    even: sum(degree.filter((_, N) => N % 2 === 0)),
    odd: sum(degree.filter((_, N) => N % 2 === 1)),
    peak: degree.indexOf(Math.max(...degree)),
    threshold: { 0.1: reach(0.1), 0.05: reach(0.05), 0.01: reach(0.01) },
  };
}

function profile(problem) {
  const y = problem.y, m = y.length, d = problem.X[0].length, X = problem.X.map((row) => row.map(number));
  const kernel = { family: "orthogonal", degree: 1, gamma: 1, coef0: 0, ...problem.kernel ?? problem };
  const orthogonal = kernel.family === "orthogonal", rbf = kernel.family === "rbf";
  const weight = { family: "jacobi", alpha: problem.alpha, beta: problem.beta };      // version 1 has one weight
  const given = each(orthogonal ? kernel.measures ?? weight : problem.under ?? { family: "empirical" }, d);
  const C = each(problem.C ?? 1, m).map(number), p = kernel.degree, n = each(kernel.n ?? p, d);
  const g = number(kernel.gamma), r = number(kernel.coef0);
  if (problem.rescale) for (const l of range(d)) if (!orthogonal || given[l].family === "jacobi") {
    const x = column(X, l), low = Math.min(...x), high = Math.max(...x);
    for (const row of X) row[l] = 2 * (row[l] - low) / (high - low) - 1;
  }
  const measures = given.map((measure, l) => readMeasure(measure, column(X, l)));
  const steps = measures.map((measure, l) => recurrence(measure, n[l]));
  const expansions = rbf ? []       // of K(x_i, t) as a function of t
    : X.map((x) => (orthogonal ? features(x, steps, kernel.order ?? d) : expandPower(x, p, g, r, steps)));
  const values = expansions.map(Object.values);
  const K = orthogonal ? outer(values, values, dot)
    : rbf ? outer(X, X, (u, v) => Math.exp(-g * sum(u.map((x, l) => (x - v[l]) ** 2))))
    : outer(X, X, (u, v) => (g * dot(u, v) + r) ** p);

  const out = { id: problem.id, gram: K, made_by: { program: "orca.js", "Node.js": process.version } };
  let alpha = problem.dual?.map(number);
  if (!alpha) {
    // Since sum alpha_i y_i = 0, K_ij - a_i - a_j has the same alpha; its digits are not lost if K is near 1.
    const mean = K.map((row) => sum(row) / m), a = mean.map((v) => (rbf ? v - sum(mean) / (2 * m) : 0));
    const found = solveDual(K.map((row, i) => row.map((v, j) => v - a[i] - a[j])), y, C);
    alpha = found.alpha;
    Object.assign(out, { alpha, b: found.b - dot(a, alpha.map((v, i) => v * y[i])) });
  }
  const s = alpha.map((v, i) => v * y[i]), noise = 1e-5 * sum(alpha.map((v, i) => v * Math.sqrt(Math.max(K[i][i], 0))));
  out.norm2 = dot(s, K.map((row) => dot(row, s)));
  if (rbf) {
    const parts = partsOfRBF(s, measures.map((measure, l) => moments(column(X, l), g, measure)));
    return { ...out, okc: out.norm2 > noise ** 2 ? indicesByColumn(parts, d) : null };
  }
  const keys = Object.keys(expansions[0]), c = keys.map((_, at) => dot(s, column(values, at)));
  out.coefficients = Object.fromEntries(keys.map((key, at) => [key, c[at]]));
  if (orthogonal) out.norm2 = dot(c, c);
  const squares = keys.map((key, at) => [modeOf(key), c[at] ** 2]).filter(([k]) => orthogonal || orderOf(k) > 0);
  const flat = out.norm2 <= noise ** 2 || sum(column(squares, 1)) <= 1e-20 * dot(c, c), top = orthogonal ? sum(n) : p;
  const okc = { ...indicesByColumn(partsOfModes(squares, d), d), ...indicesByDegree(squares, d, top) };
  return { ...out, okc: flat ? null : okc };
}

require("readline").createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(JSON.stringify(profile(JSON.parse(line))) + "\n"));
