# Least squares with classical and HC0-HC3 errors by lm and sandwich.
# Made with R 4.2.2 and sandwich 3.0.2:
#
#     Rscript regress.R > regress_r.csv
#
# Input: ../nist/longley.csv, ../nist/norris.csv, offset.csv (regress_data.py).
# With covariates near 10^6 sandwich keeps 3 digits, so R is given x1 - 10^6 and
# x2 - 10^6 (exact in float64) in the model "offset", and only its slopes and
# scalars are written: they do not depend on the shift.
suppressMessages(library(sandwich))
show <- function(model, quantity, name, value) cat(sprintf("%s,%s,%s,%.15g\n", model, quantity, name, value))
one <- function(model, path, intercept) {
  d <- read.csv(path, comment.char = "#")
  shifted <- model == "offset"
  if (shifted) { d$x1 <- d$x1 - 1e6; d$x2 <- d$x2 - 1e6 }
  fit <- if (intercept) lm(y ~ ., d) else lm(y ~ . - 1, d)
  s <- summary(fit)
  names <- sub("(Intercept)", "(intercept)", names(coef(fit)), fixed = TRUE)
  show(model, "r_squared", "", s$r.squared)
  show(model, "adj_r_squared", "", s$adj.r.squared)
  show(model, "sigma2", "", s$sigma^2)
  show(model, "f_statistic", "", s$fstatistic[1])
  f <- s$fstatistic
  show(model, "log_f_p", "", pf(f[1], f[2], f[3], lower.tail = FALSE, log.p = TRUE))
  for (j in seq_along(names)) {
    if (shifted && names[j] == "(intercept)") next
    show(model, "estimate", names[j], coef(fit)[j])
    show(model, "classical", names[j], sqrt(vcov(fit)[j, j]))
    for (k in c("HC0", "HC1", "HC2", "HC3")) show(model, k, names[j], sqrt(vcovHC(fit, type = k)[j, j]))
    t <- s$coefficients[j, 3]
    show(model, "log_p", names[j], log(2) + pt(abs(t), fit$df.residual, lower.tail = FALSE, log.p = TRUE))
    show(model, "ci_lo", names[j], confint(fit, level = 0.95)[j, 1])
    show(model, "ci_hi", names[j], confint(fit, level = 0.95)[j, 2])
  }
}
for (m in list(c("longley", "../nist/longley.csv"), c("norris", "../nist/norris.csv"), c("offset", "offset.csv"))) {
  one(m[1], m[2], TRUE)
  if (m[1] != "offset") one(paste0(m[1], "/raw"), m[2], FALSE)
}
