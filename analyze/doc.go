// Package analyze turns one experiment of a tableau into findings: estimates
// and checks that need no privacy, bias bounds and corrected p-values where
// the declared mechanism gives them, and verdicts on claims.
//
// [Run] is a pure function of protocol, tableau slice and replay; package assembly
// puts experiments together in the order of the manifest. Work is split into
// the tableau's fixed chunks and folded in their order, so the same bytes come
// out for every number of jobs.
//
// # Stages
//
// An analysis is a list of stages, which [Run] goes through. Each is a value that
// holds those before it, so that none can reach into a later one:
//
//	facts      what the log says without its rewards (package facts)
//	questions  what the protocol asks of it
//	accounts   what the declared mechanism loses by the logged actions, and corrections
//	           (package accounts)
//	evidence   what log and replay say of the declared mechanism (package evidence)
//	sample     the rewards, read through the gate (package rewards)
//	allocation the probabilities that arms were played with (package allocation)
//	weighed    the rewards, weighed by these probabilities (package weighed)
//	arms, fits, checks, answers
//	           estimates, regressions (package fit), checks and tests
//	verdicts   claims and assumptions (package claims), and the record
//
// Tests, corrections, claims and checks are values in the lists of [Known].
//
// # When rewards are binary
//
// Rewards count as binary, and arm means are tested by the exact binomial test
// unless another is declared, where the reward column is boolean, or where it
// holds whole numbers and the declared range is [0,1]. Both are known before
// any reward is read; the values are never asked.
//
// # When a corrected p-value is given
//
// Never as a fallback: where one of the assumptions A1–A8 is known to fail, or
// the declaration that it needs is missing, the corrected result is NOT
// APPLICABLE and says which. The claimed ε plays no part: costs come from the
// accounting of the declared mechanism on the logged actions.
//
// # What is independent
//
// A row, unless log.unit names units that own several: then a unit is, and costs
// what all its rows cost together, of whatever arm. A regression with covariance
// {cluster: batch} takes batches as independent. Bounds on biases, σ and the
// corrections are over those blocks.
//
// # Memory
//
// It does not grow with the rows: the costs of rows, units and batches are summed
// for two million at a time (16 MiB; a log with more is read again for the next),
// a set of rows has at most 1,024 different costs, rounded up beyond that, and
// every worker holds one chunk's columns. It grows with arms and with the square
// of a regression's columns, which Run holds against Input.Memory before the
// first pass.
//
// # Add a method that decides a test
//
// A method is a file method_NAME.go: what it answers, and why it does not apply; its statistics
// stand in a package of analyze/stat. It is a line of Methods, and of methods of the question
// where auto may take it; else its kinds of test are in named. Its name stands in
// schemas/results_tests.go, its words and source in report/sources, its section in
// topics/answers.md, and each condition has a test by the key that its reason names.
package analyze
