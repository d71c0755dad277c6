// Package calibration makes the page testdata/reproduce/CALIBRATION.md: what
// naive and corrected tests do on the data of every policy on every counter,
// where the truth is known. The program that writes the page is
// `banditlab calibration`. Everything follows from the code and its
// seeds.
package calibration

import (
	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// Alpha is the level of every test.
const Alpha = 0.05

// Arms is K, and Dim the length of a context, d.
const (
	Arms = 3
	Dim  = 3
)

// Setting is the size of an experiment and its privacy.
type Setting struct {
	Name    string
	Rounds  int64   // T
	Epsilon string  // of every counter that has one
	Eta     float64 // of softmax beside noise
	Runs    int     // with the master seeds replay.Seed(1), replay.Seed(2), …
}

// Settings lists the settings that the page has.
func Settings() []Setting {
	return []Setting{
		{"Private", 1000, "0.05", 0.05, 2000},
		{"Small", 60, "0.5", 0.2, 4000},
		{"Open", 500, "4", 0.2, 2000},
	}
}

// bandit builds the pair of the table of mechanisms with three arms, three
// columns of contexts where it reads any, and the setting's horizon and ε. Upper
// confidence bounds have no bonus for the noise, so that they follow the sums
// as closely as they can: that is harder on the tests.
func (s Setting) bandit(pair mechanisms.Pair) (*replay.Mechanism, error) {
	p, err := pair.Protocol()
	if err != nil {
		return nil, err
	}
	p.Arms = p.Arms[:Arms]
	if pair.Linear {
		p.Log.Context.Columns = p.Log.Context.Columns[:Dim]
	}
	if p.Policy.Own.Has("bonus") {
		p.Policy.Set("bonus", "none")
	}
	if p.Policy.Own.Has("probabilities") {
		p.Policy.Set("probabilities", []float64{0.2, 0.3, 0.5})
	}
	if c := p.Counter; c != nil && c.Name != "exact" {
		c.Epsilon = schemas.MustRational(s.Epsilon)
		if c.Horizon > 0 {
			c.Horizon = s.Rounds
		}
		if p.Policy.Own.Has("eta") {
			p.Policy.Set("eta", s.Eta)
		}
	}
	return analyze.Standard().New(p, p.Arms)
}
