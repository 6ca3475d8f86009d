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
function [alpha, b] = solve_dual (K, y, C)
  D = sqrt (diag (K)); r = 1e-7; m = numel (y);
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

function out = profile (problem)
  d = numel (problem.X{1}); m = numel (problem.X);
  X = zeros (m, d);
  for i = 1:m X(i, :) = numbers (problem.X{i}); end
  kernel = problem;
  if (isfield (problem, "kernel")) kernel = problem.kernel; end       % version 3 has these fields in "kernel"
  y = numbers (problem.y); n = numbers (each (kernel.n, d))'; C = ones (m, 1); order = d;
  if (isfield (kernel, "order") && ! isempty (kernel.order)) order = kernel.order; end
  if (isfield (problem, "C")) C = numbers (each (problem.C, m)); end
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
    [alpha, out.b] = solve_dual (K, y, C);
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
  for key = {"order", "degree", "marginal", "total", "shapley"} okc.(key{1}) = num2cell (okc.(key{1})); end
  okc.block = cellfun (@num2cell, num2cell (okc.block, 2)', "UniformOutput", false);
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
