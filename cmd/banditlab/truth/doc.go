// Package truth makes the page testdata/reproduce/TRUTH.md: worlds in which an
// audit could say something that a court would call false, and how often it does.
// The program that writes the page is `banditlab truth`.
//
// There are two kinds of rows. A [World] is a deployment that a protocol declares
// wrongly or incompletely, or about which a check says something; its row counts
// how often the audit says what is asked. An [Honest] kind is a deployment that
// did what its protocol declares, logged as other programs write logs; its row
// counts how often each claim is VIOLATED, which is never right.
//
// To add a world: a file world_NAME.go with a function that returns a World, and
// a line in Worlds. To add an honest kind: a file honest_NAME.go with a function
// that returns an Honest, and a line in Kinds. Then count it, and commit page and
// counts:
//
//	go run ./cmd/banditlab truth -rows NAME -o testdata/reproduce/TRUTH.md
//
// A figure that a run gives stands in no text: what is counted beside the row's own
// question is in Also. Deployments are written here by
// hand, and not by the policies of the project, wherever that is possible: an
// audit that shares a mistake with the deployment does not see it.
package truth
