// Package shard is the form in which a part of an audit waits for the others: the
// outcomes of some experiments of a log, and what they are outcomes of. Bytes in, bytes
// out, one outcome at a time. Which experiments these are the log's ids decide (--part), or
// an engine that shuffled its rows (--log), which knows no place in the log: see [Move].
//
// A fragment (fragment.v1) is lines of JSON: a [Head]; two lines for every experiment,
// which say where it stands and what was found; and an end with the SHA-256 of all lines
// before it. It holds no reward of a row, and more than results.json does: ln p in full,
// and what the family of all experiments needs.
package shard
