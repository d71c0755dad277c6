// Package argmaxprob computes the probability that one of K independent variables is the
// largest, with the same bits on every architecture. It draws nothing.
package argmaxprob
