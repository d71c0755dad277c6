// Package policy holds the selection functions f_t of bandits, one per file:
// plain numbers in, an arm out. A policy sees counts of actions, released sums
// of rewards and contexts; it never sees a reward, and whether a released sum
// is exact or noisy is not its business.
//
// A policy value belongs to one run and is not safe for concurrent use. What
// it draws for its own choices comes from the source that it was built with
// and from nowhere else.
package policy
