// Package claims comes to the verdicts on what a protocol claims, and to the status of the
// assumptions.
//
// A kind of claim is a [Claim], in a file of its own and a line of [Claims]. What it is
// decided by is a [Findings]: what the stages before have found, and none of these stages.
// [View.Decide] also notes on which undeclared keys a verdict rests (resting.go).
//
// # Add a claim
//
// A claim is a file NAME.go: a Claim says its keys, what must be declared, how it is decided, and
// what would pass it unseen. It is a line of Claims. Whatever contradicts is VIOLATED; whatever
// shows nothing is NOT ESTABLISHED, and says why.
package claims
