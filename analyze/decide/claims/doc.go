// Package claims comes to the verdicts on what a protocol claims, and to the status of the
// assumptions.
//
// A kind of claim is a [Claim], in a file of its own and a line of [Claims]. What it is
// decided by is a [Findings]: what the stages before have found, and none of these stages.
// [View.Decide] also notes on which undeclared keys a verdict rests (resting.go).
package claims
