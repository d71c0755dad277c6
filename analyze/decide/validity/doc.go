// Package validity judges what log and replay say of the declared mechanism, before any
// reward is read, and says what may therefore be said of rewards.
//
// [Weigh] comes to the verdicts on policy.conformance and privacy.noise, and to what
// stands against bounds and corrections that rest on the ledger. Each kind of evidence
// has a file: conformance.go and disagrees.go for a policy that is replayed, law.go for
// one that is held against its law, program.go for one that is a program, noise.go for
// released values, setby.go for whoever decided a column.
package validity
