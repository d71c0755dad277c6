// Package montecarlo holds propensities that were estimated by finitely many draws
// against the law that they estimate. Numbers in, numbers out: it knows neither
// logs nor policies.
//
// A program that cannot compute the probabilities p of its arms draws from its
// posterior N times and logs the shares q = X/N with which each arm was best:
// X ~ Multinomial(N, p). The shares differ from p by about √(p(1−p)/N), which is
// no fault, and they lie on the lattice of multiples of 1/N. Where the shares of all arms
// are known, or there are two arms, this is their law whatever arm is drawn afterwards.
// Where the share of the played arm alone is known, its law depends on how the arm was
// drawn:
//
//	from the shares, or as one of the draws   X − 1 ~ Binomial(N−1, p)
//	by one more draw                          X ~ Binomial(N, p); X may be 0
//
// and an arm that is seen because it was played at least once in n rounds by the
// same shares has the weight 1 − (1 − X/N)ⁿ on Binomial(N, p), which lies between
// the first (n = 1) and the second (n = ∞).
//
// With N known a test of all cells together (Shares.Redraw) and one of every cell
// (Shares.Cells) share a level with one of how often the same shares come again
// (Shares.Repeats), which needs no number of draws. With N unknown it is estimated
// (Shares.Estimate), found by the lattice (Lattice), and shares that lie nearer to
// another law than to the declared one are told by a score (Score).
package montecarlo
