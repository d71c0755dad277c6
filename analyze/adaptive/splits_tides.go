package adaptive

import "math"

// tideLevels is how many memories there are, each four times as long as the one
// before.
const tideLevels = 7

// tideLeast is how many of its standard deviations S is at least.
const tideLeast = .6

// tides are splits by the recent pulls of each arm. On level i the log is cut into
// stretches of τ·4^i rounds, and in a stretch the side of arm a is that of
//
//	S ← S/2 + Σ(1{A=a}/p⁺ − 1) over the rounds of a stretch in which a could be played
//
// as of the stretch before: SideYes above 0, SideNo below, SideUnknown at 0. An arm
// whose frequency moves with time is found where it moves more slowly than the
// stretches, or keeps their pace. τ is 8, doubled while there are more arms.
type tides struct {
	arms   int
	tick   int64 // τ
	rounds int64 // since the last stretch of level 0 ended, in which every arm could be played
	levels [tideLevels]tide
}

// tide is one level. What a stretch changes is kept apart until its end, when it
// joins the accounts of its sides, and the stretch of the next level: so all
// levels together cost little more than the first.
type tide struct {
	sides    []Side    // by arm
	excess   []float64 // S by arm
	variance []float64 // v by arm
	stretch  []stake   // by arm
	known    []expectation
	accounts []stake // by side and arm
	expected []expectation
}

func newTides(arms int) *tides {
	t := &tides{arms: arms, tick: 4}
	for t.tick < int64(arms) {
		t.tick *= 2
	}
	for i := range t.levels {
		t.levels[i] = tide{
			sides: make([]Side, arms), excess: make([]float64, arms), variance: make([]float64, arms), stretch: newStakes(arms), known: make([]expectation, arms),
			accounts: newStakes(2 * arms), expected: make([]expectation, 2*arms),
		}
		for arm := range arms {
			t.levels[i].sides[arm] = SideUnknown
		}
	}
	return t
}

// memory is about how many rounds S of a level remembers.
func (t *tides) memory(level int) int64 { return 2 * t.tick << (2 * level) }

// begun are the memories of the levels that have sides.
func (t *tides) begun(rows int64) []int64 {
	var out []int64
	for i := 0; i < tideLevels && t.tick<<(2*i) < rows; i++ {
		out = append(out, t.memory(i))
	}
	return out
}

// round takes up a round that played an arm.
func (t *tides) round(p *pull, arm int, could []bool, low []float64) {
	t.levels[0].stretch[arm].take(p)
	if could == nil {
		t.rounds++
	}
	if could != nil || low != nil {
		expect(t.levels[0].known, could, low)
	}
}

// end ends the stretches that end after so many rounds.
func (t *tides) end(rows int64) {
	if rows%t.tick != 0 {
		return
	}
	t.spread()
	for i := range t.levels {
		if rows%(t.tick<<(2*i)) != 0 {
			return
		}
		var next *tide
		if i+1 < tideLevels {
			next = &t.levels[i+1]
		}
		for arm := range t.arms {
			t.levels[i].end(arm, t.arms, next)
		}
	}
}

// spread gives every arm the rounds in which all could be played.
func (t *tides) spread() {
	for arm := range t.levels[0].known {
		t.levels[0].known[arm].could += t.rounds
	}
	t.rounds = 0
}

// end ends a stretch for an arm.
func (d *tide) end(arm, arms int, next *tide) {
	stretch, known := &d.stretch[arm], &d.known[arm]
	if side := d.sides[arm]; side != SideUnknown {
		at := int(side)*arms + arm
		d.accounts[at].join(stretch)
		d.expected[at].join(known)
	}
	if next != nil {
		next.stretch[arm].join(stretch)
		next.known[arm].join(known)
	}
	d.excess[arm] = float64(d.excess[arm]/2) + (stretch.inverse - float64(known.could))
	d.variance[arm] = float64(d.variance[arm]/4) + stretch.variance
	d.sides[arm] = sideOf(d.excess[arm], d.variance[arm])
	if stretch.rows > 0 {
		stretch.clear()
	}
	*known = expectation{}
}

// sideOf is SideUnknown where S is what chance leaves.
func sideOf(excess, variance float64) Side {
	switch least := tideLeast * math.Sqrt(variance); {
	case excess > least:
		return SideYes
	case excess < -least:
		return SideNo
	}
	return SideUnknown
}

// standings are those of an arm, by level and side, with what the stretches have
// that have not ended.
func (t *tides) standings(arm int, to *[tideLevels][2]standing) {
	t.spread()
	var pending standing
	for i := range t.levels {
		d := &t.levels[i]
		pending.of(&d.stretch[arm], &d.known[arm])
		for side := range to[i] {
			to[i][side] = standing{}
			at := side*t.arms + arm
			to[i][side].of(&d.accounts[at], &d.expected[at])
			if d.sides[arm] == Side(side) {
				to[i][side].join(&pending)
			}
		}
	}
}
