// Package rewards reads the rewards of one experiment through the gate: their sums by arm,
// whether their means move, and what bets on them held in between. It knows the arms, and
// nothing of tests, corrections or mechanisms.
package rewards
