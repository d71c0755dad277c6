// Package hashassign computes where an experimentation platform's hash puts a unit, and
// which arm has that place: an assignment that anybody recomputes from public data.
//
// A platform hashes the key of a unit to a position in [0,1), a multiple of
// 1/Hash.Steps. The arms have ranges of [0,1) one behind another, as long as their
// weights; the arm whose range holds the position is the unit's.
package hashassign
