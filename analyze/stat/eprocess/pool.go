package eprocess

import "math"

// Pool is evidence of several wagers against one hypothesis, of which the average is
// evidence too: e_n = (1/m)·Σ_i e_{i,n}, every e_{i,n} after the same round n. Its
// largest at the looks gives an any-time p-value, 1/max e_n, for looks that are fixed
// beforehand. The average of largest values is no evidence. The zero Pool has not
// looked.
type Pool struct {
	last, largest float64
}

// Look takes up ln e of every wager after a round. It needs at least one.
func (p *Pool) Look(logE ...float64) {
	p.last = logMean(logE...)
	p.largest = math.Max(p.largest, p.last)
}

// LogE is ln of the average at the last look.
func (p *Pool) LogE() float64 { return p.last }

// Largest is ln of the largest average at any look, at least 0.
func (p *Pool) Largest() float64 { return p.largest }
