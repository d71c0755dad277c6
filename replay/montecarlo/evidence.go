package montecarlo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// decisive is what the evidence has to reach for D to be drawn no more: it does
// so with a probability of at most 1/decisive.
const decisive = Redraws + 1

// spreads are how many times as far from their law as shares of N draws the other
// shares are that evidence looks for.
func spreads() []float64 { return []float64{1.15, 1.5, 2, 4, 16, 256, 65_536} }

// evidence returns ln of a number whose mean is 1 for shares of N draws, whatever N
// and p are, so that it reaches 1/α with a probability of at most α (Markov). It is
// the mean over spreads F of
//
//	Π Γ(a)/Γ(N+a) · Π Γ(x+a·p)/Γ(a·p) · p^(−x),  a = (N−F)/(F−1)
//
// over the updates and their cells with x = N·q: the likelihood of counts from laws
// that are themselves drawn about p (Dirichlet-multinomial: F times the variance of
// shares) over the likelihood of counts from p. Where a share is known between two ends
// only, x is the one at which its factor is least.
//
// D that is far too large is so found without a redraw, however many updates there
// are.
func evidence(all []cells) float64 {
	list := spreads()
	logs, top := make([]float64, len(list)), math.Inf(-1)
	for i, spread := range list {
		for j := range all {
			c := &all[j]
			if len(c.p) > 1 && c.n > spread {
				logs[i] += float64(float64(c.times) * c.overspread((c.n-spread)/(spread-1)))
			}
		}
		top = max(top, logs[i])
	}
	if math.IsInf(top, 1) {
		return top
	}
	sum := 0.0
	for _, l := range logs {
		sum += bitexact.Exp(l - top)
	}
	return top + math.Log(sum/float64(len(list)))
}

// overspread is ln of an update's factor at the concentration a.
func (c *cells) overspread(a float64) float64 {
	total := 0.0
	for _, p := range c.p {
		total += p
	}
	whole, _ := math.Lgamma(a)
	all, _ := math.Lgamma(c.n + a)
	same := math.Log(c.n + a) // Σx = N: what it is multiplied with is at will, and so every factor is least about N·p
	out := whole - all + float64(c.n*same)
	for i, p := range c.p {
		p /= total
		x := float64(c.n * c.q[i])
		if c.room[i] > 0 {
			slack := float64(c.n * c.room[i])
			x = min(max(float64(c.n*p)+0.5, x-slack, 0), x+slack)
		}
		if x < 0 || p <= 0 {
			continue
		}
		with, _ := math.Lgamma(x + float64(a*p))
		own, _ := math.Lgamma(a * p)
		out += with - own - float64(x*(math.Log(p)+same))
	}
	return out
}
