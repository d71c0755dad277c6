// Package drift looks whether the mean reward of an arm changes over the rounds, and whether
// rewards follow a context that steers which arms are played.
package drift
