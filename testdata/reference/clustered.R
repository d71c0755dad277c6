# Least squares with errors by cluster by lm and sandwich.
# Made with R 4.2.2 and sandwich 3.0.2:
#
#     Rscript clustered.R > clustered_r.csv
#
# Rows, clusters and models as in clustered_exact.py; the model "dropped" has a
# column x1 + x2, which lm drops. As in regress.R, x1 and x2 are shifted by 10^6
# (exact) and the intercept is not written.
#
# model,cluster,quantity,coefficient,value
suppressMessages(library(sandwich))
d <- read.csv("offset.csv")
d$x1 <- d$x1 - 1e6; d$x2 <- d$x2 - 1e6
t <- seq_len(nrow(d)) - 1
d$row4 <- as.numeric(t == 4)
d$sum <- d$x1 + d$x2
clusters <- list(uneven = floor(sqrt(4 * t)), own = t, mixed = ifelse(t < 20, t, 20 + t %/% 10), few = (3 * t) %/% 120)
models <- list(offset = y ~ x1 + x2 + x3, leverage = y ~ x1 + x2 + x3 + row4, dropped = y ~ x1 + x2 + sum + x3)
for (m in names(models)) for (g in names(clusters)) {
  fit <- lm(models[[m]], d)
  kept <- names(which(!is.na(coef(fit))))
  df <- length(unique(clusters[[g]])) - 1
  for (kind in c("CR0", "CR1")) {
    v <- if (kind == "CR1") vcovCL(fit, cluster = clusters[[g]], type = "HC1", cadjust = TRUE)
         else vcovCL(fit, cluster = clusters[[g]], type = "HC0", cadjust = FALSE)
    for (j in setdiff(kept, "(Intercept)")) {
      se <- sqrt(v[j, j])
      cat(sprintf("%s,%s,%s,%s,%.15g\n", m, g, kind, j, se))
      cat(sprintf("%s,%s,log_p_%s,%s,%.15g\n", m, g, kind, j, log(2) + pt(-abs(coef(fit)[j] / se), df, log.p = TRUE)))
    }
  }
}
