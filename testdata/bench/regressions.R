# Least squares with HC3 errors, one regression per arm, by lm and sandwich:
# what regressions.py sets beside banditaudit. Rscript regressions.R FILE ROWS ARMS COVARIATES
# FILE: float64 columns, one after the other: arm, reward, covariates. Prints the
# seconds of lm and vcovHC alone, then the estimates and errors, a line per arm.
suppressMessages(library(sandwich))
a <- commandArgs(trailingOnly = TRUE)
n <- as.integer(a[2]); arms <- as.integer(a[3]); p <- as.integer(a[4])
m <- matrix(readBin(a[1], "double", n * (p + 2)), nrow = n)
d <- as.data.frame(m[, -1]); names(d) <- c("y", paste0("x", seq_len(p) - 1))
parts <- lapply(seq_len(arms) - 1, function(k) d[m[, 1] == k, ])
start <- proc.time()[["elapsed"]]
out <- lapply(parts, function(d) {
  fit <- lm(y ~ ., d)
  list(coef(fit), sqrt(diag(vcovHC(fit, type = "HC3"))))
})
cat(proc.time()[["elapsed"]] - start, "\n")
for (o in out) cat(sprintf("%.17g", c(o[[1]], o[[2]])), "\n")
cat(R.version.string, "with sandwich", as.character(packageVersion("sandwich")), "\n")
