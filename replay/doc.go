// Package replay runs declared bandits: free, against a world; free, against a
// full tableau; and teacher-forced, against a log. A mechanism is a policy, a
// counter that feeds it sums of rewards, and what the pair costs.
//
// # Promise, unit, and what is not protected
//
// A mechanism with a finite law is ε-differentially private in the rewards (of
// a policy that reads exact sums and draws its actions, for logs of a given
// number of rounds; see ledger.PathLaw):
// for two tableaus that differ in one row, that is in the rewards of one round,
// and any set S of action sequences
//
//	P[actions(D) ∈ S] ≤ e^ε · P[actions(D') ∈ S].
//
// The unit of privacy is one round's reward; somebody whose rewards fill m
// rounds has m·ε at most, and package owner says how much less. Contexts, actions, counts of actions, who took part, the
// number and order of rounds and everything else in a log are public in this
// definition and are not protected. Nor does it help against a reader of the
// Parquet log or of a tableau, who sees the rewards themselves; against a
// program that feeds wrong rewards; or against timing. Noise drawn from a
// seed is reproducible and not private: whoever has the seed has the rewards.
// Every run of this package is seeded, for it simulates and replays. The
// counters of package counter take their words from any rand.Source, and a
// deployment gives them one that reads crypto/rand; nothing here needs one.
// Replaying a log with its seed shows that its actions follow from its
// rewards; it does not show that the seed was secret or fresh.
//
// # Seed scheme
//
// One master seed of 32 bytes makes every stream. The stream with a purpose,
// for an experiment and an arm, is ChaCha8 (the generator of math/rand/v2,
// C2SP chacha8rand) seeded with the SHA-256 of these bytes, in this order:
//
//	32 bytes  master seed
//	 4 bytes  length of purpose in bytes, big-endian
//	          purpose, UTF-8
//	 4 bytes  length of the experiment's id in bytes, big-endian
//	          experiment's id, UTF-8
//	 8 bytes  arm, from 0, two's complement big-endian; −1 where there is none
//
// and has these purposes:
//
//	"policy"         arm −1   the policy's own choices
//	"policy.ties"    arm −1   drawn ties
//	"policy.start"   arm −1   a start at random, and first rounds in which all arms are alike
//	"policy.floor"   arm −1   the exploration floor
//	"counter"        arm i    noise of arm i's counter
//	"world.reward"   arm i    rewards of a simulated world
//	"world.context"  arm −1   contexts of a simulated world
//	"world.eligible" arm −1   which arms a round has in a simulated world
//	"world.known"    arm −1   when its rewards become known
//	"world.fault"    arm −1   actions that a faulty service chooses instead
//	"world.theta"    arm i    parameters of arm i in a simulated world, for
//	                          the empty experiment: all have the same
//
// Where strata are declared (policy.by), the streams of the policy and of the counters of
// stratum s have ".by." and s in decimal behind their purposes: "policy.by.0", "counter.by.0".
// Strata are numbered from 0 in the order in which the rounds have them first.
//
// A master seed made from a whole number n is the SHA-256 of the 16 ASCII
// bytes "banditaudit seed" followed by n as 8 bytes, two's complement
// big-endian.
//
// Each arm's counter has a stream of its own, and takes from it only when a
// reward arrives, so a mismatch in one arm leaves the others comparable. The
// policy (package policy) and the counter (package counter) give the order of draws within
// a stream, written there step by step.
//
// # Numbers
//
// A reward y with the declared range [lo, hi] enters a counter as
// (y ⊖ lo) ⊘ (hi ⊖ lo), each operation rounded to the nearest float64, after
// clipping to the range where the protocol says clip. A private counter rounds
// that to its grid. Whatever decides an action is evaluated in the order that the
// policy's type gives, without fused operations, and with a logarithm and an
// exponential made of the four basic operations, so that a log replays bit for
// bit on every architecture, not only on the one that wrote it.
//
// # When a policy learns
//
// A reward of round s that becomes known after round u ≥ s enters its arm's
// counter then; of several, in the order of u and, among equals, of s. A policy
// with update: {every: n} learns what has been released by then before rounds 1,
// n+1, 2n+1, …, and with update: batch before the first round of each batch; what
// it sees of counts, rows and sums stands still in between, and nothing of the
// present batch is in it. The number of the round, its context and its eligible
// arms always belong to the round itself. An arm counts as played, for the policy, from the
// next time that it learns.
//
// Where strata are declared, each has a state of its own, and n counts its rounds. A batch is
// one of all strata: what is known before its first round is what all states learn, whenever
// their own next round comes.
//
// # Released values
//
// Where a log says what the policy saw in each round (Round.Released), its
// choice follows from that and from what is public, whatever noise was in it, and
// needs no seed. A run that is shown these values, whose own counters add no
// noise (Mechanism.NewObserver), has beside them the exact sums of the same
// rows. What was released less what is exact is the noise, which a
// counter.Recovery takes apart into draws.
//
// # Add a neighbour of a declared option
//
// A neighbour is a value of param.Key.Near beside the key: what dialects of the policy have.
// Options that all policies share stand in neighbours.go. replay/conformance/hints.go tries each
// on a log that is not the policy's, and two together, and names what matches more rounds: a
// hint, which changes no claim. A declaration with the key stands in neighbourly
// (neighbours_test.go), a log of it in hints_test.go.
package replay
