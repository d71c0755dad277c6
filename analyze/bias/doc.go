// Package bias bounds how far the mean of an arm can be pulled away from the
// truth because a differentially private policy chose when to play it.
//
// The bounds are conditional on the whole action sequence and hold for an arm
// that was picked by looking at the actions. They need rewards in [0, 1] (the
// caller multiplies by the width of the reward range), independent rows, and a
// policy that sees rewards through its private outputs only. Source: own
// derivation, internally reviewed; the published form of Neel & Roth 2018
// (arXiv 1806.02329) is kept beside it.
package bias
