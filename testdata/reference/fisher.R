# One-sided p-values of Fisher's test: fisher_r.csv.
#
#     Rscript testdata/reference/fisher.R > testdata/reference/fisher_r.csv
#
# Lines: fisher,xa,na,xb,nb,p greater,p less (fisher.test)
#        phyper,k,white,black,size,ln P(X >= k),ln P(X <= k) (phyper)
# R 4.2.2.
out <- function(...) cat(paste(c(...), collapse = ","), "\n", sep = "")
num <- function(x) format(x, digits = 17)
for (r in list(c(3, 10, 4, 12), c(0, 30, 20, 1000), c(5, 30, 20, 1000), c(30, 30, 20, 1000), c(0, 5, 0, 7), c(5, 5, 7, 7), c(60, 100, 40, 100), c(1, 1, 0, 1), c(700, 1000, 300, 1000))) {
  m <- matrix(c(r[1], r[2] - r[1], r[3], r[4] - r[3]), 2)
  out("fisher", r, num(fisher.test(m, alternative = "greater")$p.value), num(fisher.test(m, alternative = "less")$p.value))
}
for (r in list(c(30, 600, 400, 30), c(12, 20, 1010, 30), c(2600, 5000, 5000, 5000), c(4900, 5000, 5000, 5000), c(20500, 40000, 960000, 500000), c(100, 20000, 980000, 500000))) {
  out("phyper", r, num(phyper(r[1] - 1, r[2], r[3], r[4], lower.tail = FALSE, log.p = TRUE)), num(phyper(r[1], r[2], r[3], r[4], log.p = TRUE)))
}
