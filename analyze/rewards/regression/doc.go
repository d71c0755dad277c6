// Package regression fits the declared regressions of one experiment: which columns they read,
// whether they can be afforded, the models of the cross-products, and the passes over the
// rows for their errors, bounds on their biases and fits made anew. What the numbers are
// worth is not said here.
package regression
