% ORCA in GNU Octave: problems as JSON lines on stdin, results as JSON lines on stdout.
%   orca-exact crosscheck --run "octave-cli --quiet examples/implementations/orca.m"
warning ("off", "Octave:nearly-singular-matrix");

function x = number (text)
  if (isnumeric (text)) x = text; return; end
  form = '^(?<sign>[+-]?)0[xX](?<whole>[0-9a-fA-F]*)\.?(?<rest>[0-9a-fA-F]*)[pP]?(?<power>[+-]?\d*)$';
  hex = regexp (text, form, "names");
  if (! isempty (hex))
    power = [str2double(hex.power), 0](1 + isempty (hex.power)) - 4 * numel (hex.rest);
    digits = arrayfun (@(c) hex2dec (c), [hex.whole hex.rest]);
    x = polyval (digits, 16) * 2 ^ power * (1 - 2 * strcmp (hex.sign, "-"));
  else
    part = str2double (strsplit (text, "/"));
    x = part(1) / [part, 1](2);
  end
end

function x = numbers (list)           % the numbers of a JSON list as a column
  if (isnumeric (list)) x = list(:); else x = cellfun (@number, list(:)); end
end

function list = each (value, count)   % a list (cell, struct array or vector) as it is, a single value count times
  if (ischar (value) || numel (value) == 1 && ! iscell (value)) list = repmat ({value}, 1, count);
  elseif (iscell (value)) list = value(:)';
  else list = num2cell (value(:)');
  end
end

function value = get_field (object, name, absent)
  if (isfield (object, name) && ! isempty (object.(name))) value = object.(name); else value = absent; end
end

% Measures and their orthonormal polynomials.

function measure = read_measure (given, x)      % what is absent depends on the column x
  measure.family = given.family;
  for name = {"alpha", "beta", "mean", "sd"}
    measure.(name{1}) = number (get_field (given, name{1}, 0));
  end
  measure.ends = [number(get_field (given, "lower", min (x))), number(get_field (given, "upper", max (x)))];
  measure.nodes = numbers (get_field (given, "nodes", x));
  measure.weights = numbers (get_field (given, "weights", ones (size (measure.nodes)) / numel (measure.nodes)));
  constant = strcmp (given.family, "uniform") && diff (measure.ends) == 0;
  if (constant || strcmp (given.family, "empirical")) measure.family = "discrete"; end
end

% Return rows (a_k, b_k), k = 0 ... n, of the monic recurrence pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}; b_0 = h_0.
function steps = recurrence (measure, n)
  k = (0:n)'; a = measure.alpha; b = measure.beta; s = a + b; t = s + 2 * k;
  switch (measure.family)
    case "jacobi"
      second = 4 * k .* (a + k) .* (b + k) .* (s + k) ./ (t .^ 2 .* (t + 1) .* (t - 1));
      second(k == 1) = 4 * (a + 1) * (b + 1) / ((s + 2) ^ 2 * (s + 3));    % the general formula is 0/0 at a + b = -1
      steps = [(b ^ 2 - a ^ 2) ./ (t .* (t + 2)), second];
      steps(1, :) = [(b - a) / (s + 2), 2 ^ (s + 1) * beta(a + 1, b + 1)];
    case "hermite"
      steps = [0 * k, k]; steps(1, 2) = sqrt (2 * pi);
    case "laguerre"
      steps = [2 * k + a + 1, k .* (k + a)]; steps(1, 2) = gamma (a + 1);
    case "normal"
      steps = [0 * k + measure.mean, measure.sd ^ 2 * k];
    case "uniform"
      steps = [0 * k + mean(measure.ends), (diff (measure.ends) / 2 * k) .^ 2 ./ (4 * k .^ 2 - 1)];
    case "discrete"
      steps = stieltjes (measure.nodes, measure.weights, n);
  end
end

function steps = stieltjes (t, w, n)            % b_k = 0 from the number of different nodes on
  steps = zeros (n + 1, 2); previous = 0; current = ones (size (t)); last = 1;
  for k = 1:min (n + 1, numel (unique (t)))
    h = sum (w .* current .^ 2);
    steps(k, :) = [sum(w .* t .* current .^ 2) / h, h / last];
    following = (t - steps(k, 1)) .* current - steps(k, 2) * previous;
    previous = current; current = following; last = h;
  end
end

function P = basis (x, steps)                   % p_0, p_1, ... at x, one column for each
  P = [zeros(numel (x), 1), ones(numel (x), 1)];
  for k = 1:rows (steps) - 1
    P(:, k + 2) = (x - steps(k, 1)) .* P(:, k + 1) - steps(k, 2) * P(:, k);
  end
  P = P(:, 2:end) ./ sqrt (cumprod (steps(:, 2)))';
end

% Maximise sum a - a'Qa/2 over 0 <= a <= C, y'a = 0, where Q_ij = y_i y_j K_ij, by an interior-point method: Newton
% steps towards Qa + by = 1 + z - w, y'a = 0, a_i z_i = (C_i - a_i) w_i = mu, where mu decreases to 0.
function [a, b] = solve_dual (K, y, C)
  Q = K .* (y * y');
  limit = @(v, change) min ([-v(change < 0) ./ change(change < 0); Inf]);
  a = rest = C / 2; z = w = ones (size (y)); b = 0;         % rest = C - a
  for round = 1:200
    gap = a' * z + rest' * w; mu = 0.1 * gap / (2 * numel (y));
    if (gap <= 1e-15 * sum (a)) break; end
    H = Q + diag (1e-14 * diag (Q) + z ./ a + w ./ rest);   % Q may be singular
    u = H \ [1 - Q * a - b * y + mu ./ a - mu ./ rest, y];
    db = y' * (u(:, 1) + a) / (y' * u(:, 2));
    da = u(:, 1) - db * u(:, 2); dz = (mu - z .* da) ./ a - z; dw = (mu + w .* da) ./ rest - w;
    t = min (1, 0.99 * min ([limit(a, da), limit(rest, -da), limit(z, dz), limit(w, dw)]));
    a += t * da; rest -= t * da; z += t * dz; w += t * dw; b += t * db;
  end
end

% Modes and expansions.

function modes = modes_of (n, order, degree)    % those with at most so many active columns, one row for each
  modes = zeros (1, 0);
  for top = n
    modes = [repmat(modes, top + 1, 1), repelem((0:top)', rows (modes), 1)];
    modes = modes(sum (modes > 0, 2) <= order & sum (modes, 2) <= degree, :);
  end
end

function F = features (X, modes, steps)         % p_k(x_i), one row for each point
  F = 1;
  for l = 1:columns (X) F = F .* basis (X(:, l), steps{l})(:, modes(:, l) + 1); end
end

% Return the coefficients of (g x_i.t + r)^p as a function of t, one row for each point: multiply p times, where the
% matrix J{l} multiplies by t_l, t p_k = sqrt (b_{k+1}) p_{k+1} + a_k p_k + sqrt (b_k) p_{k-1}.
function F = expand_power (X, modes, p, g, r, steps)
  d = columns (X); J = cell (1, d); differ = 0;
  for l = 1:d differ += (modes(:, l) != modes(:, l)'); end
  for l = 1:d
    k = modes(:, l); off = sqrt (steps{l}(2:end, 2));
    one = diag (steps{l}(:, 1)) + diag (off, 1) + diag (off, -1);
    J{l} = one(k + 1, k + 1) .* (differ == (k != k'));
  end
  F = ones (rows (X), 1) * ! any (modes, 2)';
  for e = 1:p
    next = r * F;
    for l = 1:d next += g * X(:, l) .* (F * J{l}); end
    F = next;
  end
end

% Return the means of exp (-g (x_i - t)^2) and their covariances under a measure of t.
function [M, B] = moments (x, g, measure)
  t = measure.nodes; w = measure.weights;
  if (strcmp (measure.family, "normal"))
    a = x - measure.mean; u = 2 * g * measure.sd ^ 2;
    M = exp (-g * a .^ 2 / (1 + u)) / sqrt (1 + u);
    E = g * u * (2 * a * a' - u / (1 + u) * (a .^ 2 + a' .^ 2)) / (1 + 2 * u);
    B = M * M' .* expm1 (E + log1p (u ^ 2 / (1 + 2 * u)) / 2);
    return;
  elseif (strcmp (measure.family, "uniform"))   % the trapezoidal rule after t = middle + half tanh (sinh v)
    half = diff (measure.ends) / 2;
    v = linspace (-3.6, 3.6, 72 * ceil (1 + sqrt (g) * half) + 1)';
    t = mean (measure.ends) + half * tanh (sinh (v)); w = cosh (v) ./ cosh (sinh (v)) .^ 2;
  end
  w /= sum (w);
  less = expm1 (-g * (x - t') .^ 2);            % k - 1, so that no digits cancel if g is small
  M = 1 + less * w;
  centred = less - less * w;
  B = centred * (w .* centred');
end

% Indices: parts (inside) is the variance that is due to the columns `inside` and q others, q = 0, 1, ...

function found = parts_of_modes (modes, squares, inside)
  chosen = all (modes(:, inside), 2);
  q = sum (modes(chosen, :) > 0, 2) - numel (inside);
  found = accumarray (q + 1, squares(chosen), [columns(modes) - numel(inside) + 1, 1])';
end

function found = parts_of_rbf (s, M, B, inside)
  E = {s * s'};
  for l = inside E{1} = E{1} .* B{l}; end
  for l = setdiff (1:numel (B), inside)
    E = cellfun (@(same, more) M{l} * M{l}' .* same + B{l} .* more, [E, {0}], [{0}, E], "UniformOutput", false);
  end
  found = cellfun (@(part) sum (part(:)), E);
  if (isempty (inside)) found(1) = 0; end       % the constant part belongs to the bias
end

function okc = indices_by_column (parts, d)
  order = parts ([]); variance = sum (order);
  okc.order = list (order / variance); okc.pair = struct ();
  for i = 1:d
    share = parts (i) / variance;
    okc.marginal{i} = share(1); okc.total{i} = sum (share); okc.shapley{i} = sum (share ./ (1:d));
    for j = i + 1:d okc.pair.(sprintf ("%d,%d", i, j)) = parts ([i, j])(1) / variance; end
  end
end

function okc = indices_by_degree (okc, modes, squares, top)
  q = sum (modes > 0, 2); N = sum (modes, 2);
  block = accumarray ([q + 1, N + 1], squares / sum (squares), [columns(modes) + 1, top + 1]);
  degree = sum (block, 1);
  okc.degree = list (degree); okc.block = lists (block);
  okc.even = sum (degree(1:2:end)); okc.odd = sum (degree(2:2:end));
  [~, first] = max (degree);
  okc.peak = first - 1;
  for eps = {"0.1", "0.05", "0.01"}
    okc.threshold.(eps{1}) = find (cumsum (degree) >= 1 - str2double (eps{1}), 1) - 1;
  end
end

function out = profile (problem)
  X = problem.X;
  if (isnumeric (X)) X = num2cell (X, 2); end
  X = cell2mat (cellfun (@(row) numbers (row)', X, "UniformOutput", false));
  [m, d] = size (X); y = numbers (problem.y); C = numbers (each (get_field (problem, "C", 1), m));
  kernel = get_field (problem, "kernel", problem);        % version 3 has these fields in "kernel"
  family = get_field (kernel, "family", "orthogonal");
  orthogonal = strcmp (family, "orthogonal"); rbf = strcmp (family, "rbf");
  p = get_field (kernel, "degree", 1);
  g = number (get_field (kernel, "gamma", 1)); r = number (get_field (kernel, "coef0", 0));
  n = numbers (each (get_field (kernel, "n", p), d))';
  if (! orthogonal) given = get_field (problem, "under", struct ("family", "empirical"));
  else              % version 1 has one Jacobi weight
    given = get_field (kernel, "measures", setfield (problem, "family", "jacobi"));
  end
  given = each (given, d); measures = steps = M = B = cell (1, d);
  for l = 1:d
    x = X(:, l);
    if (get_field (problem, "rescale", false) && (! orthogonal || strcmp (given{l}.family, "jacobi")))
      X(:, l) = 2 * (x - min (x)) / (max (x) - min (x)) - 1;
    end
    measures{l} = read_measure (given{l}, X(:, l));
    steps{l} = recurrence (measures{l}, n(l));
  end

  if (rbf)
    K = 0;
    for l = 1:d
      K -= g * (X(:, l) - X(:, l)') .^ 2;
      [M{l}, B{l}] = moments (X(:, l), g, measures{l});
    end
    K = exp (K);
  elseif (orthogonal)
    top = sum (n); modes = modes_of (n, get_field (kernel, "order", d), top);
    expansion = features (X, modes, steps); K = expansion * expansion';
  else
    top = p; modes = modes_of (n, d, p);
    expansion = expand_power (X, modes, p, g, r, steps); K = (g * X * X' + r) .^ p;
  end
  out.id = problem.id; out.gram = lists (K); out.okc = [];
  out.made_by = struct ("program", "orca.m", "Octave", OCTAVE_VERSION);
  if (isfield (problem, "dual"))
    alpha = numbers (problem.dual);
  else              % since sum alpha_i y_i = 0, K_ij - a_i - a_j has the same alpha
    a = rbf * (mean (K, 2) - mean (K(:)) / 2);
    [alpha, b] = solve_dual (K - a - a', y, C);
    out.alpha = list (alpha); out.b = b - a' * (alpha .* y);
  end
  s = alpha .* y; out.norm2 = s' * K * s;
  noise = (1e-5 * (alpha' * sqrt (max (diag (K), 0)))) ^ 2;
  if (rbf)
    if (out.norm2 > noise) out.okc = indices_by_column (@(inside) parts_of_rbf (s, M, B, inside), d); end
    return;
  end
  c = expansion' * s;
  for k = 1:numel (c) out.coefficients.(sprintf ("%d,", modes(k, :))(1:end - 1)) = c(k); end
  if (orthogonal) squares = c .^ 2; out.norm2 = sum (squares);
  else squares = c .^ 2 .* any (modes, 2);      % the constant part belongs to the bias
  end
  if (out.norm2 > noise && sum (squares) > 1e-20 * sum (c .^ 2))
    okc = indices_by_column (@(inside) parts_of_modes (modes, squares, inside), d);
    out.okc = indices_by_degree (okc, modes, squares, top);
  end
end

% Write JSON without jsonencode (), which writes 15 digits and flattens lists of one element: a list is a cell.

function out = list (v) out = num2cell (v(:)'); end
function out = lists (A) out = cellfun (@list, num2cell (A, 2)', "UniformOutput", false); end

function text = json (x)
  if (isstruct (x))
    fields = cellfun (@(name) ["\"" name "\":" json(x.(name))], fieldnames (x)', "UniformOutput", false);
    text = ["{" strjoin(fields, ",") "}"];
  elseif (iscell (x)) text = ["[" strjoin(cellfun (@json, x, "UniformOutput", false), ",") "]"];
  elseif (ischar (x)) text = ["\"" x "\""];
  elseif (isempty (x)) text = "null";
  else text = sprintf ("%.17g", x);
  end
end

while (ischar (line = fgetl (stdin)))
  printf ("%s\n", json (profile (jsondecode (line, "makeValidName", false))));
  fflush (stdout);
end
