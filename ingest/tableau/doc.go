// Package tableau is the data type of an audit: the rounds of one or more
// logged experiments, as flat columns of an Arrow IPC file that is mapped into
// memory and never copied.
//
// # Layout
//
// The file rounds.arrow is an uncompressed Arrow IPC file. Its columns are, in
// this order and only those that the schema has,
//
//	experiment         int32    index into the manifest's experiments
//	round              int64    from 1 within the experiment, increasing
//	arm                int32    index into the manifest's K arms
//	reward             float64  in the declared range, or missing
//	propensity         float64  of the logged arm, in [MinPropensity, 1], or 0
//	x0, x1, …          float64  the context, finite
//	context_by_arm     K·d float64, finite: arm by arm
//	propensity_by_arm  K float64 in [0, 1]
//	released_by_arm    K or K·d float64, finite: what the policy saw
//	reward_by_arm      K float64, each as reward
//	score_by_arm       K float64, finite: what the policy compared
//	eligible           K bool; the logged arm is
//	batch              int32    from 0 within the experiment, in steps of 0 or 1
//	unit               int64    from 0 within the experiment, without a gap
//	reward_round       int64    ≥ round; NeverKnown where it never became known
//	reward_before      int64    rounds before the moment of reward_round, and not at it
//	time               int64    nanoseconds since 1970 in UTC, not decreasing within the experiment
//	propensity_draws   int64    in [1, MostDraws]: by how many draws the row's propensities were estimated
//	targets            float64 in [0, 1]: probabilities of evaluated policies, column by column of the manifest
//	position           int64    in [0, Schema.Positions): where the declared hash puts the row's unit
//	stratum            int64    in [0, MostStrata): which state of the policy decided the row
//	keep_prob          float64  in [MinPropensity, 1]: with which probability the row is in the log
//
// where the columns by arm are fixed-size lists and the first four are always
// there. No column holds a null; a missing reward is the quiet NaN without sign
// and payload, and only where the schema has MissingReward. Rows are sorted by
// experiment, then round. A record batch has at most Schema.BatchRows rows: a power
// of two that the schema alone decides. It has fewer where the next experiment
// does not fit into the rest of it, and at the end. So an experiment lies within one
// record batch, or begins one: where its rows are cut into chunks depends on it
// alone, and not on what else is in the log. Memory per batch is bounded however
// wide rows are, and chunk boundaries never depend on how many goroutines read.
//
// The file units.arrow lies beside it where the schema has units: the columns
// `unit` int64 and `row` int64, the row in rounds.arrow, in order of experiment,
// unit and row, in record batches of BatchRows rows.
//
// # Untrusted files
//
// Both files are read as untrusted files. Open and OpenUnits walk the footer and
// the record batch tables by themselves, check every offset, length, alignment
// and count before it is used, and then check every public value against the
// table above and the declared ranges. Rewards are checked by the gate when an
// experiment's are first used. What is wrong is an error that names batch, row
// and column, never a panic.
//
// A file that is cut while it is mapped makes the processor fault on the pages
// that are gone. Open, OpenUnits, Digest, Disclose and Feed turn such a fault
// into ErrFault. The slices of a Chunk and of Units, and the rewards behind the
// gate, point into the mapping: wrap the code that walks over them in
// Slice.Guard, once per goroutine, and the same fault becomes an error there
// too.
//
// # The gate
//
// Rewards are private, everything else in a tableau is public. The columns
// reward and reward_by_arm can be read in two ways only, both in gate.go:
// Slice.Feed hands one row's reward at a time to a mechanism and books the
// mechanism's law; Slice.Disclose hands out all rewards of a slice and books
// one exact read. Both write to a Book before they read, and a Book that refuses
// stops the read. The gate is accounting, not access control: the file is in
// clear, and anybody who can open it can read it with any Arrow library.
package tableau
