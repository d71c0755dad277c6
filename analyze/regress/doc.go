// Package regress fits linear models by least squares from accumulated
// cross-products, with classical and heteroscedasticity-consistent (HC0–HC3)
// standard errors.
//
// The first pass over the data is package moments; Fit needs nothing else. It
// works on centred, scaled columns and eliminates them in order, so that of a
// linearly dependent set the later column is dropped, by name. A dropped
// column has no coefficient; a coefficient of 10¹⁵ never appears. The second
// pass, a Sandwich, sees every row again and needs the fitted model only.
//
// A coefficient is tested with Student's t law on the residual degrees of
// freedom, for classical and robust errors alike, as coeftest of R's lmtest and
// use_t of statsmodels do. With robust errors that is an approximation.
package regress
