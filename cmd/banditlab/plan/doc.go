// Package plan says, before an experiment is run, what a privacy parameter ε
// buys and costs: how far an arm's mean can be pulled away from the truth, what
// is left of a p-value after correction, and, by simulation in a declared world,
// the power of the corrected test and the regret, beside the same policies on
// exact sums and beside confidence sequences, which need no privacy.
//
// What follows from ε and the number of rounds T alone is closed in form. It
// takes every row to cost ε and the test to read all T rows,
//
//	bias   ≤ (hi − lo)·tanh(ε/4)
//	σ      = ε·√T/2
//	p_corr = exp( −½·(√(2·ln(1/p)) − σ)² )  where p < e^(−σ²/2), else 1
//
// so that it holds for every mechanism and every arm, also one that is chosen by
// looking at the actions. (Own derivation, internally reviewed; see packages bias
// and maxinfo. The published forms, e^ε − 1 of Neel and Roth 2018, arXiv
// 1806.02329, and Theorem 20 of Dwork et al. 2015, arXiv 1506.02629, at the best
// β, stand beside them.) Simulated tests are corrected as an audit of the log
// would correct them, by the ledger of the rows that they read, and reject more.
//
// # Randomness
//
// Run i of every mechanism is the experiment plan/i of one master seed, in the
// scheme of package replay. So all mechanisms and all ε meet the same rewards,
// and what differs between them is not the luck of the draw.
package plan
