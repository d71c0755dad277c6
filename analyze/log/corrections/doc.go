// Package corrections keeps what the declared mechanism loses by the logged actions, and
// makes the corrections of raw p-values from it.
//
// [Open] makes the ledger of protocol and actions. [Accounts.CorrectionsOf] corrects any
// raw p that reads a set of [Rows]; the caller passes the list of corrections, and
// [Corrections] lists the corrections of this program. Rows that are revealed together, as
// all rows of a unit or of a batch, are a [Block], which costs what all its rows cost. What
// stands against a number is an [NotApplicable].
//
// Rewards are no part of it: [Accounts.WalkBlocks] sums those that it is handed, for
// whoever has read them.
//
// # Add a correction
//
// A correction is a file analyze/stat/maxinfo/NAME.go (a Correction, and Conditional only if it
// holds given the actions) and a line of Corrections in corrections.go. Its method stands in
// schemas/results_tests.go, its words and source in report/sources; where it claims to hold
// given the actions an exhaustive enumeration shows it.
package corrections
