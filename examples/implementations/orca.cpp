// ORCA in C++17, standard library only: problems as JSON lines on stdin, results as JSON lines on stdout.
//   g++ -std=c++17 -O2 examples/implementations/orca.cpp -o orca
//   orca-exact crosscheck --run ./orca
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using Row = std::vector<double>;
using Matrix = std::vector<Row>;
using Mode = std::vector<int>;
const double PI = std::acos(-1.0), INF = std::numeric_limits<double>::infinity();

double sum(const Row& v) { return std::accumulate(v.begin(), v.end(), 0.0); }
double dot(const Row& u, const Row& v) { return std::inner_product(u.begin(), u.end(), v.begin(), 0.0); }
double square(double x) { return x * x; }
template <class F> Row make(int n, F f) { Row out(n); for (int i = 0; i < n; i++) out[i] = f(i); return out; }
template <class F> Matrix make(int n, int m, F f) {
  Matrix out(n);
  for (int i = 0; i < n; i++) out[i] = make(m, [&](int j) { return f(i, j); });
  return out;
}
Row column(const Matrix& X, int l) { return make(X.size(), [&](int i) { return X[i][l]; }); }
double least(const Row& v) { return *std::min_element(v.begin(), v.end()); }
double largest(const Row& v) { return *std::max_element(v.begin(), v.end()); }

// JSON: a scalar keeps its text (a string without its quotes), since numbers may be strings.

struct Value {
  std::string text;
  std::vector<Value> list;
  std::map<std::string, Value> fields;
  bool is_list = false;
  bool has(const std::string& name) const { return fields.count(name) && fields.at(name).text != "null"; }
  const Value& operator[](const std::string& name) const { return fields.at(name); }
};

Value parse(std::istream& in) {
  Value out;
  char c;
  in >> c;
  if (c == '{' || c == '[') {
    out.is_list = c == '[';
    const char end = out.is_list ? ']' : '}';
    while (in >> std::ws, in.peek() != end) {
      if (in.peek() == ',') in.get();
      if (out.is_list) out.list.push_back(parse(in));
      else { std::string key = parse(in).text; in >> c; out.fields[key] = parse(in); }
    }
    in.get();
  } else if (c == '"') {
    while (in.get(c) && c != '"') { out.text += c; if (c == '\\') out.text += char(in.get()); }
  } else {
    const std::string stops = ",]} \t\r";
    for (out.text = c; in && stops.find(char(in.peek())) == std::string::npos;) out.text += char(in.get());
  }
  return out;
}

double number(const Value& x) {     // stod () also reads hexadecimal numbers
  const auto slash = x.text.find('/');
  return std::stod(x.text) / (slash == std::string::npos ? 1 : std::stod(x.text.substr(slash + 1)));
}
double number(const Value& in, const char* name, double absent) { return in.has(name) ? number(in[name]) : absent; }
Row numbers(const Value& x) { return make(x.list.size(), [&](int i) { return number(x.list[i]); }); }
std::vector<Value> each(const Value& x, int count) { return x.is_list ? x.list : std::vector<Value>(count, x); }

std::string json(const std::string& made) { return made; }       // what is JSON already
std::string json(double x) { std::ostringstream out; out.precision(17); out << x; return out.str(); }
template <class T> std::string json(const std::vector<T>& list) {
  std::string out;
  for (const T& x : list) out += (out.empty() ? "" : ",") + json(x);
  return "[" + out + "]";
}
template <class T> std::string json(const std::vector<std::pair<std::string, T>>& fields) {
  std::string out;
  for (const auto& [name, x] : fields) out += (out.empty() ? "\"" : ",\"") + name + "\":" + json(x);
  return "{" + out + "}";
}
using Fields = std::vector<std::pair<std::string, std::string>>;
using Named = std::vector<std::pair<std::string, double>>;

// Orthogonal polynomials.

struct Step { double a, b; };       // of the monic recurrence pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}

std::vector<Step> stieltjes(const Row& t, const Row& w, int n) {       // b_k = 0 from the number of different nodes on
  std::vector<Step> steps(n + 1, {0, 0});
  const int count = std::set<double>(t.begin(), t.end()).size();
  Row behind(t.size(), 0), current(t.size(), 1);
  double last = 1;
  for (int k = 0; k <= n && k < count; k++) {
    const Row weighted = make(t.size(), [&](int i) { return w[i] * square(current[i]); });
    const double h = sum(weighted), a = dot(weighted, t) / h, b = h / last;
    steps[k] = {a, b};
    Row next = make(t.size(), [&](int i) { return (t[i] - a) * current[i] - b * behind[i]; });
    behind = current; current = next; last = h;
  }
  return steps;
}

// Return nodes and weights of a discrete or the empirical measure, or of a constant column.
std::pair<Row, Row> nodes(const Value& measure, const Row& x) {
  const Row t = measure.has("nodes") ? numbers(measure["nodes"]) : x;
  return {t, measure.has("weights") ? numbers(measure["weights"]) : Row(t.size(), 1.0 / t.size())};
}

std::pair<double, double> ends(const Value& measure, const Row& x) {     // of a uniform measure
  if (measure["family"].text != "uniform") return {0, 0};
  return {number(measure, "lower", least(x)), number(measure, "upper", largest(x))};
}

// Return (a_k, b_k), k = 0 ... n, with b_0 = h_0 and b_k = h_k/h_{k-1}. A measure of the indices may depend on the
// column x; its b_0 is not used.
std::vector<Step> recurrence(const Value& measure, int n, const Row& x) {
  const std::string family = measure["family"].text;
  const double a = number(measure, "alpha", 0), b = number(measure, "beta", 0), s = a + b;
  const auto [low, high] = ends(measure, x);
  if (family == "discrete" || family == "empirical" || (family == "uniform" && low == high)) {
    const auto [t, w] = nodes(measure, x);
    return stieltjes(t, w, n);
  }
  std::vector<Step> steps;
  for (int k = 0; k <= n; k++) {
    const double t = s + 2 * k, h0 = std::exp2(s + 1) * std::tgamma(a + 1) * std::tgamma(b + 1) / std::tgamma(s + 2);
    if (family == "hermite") steps.push_back({0, k ? k : std::sqrt(2 * PI)});
    else if (family == "laguerre") steps.push_back({2 * k + a + 1, k ? k * (k + a) : std::tgamma(a + 1)});
    else if (family == "normal") steps.push_back({number(measure["mean"]), k * square(number(measure["sd"]))});
    else if (family == "uniform") steps.push_back({(low + high) / 2, square((high - low) / 2 * k) / (4.0 * k * k - 1)});
    else if (k == 0) steps.push_back({(b - a) / (s + 2), h0});
    else      // for k = 1 the general formula of b_k is 0/0 at a + b = -1
      steps.push_back({(b * b - a * a) / (t * (t + 2)), k == 1 ? 4 * (a + 1) * (b + 1) / (t * t * (t + 1))
                       : 4 * k * (a + k) * (b + k) * (s + k) / (t * t * (t + 1) * (t - 1))});
  }
  return steps;
}

// Return the orthonormal polynomials p_0 ... p_n at x, one row for each.
Matrix basis(const Row& x, int n, const Value& measure) {
  const auto steps = recurrence(measure, n, x);
  Matrix P(1, Row(x.size(), 1));
  for (int k = 0; k < n; k++) P.push_back(make(x.size(), [&](int i) {
    return (x[i] - steps[k].a) * P[k][i] - (k ? steps[k].b * P[k - 1][i] : 0);
  }));
  double h = 1;
  for (int k = 0; k <= n; k++) { h *= steps[k].b; for (double& v : P[k]) v /= std::sqrt(h); }
  return P;
}

// The dual: maximise sum y_i s_i - s'Ks/2 over low_i <= s_i <= high_i, sum s_i = 0, where s_i = alpha_i y_i.

struct Dual {
  const Matrix& K;
  Row y, low, high, s, g;           // g is the gradient y - Ks

  Dual(const Matrix& K, const Row& y, const Row& C) : K(K), y(y), s(y.size(), 0), g(y) {
    low = make(y.size(), [&](int i) { return std::min(0.0, y[i] * C[i]); });
    high = make(y.size(), [&](int i) { return std::max(0.0, y[i] * C[i]); });
  }

  void solve() {                    // pairs of variables, and now and then Newton steps
    const int m = y.size();
    double best = INF, dual = 0;
    for (int round = 0, stalled = 0; round < 500 && stalled < 3; round++) {
      for (int step = 0; step < 20 * m && improve_pair(); step++) {}
      do gradient(); while (newton());
      gradient();
      double up = -INF, down = INF;
      for (int i = 0; i < m; i++) {
        if (s[i] < high[i]) up = std::max(up, g[i]);
        if (s[i] > low[i]) down = std::min(down, g[i]);
      }
      const double value = (dot(s, y) + dot(s, g)) / 2;          // the dual function, which grows
      stalled = up - down < best / 2 || value > (1 + 1e-12) * dual ? 0 : stalled + 1;
      best = std::min(best, up - down);
      dual = std::max(dual, value);
    }
  }

  void gradient() { g = make(y.size(), [&](int i) { return y[i] - dot(K[i], s); }); }

  double curvature(int i, int j) const {
    return std::max({K[i][i] + K[j][j] - 2 * K[i][j], 1e-15 * (K[i][i] + K[j][j]), 1e-300});
  }

  bool improve_pair() {             // second-order selection (SMO); false at the optimum
    int m = y.size(), i = -1, j = -1;
    double gain = 0;
    for (int k = 0; k < m; k++) if (s[k] < high[k] && (i < 0 || g[k] > g[i])) i = k;
    for (int k = 0; k < m; k++) {
      const double rise = i < 0 || s[k] == low[k] ? 0 : g[i] - g[k];
      if (rise > 0 && rise * rise > gain * curvature(i, k)) { j = k; gain = rise * rise / curvature(i, k); }
    }
    if (j < 0) return false;
    const double t = std::min({(g[i] - g[j]) / curvature(i, j), high[i] - s[i], s[j] - low[j]});
    s[i] = t == high[i] - s[i] ? high[i] : s[i] + t;
    s[j] = t == s[j] - low[j] ? low[j] : s[j] - t;
    for (int k = 0; k < m; k++) g[k] -= t * (K[k][i] - K[k][j]);
    return true;
  }

  // Move s towards the maximum over the free variables; return whether a bound was reached before it. The variable o is
  // minus the sum of the others. A pivot that is only rounding is replaced, so that s moves far in its direction.
  bool newton() {
    std::vector<int> free;
    for (int i = 0; i < int(y.size()); i++) if (low[i] < s[i] && s[i] < high[i]) free.push_back(i);
    if (free.size() < 2) return false;
    std::sort(free.begin(), free.end(), [&](int i, int j) { return K[i][i] < K[j][j]; });
    const int o = free[0], n = free.size() - 1;
    free.erase(free.begin());
    Matrix A = make(n, n + 1, [&](int p, int q) {
      const int i = free[p], j = q < n ? free[q] : o;
      return q < n ? K[i][j] - K[o][j] - K[i][o] + K[o][o] : g[i] - g[o];
    });
    for (int p = 0; p < n; p++) {
      const double tiny = 1e-13 * (K[free[p]][free[p]] + K[o][o]) + 1e-300;
      if (A[p][p] < tiny) { std::fill_n(A[p].begin(), n, 0); A[p][p] = tiny; }
      for (int i = p + 1; i < n; i++) {
        const double f = A[p][i] / A[p][p];
        for (int j = p; j <= n; j++) A[i][j] -= f * A[p][j];
      }
    }
    Row step(y.size(), 0), x(n, 0);
    for (int p = n - 1; p >= 0; p--) step[free[p]] = x[p] = (A[p][n] - dot(x, A[p])) / A[p][p];
    step[o] = -sum(step);
    const Row room = make(y.size(), [&](int i) {
      return step[i] > 0 ? (high[i] - s[i]) / step[i] : step[i] < 0 ? (low[i] - s[i]) / step[i] : INF;
    });
    const double t = std::min(1.0, least(room));
    for (int i = 0; i < int(y.size()); i++)
      s[i] = room[i] == t ? (step[i] > 0 ? high[i] : low[i]) : s[i] + t * step[i];
    return t < 1;
  }

  // Return the middle of the interval of b with the least loss sum C_i max(0, 1 - y_i g(x_i)), whose slope in b
  // grows by C_i = high_i - low_i at the kink g_i of point i.
  double bias() const {
    std::vector<int> by(y.size());
    std::iota(by.begin(), by.end(), 0);
    std::sort(by.begin(), by.end(), [&](int i, int j) { return g[i] < g[j]; });
    const double tiny = 1e-9 * (sum(high) - sum(low));
    double slope = -sum(high);
    int at = -1;
    while (slope <= -tiny) { const int i = by[++at]; slope += high[i] - low[i]; }
    return slope < tiny ? (g[by[at]] + g[by[at + 1]]) / 2 : g[by[at]];
  }
};

// Modes and indices.

int degree_of(const Mode& k) { return std::accumulate(k.begin(), k.end(), 0); }
int order_of(const Mode& k) { return k.size() - std::count(k.begin(), k.end(), 0); }

std::vector<Mode> modes_of(const Mode& n, int order, int degree) {       // with at most so many active columns
  std::vector<Mode> modes = {{}};
  for (int top : n) {
    std::vector<Mode> longer;
    for (Mode k : modes) {
      k.push_back(0);
      for (int& j = k.back(); j <= top; j++) if (order_of(k) <= order && degree_of(k) <= degree) longer.push_back(k);
    }
    modes = longer;
  }
  return modes;
}

std::string key(int i, int j) { return std::to_string(i + 1) + "," + std::to_string(j + 1); }

std::string indices(const std::vector<Mode>& modes, const Row& share, int d, int top) {
  Row order(d + 1), degree(top + 1), marginal(d), total(d), shapley(d), parity(2);
  Matrix block(d + 1, Row(top + 1)), both(d, Row(d));
  for (size_t i = 0; i < modes.size(); i++) {
    const int q = order_of(modes[i]), N = degree_of(modes[i]);
    std::vector<int> active;
    for (int l = 0; l < d; l++) if (modes[i][l] > 0) active.push_back(l);
    for (double* index : {&order[q], &degree[N], &block[q][N], &parity[N % 2]}) *index += share[i];
    if (q == 1) marginal[active[0]] += share[i];
    if (q == 2) both[active[0]][active[1]] += share[i];
    for (int l : active) { total[l] += share[i]; shapley[l] += share[i] / q; }
  }
  Named pair, threshold;
  for (int i = 0; i < d; i++) for (int j = i + 1; j < d; j++) pair.push_back({key(i, j), both[i][j]});
  for (const char* eps : {"0.1", "0.05", "0.01"}) {
    int T = 0;
    for (double F = degree[0]; F < 1 - std::stod(eps) && T < top;) F += degree[++T];
    threshold.push_back({eps, T});
  }
  const double peak = std::max_element(degree.begin(), degree.end()) - degree.begin();
  return json(Fields{{"order", json(order)}, {"degree", json(degree)}, {"block", json(block)},
    {"marginal", json(marginal)}, {"pair", json(pair)}, {"total", json(total)}, {"shapley", json(shapley)},
    {"even", json(parity[0])}, {"odd", json(parity[1])}, {"peak", json(peak)}, {"threshold", json(threshold)}});
}

// Linear, polynomial and RBF kernels: the indices are shares of the variance under the measures of "under".

std::pair<Row, Row> gauss(int n) {  // nodes in [-1, 1], and weights of sum 1: Newton's method on P_n
  Row nodes, weights;
  for (int i = 0; i < n; i++) {
    double t = std::cos(PI * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int step = 0; step < 8; step++) {
      double p = 1, q = 0;
      for (int k = 0; k < n; k++) { const double next = ((2 * k + 1) * t * p - k * q) / (k + 1); q = p; p = next; }
      slope = n * (t * p - q) / (t * t - 1);
      t -= p / slope;
    }
    nodes.push_back(t);
    weights.push_back(1 / ((1 - t * t) * slope * slope));
  }
  return {nodes, weights};
}

struct Moments { Row mean; Matrix B; };       // means of exp(-g (x_i - t)^2) and their covariances under a measure of t

Moments moments(const Row& x, double g, const Value& measure) {
  const int m = x.size();
  if (measure["family"].text == "normal") {
    const double mu = number(measure["mean"]), u = 2 * g * square(number(measure["sd"]));
    const Row a = make(m, [&](int i) { return x[i] - mu; });
    const Row mean = make(m, [&](int i) { return std::exp(-g * a[i] * a[i] / (1 + u)) / std::sqrt(1 + u); });
    return {mean, make(m, m, [&](int i, int j) {
      const double E = g * u / (1 + 2 * u) * (2 * a[i] * a[j] - u * (a[i] * a[i] + a[j] * a[j]) / (1 + u));
      return mean[i] * mean[j] * std::expm1(E + std::log1p(u * u / (1 + 2 * u)) / 2);
    })};
  }
  const auto [low, high] = ends(measure, x);
  const double width = high - low, middle = (low + high) / 2;
  if (g * width * width >= 1) {
    const auto integral = [low = low, high = high, width](double rate, double c) {
      const double z = std::sqrt(rate);
      return std::sqrt(PI) / (2 * width * z) * (std::erf(z * (high - c)) - std::erf(z * (low - c)));
    };
    const Row mean = make(m, [&](int i) { return integral(g, x[i]); });
    return {mean, make(m, m, [&](int i, int j) {
      return std::exp(-g * square(x[i] - x[j]) / 2) * integral(2 * g, (x[i] + x[j]) / 2) - mean[i] * mean[j];
    })};
  }
  auto [t, w] = width > 0 ? gauss(20) : nodes(measure, x);
  if (width > 0) for (double& v : t) v = middle + width / 2 * v;
  const double mass = sum(w);
  for (double& v : w) v /= mass;
  Matrix less = make(m, t.size(), [&, &t = t](int i, int a) { return std::expm1(-g * square(x[i] - t[a])); });
  Row mean;                         // of k - 1, so that no digits cancel if g is small
  for (Row& row : less) { mean.push_back(dot(row, w)); for (double& e : row) e -= mean.back(); }
  const Matrix B = make(m, m, [&, &w = w](int i, int j) {
    double total = 0;
    for (size_t a = 0; a < w.size(); a++) total += w[a] * less[i][a] * less[j][a];
    return total;
  });
  for (double& e : mean) e += 1;
  return {mean, B};
}

std::string rbf_indices(const Row& s, const std::vector<Moments>& columns) {       // by sums over pairs of points
  const int d = columns.size(), m = s.size();
  // Return the sums over the sets of the columns `inside` and q others, q = 0, 1, ...
  const auto by_order = [&](const std::set<int>& inside) {
    Row found(d - inside.size() + 1);
    for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) {
      Row E = {s[i] * s[j]};
      for (int l : inside) E[0] *= columns[l].B[i][j];
      for (int l = 0; l < d; l++) if (!inside.count(l)) {
        const double M = columns[l].mean[i] * columns[l].mean[j], B = columns[l].B[i][j];
        E.push_back(0);
        for (int q = E.size() - 1; q >= 0; q--) E[q] = M * E[q] + (q ? B * E[q - 1] : 0);
      }
      for (size_t q = 0; q < E.size(); q++) found[q] += E[q];
    }
    return found;
  };
  Row order = by_order({}), marginal, total, shapley;
  order[0] = 0;                     // the constant part belongs to the bias
  const double variance = sum(order);
  for (double& v : order) v /= variance;
  Named pair;
  for (int i = 0; i < d; i++) {
    const Row part = by_order({i});
    marginal.push_back(part[0] / variance);
    total.push_back(sum(part) / variance);
    shapley.push_back(sum(make(d, [&](int q) { return part[q] / (q + 1); })) / variance);
    for (int j = i + 1; j < d; j++) pair.push_back({key(i, j), by_order({i, j})[0] / variance});
  }
  return json(Fields{{"order", json(order)}, {"marginal", json(marginal)}, {"pair", json(pair)}, {"total", json(total)},
    {"shapley", json(shapley)}});
}

// Return c_k of the modes in the orthonormal polynomials of the measures: p! times the coefficient of z^p in
// exp(z r_i) prod_l sum_e (z g x_il)^e/e! T_l[e][k_l], where (t - a_0)^e = sum_k T[e][k] p_k.
Row polynomial_coefficients(const Matrix& X, const Row& s, const std::vector<Mode>& modes, int p, double g, double r,
                            const std::vector<Value>& measures) {
  const int m = X.size(), d = X[0].size();
  std::vector<Matrix> T;
  Row shifted(m, r);
  for (int l = 0; l < d; l++) {
    const auto step = recurrence(measures[l], p, column(X, l));
    T.push_back({Row(p + 1, 0)});
    T[l][0][0] = 1;
    for (int e = 0; e < p; e++) T[l].push_back(make(p + 1, [&](int k) {
      const Row& v = T[l][e];
      return (step[k].a - step[0].a) * v[k] + (k ? std::sqrt(step[k].b) * v[k - 1] : 0)
        + (k < p ? std::sqrt(step[k + 1].b) * v[k + 1] : 0);
    }));
    for (int i = 0; i < m; i++) shifted[i] += g * X[i][l] * step[0].a;
  }
  const auto powers = [p](double x) { return make(p + 1, [x](int e) { return std::pow(x, e) / std::tgamma(e + 1); }); };
  return make(modes.size(), [&](int at) {
    double total = 0;
    for (int i = 0; i < m; i++) {
      Row series = powers(shifted[i]);
      for (int l = 0; l < d; l++) {
        const Row x = powers(g * X[i][l]), last = series;
        for (int e = 0; e <= p; e++) {
          series[e] = 0;
          for (int f = 0; f <= e; f++) series[e] += last[e - f] * x[f] * T[l][f][modes[at][l]];
        }
      }
      total += s[i] * series[p];
    }
    return std::tgamma(p + 1) * total;
  });
}

std::string profile(const Value& problem) {
  const Row y = numbers(problem["y"]);
  const int m = y.size(), d = problem["X"].list[0].list.size();
  const Value& kernel = problem.has("kernel") ? problem["kernel"] : problem;      // it has them in version 3
  const std::string family = kernel.has("family") ? kernel["family"].text : "orthogonal";
  const bool orthogonal = family == "orthogonal", rbf = family == "rbf";
  Value given;                      // the measures: version 1 has one Jacobi weight
  if (orthogonal && kernel.has("measures")) given = kernel["measures"];
  else if (orthogonal) { given = problem; given.fields["family"].text = "jacobi"; }
  else if (problem.has("under")) given = problem["under"];
  else given.fields["family"].text = "empirical";
  const std::vector<Value> measures = each(given, d);
  Row C(m, 1);
  if (problem.has("C")) for (int i = 0; i < m; i++) C[i] = number(each(problem["C"], m)[i]);
  const int p = number(kernel, "degree", 1), order = number(kernel, "order", d);
  const double g = number(kernel, "gamma", 1), r = number(kernel, "coef0", 0);
  Matrix X;
  for (const Value& row : problem["X"].list) X.push_back(numbers(row));
  if (problem.has("rescale") && problem["rescale"].text == "true")
    for (int l = 0; l < d; l++) if (!orthogonal || measures[l]["family"].text == "jacobi") {
      const Row x = column(X, l);
      for (Row& row : X) row[l] = 2 * (row[l] - least(x)) / (largest(x) - least(x)) - 1;
    }

  Mode n(d, p);
  if (orthogonal) for (int l = 0; l < d; l++) n[l] = number(each(kernel["n"], d)[l]);
  const int top = orthogonal ? degree_of(n) : p;
  const std::vector<Mode> modes = rbf ? std::vector<Mode>() : modes_of(n, orthogonal ? order : p, top);
  Matrix features, K;
  if (orthogonal) {
    std::vector<Matrix> P;
    for (int l = 0; l < d; l++) P.push_back(basis(column(X, l), n[l], measures[l]));
    features = make(m, modes.size(), [&](int i, int k) {
      double value = 1;
      for (int l = 0; l < d; l++) value *= P[l][modes[k][l]][i];
      return value;
    });
    K = make(m, m, [&](int i, int j) { return dot(features[i], features[j]); });
  } else if (rbf) K = make(m, m, [&](int i, int j) {
    return std::exp(-g * sum(make(d, [&](int l) { return square(X[i][l] - X[j][l]); })));
  });
  else K = make(m, m, [&](int i, int j) { return std::pow(g * dot(X[i], X[j]) + r, p); });

  Fields out = {{"id", "\"" + problem["id"].text + "\""}, {"gram", json(K)}};
  out.push_back({"made_by", "{\"program\": \"orca.cpp\", \"C++\": \"" + std::to_string(__cplusplus) + "\"}"});
  Row s;
  if (problem.has("dual")) { s = numbers(problem["dual"]); for (int i = 0; i < m; i++) s[i] *= y[i]; }
  else {      // since sum s_i = 0, K_ij - a_i - a_j has the same solution; its digits are not lost if K is near 1
    const Row mean = make(m, [&](int i) { return sum(K[i]) / m; });
    const Row a = make(m, [&](int i) { return rbf ? mean[i] - sum(mean) / (2 * m) : 0; });
    const Matrix centred = make(m, m, [&](int i, int j) { return K[i][j] - a[i] - a[j]; });
    Dual dual(centred, y, C);
    dual.solve();
    s = dual.s;
    out.push_back({"alpha", json(make(m, [&](int i) { return s[i] * y[i]; }))});
    out.push_back({"b", json(dual.bias() - dot(a, s))});
  }
  const double noise = 1e-7 * sum(make(m, [&](int i) { return s[i] * y[i] * std::sqrt(std::max(K[i][i], 0.0)); }));
  const Row c = orthogonal ? make(modes.size(), [&](int k) { return dot(s, column(features, k)); })
    : rbf ? Row() : polynomial_coefficients(X, s, modes, p, g, r, measures);
  const double norm2 = orthogonal ? dot(c, c) : sum(make(m, [&](int i) { return s[i] * dot(K[i], s); }));
  out.push_back({"norm2", json(norm2)});
  Named coefficients;
  for (size_t k = 0; k < modes.size(); k++) {
    std::string name;
    for (int j : modes[k]) name += (name.empty() ? "" : ",") + std::to_string(j);
    coefficients.push_back({name, c[k]});
  }
  if (!rbf) out.push_back({"coefficients", json(coefficients)});
  std::string okc = "null";
  if (norm2 > noise * noise && rbf) {
    std::vector<Moments> columns;
    for (int l = 0; l < d; l++) columns.push_back(moments(column(X, l), g, measures[l]));
    okc = rbf_indices(s, columns);
  } else if (norm2 > noise * noise) {       // for polynomial kernels the constant part, the mode 0, belongs to the bias
    Row share = make(c.size(), [&](int k) { return k == 0 && !orthogonal ? 0 : c[k] * c[k]; });
    const double whole = sum(share);
    for (double& v : share) v /= whole;
    if (whole > 1e-20 * c[0] * c[0]) okc = indices(modes, share, d, top);
  }
  out.push_back({"okc", okc});
  return json(out);
}

int main() try {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    in.exceptions(std::ios::failbit);
    std::cout << profile(parse(in)) << std::endl;
  }
} catch (const std::exception& error) {
  std::cerr << "orca: the line is not a problem in JSON: " << error.what() << "\n";
  return 1;
}
