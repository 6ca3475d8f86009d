// ORCA in C++17 with Eigen and nlohmann/json: problems as JSON lines on stdin, results as JSON lines on stdout.
//   apt install g++ libeigen3-dev nlohmann-json3-dev
//   g++ -std=c++17 -O2 examples/implementations/orca.cpp -o orca
//   orca-exact crosscheck --run ./orca
#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/Dense>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using Json = nlohmann::ordered_json;
using Vector = Eigen::ArrayXd;      // * and / act on elements; .matrix() gives the objects of linear algebra
using Table = Eigen::ArrayXXd;
using Mode = std::vector<int>;
using Terms = std::map<Mode, Vector>;         // K(x_i, t) as functions of t: for each mode one coefficient for each i
using Squares = std::map<Mode, double>;
const double PI = std::acos(-1.0), INF = std::numeric_limits<double>::infinity();

double square(double x) { return x * x; }
double dot(const Vector& u, const Vector& v) { return (u * v).sum(); }
template <class F> Vector vector(int n, F f) { return Vector::NullaryExpr(n, f); }
template <class F> Table table(int n, int m, F f) { return Table::NullaryExpr(n, m, f); }
Table outer(const Vector& u, const Vector& v) { return u.matrix() * v.matrix().transpose(); }

double number(const Json& x) {      // stod() also reads hexadecimal numbers
  if (x.is_number()) return x;
  const std::string text = x;
  const auto slash = text.find('/');
  return std::stod(text) / (slash == std::string::npos ? 1 : std::stod(text.substr(slash + 1)));
}
Vector numbers(const Json& list) { return vector(list.size(), [&](int i) { return number(list[i]); }); }
Json each(const Json& x, int count) { return x.is_array() ? x : Json(count, x); }
Json get(const Json& object, const char* name, const Json& absent) {
  return object.value(name, Json()).is_null() ? absent : object[name];
}
template <class T> Json list(const T& v) { return std::vector<double>(v.begin(), v.end()); }
Json rows(const Table& A) {
  Json out = Json::array();
  for (const auto& row : A.rowwise()) out.push_back(list(row));
  return out;
}

// Measures and their orthonormal polynomials.

struct Measure { std::string family; double alpha, beta, mean, sd, lower, upper; Vector nodes, weights; };
struct Step { double a, b; };       // of the monic recurrence pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}; b_0 = h_0
using Steps = std::vector<Step>;

Measure read_measure(const Json& in, const Vector& x) {        // what is absent depends on the column x
  const auto value = [&](const char* name, const Json& absent) { return number(get(in, name, absent)); };
  Measure out{in["family"], value("alpha", 0), value("beta", 0), value("mean", 0), value("sd", 1),
              value("lower", x.minCoeff()), value("upper", x.maxCoeff()), numbers(get(in, "nodes", list(x))), {}};
  out.weights = numbers(get(in, "weights", Json(out.nodes.size(), 1.0 / out.nodes.size())));
  if (out.family == "empirical" || (out.family == "uniform" && out.lower == out.upper)) out.family = "discrete";
  return out;
}

Steps stieltjes(const Vector& t, const Vector& w, int n) {   // b_k = 0 from the number of different nodes on
  Steps steps(n + 1, {0, 0});
  const int count = std::set<double>(t.begin(), t.end()).size();
  Vector previous = 0 * t, current = previous + 1;
  double last = 1;
  for (int k = 0; k <= n && k < count; k++) {
    const double h = dot(w, current.square()), a = dot(w * t, current.square()) / h, b = h / last;
    steps[k] = {a, b};
    const Vector next = (t - a) * current - b * previous;
    previous = current; current = next; last = h;
  }
  return steps;
}

Steps recurrence(const Measure& measure, int n) {
  const double a = measure.alpha, b = measure.beta, s = a + b;
  const auto step = [&](int k) -> Step {
    const double t = s + 2 * k;
    if (measure.family == "hermite") return {0, k ? k : std::sqrt(2 * PI)};
    if (measure.family == "laguerre") return {2 * k + a + 1, k ? k * (k + a) : std::tgamma(a + 1)};
    if (measure.family == "normal") return {measure.mean, k ? k * square(measure.sd) : 1};
    if (measure.family == "uniform") return {(measure.lower + measure.upper) / 2,
      k ? square((measure.upper - measure.lower) / 2 * k) / (4.0 * k * k - 1) : 1};
    if (k == 0) return {(b - a) / (s + 2), std::exp2(s + 1) * std::beta(a + 1, b + 1)};
    return {(b * b - a * a) / (t * (t + 2)), k == 1 ? 4 * (a + 1) * (b + 1) / (t * t * (t + 1))    // 0/0 at a + b = -1
      : 4 * k * (a + k) * (b + k) * (s + k) / (t * t * (t + 1) * (t - 1))};
  };
  if (measure.family == "discrete") return stieltjes(measure.nodes, measure.weights, n);
  Steps steps;
  for (int k = 0; k <= n; k++) steps.push_back(step(k));
  return steps;
}

std::vector<Vector> basis(const Vector& x, const Steps& steps) {         // p_0(x), p_1(x), ...
  std::vector<Vector> p = {0 * x + 1};
  for (size_t k = 0; k + 1 < steps.size(); k++)
    p.push_back((x - steps[k].a) * p[k] - (k ? steps[k].b * p[k - 1] : 0 * x));
  double h = 1;
  for (size_t k = 0; k < steps.size(); k++) p[k] /= std::sqrt(h *= steps[k].b);
  return p;
}

// Maximise sum a - a'Qa/2 over 0 <= a <= C, y'a = 0, where Q_ij = y_i y_j K_ij, by an interior-point method: Newton
// steps towards Qa + by = 1 + z - w, y'a = 0, a_i z_i = (C_i - a_i) w_i = mu, where mu decreases to 0.
std::pair<Vector, double> solve_dual(const Table& K, const Vector& y, const Vector& C) {
  const Eigen::MatrixXd Q = K * outer(y, y);
  Vector a = C / 2, rest = a, z = 0 * a + 1, w = z;       // rest = C - a
  double b = 0;
  const auto limit = [](const Vector& x, const Vector& dx) { return (dx < 0).select(-x / dx, INF).minCoeff(); };
  for (int round = 0; round < 200; round++) {
    const double gap = dot(a, z) + dot(rest, w), mu = 0.1 * gap / (2 * a.size());
    if (gap <= 1e-15 * a.sum()) break;
    const Eigen::MatrixXd barrier = (z / a + w / rest).matrix().asDiagonal();
    const auto H = (Q + barrier).ldlt();
    const Vector r = 1 - (Q * a.matrix()).array() - b * y + mu / a - mu / rest;
    const Vector u = H.solve(r.matrix()).array(), v = H.solve(y.matrix()).array();
    const double db = dot(y, u + a) / dot(y, v);
    const Vector da = u - db * v, dz = (mu - z * da) / a - z, dw = (mu + w * da) / rest - w;
    const double t = std::min(1.0, 0.99 * std::min({limit(a, da), limit(rest, -da), limit(z, dz), limit(w, dw)}));
    a += t * da; rest -= t * da; z += t * dz; w += t * dw; b += t * db;
  }
  return {a, b};
}

// Expansions in modes.

int degree_of(const Mode& k) { return std::accumulate(k.begin(), k.end(), 0); }
int order_of(const Mode& k) { return k.size() - std::count(k.begin(), k.end(), 0); }

Terms features(const Table& X, const std::vector<Steps>& steps, int order) {        // at most `order` active columns
  Terms terms = {{{}, Vector::Ones(X.rows())}};
  for (int l = 0; l < X.cols(); l++) {
    const auto p = basis(X.col(l), steps[l]);
    Terms longer;
    for (const auto& [k, v] : terms) for (size_t j = 0; j < p.size(); j++) {
      Mode next = k;
      next.push_back(j);
      if (order_of(next) <= order) longer[next] = v * p[j];
    }
    terms = longer;
  }
  return terms;
}

// Expand (g x_i.t + r)^p, with t p_k = sqrt(b_{k+1}) p_{k+1} + a_k p_k + sqrt(b_k) p_{k-1} in each column.
Terms expand_power(const Table& X, int p, double g, double r, const std::vector<Steps>& steps) {
  Terms terms = {{Mode(X.cols(), 0), Vector::Ones(X.rows())}};
  for (int e = 0; e < p; e++) {
    Terms product;
    const auto add = [&](const Mode& k, const Vector& v) { product.emplace(k, 0 * v).first->second += v; };
    for (const auto& [k, v] : terms) {
      add(k, r * v);
      for (int l = 0; l < X.cols(); l++) {
        Mode up = k, down = k;
        up[l]++, down[l]--;
        const Vector xv = g * X.col(l) * v;
        add(k, steps[l][k[l]].a * xv);
        add(up, std::sqrt(steps[l][up[l]].b) * xv);
        if (k[l] > 0) add(down, std::sqrt(steps[l][k[l]].b) * xv);
      }
    }
    terms = product;
  }
  return terms;
}

// RBF kernels.

struct Moments { Vector mean; Table B; };     // means of exp(-g (x_i - t)^2) and their covariances under a measure of t

Moments moments(const Vector& x, double g, Measure measure) {
  const int m = x.size();
  if (measure.family == "normal") {
    const double u = 2 * g * square(measure.sd);
    const Vector a = x - measure.mean, mean = (-g * a.square() / (1 + u)).exp() / std::sqrt(1 + u);
    return {mean, table(m, m, [&](int i, int j) {
      const double E = g * u / (1 + 2 * u) * (2 * a[i] * a[j] - u * (a[i] * a[i] + a[j] * a[j]) / (1 + u));
      return mean[i] * mean[j] * std::expm1(E + std::log1p(u * u / (1 + 2 * u)) / 2);
    })};
  }
  if (measure.family == "uniform") {          // the trapezoidal rule after t = middle + half tanh(sinh v)
    const double half = (measure.upper - measure.lower) / 2;
    const Vector v = Vector::LinSpaced(72 * std::ceil(1 + std::sqrt(g) * half) + 1, -3.6, 3.6);
    measure.nodes = (measure.lower + measure.upper) / 2 + half * v.sinh().tanh();
    measure.weights = v.cosh() / v.sinh().cosh().square();
  }
  const Vector w = measure.weights / measure.weights.sum();
  Table less = table(m, w.size(), [&](int i, int a) { return std::expm1(-g * square(x[i] - measure.nodes[a])); });
  const Vector mean = less.matrix() * w.matrix();         // of k - 1, so that no digits cancel if g is small
  less.colwise() -= mean;
  const Table weighted = less.rowwise() * w.transpose();
  return {mean + 1, weighted.matrix() * less.matrix().transpose()};
}

// Indices: parts(inside) lists the variance that is due to the columns `inside` and q others, q = 0, 1, ...

using Parts = std::function<Vector(const std::set<int>&)>;

Parts parts_of_modes(const Squares& squares, int d) {
  return [=](const std::set<int>& inside) {
    Vector found = Vector::Zero(d - inside.size() + 1);
    for (const auto& [k, v] : squares)
      if (std::all_of(inside.begin(), inside.end(), [&, &k = k](int l) { return k[l] > 0; }))
        found[order_of(k) - inside.size()] += v;
    return found;
  };
}

Parts parts_of_rbf(const Vector& s, const std::vector<Moments>& columns) {
  return [=](const std::set<int>& inside) {
    std::vector<Table> E = {outer(s, s)};     // sums over the entries of E[q]: the coefficients of z^q in the product
    for (int l : inside) E[0] *= columns[l].B;
    for (int l = 0; l < int(columns.size()); l++) if (!inside.count(l)) {         // of M_l + z B_l over the others
      const Table M = outer(columns[l].mean, columns[l].mean);
      E.push_back(0 * M);
      for (int q = E.size() - 1; q > 0; q--) E[q] = M * E[q] + columns[l].B * E[q - 1];
      E[0] *= M;
    }
    if (inside.empty()) E[0] = 0;             // the constant part belongs to the bias
    return vector(E.size(), [&](int q) { return E[q].sum(); });
  };
}

Json indices_by_column(const Parts& parts, int d) {
  const double variance = parts({}).sum();
  Json out = {{"order", list(parts({}) / variance)}, {"pair", Json::object()}};
  for (int i = 0; i < d; i++) {
    const Vector share = parts({i}) / variance;
    out["marginal"].push_back(share[0]);
    out["total"].push_back(share.sum());
    out["shapley"].push_back((share / Vector::LinSpaced(d, 1, d)).sum());
    for (int j = i + 1; j < d; j++)
      out["pair"][std::to_string(i + 1) + "," + std::to_string(j + 1)] = parts({i, j})[0] / variance;
  }
  return out;
}

Json indices_by_degree(const Squares& squares, double variance, int d, int top) {
  Table block = Table::Zero(d + 1, top + 1);
  for (const auto& [k, v] : squares) block(order_of(k), degree_of(k)) += v / variance;
  const Vector degree = block.colwise().sum(), odd = vector(top + 1, [](int N) { return N % 2; });
  int peak;
  degree.maxCoeff(&peak);
  Json out = {{"degree", list(degree)}, {"block", rows(block)}, {"peak", peak},
              {"even", dot(degree, 1 - odd)}, {"odd", dot(degree, odd)}};
  for (const char* eps : {"0.1", "0.05", "0.01"}) {
    int T = 0;
    while (T < top && degree.head(T + 1).sum() < 1 - std::stod(eps)) T++;
    out["threshold"][eps] = T;
  }
  return out;
}

Json profile(const Json& problem) {
  const int m = problem["X"].size(), d = problem["X"][0].size();
  Table X = table(m, d, [&](int i, int l) { return number(problem["X"][i][l]); });
  const Vector y = numbers(problem["y"]), C = numbers(each(get(problem, "C", 1), m));
  const Json kernel = get(problem, "kernel", problem);   // version 3 has these fields in "kernel"
  const std::string family = get(kernel, "family", "orthogonal");
  const bool orthogonal = family == "orthogonal", rbf = family == "rbf";
  const int p = get(kernel, "degree", 1), order = get(kernel, "order", d);
  const double g = number(get(kernel, "gamma", 1)), r = number(get(kernel, "coef0", 0));
  const Vector n = numbers(each(get(kernel, "n", p), d));
  Json weight = problem;                                  // version 1 has one Jacobi weight
  weight["family"] = "jacobi";
  const Json given = each(orthogonal ? get(kernel, "measures", weight)
                                     : get(problem, "under", {{"family", "empirical"}}), d);
  std::vector<Measure> measures;
  std::vector<Steps> steps;
  for (int l = 0; l < d; l++) {
    const double low = X.col(l).minCoeff(), high = X.col(l).maxCoeff();
    if (get(problem, "rescale", false) && (!orthogonal || given[l]["family"] == "jacobi"))
      X.col(l) = 2 * (X.col(l) - low) / (high - low) - 1;
    measures.push_back(read_measure(given[l], X.col(l)));
    steps.push_back(recurrence(measures[l], n[l]));
  }
  Terms terms;
  Table K = Table::Zero(m, m);
  if (orthogonal) terms = features(X, steps, order);
  else if (!rbf) terms = expand_power(X, p, g, r, steps);
  if (orthogonal) for (const auto& [k, v] : terms) K += outer(v, v);
  else K = table(m, m, [&](int i, int j) {
    return rbf ? std::exp(-g * (X.row(i) - X.row(j)).square().sum()) : std::pow(g * dot(X.row(i), X.row(j)) + r, p);
  });

  Json out = {{"id", problem["id"]}, {"gram", rows(K)}, {"okc", nullptr}};
  out["made_by"] = {{"program", "orca.cpp"}, {"C++", std::to_string(__cplusplus)}};
  Vector alpha;
  if (problem.contains("dual")) alpha = numbers(problem["dual"]);
  else {      // since sum alpha_i y_i = 0, K_ij - a_i - a_j has the same alpha; its digits are not lost if K is near 1
    Vector a = Vector::Zero(m), one = Vector::Ones(m);
    if (rbf) a = K.rowwise().mean() - K.mean() / 2;
    const auto [solution, b] = solve_dual(K - outer(a, one) - outer(one, a), y, C);
    alpha = solution;
    out["alpha"] = list(alpha);
    out["b"] = b - dot(a, alpha * y);
  }
  const Vector s = alpha * y, diagonal = K.matrix().diagonal();
  Squares squares;
  double variance = 0, constant = 0;
  for (const auto& [k, v] : terms) {
    std::string key;
    for (int j : k) key += (key.empty() ? "" : ",") + std::to_string(j);
    const double c = dot(s, v);
    out["coefficients"][key] = c;
    if (orthogonal || order_of(k) > 0) variance += squares[k] = c * c;
    else constant = c * c;                    // it belongs to the bias
  }
  const double norm2 = orthogonal ? variance : dot(s, K.matrix() * s.matrix());
  out["norm2"] = norm2;
  if (norm2 <= square(1e-5 * dot(alpha, diagonal.max(0).sqrt())) || (!rbf && variance <= 1e-20 * constant)) return out;
  if (rbf) {
    std::vector<Moments> columns;
    for (int l = 0; l < d; l++) columns.push_back(moments(X.col(l), g, measures[l]));
    out["okc"] = indices_by_column(parts_of_rbf(s, columns), d);
  } else {
    out["okc"] = indices_by_column(parts_of_modes(squares, d), d);
    out["okc"].update(indices_by_degree(squares, variance, d, orthogonal ? n.sum() : p));
  }
  return out;
}

int main() try {
  for (std::string line; std::getline(std::cin, line);) std::cout << profile(Json::parse(line)) << std::endl;
} catch (const std::exception& error) {
  std::cerr << "orca: the line is not a problem in JSON: " << error.what() << "\n";
  return 1;
}
