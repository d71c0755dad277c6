# Tests of two arms, by unit, and of joint hypotheses; Benjamini-Hochberg.
# Made with R 4.2.2 and sandwich:
#
#     Rscript hypothesis2.R > hypothesis2_r.csv
#
# Samples have the mean and standard deviation wanted, exactly.
# welch, student2, z2: n, mean, sd of a; n, mean, sd of b; value, alternative
#    (0 two-sided, 1 greater, 2 less), alpha -> statistic, df, ln p, lo, hi
#    (z2: the z test with sigma = 0.3)
# unit: offset, arms (1 mean, 2 difference), alternative, alpha -> estimate,
#    standard error, df, statistic against 0.1 + offset (1) or 0.1 (2), ln p,
#    lo, hi; on the rows below, plus the offset
# row: unit, arm (0, 1), reward: the rows of "unit"
# wald: df, q, then R (q x 4), value (q), estimates (4), covariance (4 x 4) ->
#    F, ln p
# bh: the p-values -> the adjusted ones
suppressPackageStartupMessages(library(sandwich))
options(digits = 15)
show <- function(...) cat(paste(sapply(list(...), function(v) paste(format(v, digits = 15, trim = TRUE), collapse = ",")), collapse = ","), "\n", sep = "")
alternatives <- c("two.sided", "greater", "less")
sample_of <- function(n, m, s) scale(qnorm(ppoints(n)))[, 1] * s + m
lnp <- function(alt, upper, lower, both) c(both, upper, lower)[alt + 1]
t_lnp <- function(t, df, alt) lnp(alt, pt(t, df, lower.tail = FALSE, log.p = TRUE), pt(t, df, log.p = TRUE),
                                  log(2) + pt(abs(t), df, lower.tail = FALSE, log.p = TRUE))
for (k in 1:3) for (alt in 0:2) for (alpha in c(0.05, 2^-20)) {
  na <- c(2, 35, 4000)[k]; nb <- c(7, 50, 300)[k]; ma <- c(0.4, 0.6, 3)[k]; mb <- c(0.5, 0.45, 0.2)[k]
  sa <- c(0.2, 0.31, 0.05)[k]; sb <- c(0.35, 0.12, 2)[k]; v <- c(0, 0.02, -1)[k]
  a <- sample_of(na, ma, sa); b <- sample_of(nb, mb, sb)
  for (equal in c(FALSE, TRUE)) {
    r <- t.test(a, b, mu = v, alternative = alternatives[alt + 1], conf.level = 1 - alpha, var.equal = equal)
    t <- unname(r$statistic); df <- unname(r$parameter)
    show(if (equal) "student2" else "welch", na, ma, sa, nb, mb, sb, v, alt, alpha, t, df, t_lnp(t, df, alt), r$conf.int[1], r$conf.int[2])
  }
  se <- 0.3 * sqrt(1 / na + 1 / nb); d <- ma - mb; z <- (d - v) / se
  q <- qnorm(if (alt == 0) alpha / 2 else alpha, lower.tail = FALSE)
  show("z2", na, ma, sa, nb, mb, sb, v, alt, alpha, z, Inf,
       lnp(alt, pnorm(z, lower.tail = FALSE, log.p = TRUE), pnorm(z, log.p = TRUE), log(2) + pnorm(abs(z), lower.tail = FALSE, log.p = TRUE)),
       if (alt == 2) -Inf else d - q * se, if (alt == 1) Inf else d + q * se)
}

# 12 units of 1 to 7 rows, some in one arm alone; rewards are multiples of 1/64,
# so that an offset of 10^6 is exact.
set.seed(20)
rows <- data.frame(unit = rep(1:12, c(1, 7, 3, 2, 2, 5, 1, 4, 6, 1, 3, 2)))
rows$arm <- as.integer(runif(nrow(rows)) < 0.45)
rows$y <- round(64 * (0.3 * rows$arm + rnorm(12)[rows$unit] * 0.3 + rnorm(nrow(rows)) * 0.2)) / 64
for (i in seq_len(nrow(rows))) show("row", rows$unit[i], rows$arm[i], rows$y[i])
for (offset in c(0, 1e6)) for (arms in 1:2) for (alt in 0:2) for (alpha in c(0.05, 2^-20)) {
  d <- rows
  d$y <- d$y + offset
  # lm on the rewards as they are; the intercept of the offset data is known to
  # R in fewer digits, so the offset is taken off before and put back after.
  m <- if (arms == 1) lm(y - offset ~ 1, d, subset = arm == 0) else lm(y - offset ~ I(1 - arm), d)
  g <- if (arms == 1) d$unit[d$arm == 0] else d$unit
  b <- unname(coef(m)[arms]); se <- sqrt(vcovCL(m, g, type = "HC0", cadjust = TRUE)[arms, arms]); df <- length(unique(g)) - 1
  shift <- if (arms == 1) offset else 0
  t <- (b - 0.1) / se
  q <- qt(if (alt == 0) alpha / 2 else alpha, df, lower.tail = FALSE)
  show("unit", offset, arms, alt, alpha, b + shift, se, df, t, t_lnp(t, df, alt),
       if (alt == 2) -Inf else b + shift - q * se, if (alt == 1) Inf else b + shift + q * se)
}

n <- 60
x1 <- qnorm(ppoints(n)); x2 <- sin(1:n); x3 <- cos(3 * (1:n)) + 0.5 * x1
y <- 0.2 + 0.1 * x1 - 0.4 * x3 + 0.5 * sin(7 * (1:n)^2)
m <- lm(y ~ x1 + x2 + x3)
wald <- function(R, v, C, df) {
  d <- R %*% coef(m) - v
  q <- nrow(R)
  f <- drop(t(d) %*% solve(R %*% C %*% t(R), d)) / q
  show("wald", df, q, t(R), v, coef(m), C, f,
       if (is.finite(df)) pf(f, q, df, lower.tail = FALSE, log.p = TRUE) else pchisq(q * f, q, lower.tail = FALSE, log.p = TRUE))
}
I <- diag(4)
for (C in list(vcov(m), vcovHC(m, "HC3"))) for (df in c(56, 11, Inf)) {
  wald(I[2:4, ], c(0, 0, 0), C, df)                            # all slopes
  wald(I[3, , drop = FALSE], 0.1, C, df)                       # one coefficient
  wald(rbind(c(0, 1, -1, 0), c(1, 0, 0, 2)), c(0, 0.3), C, df) # combinations
  wald(I[2:3, ], c(40, -40), C, df)                            # far in the tail
}
p <- c(0.01, 0.04, 0.03, 1e-9, 0.5, 0.03, 0.9, 0.0099)
show("bh", p, p.adjust(p, "BH"))
