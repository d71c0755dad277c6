// Package conformance answers a question about one logged experiment: is the log what
// the declared policy would have written. Beside it stands what the declared mechanism
// cost on its action sequence (package accounting). What would explain a
// difference of propensities is looked for in package diagnose.
//
// With a seed every round is replayed bit for bit on the logged history. That
// verifies the arithmetic of the log; it does not verify that the seed was
// secret, fresh, or chosen before the rewards were known.
//
// With released values the actions are compared with what the policy plays by what it saw,
// bit for bit or by wager; and what it saw is held against the declared counter: a value
// may change only when the counter releases one, and the difference to the exact sum of the
// same rows must be noise of the declared law. They are examined beside a seed too.
//
// Rewards are read through the tableau's gate, in one booked feed, and only
// when the policy's choices depend on them. The exact sums that released values
// are held against are booked as an exact read: what is said of the noise is a
// function of the rewards without noise. It is said of eight draws or more, and
// of no single one.
//
// # Add a kind of evidence
//
// A kind of evidence is a file: an evidence says where a log has it, and how the log is
// replayed by it. It is a line of kinds, the strongest first. The numbers that several
// kinds share are packages of replay/evidence.
package conformance
