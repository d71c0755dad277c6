package replay

import (
	"fmt"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Released returns what the declared counter costs where others than the policy
// read what it releases, as a rule does that stops the experiment on released
// values: the counter's own law, whatever the policy reads. With the counter
// exact that is ∞ for every row, also where draws of the policy would hide it
// from those who see the actions alone. A row beyond the longest stream that
// the counter takes costs ∞: nothing is known of what was released of it.
//
// Special cases are:
//
//	nil where no counter is declared
func (m *Mechanism) Released() ledger.Law {
	return m.released
}

// releasedLaw is what Released returns: of the declared counter, which the policy
// may not read.
func (d *declaration) releasedLaw() ledger.Law {
	if d.sums == nil {
		return nil
	}
	slack := ""
	if !d.noise && (!d.kind.Learns() || d.unbounded() != "") {
		slack = d.readers() + ", and no bound is known for what that gives away of them"
	}
	return &seen{Law: d.sums, name: d.pairName(), slack: slack, most: d.sums.Capacity()}
}

// readers says who reads the sums of a counter without noise, beside the policy.
func (d *declaration) readers() string {
	if d.Experiment.Stopping == schemas.StoppingReleased {
		return "a rule read sums without noise to stop the experiment"
	}
	for _, s := range schemas.SetBys() {
		if s.Word(d.Protocol) == schemas.SetByReleased {
			return fmt.Sprintf("sums without noise decided %s (%s: %s)", s.What, s.Path(), schemas.SetByReleased)
		}
	}
	return "others read sums without noise"
}

// seen is the law of a counter whose every release is read.
type seen struct {
	ledger.Law

	name, slack string // as in named
	most        int64  // the longest stream
}

var (
	_ ledger.Bound  = (*seen)(nil)
	_ ledger.Coster = (*seen)(nil)
)

// Name names the pair.
func (s *seen) Name() string { return s.name }

// Slack says why the law does not contradict a claim; "" where it does.
func (s *seen) Slack() string { return s.slack }

// Cost returns the cost by the counter, and ∞ for a row that it does not take.
func (s *seen) Cost(n, size int64) ledger.Loss {
	if n > s.most && n <= size {
		return ledger.Infinite()
	}
	return s.Law.Cost(n, min(size, s.most))
}

// Costs returns the costs by the counter, and +Inf for rows that it does not take.
func (s *seen) Costs(size int64) func(n int64) float64 {
	taken := ledger.Costs(s.Law, min(size, s.most))
	return func(n int64) float64 {
		if n > s.most && n <= size {
			return ledger.Infinite().Up()
		}
		return taken(n)
	}
}

// Levels returns the levels by the counter, with ∞ for rows that it does not take.
func (s *seen) Levels(size int64) []ledger.Level {
	levels := s.Law.Levels(min(size, s.most))
	if size > s.most {
		levels = append(levels, ledger.Level{Cost: ledger.Infinite(), Rows: size - s.most})
	}
	return ledger.Merge(levels)
}

// Releases returns the releases of the rows that the counter takes.
func (s *seen) Releases(size int64) []ledger.Release { return s.Law.Releases(min(size, s.most)) }
