package adaptive

import "math"

// Evidence is looked at after 8, 16, 24, … rounds, from 256 rounds on at every
// sixteenth part of the power of two below, and at least at every 8,192nd, or, of
// more than 512 accounts, at every sixteenth round for each: fewer looks find less,
// and keep the level.
const (
	looks     = 8
	looksMost = 1 << 13
)

// SplitAccount is one account.
type SplitAccount struct {
	Split     int // -1: there is none
	Side      Side
	Arm       int
	Deficit   bool    // on an arm that was played too seldom
	LogE      float64 // ln M, averaged over λ
	Deviation float64 // 100·(Σ1{A=a}/p⁺ over the rounds − 1), of a deficit 100·(pulls/Σp⁻ − 1), in per cent
	Rounds    int64   // of the side, in which the arm could be played
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
	Worst    SplitAccount // the largest account at the look of LogE; at the end, where LogE is 0
	Without  []float64    // by split: the largest ln e at any look without the gains of that split
	Power    []SplitPower // by split
}

// Only is the split without which nothing is rejected; -1 where nothing is, or
// where several splits tell.
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
	if s.splits > 0 && s.rows > 0 {
		s.look()
	}
	r := s.found
	r.Power = make([]SplitPower, s.splits)
	for f := range r.Power {
		r.Power[f] = s.power(f)
	}
	return r
}

// look compares e with what it was at most.
func (s *Splits) look() {
	step := int64(looks)
	for step < max(looksMost, int64(16*len(s.values))) && 32*step <= s.rows {
		step *= 2
	}
	s.next = s.rows - s.rows%step + step
	if s.splits == 0 {
		return
	}
	for i := range s.open {
		s.values[i] = s.surplus(i)
		if s.deficits {
			s.values[len(s.open)+i] = s.deficit(i)
		}
	}
	largest, worst := s.values[0], 0
	for i, v := range s.values {
		if v > largest {
			largest, worst = v, i
		}
	}
	s.compare(largest, worst)
}

// compare takes up the values of a look.
func (s *Splits) compare(largest float64, worst int) {
	clear(s.sums)
	total, perSplit := 0.0, 2*s.arms
	for i, v := range s.values {
		m := math.Exp(v - largest)
		total += m
		s.sums[i%len(s.open)/perSplit] += m
	}
	count := float64(len(s.values))
	for f := range s.sums {
		others := 0.0 // not total − own, which could leave nothing but rounding
		for g, v := range s.sums {
			if g != f {
				others += v
			}
		}
		s.found.Without[f] = max(s.found.Without[f], largest+math.Log(others/count))
	}
	logE := largest + math.Log(total/count)
	if logE > s.found.LogE || s.found.Worst.Split < 0 {
		s.found.LogE, s.found.Worst = max(0, logE), s.account(worst)
	}
	if logE >= -math.Log(s.level) && !s.found.Rejected {
		s.found.Rejected, s.found.Row = true, s.rows
	}
}

// could is in how many rounds of its side the arm of an account could be played.
func (s *Splits) could(i int) int64 { return s.rounds[i/s.arms] + s.of(i).could }

// surplus is ln M of an account on an arm that was played too often.
func (s *Splits) surplus(i int) float64 {
	a, shift := &s.open[i], &s.shifts[i]
	idle := float64(max(0, s.could(i)-a.rows))
	var terms [wagerSteps]float64
	lambda := 1.0
	for j := range terms {
		lambda /= 2
		terms[j] = math.Log(a.product[j]) + float64(float64(shift[j])*math.Ln2) + float64(idle*math.Log1p(-lambda))
	}
	return logMean(terms[:])
}

// deficit is ln M of an account on an arm that was played too seldom.
func (s *Splits) deficit(i int) float64 {
	rows, of := float64(s.open[i].rows), s.of(i)
	var terms [wagerSteps]float64
	lambda := 1.0
	for j := range terms {
		lambda /= 2
		terms[j] = float64(rows*math.Log1p(-lambda)) + float64(lambda*of.low) + float64(lambda*lambda*of.squares)/2
	}
	return logMean(terms[:])
}

// account says what an account is of.
func (s *Splits) account(i int) SplitAccount {
	deficit := i >= len(s.open)
	at := i % len(s.open)
	a := SplitAccount{
		Split: at / (2 * s.arms), Side: Side(at / s.arms % 2), Arm: at % s.arms, Deficit: deficit, LogE: s.values[i], Rounds: s.could(at), //nolint:gosec // 0 or 1
		Deviation: float64(100*s.open[at].inverse)/float64(s.could(at)) - 100,
	}
	if deficit {
		a.Deviation = float64(100*float64(s.open[at].rows))/s.of(at).low - 100
	}
	return a
}

// power is by how much an arm would have to be played more often than by its
// propensity, on one side with n rounds, relatively,
//
//	ρ = √(2V(ln(16C/level) + 5)/n),  V = (1/n)Σ_{A=a}(1/p² − 1/p)
//
// V is about the mean of 1/p − 1, than which no deviation is larger: an arm that
// is always played has that one.
func (s *Splits) power(split int) SplitPower {
	out := SplitPower{Least: math.NaN(), Most: math.NaN()}
	need := 2 * (math.Log(float64(wagerSteps*len(s.values))/s.level) + 5)
	for i := 2 * split * s.arms; i < 2*(split+1)*s.arms; i++ {
		n := float64(s.could(i))
		v := s.open[i].variance / n
		out.All++
		if rho := 100 * math.Sqrt(float64(v*need)/n); n > 0 && v > 0 && rho <= 100*v {
			if out.Found == 0 {
				out.Least, out.Most = rho, rho
			}
			out.Least, out.Most = min(out.Least, rho), max(out.Most, rho)
			out.Found++
		}
	}
	return out
}
