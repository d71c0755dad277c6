// Package adaptive holds what can be said about any bandit log, private or not,
// whatever policy made it: a confidence sequence for the mean of an arm, the
// inverse-propensity-weighted mean, a test of the allocation against the logged
// propensities, and a summary of the weights.
//
// Accumulators are filled chunk by chunk and merged; fixed chunks merged in
// chunk order give the same bytes for every number of workers. A row whose arm
// is negative is skipped everywhere.
package adaptive
