// Package world holds worlds with known truth, and [Simulate], which lets a
// declared mechanism play in one and writes the log that it would have left.
//
// A world fixes what every arm would have paid in every round before the first
// round is played: the reward of arm a in round t is a function of the seed, t,
// a and the contexts of t, never of what was played. Two policies that are run
// with one seed therefore meet the same potential rewards (common random
// numbers), and the lazy rewards of a run are entries of one full table. The
// same holds for contexts, for the arms that may be played, and for the rounds
// by which rewards are late.
//
// # Streams
//
// See the seed scheme in package replay. A word u stands for ⌊u/2¹¹⌋·2⁻⁵³ where
// a number in [0,1) is drawn from it.
//
//	"world.reward"    per arm: one word in every round, from which the law of the
//	                  world makes the reward, whether or not the arm was played
//	"world.context"   the round's coordinates in order, arm by arm where arms have
//	                  contexts of their own: each by [rand.Rand.NormFloat64], or,
//	                  where ‖x‖₁ ≤ b is declared, one word: uniform from 0 to b/d
//	"world.stratum"   one word in every round: of four strata, numbered as they come,
//	                  ⌊4·number⌋
//	"world.eligible"  one word per arm in every round: the arm may be played when
//	                  its number is below the probability; where none is, the one
//	                  with the least word may
//	"world.known"     two words in every round: the reward never becomes known
//	                  when the first is below the probability; the delay is
//	                  ⌊ln(1−p)/ln(m/(1+m))⌋ for p of the second and the mean m
//	"world.fault"     two words in every round, with the fault propensity-uniform:
//	                  the action is uniform when the number of the first is below
//	                  0.02; it is the one of the eligible arms, counted from 0, whose
//	                  place is ⌊n·number of the second⌋ among the n there are
//	"world.theta"     per arm, of the empty experiment: θ in the world linear
//
// A stream gives words only in a world that has what it is for.
//
// # Faults
//
// With Spec.Faults the bandit that plays is another than the protocol declares,
// and the log is what that bandit leaves: see Faults. Noise comes from the
// streams of the counters, so that what is faulty is not the randomness.
//
// # Rewards
//
// The log holds rewards as the world paid them. Those of the worlds gaussian
// and linear may lie outside the range of the protocol, which must then declare
// out_of_range: clip; every mean that regret is measured by is the mean of the clipped
// reward.
//
// Normal quantiles, logarithms and the rejection of the Beta law use the
// standard library, whose last bits may differ between architectures. A seed
// gives the same log for one GOOS/GOARCH; that a log was what its policy plays
// can be verified on all of them.
//
// # Add a world or a fault
//
// A world is a file NAME.go with a Law and its World, a line of Worlds and one of worlds
// (law_test.go). A parameter that no world has had is a field of Spec, a flag, and a line of
// checkWorld. A fault is a Fault in the list of its kind (faultsOfNoise, faultsOfLearning,
// faultsOfPropensities), its arithmetic in fault_NAME.go; it has a case in
// cmd/banditlab/faults/fault.go, and FAULTS.md is written again.
package world
