package accounting

import (
	"testing"

	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/schemas"
)

func arms() []string { return []string{"control", "blue"} }

// protocol declares a policy and a counter with what they need beside.
func protocol(policy, counter string) *schemas.Protocol {
	p := &schemas.Protocol{
		Policy: &schemas.Policy{Name: policy},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
	if policy == "ucb" {
		p.Policy.Set("width", schemas.Values{"delta": 0.05})
	}
	if counter != "" {
		p.Counter = &schemas.Counter{Name: counter}
	}
	if counter == "hybrid" {
		p.Policy.Set("bonus", "quantile")
		p.Counter.Epsilon, p.Counter.Horizon = schemas.MustRational("0.3"), 2000
	}
	return p
}

func declare(tb interface{ Fatal(...any) }, p *schemas.Protocol) *Declared {
	d := &Declared{Protocol: p, Arms: arms()}
	if p.Policy == nil {
		return d
	}
	m := mechanismOf(tb, p, arms())
	d.Mechanism = m
	return d
}

// mechanismOf is the mechanism that a protocol declares.
func mechanismOf(tb interface{ Fatal(...any) }, p *schemas.Protocol, arms []string) *replay.Mechanism {
	out, err := replay.Standard().New(p, arms)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// slice is the one experiment of a tableau of these rows.
func slice(tb testing.TB, s tableau.Schema, b *tableau.Batch) *tableau.Slice {
	tb.Helper()
	return ingesttest.Tableau(tb, s, b).Slice(0)
}
