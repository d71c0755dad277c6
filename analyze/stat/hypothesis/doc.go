// Package hypothesis holds tests of means, of differences of two arms' means and
// of coefficients, and the adjustment of many p-values, one test or method to a
// file.
//
// A p-value is a natural logarithm here (LogP), and so is the level of an
// interval (logAlpha): a corrected interval may have to be built at a level of
// e^−5000. Each test's comment says what it assumes and what it is valid for,
// and each Result says so in one sentence.
//
// All tests treat the number of rows as fixed. After an adaptive experiment
// that is true only with the action sequence held fixed, which is how package
// maxinfo uses them; on their own they are valid only if the allocation had
// been fixed in advance.
//
// Where rows come in units that are independent of each other (the rows of one
// customer, say), Clustered, Hoeffding and Bernstein count by unit; the others
// ask that each row be independent.
//
// # Add a test
//
// A test is a file NAME.go (statistic, natural logarithm of p, interval) and a onesample.Test in
// analyze/stat/onesample/NAME.go, a line of onesample.Tests, with reference values of another
// program. The base p of a corrected test is valid with the action sequence held fixed;
// Result.Exact says whether it holds at every number of rows, and Approximate in the descriptor
// that it does not: such a p decides nothing unless the protocol accepts it. A test that every
// experiment undergoes shares its level with the others.
package hypothesis
