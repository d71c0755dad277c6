package subgroups

// tideLevels is how many memories there are, each four times as long as the one
// before.
const tideLevels = 7

// tideLeast is how many of its standard deviations S is at least.
const tideLeast = .6

// tides are splits by the recent pulls of each arm. On level i the log is cut into
// stretches of τ·4^i rounds, and in a stretch the side of arm a is the sign of
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
	pairs    []tidePair // by cell and arm
	stretch  []stake    // by cell and arm
	known    []expectation
	accounts []stake // by side and arm
	expected []expectation
}

// tidePair is of a cell and an arm.
type tidePair struct {
	side             Side
	excess, variance float64 // S and v
}

func newTides(arms, cells, partition int) *tides {
	pairs := cells * arms
	t := &tides{arms: arms, cells: cells, partition: partition, tick: 4, waiting: newWaiting(arms, cells)}
	for t.tick < int64(pairs) {
		t.tick *= 2
	}
	for i := range t.levels {
		t.levels[i] = tide{
			pairs: make([]tidePair, pairs), stretch: make([]stake, pairs), known: make([]expectation, pairs),
			accounts: make([]stake, 2*arms), expected: make([]expectation, 2*arms),
		}
		for pair := range pairs {
			t.levels[i].pairs[pair].side = SideUnknown
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

// cell returns the cell of a round in the tides' partition, out of its cells in all partitions;
// 0 where they have no partition.
func (t *tides) cell(cells [][]uint8, row int) uint8 {
	if t.partition < 0 {
		return 0
	}
	return cells[t.partition][row]
}

// take takes up rounds after the first rows rounds.
func (t *tides) take(r *SplitRows, from, to int, rows int64) {
	stretch := t.levels[0].stretch
	for row := from; row < to; row++ {
		if p := t.waiting.begin(r, row, t.levels[0].known); p != nil {
			if cell := t.cell(r.Cells, row); cell != NoCell {
				stretch[int(cell)*t.arms+int(r.Arm[row])].take(p)
				t.waiting.add(int(cell))
			}
		}
		if rows++; rows&(t.tick-1) == 0 {
			t.end(rows)
		}
	}
}

// end ends the stretches that end after rows rounds, a multiple of τ.
func (t *tides) end(rows int64) {
	t.waiting.spread(t.levels[0].known)
	for i := range t.levels {
		if rows%(t.tick<<(2*i)) != 0 {
			return
		}
		var next *tide
		if i+1 < tideLevels {
			next = &t.levels[i+1]
		}
		t.levels[i].end(t.arms, next)
	}
}

// end ends a stretch.
func (d *tide) end(arms int, next *tide) {
	for first := 0; first < len(d.pairs); first += arms {
		for arm := range arms {
			pair := first + arm
			of, stretch, known := &d.pairs[pair], &d.stretch[pair], &d.known[pair]
			if of.side != SideUnknown {
				at := int(of.side)*arms + arm
				d.accounts[at].join(stretch)
				d.expected[at].join(known)
			}
			if next != nil {
				next.stretch[pair].join(stretch)
				next.known[pair].join(known)
			}
			of.excess = float64(of.excess/2) + (stretch.inverse - float64(known.could))
			of.variance = float64(of.variance/4) + stretch.variance
			of.side = sideOf(of.excess, of.variance)
			if stretch.rows > 0 {
				stretch.clear()
			}
			*known = expectation{}
		}
	}
}

// sideOf is SideUnknown where S is what chance leaves.
func sideOf(excess, variance float64) Side {
	side, above := SideUnknown, SideNo // each set without a branch, which could not be foreseen
	if excess > 0 {
		above = SideYes
	}
	if float64(excess*excess) > float64(tideLeast*tideLeast*variance) {
		side = above
	}
	return side
}

// standings writes the standings of an arm to a table by level and side, with what stretches
// hold that have not ended.
func (t *tides) standings(arm int, to *[tideLevels][2]standing, known *rates) {
	for i := range t.levels {
		d := &t.levels[i]
		for side := range to[i] {
			to[i][side] = standing{}
			at := side*t.arms + arm
			to[i][side].of(&d.accounts[at], &d.expected[at], known)
		}
	}
	for pair := arm; pair < t.cells*t.arms; pair += t.arms {
		var pending standing
		for i := range t.levels {
			d := &t.levels[i]
			pending.of(&d.stretch[pair], &d.known[pair], known)
			if side := d.pairs[pair].side; side != SideUnknown {
				to[i][side].join(&pending)
			}
		}
	}
}
