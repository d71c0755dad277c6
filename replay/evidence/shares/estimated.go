// Package shares holds logged propensities that were estimated by draws against the law of
// such shares: see Estimated.
package shares

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/diagnose"
	"banditaudit/replay/evidence/wager"
	"banditaudit/replay/montecarlo"
	"banditaudit/schemas"
)

// Log is a log with propensities that differ from the recomputed ones.
type Log struct {
	Context   context.Context //nolint:containedctx // a log is looked at by one call
	Protocol  *schemas.Protocol
	Mechanism *replay.Mechanism
	Slice     *tableau.Slice
	Label     func(arm int) string
	Compared  *schemas.PropensityReplay // what the comparison found, and where the verdict is put
	Tolerance *diagnose.Tolerance
	Worst     float64             // the largest difference
	Keeps     func() bool         // every later round of a unit has the propensities of its first
	Wager     func() *wager.Wager // begins a wager on the actions
	// Follow goes over the log once more: with the arm of the unit's round before where that
	// is asked for.
	Follow func(before bool, visit func(*Round)) error
	// Others tries other laws, and returns how the shares lean to them.
	Others func(*Estimated) ([]diagnose.AlternativeFit, error)
}

// Round is a round of the log.
type Round struct {
	Chunk  *tableau.Chunk
	At     int       // row of the chunk
	Want   []float64 // the recomputed propensities
	ByArm  []float64 // the logged ones; nil where only the played arm has one
	Draws  float64   // by which they were estimated; 0: the log does not say it row by row
	Drawn  bool      // the action was drawn by itself
	Before int       // the arm of the unit's round before; −1: none
}

func (l *Round) arm() int            { return int(l.Chunk.Arm[l.At]) }
func (l *Round) row() int64          { return l.Chunk.Start + int64(l.At) }
func (l *Round) number() int64       { return l.Chunk.Round[l.At] }
func (l *Round) propensity() float64 { return l.Chunk.Propensity[l.At] }
func (l *Round) eligible(a int) bool { return l.Chunk.Eligible(l.At, a) }

// Estimated holds shares of draws against their law.
//
// Logged propensities that were estimated by N draws differ from recomputed ones
// and are no fault (log.propensity_draws; see package montecarlo). They are held
// against the law of such shares where some differ, in a pass of its own:
//
//	N declared, of all rounds or of each, or unknown
//	and found by the lattice                          all cells together, and one by one
//	N unknown and not found                           scores of other laws, and the estimate of N
//	N unknown, and all are multiples of 10^−d, as     both: the cells for the least N that can be
//	shares that are written with d decimals are       written so, the scores with room for decimals
//	nothing declared                                  VIOLATED becomes NOT ESTABLISHED only where
//	                                                  a lattice is found and neither of both
//	                                                  contradicts it, and never CONSISTENT
//	N not declared, found by none of the above, or     all cells together, and one by one, by the
//	that is contradicted, and every update has a       least number of each update, and scores
//	lattice of its own, or its decimals                that need no number; never CONSISTENT
//
// Where the shares contradict nothing no round differs any more; which explanation
// of a difference fits is then not asked.
type Estimated struct {
	log     *Log
	shares  *montecarlo.Shares
	said    *schemas.PropensityDraws
	n       float64 // declared; 0: not known, or of every row its own
	own     bool    // every row has its own
	guessed bool    // every update has its own, by its shares: nothing contradicts that
	lattice float64 // found, of draws; 0: none
	grid    float64 // found, but may be no more than the decimals' own; 0: none
	fewest  float64 // beside grid: the least number of draws that can be written so
	low     lowest  // of each update, where no number is declared
	by      *montecarlo.Estimate
	floor   float64 // that is mixed in
	bent    bent
	pairs   bool // a draw counts half for each of two arms: shares are doubled, and held one by one
	q, p    []float64
	singles bool // every share is float32
	learned bool // a law that is not uniform, or a share that is not the law, was met
	scores  []diagnose.AlternativeFit
	settles string // what would be declared of the law that they lean to
	meant   string // the number of draws that a wrong one was declared for; "": none
	sure    bool   // nothing contradicts that number
	still   bool   // the shares stand still while their law moves
	wagered bool
	keeps   bool         // every later round of a unit has the propensities of its first
	wager   *wager.Wager // at the recomputed propensities, where the action was drawn by one more draw
}

// exactShare is τ of a share that is written in full, and singleShare is τ of a share in a
// column of float32.
const (
	exactShare  = 0x1p-50
	singleShare = 0x1p-25
)

// errNoDraws is returned for a tableau without the declared column of draws.
var errNoDraws = errors.New("conformance: the tableau has no propensity_draws, and log.propensity_draws names a column; ingest the log again with this protocol")

// Collect collects the shares of a log whose propensities differ; nil where they
// are taken as they are: no number of draws is declared and most are the computed
// ones, or nothing is declared and they lie on no lattice.
func Collect(log *Log) (*Estimated, error) {
	e := &Estimated{log: log, said: &schemas.PropensityDraws{Drawn: schemas.DrawnFromEstimate}, singles: true}
	law := montecarlo.Seen // which covers both, where nothing is declared
	declared := log.Protocol.Log
	if d := declared.PropensityDraws; d != nil {
		e.said.Declared, e.said.Drawn, e.n, e.own = d.String(), declared.Drawn, float64(d.Number), d.Column != ""
	}
	switch {
	case e.said.Declared == "":
	case e.said.Drawn == schemas.DrawnOneMore:
		law, e.wager = montecarlo.OneMore, log.Wager()
		if log.Mechanism.Known() {
			e.wager.Level = wager.Level / 2 // the other half is for check H17, which has the probabilities of every round
		}
	default:
		law = montecarlo.SizeBiased
	}
	law = e.policy(law)
	if e.own && !log.Slice.Schema().Draws {
		return nil, errNoDraws
	}
	k := log.Mechanism.Arms()
	e.q, e.p, e.keeps = make([]float64, k), make([]float64, k), log.Keeps()
	e.shares = montecarlo.NewShares(k, e.widened(exactShare), law)
	if log.Compared.DecimalsByArm == nil {
		e.shares.Same = 2 * e.rough()
	}
	if err := log.Follow(e.wager != nil, e.take); err != nil {
		return nil, err
	}
	if e.shares.Whole() {
		by := e.shares.Estimate(e.rough())
		e.by = &by
	}
	if seen, _ := e.shares.Updates(); seen == 0 {
		return nil, nil //nolint:nilnil // where one arm can be played, or all is the declared floor, nothing is drawn
	}
	if e.find(); e.silent() {
		if e.said.Declared == "" && (e.bent.hides() || e.lattice == 0) {
			return nil, nil //nolint:nilnil // nothing says that they are of draws
		}
		return e, nil
	}
	e.low = e.lowest()
	computed := e.computed()
	if e.said.Declared == "" && e.lattice == 0 && e.grid == 0 && !computed {
		if err := e.guess(); err != nil {
			return nil, err
		}
	}
	if e.said.Declared == "" && (computed || e.lattice == 0 && e.grid == 0 && !e.guessed) || !e.counted() && computed {
		return nil, nil //nolint:nilnil // propensities that are none of draws are no error
	}
	return e, nil
}

// computed reports whether most shares are the recomputed ones, so that none is of
// draws. Those of many draws are too, to their decimals: then some other has to be
// so far off as chance, by which half of them are within it, does not put one (6
// standard deviations).
func (e *Estimated) computed() bool {
	const dust, apart = 1e-6, 10
	t := e.log.Tolerance
	within := e.widened(max(t.Action.Most(), t.ByArm.Most()) + dust)
	return e.shares.Computed(within) && (e.rough() == 0 || e.widened(e.log.Worst) > apart*within)
}

// widened is τ of shares whose floor was undone.
func (e *Estimated) widened(tau float64) float64 {
	tau /= 1 - float64(float64(len(e.p))*e.floor)
	if e.pairs {
		return 2 * tau
	}
	return tau
}

// take takes up a round, with the floor undone: q and p are (q − f)/(1 − m·f) of m
// eligible arms. Of two arms the share of the played arm alone gives both shares. Where
// every later round of a unit has the propensities of its first, these are no new shares.
func (e *Estimated) take(l *Round) {
	want, arm, row := l.Want, l.arm(), l.row()
	if e.wager != nil && l.Drawn {
		e.wagered = true
		e.wager.Take(l.number(), arm, l.Before, want)
	}
	m, other := e.playable(l, arm)
	rest := 1 - float64(float64(m)*e.floor)
	if m < 2 || !(rest > 1e-9) || e.keeps && !l.Drawn {
		return
	}
	undo := func(v float64) float64 { return e.undone(v, rest) }
	for a := range want {
		e.q[a], e.p[a] = 0, 0
		if l.eligible(a) {
			e.p[a] = max(0, (want[a]-e.floor)/rest)
		}
	}
	all := l.ByArm
	if l.propensity() == 0 {
		e.said.Zero++
	}
	if e.given(l, m, all) {
		return
	}
	e.bent.take(l, want, m, e.decimal())
	if e.pairs {
		e.takePairs(l, row, undo)
		return
	}
	switch {
	case all != nil:
		for a := range want {
			if l.eligible(a) {
				e.q[a] = undo(all[a])
			}
		}
	case m == 2 && len(want) == 2:
		e.q[arm] = undo(l.propensity())
		e.q[other] = 1 - e.q[arm]
		e.shares.AddTwo(row, e.q, e.p, l.Draws)
		return
	case !l.Drawn: // a share that a unit keeps is not one of a new draw
		return
	default:
		e.shares.AddOne(row, arm, undo(l.propensity()), e.p, l.Draws)
		return
	}
	e.shares.Add(row, e.q, e.p, l.Draws)
}

// undone is a share of what is left without the floor; 0 of what is no more than written.
func (e *Estimated) undone(v, rest float64) float64 {
	e.singles = e.singles && v == float64(float32(v))
	if v = (v - e.floor) / rest; e.pairs {
		v *= 2
	}
	if math.Abs(v) <= e.shares.Tau {
		return 0
	}
	return v
}

// playable is the number of arms that could be played in a round, and the last of
// them but the one that was; −1 where there is none.
func (e *Estimated) playable(l *Round, arm int) (m, other int) {
	other = -1
	for a := range e.p {
		if l.eligible(a) {
			if m++; a != arm {
				other = a
			}
		}
	}
	return m, other
}

// given reports whether a round carries the uniform law of a policy that has learned
// nothing, and so do all before it: whoever draws later need not have drawn these.
// What is left out depends on the shares in the first such update alone, so that
// the others keep their law.
func (e *Estimated) given(l *Round, m int, all []float64) bool {
	if e.learned {
		return false
	}
	room, even := math.Max(2*singleShare, e.decimal()), 1/float64(m)
	e.learned = math.Abs(l.propensity()-even) > room
	for a, p := range e.p {
		if l.eligible(a) {
			e.learned = e.learned || math.Abs(p-even) > 1e-12 || (len(all) > 0 && math.Abs(all[a]-even) > room)
		}
	}
	return !e.learned
}

// find looks for the lattice, by shares as they are written: in full, as float32,
// or with few decimals. All that are written with d decimals are multiples of
// 10^−d, of however many draws they are. Where every row has a number of draws of its
// own there is no one lattice to look for.
func (e *Estimated) find() {
	if e.own {
		e.shares.Tau = e.tau(e.shares.Numbers().Most, e.shares.OnTheirs)
		return
	}
	rows, few := e.shares.Rows(), montecarlo.Few(e.shares.Recomputed()) // of a few probabilities some lattice says nothing about draws
	lo, hi := 1.0, math.Inf(1)
	if e.by != nil && e.by.Degrees > 0 {
		lo, hi = e.by.Low, e.by.High
	}
	for _, tau := range e.fine() {
		if e.singles && tau < e.widened(singleShare) {
			continue // every float32 is a multiple of some power of two
		}
		if e.lattice = montecarlo.Lattice(rows, tau, lo, hi); e.lattice > 0 && !few {
			break
		}
		e.lattice = 0
	}
	switch rough := e.rough(); {
	case few:
	case rough > 0:
		e.writtenSo(rows, rough)
	case e.lattice == 0: // of a number that is no round one, and that the shares do not look like
		if n, sure := montecarlo.Fewest(rows, slices.Max(e.fine())); sure {
			e.lattice = n
		}
	}
	if n := e.known(); n > 0 {
		e.shares.Tau = e.tau(n, e.nearly(n))
	}
}

// writtenSo tells a lattice of draws from the lattice of the decimals.
func (e *Estimated) writtenSo(rows [][]float64, rough float64) {
	n, sure := montecarlo.Fewest(rows, rough)
	switch {
	case sure:
		e.lattice = n
	case e.lattice > 0 && e.decimal() > 0:
		e.grid, e.fewest, e.lattice = e.lattice, min(n, e.lattice), 0
		if e.n == 0 {
			e.shares.Tau, e.shares.Least = rough, true
		}
	}
}

// fine are the precisions of shares that are written in full, as float32, or with
// many digits, the finest first.
func (e *Estimated) fine() []float64 {
	out := []float64{e.widened(exactShare)}
	if e.singles {
		out = append(out, e.widened(singleShare))
	}
	for _, digits := range []int{12, 10, 8} {
		out = append(out, e.widened(0.5/math.Pow10(digits)+exactShare))
	}
	slices.Sort(out)
	return out
}

// rough is the precision in which shares are known where they are written with few
// decimals or few significant digits, or log.propensity_resolution is declared; 0:
// none of these.
func (e *Estimated) rough() float64 {
	h, written := e.decimal(), e.log.Tolerance.Action
	if e.log.Slice.Schema().PropensityByArm {
		written = e.log.Tolerance.ByArm
	}
	if written.Digits > 0 {
		h = max(h, written.Most())
	}
	if r := e.log.Compared.Resolution; r != nil {
		h = max(h, *r)
	}
	if h == 0 {
		return 0
	}
	return e.widened(h + exactShare)
}

// decimal is half a unit of the last decimal of the shares; 0 where there are too
// many.
func (e *Estimated) decimal() float64 {
	d := e.log.Compared.Decimals
	if e.log.Compared.DecimalsByArm != nil {
		d = e.log.Compared.DecimalsByArm
	}
	if d == nil {
		return 0
	}
	return 0.5 / math.Pow10(int(*d))
}

// nearly tells in which precision all but a few shares are multiples of 1/n.
func (e *Estimated) nearly(n float64) func(tau float64) bool {
	return func(tau float64) bool { return montecarlo.Nearly(e.shares.Rows(), n, tau) }
}

// tau is the precision of shares of at most n draws: the finest in which they lie on
// their lattice, which on tells, and where that is finer than the decimals these.
func (e *Estimated) tau(n float64, on func(tau float64) bool) float64 {
	rough := e.rough()
	if h := e.decimal(); h > 0 && float64(2*n*e.widened(h)) > 1+1e-9 {
		return rough
	}
	for _, tau := range e.fine() {
		if on(tau) {
			return tau
		}
	}
	return max(e.widened(exactShare), rough)
}

// counted reports whether the number of draws is known, of all rows or of each.
func (e *Estimated) counted() bool { return e.own || e.known() > 0 }

// known returns the number of draws: declared, or given by the lattice; 0: neither, or
// every row has its own.
func (e *Estimated) known() float64 {
	if e.n > 0 {
		return e.n
	}
	return e.lattice
}

// enough redraws show where D lies when a single share has decided.
const enough = 99

// test holds the shares of a known number of draws against their law.
func (e *Estimated) test() error {
	s, n := e.said, e.known()
	if e.wagered {
		s.Allocation = e.wager.Result(e.log.Label)
	}
	s.Updates, s.Kept = e.shares.Updates()
	if on := max(e.lattice, e.grid); on > 0 {
		s.Lattice = new(int64(on))
	}
	if e.guessed {
		return nil // and what was held is said
	}
	e.estimate()
	switch {
	case e.own:
		n := e.shares.Numbers()
		s.Least, s.Median, s.Most = new(int64(n.Least)), new(int64(n.Median)), new(int64(n.Most))
	case n > 0:
		s.N = new(int64(n))
	case e.grid > 0:
		n = e.fewest
		s.Fewest = new(int64(n))
	default:
		return nil
	}
	err := e.hold(n)
	e.repeats()
	if err != nil || !e.rejected() {
		return err
	}
	return e.guess()
}

// repeats says whether shares of a number of draws that is declared, or found, stand
// still while their law moves. Of computed ones that is no wonder, and those with few
// decimals, of any number of draws, may.
func (e *Estimated) repeats() {
	if e.computed() || e.n == 0 && !e.own && e.shares.Tau > e.widened(singleShare) {
		return
	}
	if e.pairs {
		return // shares of one update hang together
	}
	r := e.shares.Repeats(e.n)
	e.said.RepeatP, e.said.Values = new(r.P()), r.Values
	e.still = r.Rejected()
}

// guess takes every update for shares of the least number of draws that it can be
// of, where nobody declared a number; it keeps that where nothing contradicts it.
func (e *Estimated) guess() error {
	if e.low.numbers == nil {
		return nil
	}
	were, tau, least := *e.said, e.shares.Tau, e.shares.Least
	e.shares.Tau, e.shares.Least = e.low.tau, e.low.loose
	e.shares.Give(e.low.numbers)
	n := e.shares.Numbers()
	e.said.N, e.said.Fewest, e.said.Lattice, e.said.Estimate, e.said.Low, e.said.High = nil, nil, nil, nil, nil, nil
	e.said.D, e.said.P, e.said.CellP, e.said.Worst = nil, nil, nil, nil // of another number
	e.said.Least, e.said.Median, e.said.Most = new(int64(n.Least)), new(int64(n.Median)), new(int64(n.Most))
	err := e.hold(0)
	if err != nil {
		return err
	}
	e.shares.Forget()
	if e.guessed = !e.rejected(); !e.guessed {
		*e.said, e.shares.Tau, e.shares.Least = were, tau, least
		return nil
	}
	e.lattice, e.grid = 0, 0
	return nil
}

// estimate says how many draws the shares look like.
func (e *Estimated) estimate() {
	s, b := e.said, e.by
	switch {
	case b == nil || b.Degrees == 0 || e.own:
	case !math.IsInf(b.N, 1):
		s.Estimate, s.Low, s.High = new(b.N), new(b.Low), new(b.High)
	case b.Low > 0 && !math.IsInf(b.Low, 1):
		s.Low = new(b.Low) // the decimals hide the rest
	}
}

// hold compares the shares with the law of the shares of n draws; n is 0 where every update
// has its own number.
func (e *Estimated) hold(n float64) error {
	s := e.said
	off, first, _ := e.shares.Off(n)
	if s.OffLattice = off; first >= 0 {
		s.FirstOff = new(e.round(first))
	}
	w := e.shares.Cells(n)
	if s.Cells = w.Cells; w.Row >= 0 {
		s.CellP = new(w.P)
		s.Worst = &schemas.PropensityMismatch{Round: e.round(w.Row), Arm: e.log.Label(w.Arm), Logged: e.floored(w.Row, w.Q), Replayed: e.floored(w.Row, w.Of)}
	}
	most := montecarlo.Redraws
	if w.Rejected() {
		most = enough
	}
	t, err := e.shares.Redraw(e.log.Context, n, most)
	if t.Degrees > 0 {
		s.D, s.P, s.Degrees, s.Redraws, s.Closer = new(t.D), new(t.P), int64(t.Degrees), int64(t.Redraws), t.Closer
	}
	if err == nil {
		err = e.another(n)
	}
	return err
}

// another names the number of draws of whose inverse all shares are multiples, where
// another one is declared which they contradict, and says whether they contradict
// that one too.
func (e *Estimated) another(n float64) error {
	on := max(e.lattice, e.grid)
	if e.n == 0 || on == 0 || on == n || !e.rejected() && !e.astray() {
		return nil
	}
	tau := e.shares.Tau
	defer func() { e.shares.Tau = tau }()
	e.shares.Tau = e.tau(on, e.nearly(on))
	w := e.shares.Cells(on)
	t, err := e.shares.Redraw(e.log.Context, on, montecarlo.Redraws)
	too := "with so many draws nothing contradicts them"
	switch {
	case err != nil, e.stands(on): // which is no sign of draws
		return err
	case w.Rejected(), t.Degrees > 0 && t.P < montecarlo.TogetherLevel:
		too = "so many draws do not give them either"
	case t.Closer:
		too = "they are closer to the recomputed ones than so many draws are: it may be the lattice of their decimals"
	default:
		e.sure = true
	}
	e.meant = fmt.Sprintf("; all shares are multiples of 1/%s: is log.propensity_draws: %d meant? (%s)", schemas.Grouped(int64(on)), int64(on), too)
	return nil
}

// stands reports whether the shares stand still at each of the given numbers of draws.
func (e *Estimated) stands(numbers ...float64) bool {
	for _, n := range numbers {
		if r := e.shares.Repeats(n); !r.Rejected() {
			return false
		}
	}
	return true
}

// floored is the propensity of which a share is what is left without the floor.
func (e *Estimated) floored(row int64, share float64) float64 {
	i, at := e.log.Slice.Locate(row)
	c, m := e.log.Slice.Chunk(i), 0
	for a := range e.p {
		if c.Eligible(at, a) {
			m++
		}
	}
	if e.pairs {
		share /= 2
	}
	return e.floor + float64((1-float64(float64(m)*e.floor))*share)
}

// round is the number of a row of the experiment.
func (e *Estimated) round(row int64) int64 {
	i, at := e.log.Slice.Locate(row)
	return e.log.Slice.Chunk(i).Round[at]
}

// rejected reports whether the shares are none of a known number of draws.
func (e *Estimated) rejected() bool {
	s := e.said
	return e.still || s.P != nil && *s.P < montecarlo.TogetherLevel || s.CellP != nil && float64(*s.CellP*float64(s.Cells)) < montecarlo.CellLevel
}

// settled reports whether a known number of declared draws decides without other
// laws: these are not tried where nothing contradicts them.
func (e *Estimated) settled() bool {
	return e.said.Declared != "" && e.counted() && !e.rejected()
}

// judge comes to a verdict, when the scores of other laws are known.
func (e *Estimated) judge() {
	e.lean()
	e.verdict()
	e.said.Words += e.coarser()
}

// verdict is judge with the scores.
func (e *Estimated) verdict() {
	s := e.said
	switch {
	case e.guessed:
		e.judgeGuessed()
		return
	case e.counted():
		e.judgeKnown()
	case e.grid > 0:
		e.judgeWritten()
	default:
		e.judgeUnknown()
	}
	if s.Declared == "" && s.Verdict != schemas.Violated {
		e.judgeAbsent()
	}
}

// lean finds the other law whose score is largest.
func (e *Estimated) lean() {
	if e.by == nil || e.by.Degrees == 0 || !(e.by.Sum > 0) {
		return
	}
	n, level := e.by.Plain(), montecarlo.ScoreLevel
	switch {
	case e.own:
		n = 1 // the updates' own are in the scores
	case e.n > 0:
		n = e.n
	}
	if e.counted() || e.grid > 0 || e.guessed {
		level = montecarlo.BesideLevel
	}
	// Shares of draws, of which nobody says that they were equally many in each update.
	mixed := !e.counted() && e.low.numbers != nil
	s, worst := e.said, 0.0
	for _, o := range e.shares.Others(e.low.numbers) {
		e.scores = append(e.scores, diagnose.AlternativeFit{Words: e.otherWords(&o), Score: &o.Score})
	}
	s.Tried = int64(len(e.scores))
	tries := len(e.scores)
	if mixed {
		tries *= 2 // by either of two scores
	}
	s.Critical = new(montecarlo.Critical(tries, level))
	best := *s.Critical
	for i := range e.scores {
		l := &e.scores[i]
		z := l.Score.Z(n, e.rough())
		switch {
		case e.guessed:
			z = l.Score.Mixed(e.rough())
		case mixed:
			z = lesser(z, l.Score.Mixed(e.rough()))
		}
		if math.Abs(z) > math.Abs(worst) {
			worst, s.Z = z, new(z)
		}
		if z > best {
			best, s.Other, e.settles = z, l.Words, l.Settles
		}
	}
}

// lesser is the one of two scores that is nearer to 0.
func lesser(a, b float64) float64 {
	if math.Abs(b) < math.Abs(a) {
		return b
	}
	return a
}

// leans reports whether the score of another law convicts.
func (e *Estimated) leans() bool {
	s := e.said
	return s.Z != nil && math.Abs(*s.Z) > *s.Critical
}

// otherWords say what a law is that follows from the recomputed one alone.
func (e *Estimated) otherWords(o *montecarlo.Other) string {
	if o.Words != "" {
		return o.Words
	}
	return fmt.Sprintf("the propensities of %s and %s exchanged", schemas.Named(e.log.Label(o.I)), schemas.Named(e.log.Label(o.J)))
}

// finish puts the verdict into the comparison. Where nothing is contradicted no
// round differs.
func (e *Estimated) finish() {
	out := e.log.Compared
	if e.said.Contradict() {
		if e.sure { // another number of draws explains them, and nothing else is to be declared
			out.Hypotheses = []schemas.Hypothesis{}
		}
		if e.said.Declared != "" {
			out.Draws = e.said
		}
		return
	}
	out.Draws, out.FirstMismatch, out.Hypotheses = e.said, nil, []schemas.Hypothesis{}
	if e.said.Verdict == schemas.Consistent {
		out.Matched = out.Rounds - e.said.OffLattice
	}
}
