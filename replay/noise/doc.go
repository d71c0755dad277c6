// Package noise holds the draws that were recovered from released values against
// the law that a counter declares. Numbers in, numbers out: it knows neither logs
// nor counters.
//
// Under the declared law every Draw is a discrete Laplace variable, or the sum of
// a known number of them, independent of all others, so that
//
//	w = −ln P(|Y| ≥ |y|) is exponential with mean 1,
//
// and the signs are fair coins, independent of w. On a lattice the probability
// of the value itself is split by a coin of a fixed stream, which keeps the law of
// w exact; draws on a lattice finer than a ten-thousandth of their scale are
// spread over their cell instead. All tests rest on that, and share one level:
//
//	scale         2·Σw is χ² with 2m degrees of freedom
//	shape         normalised spacings of w are uniform, whatever the scale; w has no
//	              end; 0 is not drawn too often on a lattice
//	sign          signs are fair coins
//	independence  products of the draws of a stream have fair signs; none comes twice but
//	              for its sign; signs and sizes do not follow the rewards that draws are
//	              released with
//	growth        the scale is the same in short and long sums
//	arms          so are products of the draws of two streams; none is in both;
//	              each arm has the scale of all
//
// each at Share. The laws of scale, shape, sign and growth hold for a fixed number of
// draws; where a rule that reads what was released may have stopped the log, bounds that
// hold at any length take their place. Where one rejects, Fit tries what a deployment may
// have done instead, takes a hypothesis to fit where the same tests and one of the exponent
// do not reject it at 0.01 on 20 draws at least, ranks what fits by likelihood, and
// computes what the releases cost where all that fit agree on it. A hypothesis that fits is
// an explanation and not a finding: others may fit too.
package noise
