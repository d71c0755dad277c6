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
// Every form is a [Correction]. Those that hold given the actions are
// [Conditional], made of the levels of the rows that a test reads: [Renyi] the
// closed form at σ, [Moments] a search in one dimension, [Recursion] an outer
// grid for up to 1,000 rows, [AnyLaw] the sum of the costs, and [Least] of them.
// For every event of the data they bound its probability given the actions by a
// function of its probability before, so the event may be chosen from the
// actions.
//
// Averaged over the actions are the published route, Theorem 20 of Dwork,
// Feldman, Hardt, Pitassi, Reingold & Roth 2015 (arXiv 1506.02629) as used by
// Neel & Roth 2018 (arXiv 1806.02329), [Published] and [PublishedAt];
// [Information] for policies without a pointwise bound; and [ApproximateDP] for
// (ε, δ). They do not have the type that enters a minimum.
//
// Where several rows are one independent unit, a level counts units, and its
// cost is the sum over all rows of the unit. [Compact] bounds the number of
// levels.
//
// Every p-value and level is a natural logarithm, so that thresholds far below
// 1e-300 keep working.
package maxinfo
