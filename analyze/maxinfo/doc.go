// Package maxinfo corrects p-values of tests whose hypothesis was chosen from
// the output of a differentially private experiment.
//
// The headline correction is conditional on the action sequence: the rewards
// that a test reads have, given the actions, a law that is at most
// σ²/2·α-close in Rényi divergence to the law they had before, where
//
//	σ² = 2·Σ_t ρ_BR(c_t)
//
// and c_t is the pathwise privacy cost of row t (natural log). It needs pure
// differential privacy, independent rows, and a p-value that is valid with the
// actions held fixed. Source: own derivation, internally reviewed, unpublished;
// its ingredients are the exact bounded-range constant of Harrison & Manurangsi
// (arXiv 2510.25746) and the Hölder transfer of van Erven & Harremoës (2014,
// doi 10.1109/TIT.2014.2320500).
//
// Beside it stands the published route, Theorem 20 of Dwork, Feldman, Hardt,
// Pitassi, Reingold & Roth 2015 (arXiv 1506.02629) as used by Neel & Roth 2018
// (arXiv 1806.02329). That one is averaged over the actions; the two must never
// enter a minimum together.
//
// Every p-value and level is a natural logarithm, so that thresholds far below
// 1e-300 keep working.
package maxinfo
