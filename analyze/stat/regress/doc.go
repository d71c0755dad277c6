// Package regress fits linear models by least squares from accumulated
// cross-products, with classical, heteroscedasticity-consistent (HC0–HC3) and
// cluster-robust (CR0, CR1) standard errors.
//
// The first pass over the data is package moments; Fit, for the rows of one arm,
// and FitPooled, for the rows of several with indicators of arms, need nothing else. They
// work on centred, scaled columns and eliminate them in order, so that the later column of
// a linearly dependent set is dropped, by name. A dropped column has no coefficient; a
// coefficient of 10¹⁵ never appears. The second pass, a Sandwich, sees every row again and
// needs the fitted model only. A pooled model costs no more than per-arm models do: within
// an arm the pooled columns are affine functions of the covariates, so that a few
// coordinates say all.
//
// # Digits
//
// Cross-products square the condition number κ of the centred, scaled columns:
// some 16 − 2·log₁₀ κ digits are left. Offsets cost none, as all is about means.
// Where that is too few, LosesDigits says so, and a Refit, one more pass with
// sums of about 32 digits, leaves the 16 − log₁₀ κ digits that columns rounded to
// float64 have.
//
// # Tests
//
// A coefficient is tested with Student's t law on the residual degrees of
// freedom (one less than there are clusters, if errors are by cluster), for
// classical and robust errors alike, as coeftest of R's lmtest and use_t of
// statsmodels do. With robust errors that is an approximation.
//
// # Bias
//
// An Influence bounds how far the policy's choice of rows can pull coefficients
// and predictions away from the truth; package bias says by how much each row can.
package regress
