// Package hashassign computes where an experimentation platform's hash puts a unit, and
// which arm has that place: an assignment that anybody recomputes from public data.
//
// A platform hashes the key of a unit to a position in [0,1), a multiple of
// 1/Hash.Steps. The arms have ranges of [0,1) one behind another, as long as their
// weights; the arm whose range holds the position is the unit's.
//
// # Add a hash of units
//
// A hash is a Hash in hash.go and a line of Hashes; its word stands in the tags of schemas (Draw,
// Manifest, Hashed), positions and arms of the platform's own library in testdata/reference.
package hashassign
