// Package tableau is the data type of an audit: the rounds of one or more
// logged experiments, as flat columns of an Arrow IPC file that is mapped into
// memory and never copied.
//
// # Layout
//
// The file rounds.arrow is an uncompressed Arrow IPC file whose columns are, in
// this order, `experiment` int32 (index into the manifest's experiments),
// `round` int64 (1-based within the experiment), `arm` int32 (index into the
// manifest's arms), `reward` float64, `propensity` float64 where the log has
// one, and `x0`, `x1`, … float64. No column holds a null. Rows are sorted by
// experiment, then round. Every record batch has BatchRows rows, except the
// last, which may be shorter; so a row's batch is known from its number alone,
// and chunk boundaries never depend on how many goroutines read.
//
// # Untrusted files
//
// A tableau is read as an untrusted file. Open walks the footer and the record
// batch tables by itself, checks every offset, length, alignment and count
// before it is used, and then checks every public value: experiment indices
// against the declared ranges, rounds for strict increase, arms against the
// number of arms, propensities against [MinPropensity, 1], contexts for
// finiteness. Rewards are checked, against their declared range, by the gate
// when it opens. What is wrong is an error that names batch, row and column,
// never a panic.
//
// A file that is cut while it is mapped makes the processor fault on the pages
// that are gone. Open, Digest, Disclose and Feed turn such a fault into
// ErrFault. The slices of a Chunk, and the rewards behind the gate, point into
// the mapping: wrap the code that walks over them in Slice.Guard, once per
// goroutine, and the same fault becomes an error there too.
//
// # The gate
//
// Rewards are private, everything else in a tableau is public. The reward
// column can be read in two ways only, both in gate.go: Slice.Feed hands one
// row's reward at a time to a mechanism and books the mechanism's law;
// Slice.Disclose hands out all rewards of a slice and books one exact read.
// Both write to a Book before they read, and a Book that refuses stops the
// read. The gate is accounting, not access control: the file is in clear, and
// anybody who can open it can read it with any Arrow library.
package tableau
