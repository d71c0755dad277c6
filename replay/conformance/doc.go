// Package conformance answers two questions about one logged experiment: is
// the log what the declared policy would have written, and what did the
// declared mechanism cost on its action sequence. Each kind of evidence has a
// file: a seed, logged propensities, and nothing.
//
// With a seed every round is replayed bit for bit on the logged history. That
// verifies the arithmetic of the log; it does not verify that the seed was
// secret, fresh, or chosen before the rewards were known.
//
// Rewards are read through the tableau's gate, in one booked feed, and only
// when the policy's choices depend on them.
package conformance
