#!/usr/bin/env Rscript
# ORCA in R: problems as JSON lines on stdin, results as JSON lines on stdout.
#   orca-exact crosscheck --run "Rscript examples/implementations/orca.R"
# Debian packages: r-base-core r-cran-jsonlite. The dual is solved here, since svm() of e1071 does not accept a kernel
# matrix, and solve.QP() of quadprog rejects singular ones.
library(jsonlite)

number <- function(texts) vapply(strsplit(as.character(unlist(texts)), "/"), function(p)
  as.numeric(p[1]) / if (length(p) == 2) as.numeric(p[2]) else 1, 0)
`%||%` <- function(x, absent) if (is.null(x)) absent else x
each <- function(value, count) if (is.list(value) && is.null(names(value))) value else rep(list(value), count)

# Measures and their orthonormal polynomials.

# Return a measure with numbers for texts; what is absent depends on the column x.
read_measure <- function(given, x) {
  measure <- lapply(given[names(given) != "family"], number)
  ends <- range(x)
  constant <- given$family == "uniform" && is.null(given$upper) && ends[1] == ends[2]
  measure$family <- if (given$family == "empirical" || constant) "discrete" else given$family
  measure$ends <- c(measure$lower %||% ends[1], measure$upper %||% ends[2])
  measure$nodes <- measure$nodes %||% x
  measure$weights <- measure$weights %||% rep(1 / length(measure$nodes), length(measure$nodes))
  measure
}

# Return rows (a_k, b_k), k = 0 ... n, of the monic recurrence pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1}; b_0 = h_0.
recurrence <- function(measure, n) {
  k <- 0:n
  a <- measure$alpha; b <- measure$beta
  switch(measure$family,
    jacobi = {
      s <- a + b; t <- s + 2 * k
      second <- 4 * k * (a + k) * (b + k) * (s + k) / (t^2 * (t + 1) * (t - 1))
      second[k == 1] <- 4 * (a + 1) * (b + 1) / ((s + 2)^2 * (s + 3))     # the general formula is 0/0 at a + b = -1
      second[k == 0] <- 2^(s + 1) * beta(a + 1, b + 1)
      cbind(ifelse(k == 0, (b - a) / (s + 2), (b^2 - a^2) / (t * (t + 2))), second)
    },
    hermite = cbind(0, ifelse(k == 0, sqrt(2 * pi), k)),
    laguerre = cbind(2 * k + a + 1, ifelse(k == 0, gamma(a + 1), k * (k + a))),
    normal = cbind(measure$mean, measure$sd^2 * k),
    uniform = cbind(mean(measure$ends), (diff(measure$ends) / 2 * k)^2 / (4 * k^2 - 1)),
    discrete = stieltjes(measure$nodes, measure$weights, n))
}

stieltjes <- function(t, w, n) {    # b_k = 0 from the number of different nodes on
  steps <- matrix(0, n + 1, 2)
  previous <- 0; current <- rep(1, length(t)); last <- 1
  for (k in seq_len(min(n + 1, length(unique(t))))) {
    h <- sum(w * current^2)
    steps[k, ] <- c(sum(w * t * current^2) / h, h / last)
    following <- (t - steps[k, 1]) * current - steps[k, 2] * previous
    previous <- current; current <- following; last <- h
  }
  steps
}

# Return the orthonormal polynomials p_0, p_1, ... at x, one column for each.
basis <- function(x, steps) {
  P <- cbind(0, rep(1, length(x)))
  for (k in seq_len(nrow(steps) - 1)) P <- cbind(P, (x - steps[k, 1]) * P[, k + 1] - steps[k, 2] * P[, k])
  sweep(P[, -1, drop = FALSE], 2, sqrt(cumprod(steps[, 2])), "/")
}

# Maximise sum a - a'Qa/2 over 0 <= a <= C, y'a = 0, where Q_ij = y_i y_j K_ij, by an interior-point method: Newton
# steps towards Qa + by = 1 + z - w, y'a = 0, a_i z_i = (C_i - a_i) w_i = mu, where mu decreases to 0.
solve_dual <- function(K, y, C) {
  Q <- K * outer(y, y)
  limit <- function(v, change) min(ifelse(change < 0, -v / change, Inf))
  a <- rest <- C / 2; z <- w <- 0 * y + 1; b <- 0           # rest = C - a
  for (round in 1:200) {
    gap <- sum(a * z + rest * w); mu <- 0.1 * gap / (2 * length(y))
    if (gap <= 1e-15 * sum(a)) break
    H <- Q + diag(1e-14 * diag(Q) + z / a + w / rest)       # Q may be singular
    r <- 1 - as.vector(Q %*% a) - b * y + mu / a - mu / rest
    u <- solve(H, cbind(r, y), tol = 0)
    db <- sum(y * (u[, 1] + a)) / sum(y * u[, 2])
    da <- u[, 1] - db * u[, 2]; dz <- (mu - z * da) / a - z; dw <- (mu + w * da) / rest - w
    t <- min(1, 0.99 * c(limit(a, da), limit(rest, -da), limit(z, dz), limit(w, dw)))
    a <- a + t * da; rest <- rest - t * da; z <- z + t * dz; w <- w + t * dw; b <- b + t * db
  }
  list(alpha = a, b = b)
}

# Modes and expansions.

modes_of <- function(n, order, degree) {      # those with at most so many active columns, one row for each
  modes <- matrix(0, 1, 0)
  for (top in n) {
    modes <- cbind(modes[rep(seq_len(nrow(modes)), top + 1), , drop = FALSE], rep(0:top, each = nrow(modes)))
    modes <- modes[rowSums(modes > 0) <= order & rowSums(modes) <= degree, , drop = FALSE]
  }
  modes
}

# Return p_k(x_i), one row for each point.
features <- function(X, modes, steps)
  Reduce(`*`, lapply(seq_along(steps), function(l) basis(X[, l], steps[[l]])[, modes[, l] + 1, drop = FALSE]))

# Return the coefficients of (g x_i.t + r)^p as a function of t, one row for each point: multiply p times, where the
# matrix J_l multiplies by t_l, t p_k = sqrt(b_{k+1}) p_{k+1} + a_k p_k + sqrt(b_k) p_{k-1}.
expand_power <- function(X, modes, p, g, r, steps) {
  differ <- lapply(seq_along(steps), function(l) outer(modes[, l], modes[, l], "!="))
  J <- lapply(seq_along(steps), function(l) {
    k <- modes[, l]
    up <- outer(k, k, function(i, j) (j == i + 1) * sqrt(steps[[l]][j + 1, 2]))
    (up + t(up) + diag(steps[[l]][k + 1, 1], length(k))) * (Reduce(`+`, differ) == differ[[l]])
  })
  power <- outer(rep(1, nrow(X)), 1 * (rowSums(modes) == 0))
  for (e in seq_len(p))
    power <- r * power + g * Reduce(`+`, lapply(seq_along(steps), function(l) X[, l] * power %*% J[[l]]))
  power
}

# Return the means of exp(-g (x_i - t)^2) and their covariances under a measure of t.
moments <- function(x, g, measure) {
  if (measure$family == "normal") {
    a <- x - measure$mean; u <- 2 * g * measure$sd^2
    mean <- exp(-g * a^2 / (1 + u)) / sqrt(1 + u)
    E <- g * u * (2 * outer(a, a) - u / (1 + u) * outer(a^2, a^2, "+")) / (1 + 2 * u)
    return(list(mean = mean, B = outer(mean, mean) * expm1(E + log1p(u^2 / (1 + 2 * u)) / 2)))
  }
  if (measure$family == "uniform") {          # the trapezoidal rule after t = middle + half tanh(sinh v)
    half <- diff(measure$ends) / 2
    v <- seq(-3.6, 3.6, length.out = 72 * ceiling(1 + sqrt(g) * half) + 1)
    measure$nodes <- mean(measure$ends) + half * tanh(sinh(v))
    measure$weights <- cosh(v) / cosh(sinh(v))^2
  }
  w <- measure$weights / sum(measure$weights)
  less <- expm1(-g * outer(x, measure$nodes, "-")^2)        # k - 1, so that no digits cancel if g is small
  mean <- as.vector(less %*% w)
  list(mean = 1 + mean, B = (less - mean) %*% (w * t(less - mean)))
}

# Indices: parts(inside) is the variance that is due to the columns `inside` and q others, q = 0, 1, ...

parts_of_modes <- function(modes, squares) function(inside = c()) {
  active <- modes > 0
  chosen <- rowSums(active[, inside, drop = FALSE]) == length(inside)
  vapply(length(inside):ncol(modes), function(q) sum(squares[chosen & rowSums(active) == q]), 0)
}

parts_of_rbf <- function(s, columns) function(inside = c()) {
  E <- Reduce(function(E, l) list(E[[1]] * columns[[l]]$B), inside, list(outer(s, s)))
  for (l in setdiff(seq_along(columns), inside)) {
    M <- outer(columns[[l]]$mean, columns[[l]]$mean)
    E <- Map(function(same, more) M * same + columns[[l]]$B * more, c(E, list(0)), c(list(0), E))
  }
  if (length(inside) == 0) E[[1]] <- 0        # the constant part belongs to the bias
  vapply(E, sum, 0)
}

indices_by_column <- function(parts, d) {
  variance <- sum(parts())
  with_i <- lapply(seq_len(d), function(i) parts(i) / variance)
  pairs <- if (d > 1) combn(d, 2, simplify = FALSE) else list()
  list(order = parts() / variance,
       marginal = vapply(with_i, `[`, 0, 1),
       pair = structure(lapply(pairs, function(S) unbox(parts(S)[1] / variance)),
                        names = vapply(pairs, paste, "", collapse = ",")),
       total = vapply(with_i, sum, 0),
       shapley = vapply(with_i, function(share) sum(share / seq_len(d)), 0))
}

indices_by_degree <- function(modes, squares, top) {
  q <- rowSums(modes > 0); N <- rowSums(modes)
  block <- outer(0:ncol(modes), 0:top, Vectorize(function(i, j) sum(squares[q == i & N == j]) / sum(squares)))
  degree <- colSums(block)
  odd <- 0:top %% 2 == 1
  reach <- function(eps) unbox(which(cumsum(degree) >= 1 - eps)[1] - 1L)
  list(degree = degree, block = block,
       even = unbox(sum(degree[!odd])), odd = unbox(sum(degree[odd])), peak = unbox(which.max(degree) - 1L),
       threshold = list(`0.1` = reach(0.1), `0.05` = reach(0.05), `0.01` = reach(0.01)))
}

profile <- function(problem) {
  X <- matrix(number(problem$X), nrow = length(problem$X), byrow = TRUE)
  y <- number(problem$y)
  m <- nrow(X); d <- ncol(X)
  kernel <- problem$kernel %||% problem       # version 3 has these fields in "kernel"
  family <- kernel$family %||% "orthogonal"
  orthogonal <- family == "orthogonal"; rbf <- family == "rbf"
  p <- kernel$degree %||% 1; g <- number(kernel$gamma %||% 1); r <- number(kernel$coef0 %||% 0)
  C <- number(each(problem$C %||% 1, m)); n <- number(each(kernel$n %||% p, d))
  weight <- list(family = "jacobi", alpha = problem$alpha, beta = problem$beta)     # version 1 has one weight
  given <- each(if (orthogonal) kernel$measures %||% weight else problem$under %||% list(family = "empirical"), d)
  if (isTRUE(problem$rescale)) for (l in seq_len(d)) if (!orthogonal || given[[l]]$family == "jacobi")
    X[, l] <- 2 * (X[, l] - min(X[, l])) / (max(X[, l]) - min(X[, l])) - 1
  measures <- lapply(seq_len(d), function(l) read_measure(given[[l]], X[, l]))
  steps <- Map(recurrence, measures, n)

  top <- if (orthogonal) sum(n) else p
  modes <- if (!rbf) modes_of(n, kernel$order %||% d, top)
  expansion <- if (orthogonal) features(X, modes, steps) else if (!rbf) expand_power(X, modes, p, g, r, steps)
  K <- if (orthogonal) tcrossprod(expansion) else if (rbf) exp(-g * as.matrix(dist(X))^2) else (g * tcrossprod(X) + r)^p
  out <- list(id = unbox(problem$id), gram = unname(K), okc = NULL,
              made_by = list(program = unbox("orca.R"), R = unbox(as.character(getRversion()))))
  if (is.null(problem$dual)) {
    # Since sum alpha_i y_i = 0, K_ij - a_i - a_j has the same alpha; its digits are not lost if K is near 1.
    a <- if (rbf) rowMeans(K) - mean(K) / 2 else rep(0, m)
    fit <- solve_dual(K - outer(a, a, "+"), y, C)
    alpha <- out$alpha <- fit$alpha
    out$b <- unbox(fit$b - sum(a * alpha * y))
  } else alpha <- number(problem$dual)
  s <- alpha * y
  norm2 <- sum(s * (K %*% s))
  if (!rbf) {
    c <- as.vector(s %*% expansion)
    squares <- if (orthogonal) c^2 else c^2 * (rowSums(modes) > 0)        # the constant part belongs to the bias
    if (orthogonal) norm2 <- sum(squares)
    out$coefficients <- setNames(lapply(c, unbox), apply(modes, 1, paste, collapse = ","))
  }
  out$norm2 <- unbox(norm2)
  out["okc"] <- list(
    if (norm2 <= (1e-5 * sum(alpha * sqrt(pmax(diag(K), 0))))^2) NULL
    else if (rbf) indices_by_column(parts_of_rbf(s, Map(moments, split(t(X), 1:d), g, measures)), d)
    else if (sum(squares) > 1e-20 * sum(c^2))
      c(indices_by_column(parts_of_modes(modes, squares), d), indices_by_degree(modes, squares, top)))
  out
}

digits17 <- function(x) {                     # as strings, since jsonlite writes 15 digits
  if (is.list(x)) return(lapply(x, digits17))
  if (!is.double(x)) return(x)
  written <- sprintf("%.17g", x)
  if (inherits(x, "scalar")) unbox(written) else array(written, if (is.null(dim(x))) length(x) else dim(x))
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  result <- profile(fromJSON(line, simplifyVector = FALSE))
  cat(toJSON(digits17(result), null = "null", matrix = "rowmajor"), "\n", sep = "")
}
