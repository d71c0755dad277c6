// Package confseq has confidence sequences of means of bounded rewards that any policy gave:
// intervals that hold at every number of rounds together, and of the difference of two arms.
package confseq
