#!/usr/bin/env Rscript
# ORCA in R: problems as JSON lines on stdin, results as JSON lines on stdout.
#   orca-exact crosscheck --run "Rscript examples/implementations/orca.R"
# Debian: r-base-core r-cran-jsonlite r-cran-quadprog. e1071's svm() takes no kernel matrix; quadprog solves
# the dual as it is.
suppressPackageStartupMessages({ library(jsonlite); library(quadprog) })

number <- function(text) vapply(strsplit(as.character(text), "/"), function(p)
  if (length(p) == 2) as.numeric(p[1]) / as.numeric(p[2]) else as.numeric(p), 0)

# Orthonormal Jacobi polynomials p_0 ... p_n at x: columns k. Monic recurrence, h_k/h_{k-1} = b_k.
basis <- function(x, n, a, b) {
  s <- a + b
  P <- matrix(1, length(x), n + 1)
  h <- numeric(n + 1)
  h[1] <- 2^(s + 1) * beta(a + 1, b + 1)
  previous <- 0
  for (k in seq_len(n)) {
    j <- k - 1
    t <- s + 2 * j
    centre <- if (j == 0) (b - a) / (s + 2) else (b^2 - a^2) / (t * (t + 2))
    beta_j <- if (j == 0) 0 else h[k] / h[k - 1]
    current <- (x - centre) * P[, k] - beta_j * previous
    previous <- P[, k]
    P[, k + 1] <- current
    t <- s + 2 * k
    ratio <- if (k == 1) 4 * (a + 1) * (b + 1) / (t^2 * (t + 1))   # the general formula is 0/0 at a + b = -1
             else 4 * k * (a + k) * (b + k) * (s + k) / (t^2 * (t + 1) * (t - 1))
    h[k + 1] <- h[k] * ratio
  }
  sweep(P, 2, sqrt(h), "/")
}

# The dual in z = D alpha, D = sqrt(diag K): min 1/2 z'Qz - sum z/D, 0 <= z <= C D, (y/D)'z = 0. quadprog
# wants a positive definite matrix and Q may be singular: proximal steps, Q + r I against the last z.
solve_dual <- function(K, y, C, r = 1e-7, steps = 8) {
  D <- sqrt(diag(K))
  m <- length(y)
  Q <- K * outer(y / D, y / D)
  A <- cbind(y / D, diag(m), -diag(m))
  z <- rep(0, m)
  for (step in seq_len(steps))
    z <- solve.QP(Q + r * diag(m), 1 / D + r * z, A, c(0, rep(0, m), -C * D), meq = 1)$solution
  alpha <- pmin(pmax(z / D, 0), C)
  kinks <- sort(y - as.vector(K %*% (y * alpha)))        # the b of least hinge loss: the middle of its interval
  list(alpha = alpha, b = mean(kinks[sum(y > 0) + 0:1]))
}

profile <- function(problem) {
  X <- matrix(number(unlist(problem$X)), nrow = length(problem$X), byrow = TRUE)
  y <- as.numeric(unlist(problem$y))
  n <- problem$n; a <- number(problem$alpha); b <- number(problem$beta)
  C <- if (is.null(problem$C)) 1 else number(problem$C)
  d <- ncol(X)
  if (isTRUE(problem$rescale)) X <- apply(X, 2, function(x) 2 * (x - min(x)) / (max(x) - min(x)) - 1)
  P <- lapply(seq_len(d), function(l) basis(X[, l], n, a, b))
  K <- Reduce(`*`, lapply(P, tcrossprod))
  out <- list(id = problem$id, gram = K, made_by = list(program = "R quadprog"))
  if (is.null(problem$dual)) {
    fit <- solve_dual(K, y, C)
    alpha <- fit$alpha
    out$alpha <- alpha; out$b <- unbox(fit$b)
  } else alpha <- number(unlist(problem$dual))
  modes <- as.matrix(expand.grid(rep(list(0:n), d)))
  features <- Reduce(`*`, lapply(seq_len(d), function(l) P[[l]][, modes[, l] + 1, drop = FALSE]))
  c <- as.vector(crossprod(features, alpha * y))
  norm2 <- sum(c^2)
  out$coefficients <- setNames(lapply(c, unbox), apply(modes, 1, paste, collapse = ","))
  out$norm2 <- unbox(norm2)
  out["okc"] <- list(if (norm2 > (1e-7 * sum(alpha * sqrt(diag(K))))^2) indices(modes, c^2 / norm2, d, n) else NULL)
  out
}

indices <- function(modes, share, d, n) {
  q <- rowSums(modes > 0); N <- rowSums(modes)
  add <- function(pick) sum(share[pick])
  active <- function(S) add(apply(modes > 0, 1, function(k) identical(unname(which(k)), as.integer(S))))
  degree <- vapply(0:(d * n), function(t) add(N == t), 0)
  reach <- function(eps) unbox(which(cumsum(degree) >= 1 - eps)[1] - 1L)
  pairs <- if (d > 1) combn(d, 2, simplify = FALSE) else list()
  list(order = vapply(0:d, function(k) add(q == k), 0),
       degree = degree,
       block = outer(0:d, 0:(d * n), Vectorize(function(k, t) add(q == k & N == t))),
       marginal = vapply(seq_len(d), active, 0),
       pair = structure(lapply(pairs, function(S) unbox(active(S))),
                        names = vapply(pairs, paste, "", collapse = ",")),
       even = unbox(add(N %% 2 == 0)), odd = unbox(add(N %% 2 == 1)),
       peak = unbox(which.max(degree) - 1L),
       threshold = list(`0.1` = reach(0.1), `0.05` = reach(0.05), `0.01` = reach(0.01)))
}

digits17 <- function(x) {                                # as strings: jsonlite writes 15 digits
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
