# One-sample t tests, Clopper-Pearson intervals and adjusted p-values.
# Made with R 4.2.2:
#
#     Rscript hypothesis.R > hypothesis_r.csv
#
# t: n, mean, sd, value, alternative (0 two-sided, 1 greater, 2 less), alpha ->
#    statistic, ln p, lo, hi
# clopper: x, n, alternative, alpha -> lo, hi, p of the one-sided tests or
#    min(1, 2 min) in the two-sided case
# holm, by, bonferroni: the p-values -> the adjusted ones
options(digits = 15)
show <- function(...) cat(paste(sapply(list(...), function(v) paste(format(v, digits = 15, trim = TRUE), collapse = ",")), collapse = ","), "\n", sep = "")
for (n in c(2, 5, 30, 400)) for (alt in 0:2) for (alpha in c(0.05, 2^-20)) {   # 1 - 2^-20 is exact, 1 - 1e-6 is not
  m <- 0.537; s <- 0.21; v <- 0.5
  y <- scale(qnorm(ppoints(n)))[, 1] * s + m   # mean and sd exactly as wanted
  r <- t.test(y, mu = v, alternative = c("two.sided", "greater", "less")[alt + 1], conf.level = 1 - alpha)
  t <- unname(r$statistic); df <- unname(r$parameter)
  lp <- c(log(2) + pt(abs(t), df, lower.tail = FALSE, log.p = TRUE),
          pt(t, df, lower.tail = FALSE, log.p = TRUE), pt(t, df, log.p = TRUE))[alt + 1]
  show("t", n, m, s, v, alt, alpha, t, lp, r$conf.int[1], r$conf.int[2])
}
for (xn in list(c(0, 10), c(10, 10), c(1, 1), c(3, 10), c(60, 100), c(517, 1000), c(1, 1e6), c(500123, 1e6)))
  for (alt in 0:2) for (alpha in c(0.05, 2^-30)) {
    x <- xn[1]; n <- xn[2]
    r <- binom.test(x, n, 0.5, c("two.sided", "greater", "less")[alt + 1], 1 - alpha)
    least <- pbinom(x - 1, n, 0.5, lower.tail = FALSE); most <- pbinom(x, n, 0.5)
    p <- c(min(1, 2 * least, 2 * most), least, most)[alt + 1]
    show("clopper", x, n, alt, alpha, r$conf.int[1], r$conf.int[2], p)
  }
p <- c(0.01, 0.04, 0.03, 1e-9, 0.5, 0.03, 0.9, 0.0099)
for (m in c("holm", "BY", "bonferroni")) show(tolower(m), p, p.adjust(p, m))
