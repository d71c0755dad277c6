// Package tail computes natural logarithms of tail probabilities, and the
// quantiles that belong to them.
//
// A corrected p-value is a raw p-value multiplied by a number that may be
// astronomically large, so a tail that underflows to 0 would turn "not
// significant" into "certain". Every function here therefore returns ln P,
// which keeps its relative precision far below the smallest float64, and every
// quantile takes ln P.
//
// All functions are pure. Arguments outside the domain give NaN, never a panic.
package tail
