// Package allocationtest tests whether arms were played with the probabilities that a log has
// for them, whatever policy made it: over all rounds, in batches, by how often the most likely
// arm was played, by the arms of a unit's earlier rounds, and whether propensities change on a
// schedule or with a clock. It also sums up the weights 1/p. Package subgroups does the same for
// rounds that are alike in something.
//
// Accumulators are filled chunk by chunk and merged; fixed chunks merged in
// chunk order give the same bytes for every number of workers. A row whose arm
// is negative is skipped everywhere.
package allocationtest
