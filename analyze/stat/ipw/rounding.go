package ipw

import "math"

// RoundingError is the most by which propensities that are known between two ends move an estimate,
// and its standard error upwards. With p⁻ the lower end of p, p⁺ the upper one, no further
// from p, and a = 1/p⁻ − 1/p of a pull, m̂ its plug-in, ‖·‖ the root of the sum of squares,
//
//	IPW     D = (1/T)·Σ a·y                      E = ‖a·y‖/T
//	SNIPW   D = min(Σ a·[y(1 − Q) + (1 − y)Q], √N·‖a(y − Q)‖)/Σw⁻
//	        E = [‖a(y − Q)‖ + (‖w‖ + ‖a‖)·D]/Σw⁻ + s·(Σw/Σw⁻ − 1)
//	AIPW    D = [Σ (h⁻/p⁻ − h/p)·|y − m̂| + Σ (h − h⁻)·M]/Σh⁻,  M = max(|Q|, |1 − Q|)
//	        E = [‖(h⁻/p⁻ − h/p)(y − m̂)‖ + ‖h − h⁻‖·M + (‖h‖ + ‖h − h⁻‖)·D]/Σh⁻ + s·(Σh/Σh⁻ − 1)
//
// with w⁻ = 1/p⁺, h and h⁻ the weight of a round by p and p⁻, and s the standard error. The
// errors of policies' values have ρ in place of w, DR has the error of AIPW with h = 1; a
// contrast has the sum of its arms. Weights are concave in p, and h/p does not rise, as of
// all [Weighting]s here. An interval that is wider by D + z·E on either side holds the
// interval of every p between the ends. Both are +Inf where p⁻ = 0 of an arm that was
// played, or that p weighs. Own derivation: D is what changes term by term, E the triangle
// inequality.
type RoundingError struct{ Value, StdErr float64 }

// unbounded returns the rounding error by propensities of which some may be 0: +Inf.
func unbounded() RoundingError { return RoundingError{Value: math.Inf(1), StdErr: math.Inf(1)} }

// Plus returns the rounding error of a difference of two estimates: the sum of both.
func (m RoundingError) Plus(o RoundingError) RoundingError {
	return RoundingError{Value: m.Value + o.Value, StdErr: m.StdErr + o.StdErr}
}

// room is by which part of itself the weight of the arm that was played can be too small;
// +Inf where its propensity may be 0.
func (r *Round) room() float64 {
	if r.Least == nil {
		return 0
	}
	return r.P[r.Arm]/r.Least[r.Arm] - 1
}

// ratioMoves are sums over pulls with weights w that a can be added to, of rewards y.
type ratioMoves struct {
	open                 bool // some a has no bound
	n                    int64
	a, ay, aa, aay, aayy float64 // Σ of their products
	lost                 float64 // Σ (w − w⁻)
}

// add joins a pull; w⁻ is w·(1 + room)/(1 + 2·room) where the ends are alike far from p.
func (m *ratioMoves) add(w, room, y float64) {
	if room == 0 || w == 0 {
		return
	}
	if math.IsInf(room, 1) {
		m.open = true
		return
	}
	a := float64(w * room)
	ay := float64(a * y)
	m.n++
	m.a += a
	m.ay += ay
	m.aa += float64(a * a)
	m.aay += float64(a * ay)
	m.aayy += float64(ay * ay)
	m.lost += a / (1 + float64(2*room))
}

// merge joins another accumulator; o stays as it is.
func (m *ratioMoves) merge(o *ratioMoves) {
	m.open = m.open || o.open
	m.n += o.n
	m.a += o.a
	m.ay += o.ay
	m.aa += o.aa
	m.aay += o.aay
	m.aayy += o.aayy
	m.lost += o.lost
}

// plain is the move of the mean of w·y over the rounds of a mean.
func (m *ratioMoves) plain(of *Mean) RoundingError {
	switch {
	case m.open:
		return unbounded()
	case m.n == 0:
		return RoundingError{}
	}
	return RoundingError{Value: m.ay / of.weight, StdErr: math.Sqrt(m.aayy) / of.weight}
}

// ratio bounds the rounding error of Σwy/Σw.
func (m *ratioMoves) ratio(of *Mean) RoundingError {
	switch {
	case m.open:
		return unbounded()
	case m.n == 0:
		return RoundingError{}
	}
	q, least := of.mean, of.weight-m.lost
	norm := math.Sqrt(max(0, m.aayy-float64(2*q*m.aay)+float64(float64(q*q)*m.aa)))
	byPart := float64(m.ay*(1-q)) + float64((m.a-m.ay)*q)
	d := min(byPart, float64(math.Sqrt(float64(m.n))*norm)) / least
	weights := math.Sqrt(of.squared) + math.Sqrt(m.aa)
	return RoundingError{Value: d, StdErr: (norm+float64(weights*d))/least + float64(of.StdErr()*m.lost)/least}
}

// scoreMoves are sums over rounds whose scores guess rewards.
type scoreMoves struct {
	open           bool
	score, squares float64 // Σ of what is added to the scores of pulls, with their weights, and of its squares
	light, lights  float64 // Σ (h − h⁻) over all rounds, and of its squares
}

// pull joins what the ends add to the weight h/p of a pull, and its |y − m̂|.
func (m *scoreMoves) pull(a, off float64) {
	switch {
	case a == 0:
	case math.IsInf(a, 1):
		m.open = true
	default:
		d := float64(a * math.Abs(off))
		m.score += d
		m.squares += float64(d * d)
	}
}

// weight joins h − h⁻ of a round.
func (m *scoreMoves) weight(d float64) {
	m.light += d
	m.lights += float64(d * d)
}

// merge joins another accumulator; o stays as it is.
func (m *scoreMoves) merge(o *scoreMoves) {
	m.open = m.open || o.open
	m.score += o.score
	m.squares += o.squares
	m.light += o.light
	m.lights += o.lights
}

// of is the move of the mean of those scores.
func (m *scoreMoves) of(mean *Mean) RoundingError {
	least := mean.weight - m.light
	switch {
	case m.score == 0 && m.light == 0 && !m.open:
		return RoundingError{}
	case m.open || !(least > 0):
		return unbounded()
	}
	q := mean.mean
	far, lights := max(math.Abs(q), math.Abs(1-q)), math.Sqrt(m.lights)
	d := (m.score + float64(m.light*far)) / least
	weights := math.Sqrt(mean.squared) + lights
	norm := math.Sqrt(m.squares) + float64(lights*far) + float64(weights*d)
	return RoundingError{Value: d, StdErr: norm/least + float64(mean.StdErr()*m.light)/least}
}

// Move bounds the mean's error from rounded propensities.
func (s *Scores) Move() RoundingError { return s.moves.of(&s.Mean) }

// Move bounds the error of the contrast D from rounded propensities.
func (c *Contrast) Move() RoundingError { return c.A.Move().Plus(c.B.Move()) }

// MoveIPW bounds the error of [Arms.IPW] from rounded propensities.
func (a *Arms) MoveIPW(arm int) RoundingError { return a.moved[arm].plain(a.IPW(arm)) }

// MoveSNIPW bounds the error of [Arms.SNIPW] from rounded propensities.
func (a *Arms) MoveSNIPW(arm int) RoundingError { return a.moved[arm].ratio(&a.ratio[arm]) }

// MoveIPS bounds the error of IPS, and of the gain, from rounded propensities.
func (v *Value) MoveIPS() RoundingError { return v.moved.plain(&v.IPS) }

// MoveSNIPS bounds the error of SNIPS from rounded propensities, where no weight is cut.
func (v *Value) MoveSNIPS() RoundingError { return v.moved.ratio(&v.SNIPS) }

// MoveDR bounds the error of DR from rounded propensities.
func (v *Value) MoveDR() RoundingError { return v.scores.of(&v.DR) }

// rounded keeps the lower ends of a round.
func (a *Arms) rounded(r *Round) {
	if a.least == nil {
		a.least = columns(len(r.P), a.size)
	}
	a.least[r.Arm][a.rounds] = r.Least[r.Arm]
	if a.weighs {
		for i, p := range r.Least {
			a.least[i][a.rounds] = p
		}
	}
	if p := r.P[r.Arm]; p != 0 {
		a.moved[r.Arm].add(1/p, r.room(), r.Reward)
	}
}

// movesOf sums how far rounding can move an arm's scores over the rounds that wait, with
// weights h. Where all rounds weigh alike, a round that did not play the arm moves nothing.
func (a *Arms) movesOf(arm int, weigh Weighting, h []float64) (out scoreMoves) {
	pulled := a.pulled[arm]
	switch {
	case a.least == nil:
	case weigh == nil:
		for _, t := range pulled {
			if h[t] != 0 {
				a.moveOf(&out, arm, t, h[t], 1)
			}
		}
	default:
		last, low := math.NaN(), 0.0
		for t, least := range a.least[arm][:len(h)] {
			played := len(pulled) > 0 && pulled[0] == t
			if played {
				pulled = pulled[1:]
			}
			if h[t] == 0 {
				continue
			}
			if least != last {
				last, low = least, weigh(least)
			}
			if played {
				a.moveOf(&out, arm, t, h[t], low)
			} else if d := h[t] - low; d > 0 {
				out.weight(d)
				out.open = out.open || least == 0
			}
		}
	}
	return out
}

// moveOf takes up a round that played the arm, with weight h, and low by the lower end.
func (a *Arms) moveOf(to *scoreMoves, arm, t int, h, low float64) {
	to.weight(h - low)
	least := a.least[arm][t]
	if least == 0 {
		to.open = true
		return
	}
	to.pull(low/least-h/a.own[t], a.reward[t]-a.guess[t])
}
