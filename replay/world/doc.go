// Package world holds worlds with known truth, and [Simulate], which lets a
// declared mechanism play in one and writes the log that it would have left.
//
// A world fixes what every arm would have paid in every round before the first
// round is played: the reward of arm a in round t is a function of the seed, t
// and a, never of what was played. Two policies that are run with one seed
// therefore meet the same potential rewards (common random numbers), and the
// lazy rewards of a run are entries of one full table.
//
// Streams (see the seed scheme in package replay): purpose "world.reward",
// one per arm, and purpose "world.context", one per experiment. In each round
// every arm's reward stream gives one 64-bit word u; a Bernoulli reward is 1
// when ⌊u/2¹¹⌋·2⁻⁵³ < mean. The context stream gives the round's coordinates
// in order, each by [rand.Rand.NormFloat64].
package world
