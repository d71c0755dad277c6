// Package ledger does the privacy arithmetic of a logged bandit: exact losses,
// what a row of the log cost, totals over a run, and the book in which an
// audit enters every exact read of rewards.
//
// # Pathwise cost
//
// Fix the action sequence a. Every noisy release v that a decision used is a
// function of the rows R_v(a) only, with additive Laplace noise of scale b_v
// that was drawn once. For tableaux that differ in row t alone
//
//	|ln P(a|s) − ln P(a|s')| ≤ c_t(a) = Σ_{v: t∈R_v(a)} Δ/b_v,
//
// because in the integral over the releases only the factors with t ∈ R_v
// change, each by at most e^{Δ/b_v} (own derivation, internally reviewed). The
// reward of the last round is read by no decision, so it costs 0; nor is the reward of any
// row that became known after the policy had last learned.
//
// Where exact sums are read and actions are drawn, the factors are the
// probabilities of the actions instead, see PathLaw.
//
// # Parallel arms
//
// The arm that receives row t is a function of outputs before t, so a row
// enters the counter of exactly one arm, and the total of pure losses over
// arms is their maximum, not their sum (Henzinger, Safavi and Vadhan,
// arXiv:2411.03299, for interactive mechanisms under pure privacy). It is their
// sum for somebody whose rows lie in several arms, and the maximum says nothing
// where the arm, batch or range of a row depends on rewards that were not
// released, or where the parts are only (ε, δ)-private: then a row can be
// routed to the arm that is about to fail.
//
// # Other definitions
//
// ρ of zero-concentrated privacy is the supremum over all action sequences of
// the sum over a row's releases where their noise is drawn after the row is
// there, as all counters but the tree draw it; else, and where it is less, the ρ which
// every mechanism with the same ε has. Noise that is drawn ahead does not add up: a row can
// be routed to where it will give away most. Somebody with m rows has m·ε and m²·ρ at most;
// package owner bounds both from what rows cost together. Nothing that conditions on the
// actions uses ρ, or what it converts to.
//
// # Two books
//
// The ledger of a run says what the logged experiment released. Disclosures
// say what this audit read. They are kept apart.
//
// # Numbers
//
// A Loss is an exact rational or +∞. Nothing is rounded until a number becomes
// a float64 to be printed, and then it is rounded up. Logarithms, ρ and what
// comes of them are rounded up at once.
package ledger
