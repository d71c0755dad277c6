package conformance

import (
	"cmp"
	"slices"
	"strings"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// mostTies is how many rounds are listed that are right within the window alone.
const mostTies = 8

// nearTies looks at rounds in which several indices lie within the declared window
// of the largest. Means that are moved by each reward and not divided anew, and
// formulas in another order of operations, are off by a few units in the last
// place, which decides between arms that are equal otherwise: there the log may
// have any of them, and the replay goes on with the one that it has. nil looks at
// nothing.
type nearTies struct {
	j     *job
	run   *replay.Runner
	out   schemas.NearTies
	free  schemas.FreeChoices
	shown bool      // the log has propensities, which are compared before anything else
	start bool      // the round is one in which any arm without rows may begin
	round int64     // of arms and gaps
	arms  []int     // within the window, in index order
	gaps  []float64 // from the largest
	used  int64     // the last round that is right within the window alone
}

func (j *job) nearTies(run *replay.Runner) *nearTies {
	window := j.mechanism.NearTies()
	if window == 0 && !j.mechanism.Free() {
		return nil
	}
	return &nearTies{j: j, run: run, out: schemas.NearTies{Window: window, First: []schemas.NearTie{}}}
}

// result writes what was found, where anything was looked for.
func (n *nearTies) result(out *schemas.Conformance) {
	if n == nil {
		return
	}
	if n.out.Window > 0 {
		out.NearTies = &n.out
	}
	if n.j.mechanism.Free() {
		out.Choices = &n.free
	}
}

// chosen counts rounds that are right by a choice alone.
func (n *nearTies) chosen() int64 {
	if n == nil {
		return 0
	}
	return n.out.Used + n.free.Used()
}

// open counts rounds in which more than one arm is right.
func (n *nearTies) open() int64 {
	if n == nil {
		return 0
	}
	return n.out.Rounds + n.free.Ties + n.free.Start
}

// look finds what ties in the round that the run has entered, and reports whether
// anything does.
func (n *nearTies) look(l *logged) bool {
	if n == nil {
		return false
	}
	if n.round != l.round() {
		n.round = l.round()
		if n.arms, n.gaps = n.run.Near(); len(n.arms) > 1 {
			n.count()
		}
	}
	return len(n.arms) > 1
}

// count counts the round by what leaves its choice open.
func (n *nearTies) count() {
	m, equal := n.j.mechanism, 0
	for _, gap := range n.gaps {
		equal += b2i(gap == 0)
	}
	switch n.start = m.FreeStart() && n.run.Starting(); {
	case n.start:
		n.free.Start++
		return
	case m.FreeTies() && equal > 1:
		n.free.Ties++
	}
	if !m.FreeTies() || equal < len(n.gaps) {
		n.out.Rounds++
	}
}

// chose reports whether arm is the policy's choice, or as good as it.
func (n *nearTies) chose(l *logged, answer, arm int) bool {
	ties := n.look(l)
	switch {
	case answer == arm:
		return true
	case !ties || n.run.Explored() || !slices.Contains(n.arms, arm):
		return false
	}
	n.use(l, []int{arm}, n.j.label(answer))
	return true
}

// could reports whether arm may have been the largest.
func (n *nearTies) could(l *logged, arm int) bool {
	if !n.look(l) || !slices.Contains(n.arms, arm) {
		return false
	}
	n.use(l, []int{arm}, n.largest())
	return true
}

// largest names the arms of the largest index: the first, unless ties are drawn.
func (n *nearTies) largest() string {
	var out []string
	for i, arm := range n.arms {
		if n.gaps[i] == 0 && (len(out) == 0 || n.j.mechanism.Seeded()) {
			out = append(out, n.j.label(arm))
		}
	}
	return strings.Join(out, " or ")
}

// use notes that the log's choice is another one than the policy's, once a round.
func (n *nearTies) use(l *logged, winners []int, replayed string) {
	if n.used == l.round() {
		return
	}
	n.used = l.round()
	gap, labels := 0.0, make([]string, len(winners))
	for i, arm := range winners {
		gap, labels[i] = max(gap, n.gaps[slices.Index(n.arms, arm)]), n.j.label(arm)
	}
	switch {
	case n.start:
		n.free.StartUsed++
		return
	case gap == 0 && n.j.mechanism.FreeTies():
		n.free.TiesUsed++
		return
	}
	n.out.Used++
	if n.out.Largest == nil || gap > *n.out.Largest {
		n.out.Largest = &gap
	}
	if len(n.out.First) < mostTies {
		n.out.First = append(n.out.First, schemas.NearTie{Round: l.round(), Logged: strings.Join(labels, " or "), Replayed: replayed, Gap: gap})
	}
}

// explain tries what the propensities of a round are where others of the arms that
// tie are the largest, until fits says that the log has them. want, which the run
// computes in the same place, is as before afterwards.
func (n *nearTies) explain(l *logged, want []float64, fits func(want []float64) bool) bool {
	if !n.look(l) {
		return false
	}
	keep := slices.Clone(want)
	defer copy(want, keep)
	for _, winners := range n.winners(l) {
		if fits(n.run.Winning(winners...)) {
			n.use(l, winners, n.largest())
			return true
		}
	}
	return false
}

// winners lists the sets of arms that may have been the largest in the log: one of
// the arms that tie; or where ties are drawn the arms of the largest logged propensities,
// however many.
func (n *nearTies) winners(l *logged) [][]int {
	var out [][]int
	if !n.j.mechanism.Seeded() {
		for _, arm := range n.arms {
			out = append(out, []int{arm})
		}
		return out
	}
	order, all := slices.Clone(n.arms), l.propensities()
	slices.SortStableFunc(order, func(a, b int) int {
		if all != nil {
			return cmp.Compare(all[b], all[a])
		}
		return cmp.Compare(b2i(b == l.arm()), b2i(a == l.arm()))
	})
	for m := range order {
		out = append(out, order[:m+1])
		if all == nil && m > 0 && order[0] == l.arm() {
			out = append(out, order[1:m+1])
		}
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ends returns what the propensities of the round are at least and at most,
// whichever of the arms that tie is the largest; want itself twice where none do, and
// where they are drawn evenly, which is to be tested.
func (n *nearTies) ends(l *logged, want []float64) (lo, hi []float64) {
	if !n.look(l) || n.evenly(l) {
		return want, want
	}
	lo, hi = slices.Clone(want), slices.Clone(want)
	keep := slices.Clone(want)
	for _, arm := range n.arms {
		for a, p := range n.run.Winning(arm) {
			lo[a], hi[a] = min(lo[a], p), max(hi[a], p)
		}
	}
	copy(want, keep)
	return lo, hi
}

// evenly reports whether arms that tie are declared to be drawn evenly and tie for the
// log's policy too, to the last bit: where their means are the same by any arithmetic, or
// where the logged propensities say so.
func (n *nearTies) evenly(l *logged) bool {
	if !n.j.mechanism.TiesEvenly() || slices.Max(n.gaps) > 0 {
		return false
	}
	if n.shown {
		return n.used != l.round()
	}
	return n.run.Plain(n.arms)
}

// allow has a comparison take either arm of a near tie.
func (c *comparison) allow(n *nearTies) {
	if c != nil {
		c.ties = n
	}
	if n != nil {
		n.shown = c != nil
	}
}
