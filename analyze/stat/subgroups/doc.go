// Package subgroups tests whether arms were played with their probabilities in rounds that are
// alike in something known before the arm was drawn: context, time, earlier arms and rewards,
// and two of these together. It bets on every arm in every subgroup at its propensity; the
// average of all bets is a supermartingale.
package subgroups
