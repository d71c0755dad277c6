// Package stratified is what can be said of two arms from batches: an exact p of each batch
// given its margins, combined over batches, and the estimate that standardises every
// batch by itself. Within a batch every row must have been given its arm by a draw of
// its own with the same probabilities; the probabilities of later batches may depend on
// whatever happened in earlier ones (formula sheet 24.6).
//
// Rewards of 0 and 1 have stronger evidence in eprocess.Batches.
package stratified
