// Package noise holds the draws that were recovered from released values against
// the law that a counter declares. Numbers in, numbers out: it knows neither logs
// nor counters.
//
// Under the declared law every Draw is a discrete Laplace variable, independent
// of all others, so that
//
//	w = −ln P(|Y| ≥ |y|) is exponential with mean 1,
//
// and the signs are fair coins, independent of w. All tests rest on that, and
// share one level.
package noise
