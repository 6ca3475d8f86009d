% ORCA in GNU Octave: problems as JSON lines on stdin, results as JSON lines on stdout.
%   orca-exact crosscheck --run "octave-cli --quiet examples/implementations/orca.m"
1;

function x = number (text)
  if (isnumeric (text)) x = text; return; end
  form = '^(?<sign>[+-]?)0[xX](?<whole>[0-9a-fA-F]*)\.?(?<rest>[0-9a-fA-F]*)[pP]?(?<power>[+-]?\d*)$';
  hex = regexp (text, form, "names");
  part = strsplit (text, "/");
  if (! isempty (hex))
    power = [str2double(hex.power), 0](1 + isempty (hex.power)) - 4 * numel (hex.rest);
    digits = arrayfun (@(c) hex2dec (c), [hex.whole hex.rest]);
    x = polyval (digits, 16) * 2 ^ power * (1 - 2 * strcmp (hex.sign, "-"));
  elseif (numel (part) == 2)
    x = str2double (part{1}) / str2double (part{2});
  else
    x = str2double (text);
  end
end

function x = numbers (list)       % the numbers of a JSON list as a column
  if (isnumeric (list)) x = list(:); else x = cellfun (@number, list(:)); end
end

% Return the coefficients of the monic recurrence pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1} as rows (a_k, b_k),
% k = 0 ... n, with b_0 = h_0 and b_k = h_k/h_{k-1}.
function r = recurrence (measure, n)
  k = (0:n)';
  switch (measure.family)
    case "jacobi"
      a = number (measure.alpha); b = number (measure.beta); s = a + b; t = s + 2 * k;
      r = [(b ^ 2 - a ^ 2) ./ (t .* (t + 2)), 4 * k .* (a + k) .* (b + k) .* (s + k) ./ (t .^ 2 .* (t + 1) .* (t - 1))];
      r(1, :) = [(b - a) / (s + 2), 2 ^ (s + 1) * beta(a + 1, b + 1)];
      if (n) r(2, 2) = 4 * (a + 1) * (b + 1) / (t(2) ^ 2 * (t(2) + 1)); end   % the general formula is 0/0 at a + b = -1
    case "hermite"
      r = [0 * k, k]; r(1, 2) = sqrt (2 * pi);
    case "laguerre"
      a = number (measure.alpha);
      r = [2 * k + a + 1, k .* (k + a)]; r(1, 2) = gamma (a + 1);
    case "discrete"                % Stieltjes
      x = numbers (measure.nodes); w = ones (size (x)) / numel (x);
      if (isfield (measure, "weights") && ! isempty (measure.weights)) w = numbers (measure.weights); end
      r = zeros (n + 1, 2); h = 1; behind = 0; current = ones (size (x));
      for i = 1:n + 1
        last = h; h = sum (w .* current .^ 2);
        r(i, :) = [sum(w .* x .* current .^ 2) / h, h / last];
        following = (x - r(i, 1)) .* current - r(i, 2) * behind;
        behind = current; current = following;
      end
  end
end

% Return the orthonormal polynomials p_0 ... p_n at x, one column for each.
function P = basis (x, n, measure)
  r = recurrence (measure, n);
  P = ones (numel (x), n + 1); previous = 0;
  for k = 1:n
    P(:, k + 1) = (x - r(k, 1)) .* P(:, k) - r(k, 2) * previous;
    previous = P(:, k);
  end
  P = P ./ sqrt (cumprod (r(:, 2)))';
end

function list = each (value, count)   % a list (cell, struct array or vector) as it is, a single value count times
  if (ischar (value) || numel (value) == 1 && ! iscell (value)) list = repmat ({value}, 1, count);
  elseif (iscell (value)) list = value(:)';
  else list = num2cell (value(:)');
  end
end

% Solve the dual by qp (), an active-set method, in z = D alpha with D = sqrt (diag (K)). K may be singular, so
% proximal steps are used.
function [alpha, b] = solve_dual (K, y, C, D)
  r = 1e-7; m = numel (y);
  Q = K .* ((y ./ D) * (y ./ D)');
  Q = (Q + Q') / 2 + r * eye (m);
  total = [sum(C(y > 0)), sum(C(y < 0))];               % a feasible point inside the box
  z = D .* C * min (total) / 2 ./ ((y > 0) * total(1) + (y < 0) * total(2));
  last = zeros (m, 1);
  for step = 1:8
    z = qp (z, Q, -1 ./ D - r * last, (y ./ D)', 0, zeros (m, 1), C .* D, struct ("MaxIter", 1000));
    last = z;
  end
  alpha = min (max (z ./ D, 0), C);
  [kinks, by] = sort (y - K * (y .* alpha));            % the loss has its least value where the slope changes sign
  slope = cumsum (C(by)) - total(1); tiny = 1e-9 * sum (C);
  first = find (slope > -tiny, 1);
  if (slope(first) < tiny) first = [first, first + 1]; end
  b = mean (kinks(first));
end

function modes = modes_of (n, order)  % those with at most so many active columns, one row for each
  modes = zeros (1, 0);
  for top = n
    modes = [repmat(modes, top + 1, 1), repelem((0:top)', rows (modes), 1)];
    modes = modes(sum (modes > 0, 2) <= order, :);
  end
end

% Linear, polynomial and RBF kernels: the indices are shares of the variance under the measures of "under".

function [t, w] = nodes_of (measure, x)   % of an empirical or a discrete measure, or of a constant column
  t = x; if (isfield (measure, "nodes")) t = numbers (measure.nodes); end
  w = ones (size (t));
  if (isfield (measure, "weights") && ! isempty (measure.weights)) w = numbers (measure.weights); end
  w /= sum (w);
end

function ends = ends_of (measure, x)
  ends = [min(x), max(x)];
  if (isfield (measure, "lower")) ends = [number(measure.lower), number(measure.upper)]; end
end

% Return rows (a_k, b_k), k = 0 ... n, of the recurrence of a measure of the indices; b_k = 0 from the number of
% nodes on, since the powers of higher degree are combinations of lower ones there.
function r = index_recurrence (measure, x, n)
  k = (0:n)'; ends = ends_of (measure, x);
  switch (measure.family)
    case "normal"
      r = [repmat(number (measure.mean), n + 1, 1), number(measure.sd) ^ 2 * k]; return;
    case "uniform"
      if (ends(1) < ends(2))
        r = [repmat(mean (ends), n + 1, 1), (diff (ends) / 2 * k) .^ 2 ./ (4 * k .^ 2 - 1)]; return;
      end
    case {"jacobi", "hermite", "laguerre"}
      r = recurrence (measure, n); return;
  end
  [t, w] = nodes_of (measure, x);
  [t, ~, place] = unique (t); w = accumarray (place(:), w);
  known = recurrence (struct ("family", "discrete", "nodes", t, "weights", w), min (n, numel (t) - 1));
  r = [known; zeros(n + 1 - rows (known), 2)];
end

% Return the means of exp (-g (x_i - t)^2) and their covariances under a measure of t.
function [M, B] = moments (x, g, measure)
  ends = ends_of (measure, x); width = diff (ends);
  if (strcmp (measure.family, "normal"))
    a = x - number (measure.mean); u = 2 * g * number (measure.sd) ^ 2;
    M = exp (-g * a .^ 2 / (1 + u)) / sqrt (1 + u);
    E = g * u * (2 * a * a' - u / (1 + u) * (a .^ 2 + a' .^ 2)) / (1 + 2 * u);
    B = M * M' .* expm1 (E + log1p (u ^ 2 / (1 + 2 * u)) / 2);
    return;
  elseif (strcmp (measure.family, "uniform") && width > 0)
    if (g * width ^ 2 >= 1)
      integral = @(rate, centre) sqrt (pi / rate) / (2 * width) ...
        * (erf (sqrt (rate) * (ends(2) - centre)) - erf (sqrt (rate) * (ends(1) - centre)));
      M = integral (g, x);
      B = exp (-g / 2 * (x - x') .^ 2) .* integral (2 * g, (x + x') / 2) - M * M';
      return;
    end
    k = 1:19; off = diag (k ./ sqrt (4 * k .^ 2 - 1), 1);
    [V, nodes] = eig (off + off');          % Gauss quadrature with 20 nodes
    t = mean (ends) + width / 2 * diag (nodes); w = V(1, :)' .^ 2;
  else
    [t, w] = nodes_of (measure, x);
  end
  less = expm1 (-g * (x - t') .^ 2);        % k - 1, so that no digits cancel if g is small
  M = 1 + less * w;
  centred = less - less * w;
  B = centred * (w .* centred');
end

% Return s'E_q s with the coefficients E_q in t of start * prod (M_l + t B_l).
function v = by_order (s, start, M, B, others)
  E = {start};
  for l = others
    E = cellfun (@(a, b) M{l} .* a + B{l} .* b, [E, {0}], [{0}, E], "UniformOutput", false);
  end
  v = cellfun (@(part) s' * part * s, E);
end

function okc = rbf_indices (s, X, g, measures)   % the shares, by sums over pairs of points
  d = columns (X); M = B = cell (1, d);
  for l = 1:d [mean_l, B{l}] = moments (X(:, l), g, measures{l}); M{l} = mean_l * mean_l'; end
  order = by_order (s, ones (numel (s)), M, B, 1:d);
  order(1) = 0;                             % the constant part belongs to the bias
  okc.order = order / sum (order);
  okc.pair = containers.Map ();
  for i = 1:d
    part = by_order (s, B{i}, M, B, setdiff (1:d, i)) / sum (order);
    okc.marginal(i) = part(1); okc.total(i) = sum (part); okc.shapley(i) = sum (part ./ (1:d));
    for j = i + 1:d
      rest = by_order (s, B{i} .* B{j}, M, B, setdiff (1:d, [i, j]));
      okc.pair(sprintf ("%d,%d", i, j)) = rest(1) / sum (order);
    end
  end
end

% Return the modes with k_1 + ... + k_d <= p, and c_k in the orthonormal polynomials of the measures: p! times the
% coefficient of z^p in exp (z r_i) prod_l sum_e (z g x_il)^e/e! T_l(k_l, e), where (t - centre)^e = sum_k T(k, e) p_k.
function [modes, c] = polynomial_coefficients (X, s, p, g, r, measures)
  d = columns (X); T = cell (1, d); shifted = r;
  modes = modes_of (repmat (p, 1, d), min (d, p)); modes = modes(sum (modes, 2) <= p, :);
  for l = 1:d
    step = index_recurrence (measures{l}, X(:, l), p);
    J = diag (step(:, 1) - step(1, 1)) + diag (sqrt (step(2:end, 2)), 1) + diag (sqrt (step(2:end, 2)), -1);
    T{l} = eye (p + 1, 1);
    for e = 1:p T{l}(:, e + 1) = J * T{l}(:, e); end
    shifted += g * X(:, l) * step(1, 1);
  end
  fact = factorial (0:p); c = zeros (rows (modes), 1);
  for k = 1:rows (modes)
    series = shifted .^ (0:p) ./ fact;
    for l = 1:d
      factors = (g * X(:, l)) .^ (0:p) ./ fact .* T{l}(modes(k, l) + 1, :);
      product = zeros (size (series));
      for e = 0:p product(:, e + 1:end) += factors(:, e + 1) .* series(:, 1:end - e); end
      series = product;
    end
    c(k) = fact(end) * (s' * series(:, end));
  end
end

function out = standard_profile (problem, X, y, C)
  kernel = problem.kernel; [m, d] = size (X); p = 1; g = 1; r = 0;
  if (isfield (kernel, "degree")) p = kernel.degree; end
  if (isfield (kernel, "gamma")) g = number (kernel.gamma); end
  if (isfield (kernel, "coef0")) r = number (kernel.coef0); end
  if (! isfield (problem, "under")) problem.under = struct ("family", "empirical"); end
  measures = each (problem.under, d); gaussian = strcmp (kernel.family, "rbf");
  if (isfield (problem, "rescale") && problem.rescale) X = 2 * (X - min (X)) ./ (max (X) - min (X)) - 1; end
  if (gaussian)
    K = zeros (m);
    for l = 1:d K += (X(:, l) - X(:, l)') .^ 2; end
    K = exp (-g * K);
  else
    K = (g * X * X' + r) .^ p;
  end
  out.id = problem.id;
  out.gram = cellfun (@num2cell, num2cell (K, 2)', "UniformOutput", false);
  if (isfield (problem, "dual"))
    alpha = numbers (problem.dual);
  else                                      % since sum alpha_i y_i = 0, K_ij - a_i - a_j has the same alpha
    a = gaussian * (mean (K, 2) - mean (K(:)) / 2);
    [alpha, b] = solve_dual (K - a - a', y, C, repmat (sqrt (max (diag (K))), m, 1));   % K_ii may be 0
    out.alpha = num2cell (alpha'); out.b = b - a' * (alpha .* y);
  end
  s = alpha .* y;
  out.norm2 = s' * K * s;
  out.okc = [];
  if (out.norm2 <= (1e-7 * (alpha' * sqrt (max (diag (K), 0)))) ^ 2) return; end
  if (gaussian) out.okc = rbf_indices (s, X, g, measures); return; end
  [modes, c] = polynomial_coefficients (X, s, p, g, r, measures);
  out.coefficients = containers.Map ();
  for k = 1:numel (c) out.coefficients(sprintf ("%d,", modes(k, :))(1:end - 1)) = c(k); end
  square = c .^ 2 .* any (modes, 2);        % the constant part belongs to the bias
  if (sum (square) > 1e-20 * c(1) ^ 2) out.okc = indices (modes, square / sum (square), d, p); end
end

function out = profile (problem)
  d = numel (problem.X{1}); m = numel (problem.X);
  X = zeros (m, d);
  for i = 1:m X(i, :) = numbers (problem.X{i}); end
  kernel = problem;
  if (isfield (problem, "kernel")) kernel = problem.kernel; end       % version 3 has these fields in "kernel"
  y = numbers (problem.y); C = ones (m, 1); order = d;
  if (isfield (problem, "C")) C = numbers (each (problem.C, m)); end
  if (isfield (kernel, "family") && ! strcmp (kernel.family, "orthogonal"))
    out = standard_profile (problem, X, y, C); return;
  end
  n = numbers (each (kernel.n, d))';
  if (isfield (kernel, "order") && ! isempty (kernel.order)) order = kernel.order; end
  if (! isfield (kernel, "measures"))                   % version 1 of the format has one Jacobi weight
    kernel.measures = struct ("family", "jacobi", "alpha", problem.alpha, "beta", problem.beta);
  end
  measures = each (kernel.measures, d);
  if (isfield (problem, "rescale") && problem.rescale)
    for l = find (cellfun (@(J) strcmp (J.family, "jacobi"), measures))
      X(:, l) = 2 * (X(:, l) - min (X(:, l))) / (max (X(:, l)) - min (X(:, l))) - 1;
    end
  end
  modes = modes_of (n, order); features = ones (m, rows (modes));
  for l = 1:d
    features = features .* basis (X(:, l), n(l), measures{l})(:, modes(:, l) + 1);
  end
  K = features * features';
  out.id = problem.id;
  out.gram = cellfun (@num2cell, num2cell (K, 2)', "UniformOutput", false);
  if (isfield (problem, "dual"))
    alpha = numbers (problem.dual);
  else
    [alpha, out.b] = solve_dual (K, y, C, sqrt (diag (K)));
    out.alpha = num2cell (alpha');
  end
  c = features' * (alpha .* y);
  out.norm2 = c' * c;
  out.coefficients = containers.Map ();
  for k = 1:numel (c) out.coefficients(sprintf ("%d,", modes(k, :))(1:end - 1)) = c(k); end
  out.okc = [];
  if (out.norm2 > (1e-7 * (alpha' * sqrt (diag (K)))) ^ 2) out.okc = indices (modes, c .^ 2 / out.norm2, d, sum (n)); end
end

function okc = indices (modes, share, d, top)
  q = sum (modes > 0, 2); N = sum (modes, 2);
  okc.order = accumarray (q + 1, share, [d + 1, 1])';
  okc.degree = accumarray (N + 1, share, [top + 1, 1])';
  okc.block = accumarray ([q + 1, N + 1], share, [d + 1, top + 1]);
  active = @(S) sum (share(all ((modes > 0) == ismember (1:d, S), 2)));
  okc.marginal = arrayfun (active, 1:d);
  okc.pair = containers.Map ();
  for i = 1:d for j = i + 1:d okc.pair(sprintf ("%d,%d", i, j)) = active ([i, j]); end; end
  okc.total = share' * (modes > 0);
  okc.shapley = (share ./ max (q, 1))' * (modes > 0);
  okc.even = sum (share(mod (N, 2) == 0)); okc.odd = sum (share(mod (N, 2) == 1));
  [~, first] = max (okc.degree);
  okc.peak = first - 1;
  okc.threshold = containers.Map ();
  for eps = {"0.1", "0.05", "0.01"}
    okc.threshold(eps{1}) = find (cumsum (okc.degree) >= 1 - str2double (eps{1}), 1) - 1;
  end
end

% Write JSON without jsonencode (), which writes 15 digits and flattens lists of one element.
function text = json (x)
  if (isa (x, "containers.Map"))
    text = ["{" strjoin(cellfun (@(k) ["\"" k "\":" json(x(k))], keys (x), "UniformOutput", false), ",") "}"];
  elseif (isstruct (x))
    text = ["{" strjoin(cellfun (@(k) ["\"" k "\":" json(x.(k))], fieldnames (x)', "UniformOutput", false), ",") "}"];
  elseif (ischar (x)) text = ["\"" x "\""];
  elseif (isempty (x)) text = "null";
  elseif (iscell (x) && all (cellfun (@isnumeric, x) & cellfun (@isscalar, x)))
    text = ["[" sprintf("%.17g,", x{:})(1:end - 1) "]"];
  elseif (iscell (x)) text = ["[" strjoin(cellfun (@json, x, "UniformOutput", false), ",") "]"];
  elseif (isscalar (x)) text = sprintf ("%.17g", x);
  elseif (isrow (x)) text = json (num2cell (x));
  else text = json (num2cell (x, 2)');
  end
end

function okc = listed (okc)       % keep lists of one element as lists
  for key = intersect ({"order", "degree", "marginal", "total", "shapley"}, fieldnames (okc)')
    okc.(key{1}) = num2cell (okc.(key{1}));
  end
  if (isfield (okc, "block")) okc.block = cellfun (@num2cell, num2cell (okc.block, 2)', "UniformOutput", false); end
end

while (ischar (line = fgetl (stdin)))
  problem = jsondecode (line, "makeValidName", false);
  text = regexp (line, '"X"\s*:\s*(\[\[.*?\]\])', "tokens"){1}{1};
  rows = regexp (text(2:end - 1), '\[(.*?)\]', "tokens");    % since jsondecode () changes the shape of lists
  problem.X = cellfun (@(r) strrep (strtrim (strsplit (r{1}, ",")), "\"", ""), rows, "UniformOutput", false);
  out = profile (problem);
  if (! isempty (out.okc)) out.okc = listed (out.okc); end
  printf ("%s\n", json (out));
  fflush (stdout);
end
