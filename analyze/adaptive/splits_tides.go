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
// stretches, or keeps their pace. τ is 4, doubled while there are more arms.
//
// Within the cells of a partition every cell has an S of its own for each arm, of its
// own rounds alone, with τ doubled while there are more pairs of cell and arm. The
// accounts are of all cells together.
type tides struct {
	arms      int
	cells     int
	partition int     // of the cells; -1: there is one cell, of all rounds
	tick      int64   // τ
	waiting   waiting // by cell, since the last stretch of level 0 ended
	levels    [tideLevels]tide
}

// tide is one level. What a stretch changes is kept apart until its end, when it
// joins the accounts of its sides, and the stretch of the next level: so all
// levels together cost little more than the first.
type tide struct {
	sides    []Side    // by cell and arm
	excess   []float64 // S by cell and arm
	variance []float64 // v by cell and arm
	stretch  []stake   // by cell and arm
	known    []expectation
	accounts []stake // by side and arm
	expected []expectation
}

func newTides(arms, cells, partition int) *tides {
	pairs := cells * arms
	t := &tides{arms: arms, cells: cells, partition: partition, tick: 4, waiting: waiting{rounds: make([]int64, cells)}}
	for t.tick < int64(pairs) {
		t.tick *= 2
	}
	for i := range t.levels {
		t.levels[i] = tide{
			sides: make([]Side, pairs), excess: make([]float64, pairs), variance: make([]float64, pairs), stretch: newStakes(pairs), known: make([]expectation, pairs),
			accounts: newStakes(2 * arms), expected: make([]expectation, 2*arms),
		}
		for pair := range pairs {
			t.levels[i].sides[pair] = SideUnknown
		}
	}
	return t
}

// memory is about how many rounds S of a level remembers.
func (t *tides) memory(level int) int64 { return 2 * t.tick << (2 * level) }

// begun are the levels that have sides.
func (t *tides) begun(rows int64) []SplitTide {
	var out []SplitTide
	for i := 0; i < tideLevels && t.tick<<(2*i) < rows; i++ {
		out = append(out, SplitTide{t.partition, t.memory(i)})
	}
	return out
}

// cell is that of a round, by those of all partitions.
func (t *tides) cell(cells [][]uint8, row int) uint8 {
	if t.partition < 0 {
		return 0
	}
	return cells[t.partition][row]
}

// round takes up a round of a cell that played an arm.
func (t *tides) round(p *pull, cell, arm int) {
	t.levels[0].stretch[cell*t.arms+arm].take(p)
	t.waiting.add(cell)
}

// end ends the stretches that end after so many rounds.
func (t *tides) end(rows int64, now *chances) {
	if rows%t.tick != 0 {
		return
	}
	t.spread(now)
	for i := range t.levels {
		if rows%(t.tick<<(2*i)) != 0 {
			return
		}
		var next *tide
		if i+1 < tideLevels {
			next = &t.levels[i+1]
		}
		for pair := range t.levels[i].sides {
			t.levels[i].end(pair, t.arms, next)
		}
	}
}

// spread gives every arm the rounds that are alike.
func (t *tides) spread(now *chances) { t.waiting.spread(now, t.levels[0].known) }

// end ends a stretch for a pair of cell and arm.
func (d *tide) end(pair, arms int, next *tide) {
	stretch, known := &d.stretch[pair], &d.known[pair]
	if side := d.sides[pair]; side != SideUnknown {
		at := int(side)*arms + pair%arms
		d.accounts[at].join(stretch)
		d.expected[at].join(known)
	}
	if next != nil {
		next.stretch[pair].join(stretch)
		next.known[pair].join(known)
	}
	d.excess[pair] = float64(d.excess[pair]/2) + (stretch.inverse - float64(known.could))
	d.variance[pair] = float64(d.variance[pair]/4) + stretch.variance
	d.sides[pair] = sideOf(d.excess[pair], d.variance[pair])
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
	for i := range t.levels {
		d := &t.levels[i]
		for side := range to[i] {
			to[i][side] = standing{}
			at := side*t.arms + arm
			to[i][side].of(&d.accounts[at], &d.expected[at])
		}
	}
	for pair := arm; pair < t.cells*t.arms; pair += t.arms {
		var pending standing
		for i := range t.levels {
			d := &t.levels[i]
			pending.of(&d.stretch[pair], &d.known[pair])
			if side := d.sides[pair]; side != SideUnknown {
				to[i][side].join(&pending)
			}
		}
	}
}
