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
solve_dual <- function(K, y, C, r = 1e-7, steps = 8) {
  D <- sqrt(diag(K))
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

profile <- function(problem) {
  X <- matrix(number(unlist(problem$X)), nrow = length(problem$X), byrow = TRUE)
  y <- as.numeric(unlist(problem$y))
  d <- ncol(X)
  kernel <- if (is.null(problem$kernel)) problem else problem$kernel   # version 3 has these fields in "kernel"
  n <- unlist(each(kernel$n, d))
  order <- if (is.null(kernel$order)) d else kernel$order
  measures <- if (is.null(kernel$measures)) list(family = "jacobi", alpha = problem$alpha, beta = problem$beta)
              else kernel$measures                       # version 1 of the format has one Jacobi weight
  measures <- each(measures, d)
  C <- number(unlist(each(if (is.null(problem$C)) 1 else problem$C, nrow(X))))
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
