#!/usr/bin/env Rscript
# ORCA in R: problems as JSON lines on stdin, results as JSON lines on stdout.
#   orca-exact crosscheck --run "Rscript examples/implementations/orca.R"
# Debian packages: r-base-core r-cran-jsonlite r-cran-quadprog. quadprog solves the dual, since svm() of e1071
# does not accept a kernel matrix.
suppressPackageStartupMessages({ library(jsonlite); library(quadprog) })

number <- function(text) vapply(strsplit(as.character(text), "/"), function(p)
  if (length(p) == 2) as.numeric(p[1]) / as.numeric(p[2]) else as.numeric(p), 0)

# Return the coefficients of the monic recurrence pi_{k+1} = (x - a_k) pi_k - b_k pi_{k-1} as rows (a_k, b_k),
# k = 0 ... n, with b_0 = h_0 and b_k = h_k/h_{k-1}.
recurrence <- function(measure, n) {
  k <- 0:n
  a <- number(measure$alpha); b <- number(measure$beta); s <- a + b
  switch(measure$family,
    jacobi = t(vapply(k, function(k) {
      t <- s + 2 * k
      if (k == 0) c((b - a) / (s + 2), 2^(s + 1) * beta(a + 1, b + 1))
      else c((b^2 - a^2) / (t * (t + 2)),
             if (k == 1) 4 * (a + 1) * (b + 1) / (t^2 * (t + 1))   # the general formula is 0/0 at a + b = -1
             else 4 * k * (a + k) * (b + k) * (s + k) / (t^2 * (t + 1) * (t - 1)))
    }, numeric(2))),
    hermite = cbind(0 * k, ifelse(k == 0, sqrt(2 * pi), k)),
    laguerre = cbind(2 * k + a + 1, ifelse(k == 0, gamma(a + 1), k * (k + a))),
    discrete = stieltjes(number(unlist(measure$nodes)), number(unlist(measure$weights)), n))
}

stieltjes <- function(x, w, n) {
  if (length(w) == 0) w <- rep(1 / length(x), length(x))
  out <- matrix(0, n + 1, 2)
  last <- 1; behind <- 0; current <- rep(1, length(x))
  for (k in seq_len(n + 1)) {
    h <- sum(w * current^2)
    out[k, ] <- c(sum(w * x * current^2) / h, h / last)
    following <- (x - out[k, 1]) * current - out[k, 2] * behind
    last <- h; behind <- current; current <- following
  }
  out
}

# Return the orthonormal polynomials p_0 ... p_n at x, one column for each.
basis <- function(x, n, measure) {
  r <- recurrence(measure, n)
  P <- matrix(1, length(x), n + 1)
  previous <- 0
  for (k in seq_len(n)) {
    P[, k + 1] <- (x - r[k, 1]) * P[, k] - r[k, 2] * previous
    previous <- P[, k]
  }
  sweep(P, 2, sqrt(cumprod(r[, 2])), "/")
}

# Solve the dual in z = D alpha, D = sqrt(diag K): min 1/2 z'Qz - sum z/D, 0 <= z <= C D, (y/D)'z = 0. quadprog
# needs a positive definite matrix but Q may be singular, so proximal steps use Q + r I and the previous z.
solve_dual <- function(K, y, C, D = sqrt(diag(K)), r = 1e-7, steps = 8) {
  m <- length(y)
  Q <- K * outer(y / D, y / D)
  A <- cbind(y / D, diag(m), -diag(m))
  z <- rep(0, m)
  for (step in seq_len(steps))
    z <- solve.QP(Q + r * diag(m), 1 / D + r * z, A, c(0, rep(0, m), -C * D), meq = 1)$solution
  alpha <- pmin(pmax(z / D, 0), C)
  list(alpha = alpha, b = bias(y - as.vector(K %*% (y * alpha)), y, C))
}

# Return the middle of the interval of b with the least loss sum C_i max(0, 1 - y_i g(x_i)), whose slope in b
# grows by C_i at the kink of point i.
bias <- function(kinks, y, C) {
  by <- order(kinks)
  slope <- cumsum(C[by]) - sum(C[y > 0])
  tiny <- 1e-9 * sum(C)
  first <- which(slope > -tiny)[1]
  mean(kinks[by][if (slope[first] < tiny) first + 0:1 else first])
}

each <- function(value, count) if (is.list(value) && is.null(names(value))) value else rep(list(value), count)

# Return the modes with at most `order` active columns, one row for each.
modes_of <- function(n, order) {
  modes <- matrix(0, 1, 0)
  for (top in n) {
    modes <- cbind(modes[rep(seq_len(nrow(modes)), top + 1), , drop = FALSE], rep(0:top, each = nrow(modes)))
    modes <- modes[rowSums(modes > 0) <= order, , drop = FALSE]
  }
  modes
}

# Linear, polynomial and RBF kernels: the indices are shares of the variance under the measures of "under".

# Return nodes and weights of an empirical or a discrete measure, or of a constant column.
nodes_of <- function(measure, x) {
  t <- if (is.null(measure$nodes)) x else number(unlist(measure$nodes))
  w <- if (is.null(measure$weights)) rep(1, length(t)) else number(unlist(measure$weights))
  list(t = t, w = w / sum(w))
}

ends_of <- function(measure, x) if (is.null(measure$lower)) range(x) else number(c(measure$lower, measure$upper))

# Return rows (a_k, b_k), k = 0 ... n, of the recurrence of a measure of the indices; b_k = 0 from the number of
# nodes on, since the powers of higher degree are combinations of lower ones there.
index_recurrence <- function(measure, x, n) {
  k <- 0:n
  ends <- if (measure$family == "uniform") ends_of(measure, x)
  if (measure$family == "normal") return(cbind(number(measure$mean), number(measure$sd)^2 * k))
  if (measure$family == "uniform" && ends[1] < ends[2])
    return(cbind(mean(ends), (diff(ends) / 2 * k)^2 / (4 * k^2 - 1)))
  if (measure$family %in% c("jacobi", "hermite", "laguerre")) return(recurrence(measure, n))
  at <- nodes_of(measure, x)
  t <- sort(unique(at$t)); w <- vapply(t, function(v) sum(at$w[at$t == v]), 0)
  known <- stieltjes(t, w, min(n, length(t) - 1))
  rbind(known, matrix(0, n + 1 - nrow(known), 2))
}

gauss <- function(n) {             # nodes in [-1, 1], and weights of sum 1
  k <- seq_len(n - 1)
  J <- matrix(0, n, n)
  J[cbind(k, k + 1)] <- J[cbind(k + 1, k)] <- k / sqrt(4 * k^2 - 1)
  found <- eigen(J, symmetric = TRUE)
  list(t = found$values, w = found$vectors[1, ]^2)
}

# Return the means of exp(-g (x_i - t)^2) and their covariances under a measure of t.
moments <- function(x, g, measure) {
  ends <- if (measure$family == "uniform") ends_of(measure, x)
  if (measure$family == "normal") {
    a <- x - number(measure$mean); u <- 2 * g * number(measure$sd)^2
    mean <- exp(-g * a^2 / (1 + u)) / sqrt(1 + u)
    E <- g * u * (2 * outer(a, a) - u / (1 + u) * outer(a^2, a^2, "+")) / (1 + 2 * u)
    return(list(mean = mean, cov = outer(mean, mean) * expm1(E + log1p(u^2 / (1 + 2 * u)) / 2)))
  }
  if (measure$family == "uniform" && ends[1] < ends[2]) {
    width <- diff(ends)
    if (g * width^2 >= 1) {
      integral <- function(rate, centre) {          # pnorm(z sqrt(2)) = (1 + erf(z))/2
        r <- sqrt(2 * rate)
        sqrt(pi / rate) / width * (pnorm(r * (ends[2] - centre)) - pnorm(r * (ends[1] - centre)))
      }
      mean <- integral(g, x)
      both <- exp(-g / 2 * outer(x, x, "-")^2) * integral(2 * g, outer(x, x, "+") / 2)
      return(list(mean = mean, cov = both - outer(mean, mean)))
    }
    at <- gauss(20)
    at$t <- mean(ends) + width / 2 * at$t
  } else at <- nodes_of(measure, x)
  less <- expm1(-g * outer(x, at$t, "-")^2)         # k - 1, so that no digits cancel if g is small
  centred <- less - as.vector(less %*% at$w)
  list(mean = 1 + as.vector(less %*% at$w), cov = centred %*% (at$w * t(centred)))
}

# Return the shares by sums over pairs of points.
rbf_indices <- function(s, columns) {
  d <- length(columns)
  M <- lapply(columns, function(column) outer(column$mean, column$mean)); B <- lapply(columns, `[[`, "cov")
  form <- function(E) sum(s * (E %*% s))
  by_order <- function(start, others) {   # s'E_q s with the coefficients E_q in t of start * prod (M_l + t B_l)
    E <- list(start)
    for (i in others) E <- Map(function(a, b) M[[i]] * a + B[[i]] * b, c(E, list(0)), c(list(0), E))
    vapply(E, form, 0)
  }
  order <- by_order(0 * M[[1]] + 1, seq_len(d))
  order[1] <- 0                                     # the constant part belongs to the bias
  variance <- sum(order)
  with_i <- lapply(seq_len(d), function(i) by_order(B[[i]], setdiff(seq_len(d), i)) / variance)
  pairs <- if (d > 1) combn(d, 2, simplify = FALSE) else list()
  pair <- function(S) unbox(form(Reduce(`*`, c(B[S], M[-S]))) / variance)
  list(order = order / variance,
       marginal = vapply(with_i, `[`, 0, 1),
       pair = structure(lapply(pairs, pair), names = vapply(pairs, paste, "", collapse = ",")),
       total = vapply(with_i, sum, 0),
       shapley = vapply(with_i, function(part) sum(part / seq_len(d)), 0))
}

# Return the modes with k_1 + ... + k_d <= p, and c_k in the orthonormal polynomials of the measures: p! times the
# coefficient of z^p in exp(z r_i) prod_l sum_e (z g x_il)^e/e! T_l[k_l, e], where (t - centre)^e = sum_k T[k, e] p_k.
polynomial_coefficients <- function(X, s, p, g, r, measures) {
  d <- ncol(X)
  modes <- modes_of(rep(p, d), min(d, p))
  modes <- modes[rowSums(modes) <= p, , drop = FALSE]
  steps <- lapply(seq_len(d), function(l) index_recurrence(measures[[l]], X[, l], p))
  T <- lapply(steps, function(step) {
    J <- diag(step[, 1] - step[1, 1], p + 1)
    k <- seq_len(p)
    J[cbind(k, k + 1)] <- J[cbind(k + 1, k)] <- sqrt(step[k + 1, 2])
    Reduce(function(v, e) J %*% v, k, c(1, rep(0, p)), accumulate = TRUE)
  })
  shifted <- as.vector(g * X %*% vapply(steps, function(step) step[1, 1], 0)) + r
  c <- apply(modes, 1, function(k) {
    series <- lapply(0:p, function(e) shifted^e / factorial(e))
    for (l in seq_len(d)) {
      factors <- lapply(0:p, function(e) (g * X[, l])^e / factorial(e) * T[[l]][[e + 1]][k[l] + 1])
      series <- lapply(0:p, function(e) Reduce(`+`, lapply(0:e, function(i) series[[e - i + 1]] * factors[[i + 1]])))
    }
    factorial(p) * sum(s * series[[p + 1]])
  })
  list(modes = modes, c = c)
}

standard_profile <- function(problem, X, y, C) {
  kernel <- problem$kernel; d <- ncol(X)
  given <- function(name, default) if (is.null(kernel[[name]])) default else number(kernel[[name]])
  p <- given("degree", 1); g <- given("gamma", 1); r <- given("coef0", 0)
  measures <- each(if (is.null(problem$under)) list(family = "empirical") else problem$under, d)
  if (isTRUE(problem$rescale)) X <- apply(X, 2, function(x) 2 * (x - min(x)) / (max(x) - min(x)) - 1)
  K <- if (kernel$family == "rbf") exp(-g * Reduce(`+`, lapply(seq_len(d), function(l) outer(X[, l], X[, l], "-")^2)))
       else (g * tcrossprod(X) + r)^p
  out <- list(id = problem$id, gram = K, made_by = list(program = "R quadprog"))
  if (is.null(problem$dual)) {
    # Since sum alpha_i y_i = 0, K_ij - a_i - a_j has the same alpha; its digits are not lost if K is near 1.
    a <- if (kernel$family == "rbf") rowMeans(K) - mean(K) / 2 else 0 * y
    fit <- solve_dual(K - outer(a, a, "+"), y, C, rep(sqrt(max(diag(K))), length(y)))   # K_ii may be 0
    alpha <- fit$alpha
    out$alpha <- alpha; out$b <- unbox(fit$b - sum(a * alpha * y))
  } else alpha <- number(unlist(problem$dual))
  s <- alpha * y
  out$norm2 <- unbox(sum(s * (K %*% s)))
  out["okc"] <- list(NULL)
  if (out$norm2 <= (1e-7 * sum(alpha * sqrt(pmax(diag(K), 0))))^2) return(out)
  if (kernel$family == "rbf") {
    out$okc <- rbf_indices(s, lapply(seq_len(d), function(l) moments(X[, l], g, measures[[l]])))
    return(out)
  }
  found <- polynomial_coefficients(X, s, p, g, r, measures)
  out$coefficients <- setNames(lapply(found$c, unbox), apply(found$modes, 1, paste, collapse = ","))
  square <- ifelse(rowSums(found$modes) > 0, found$c^2, 0)      # the constant part belongs to the bias
  if (sum(square) > 1e-20 * found$c[1]^2) out$okc <- indices(found$modes, square / sum(square), d, p)
  out
}

profile <- function(problem) {
  X <- matrix(number(unlist(problem$X)), nrow = length(problem$X), byrow = TRUE)
  y <- as.numeric(unlist(problem$y))
  d <- ncol(X)
  C <- number(unlist(each(if (is.null(problem$C)) 1 else problem$C, nrow(X))))
  kernel <- if (is.null(problem$kernel)) problem else problem$kernel   # version 3 has these fields in "kernel"
  if (!is.null(kernel$family) && kernel$family != "orthogonal") return(standard_profile(problem, X, y, C))
  n <- unlist(each(kernel$n, d))
  order <- if (is.null(kernel$order)) d else kernel$order
  measures <- if (is.null(kernel$measures)) list(family = "jacobi", alpha = problem$alpha, beta = problem$beta)
              else kernel$measures                       # version 1 of the format has one Jacobi weight
  measures <- each(measures, d)
  if (isTRUE(problem$rescale)) for (l in seq_len(d)) if (measures[[l]]$family == "jacobi")
    X[, l] <- 2 * (X[, l] - min(X[, l])) / (max(X[, l]) - min(X[, l])) - 1
  P <- lapply(seq_len(d), function(l) basis(X[, l], n[l], measures[[l]]))
  modes <- modes_of(n, order)
  features <- Reduce(`*`, lapply(seq_len(d), function(l) P[[l]][, modes[, l] + 1, drop = FALSE]))
  K <- tcrossprod(features)
  out <- list(id = problem$id, gram = K, made_by = list(program = "R quadprog"))
  if (is.null(problem$dual)) {
    fit <- solve_dual(K, y, C)
    alpha <- fit$alpha
    out$alpha <- alpha; out$b <- unbox(fit$b)
  } else alpha <- number(unlist(problem$dual))
  c <- as.vector(crossprod(features, alpha * y))
  norm2 <- sum(c^2)
  out$coefficients <- setNames(lapply(c, unbox), apply(modes, 1, paste, collapse = ","))
  out$norm2 <- unbox(norm2)
  out["okc"] <- list(if (norm2 > (1e-7 * sum(alpha * sqrt(diag(K))))^2) indices(modes, c^2 / norm2, d, sum(n)) else NULL)
  out
}

indices <- function(modes, share, d, top) {
  q <- rowSums(modes > 0); N <- rowSums(modes)
  add <- function(pick) sum(share[pick])
  active <- function(S) add(apply(modes > 0, 1, function(k) identical(unname(which(k)), as.integer(S))))
  degree <- vapply(0:top, function(t) add(N == t), 0)
  reach <- function(eps) unbox(which(cumsum(degree) >= 1 - eps)[1] - 1L)
  pairs <- if (d > 1) combn(d, 2, simplify = FALSE) else list()
  list(order = vapply(0:d, function(k) add(q == k), 0),
       degree = degree,
       block = outer(0:d, 0:top, Vectorize(function(k, t) add(q == k & N == t))),
       marginal = vapply(seq_len(d), active, 0),
       pair = structure(lapply(pairs, function(S) unbox(active(S))),
                        names = vapply(pairs, paste, "", collapse = ",")),
       total = vapply(seq_len(d), function(i) add(modes[, i] > 0), 0),
       shapley = vapply(seq_len(d), function(i) sum((share / q)[modes[, i] > 0]), 0),
       even = unbox(add(N %% 2 == 0)), odd = unbox(add(N %% 2 == 1)),
       peak = unbox(which.max(degree) - 1L),
       threshold = list(`0.1` = reach(0.1), `0.05` = reach(0.05), `0.01` = reach(0.01)))
}

digits17 <- function(x) {                                # as strings, since jsonlite writes 15 digits
  if (is.list(x)) return(lapply(x, digits17))
  if (!is.double(x)) return(x)
  written <- sprintf("%.17g", x)
  if (inherits(x, "scalar")) unbox(written) else array(written, if (is.null(dim(x))) length(x) else dim(x))
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  result <- profile(fromJSON(line, simplifyVector = FALSE))
  result$id <- unbox(result$id)
  result$made_by$program <- unbox(result$made_by$program)
  cat(toJSON(digits17(result), null = "null", matrix = "rowmajor"), "\n", sep = "")
}
