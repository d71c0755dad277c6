// Package bias bounds how far the mean of an arm can be pulled away from the
// truth because a differentially private policy chose when to play it, and what
// the bounds on coefficients and predictions are made of.
//
// The bounds are conditional on the whole action sequence and hold for an arm
// that was picked by looking at the actions; [Approximate] alone is averaged over
// the actions. They need rewards in [0, 1] (the caller multiplies by the width of
// the reward range), independent rows, and a policy that sees rewards through its
// private outputs only. Source: own derivation, internally reviewed; the published
// form of Neel & Roth 2018 (arXiv 1806.02329) is kept beside it.
//
// A linear statistic Σ_t w_t·y_t, its weights a function of actions and contexts,
// is pulled away by at most Σ_t |w_t|·tanh(c_t/4), c_t the cost of row t. Of an
// arm's mean the weights are 1/N ([ArmMean]); of a regression's coefficients and
// predictions they are rows of (X'X)⁻¹X' and X(X'X)⁻¹X', and package regress sums
// them up with [Row] as the bound of each row. Then the root mean square over the
// logged contexts of the biases of predictions is at most tanh(ε/4), but the
// largest of them is not: with a context of high leverage it can be far above
// e^ε − 1, which was published as a bound for all. (Example: ε = .1, 10⁴ rows,
// bias 1.2614 where .1052 was claimed; a test of package regress computes it.)
package bias
