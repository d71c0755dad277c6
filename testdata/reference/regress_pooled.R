# Pooled least squares with indicators of arms and interactions, by lm and
# sandwich. Made with R 4.2.2 and sandwich 3.0.2:
#
#     Rscript regress_pooled.R > regress_pooled_r.csv
#
# Input: pooled.csv (regress_pooled_data.py); the models with interactions but
# "rare" are without the arm of that name. The control is green. Columns are
# model,quantity,name,value. "joint" is the F test that all indicators and
# interactions of arms are 0, with the covariance named.
suppressMessages(library(sandwich))
d <- read.csv("pooled.csv")
d$arm <- relevel(factor(d$arm, levels = c("red", "green", "blue", "rare")), "green")
rename <- function(n) {
  n <- sub("(Intercept)", "(intercept)", n, fixed = TRUE)
  n <- sub("^arm([a-z]+)", "arm[\\1]", n)
  sub("^(age|score):arm([a-z]+)$", "arm[\\2]:\\1", n)
}
show <- function(model, quantity, name, value) cat(sprintf("%s,%s,%s,%.15g\n", model, quantity, name, value))
one <- function(model, formula, data) {
  fit <- lm(formula, data)
  s <- summary(fit)
  kept <- !is.na(coef(fit))
  names <- rename(names(coef(fit)))[kept]
  beta <- coef(fit)[kept]
  show(model, "rank", "", fit$rank)
  for (n in rename(names(coef(fit)))[!kept]) show(model, "dropped", n, 0)
  show(model, "r_squared", "", s$r.squared)
  show(model, "adj_r_squared", "", s$adj.r.squared)
  show(model, "sigma2", "", s$sigma^2)
  f <- s$fstatistic
  show(model, "f_statistic", "", f[1])
  show(model, "log_f_p", "", pf(f[1], f[2], f[3], lower.tail = FALSE, log.p = TRUE))
  show(model, "max_leverage", "", max(hatvalues(fit)))
  arms <- grepl("^arm", names)
  full <- any(hatvalues(fit) > 1 - 1e-9)
  for (k in c("classical", "HC0", "HC1", "HC2", "HC3")) {
    if (full && k %in% c("HC2", "HC3")) next
    v <- if (k == "classical") vcov(fit, complete = FALSE) else vcovHC(fit, type = k)
    for (j in seq_along(names)) show(model, k, names[j], sqrt(v[j, j]))
    q <- sum(arms)
    w <- drop(t(beta[arms]) %*% solve(v[arms, arms], beta[arms])) / q
    show(model, "joint", k, w)
    show(model, "joint_log_p", k, pf(w, q, fit$df.residual, lower.tail = FALSE, log.p = TRUE))
  }
  for (j in seq_along(names)) show(model, "estimate", names[j], beta[j])
}
most <- d[d$arm != "rare", ]
most$arm <- droplevels(most$arm)
one("pooled", y ~ arm + age + score, d)
one("pooled/interactions", y ~ arm + age + score + age:arm + score:arm, most)
one("pooled/raw", y ~ 0 + arm + age + score, d)
one("pooled/raw/interactions", y ~ 0 + arm + age + score + age:arm + score:arm, most)
one("rare/interactions", y ~ arm + age + score + age:arm + score:arm, d)
