// Package eprocess is evidence by betting under adaptive allocation: e-processes
// that hold for every policy, every drift and every stopping rule, where the logged
// or recomputed propensities are the true ones.
//
// An e-process is a non-negative process whose expectation is at most 1 at every
// stopping time if the null hypothesis holds. By Ville's inequality the probability
// that it ever reaches 1/α is at most α, so 1/max e is a p-value at any time. All
// evidence here is the average of what several bets have won whose sizes are fixed
// before anything is seen.
//
//	[Assignment]  which of two arms was played, given the reward: the two arms pay alike in every round
//	[DifferenceProcess]      the difference of two arms' means, over all rounds, by weights
//	[Value]       the mean reward of another policy, over all rounds, by weights
//
// Rounds are handed over in their order. Rewards are rescaled to [0,1] by the
// declared range; a reward outside it is an error of the caller. Sums are taken in
// the order of rounds, so that the same log gives the same digits.
package eprocess
