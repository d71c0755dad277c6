package subgroups

import (
	"math"

	"banditaudit/analyze/stat/allocationtest"
)

// Evidence is looked at after 8, 16, 24, … rounds, from 64 rounds on at every
// eighth part of the power of two below, and at least at every 32,768th; of many
// accounts at every 64th part of a round for each at most, and at every 32nd round
// for each at least: fewer looks find less, and keep the level.
const (
	looks     = 8
	looksMost = 1 << 15
)

// SplitAccount is one account.
type SplitAccount struct {
	Split       int // as in SplitsResult.Power; -1: there is none
	Side        Side
	Partition   int // -1: it is not on one cell
	Cell        int
	Arm         int
	Underserved bool    // on an arm that was played too seldom
	LogE        float64 // ln M, averaged over λ
	Deviation   float64 // 100·(Σ1{A=a}/p⁺ over the rounds − 1), of a deficit 100·(pulls/Σp⁻ − 1), in per cent
	Rounds      int64   // of the side or cell, in which the arm could be played
	Plays       int64   // of these, those that played it
	Until       int64   // rows, from the first one, at the look of which all this is; 0: at the end of the log
	Expected    float64 // Σp over these, where Known
	Known       bool    // Expected is known
}

// SplitPower says how much more often than by its propensity an arm would have to
// be played on one side of a split to be found in about three of four logs, in
// per cent of the propensity.
type SplitPower struct {
	Least, Most float64 // over sides and arms; NaN where Found is 0
	Found, All  int     // pairs of side and arm in which some deviation would be found, and all
}

// SplitsResult is what the accounts say.
type SplitsResult struct {
	Accounts int
	Level    float64
	LogE     float64      // largest ln e at any look
	Rejected bool         // e reached 1/Level
	Row      int64        // rows, from the first one, at the look where it first did; 0 where it did not
	Worst    SplitAccount // the largest account at the look of LogE (at the end, where LogE is 0), of a split or tide; where none of these would reject alone, and one of cells is larger, on one of these
	Without  []float64    // by split: the largest ln e at any look of the other splits alone, with the weights that they have
	Power    []SplitPower // by split, then by level of tides that has begun
	Tides    []SplitTide  // the levels of tides that have begun
}

// Join takes up the sides and arms of another.
func (p *SplitPower) Join(o SplitPower) {
	p.All += o.All
	switch {
	case o.Found == 0:
		return
	case p.Found == 0:
		p.Least, p.Most = o.Least, o.Most
	}
	p.Least, p.Most, p.Found = min(p.Least, o.Least), max(p.Most, o.Most), p.Found+o.Found
}

// SplitTide is a level of tides.
type SplitTide struct {
	Partition int   // within whose cells it is; -1: of the arms alone
	Memory    int64 // in rounds
}

// Only is the split without which no split rejects anything; -1 where nothing is
// rejected, or where several splits tell, or none.
func (r *SplitsResult) Only() int {
	only := -1
	for f, logE := range r.Without {
		if r.Rejected && logE < -math.Log(r.Level) {
			if only >= 0 {
				return -1
			}
			only = f
		}
	}
	return only
}

// Result looks at the accounts a last time. Special cases are:
//
//	no splits: LogE is 0, nothing is rejected
func (s *Splits) Result() SplitsResult {
	if s.rows > 0 {
		s.look()
	}
	r := s.found
	if r.Worst.Until == s.rows {
		r.Worst.Until = 0
	}
	all, worst := s.powers(), r.Worst.Split
	r.Power = all[:len(s.plan.Splits):len(s.plan.Splits)]
	for n, of := range s.tides {
		first := len(s.plan.Splits) + n*tideLevels
		begun := of.begun(s.rows)
		if worst >= first {
			r.Worst.Split = len(r.Power) + worst - first
		}
		r.Tides, r.Power = append(r.Tides, begun...), append(r.Power, all[first:first+len(begun)]...)
	}
	return r
}

// look compares e with what it was at most.
func (s *Splits) look() {
	accounts := int64(len(s.values))
	step := int64(looks)
	for step < accounts/64 {
		step *= 2
	}
	for step < max(looksMost, 32*accounts) && 8*step <= s.rows {
		step *= 2
	}
	s.next = s.rows - s.rows%step + step
	if accounts == 0 {
		return
	}
	s.evaluate()
	s.compare()
}

// compare takes up the values of a look.
func (s *Splits) compare() {
	logE, largest := s.logE(s.unit)
	s.withouts(s.found.Without)
	if logE > s.found.LogE || s.found.Worst.Split < 0 && s.found.Worst.Partition < 0 {
		s.found.LogE, s.found.Worst = max(0, logE), s.account(s.telling(largest))
		s.found.Worst.Until = s.rows
	}
	if logE >= -math.Log(s.plan.Level) && !s.found.Rejected {
		s.found.Rejected, s.found.Row = true, s.rows
	}
}

// powers are by how much an arm would have to be played more often than by its
// propensity, on one side with n rounds, relatively: the ρ with
//
//	n·g(ρ) = ln(16/(w·level)) + 5,  V = Σ_{A=a}(1/p² − 1/p)/Σ_{A=a}1/p,  q = 1/(1+V)
//	g(ρ) = q(1+ρ)·ln(1+λV) + (1−q(1+ρ))·ln(1−λ),  λ = min(½, ρ/V)
//
// w the weight of the account. V is the mean of 1/p − 1, by the pulls: it is 1/p − 1
// where p is the same in all rounds. No deviation is larger: an arm that is always
// played has that one. g is what a
// wager grows by in a round whose propensity is q. For small ρ this is
// √(2V(ln(16/(w·level)) + 5)/n); for small p it is more.
func (s *Splits) powers() []SplitPower {
	out := make([]SplitPower, s.units())
	for f := range out {
		out[f] = SplitPower{Least: math.NaN(), Most: math.NaN()}
	}
	s.eachStanding(func(unit int, _ Side, _ int, e *standing) {
		p, n := &out[unit], float64(e.could)
		need := math.Log(allocationtest.WagerSteps/s.plan.Level) - s.logWeight(unit) + 5
		p.All++
		if n == 0 || e.rows == 0 {
			return
		}
		rho := leastDeviation(e.variance/e.inverse, need/n)
		if math.IsNaN(rho) {
			return
		}
		if rho *= 100; p.Found == 0 {
			p.Least, p.Most = rho, rho
		}
		p.Least, p.Most = min(p.Least, rho), max(p.Most, rho)
		p.Found++
	}, nil)
	return out
}

// leastDeviation is the ρ in (0, V] at which a wager grows by what is needed; NaN
// where there is none.
func leastDeviation(v, need float64) float64 {
	if !(v > 0) || grows(v, v) < need {
		return math.NaN()
	}
	low, high := 0.0, v
	for range 50 {
		if rho := (low + high) / 2; grows(v, rho) < need {
			low = rho
		} else {
			high = rho
		}
	}
	return high
}

// grows is g(ρ).
func grows(v, rho float64) float64 {
	lambda := min(.5, rho/v)
	a := (1 + rho) / (1 + v)
	return float64(a*math.Log1p(float64(lambda*v))) + float64((1-a)*math.Log1p(-lambda))
}
