// Package dialects makes the page testdata/reproduce/DIALECTS.md: honest logs of policies
// as libraries and platforms run them, what an audit says of each claim about them, and
// what it says of logs that are declared by another law. The program that writes the page
// is `banditlab dialects`.
//
// What is played here is written a second time, from what libraries do and not from
// package replay/policy, with other generators and other integrals: an audit that shares a
// mistake with the deployment does not see it.
//
// A new dialect is a line of the list of its family (list_NAME.go), and a new
// law that is declared wrongly a line of Wrongs (wrong.go).
package dialects
