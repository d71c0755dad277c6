package conformance

import (
	"math"
	"slices"

	"banditaudit/replay/accounting"
	"banditaudit/replay/evidence/wager"
	"banditaudit/schemas"
)

// lawHeld holds logged actions against the propensities that the declared policy has by the
// logged rewards, without a seed and without a logged propensity: the sums of a counter
// without noise are the sums of the rewards. Actions are held by the wager that released
// values use (see package wager). An action of propensity 0 is not the policy's, whatever was
// drawn.
type lawHeld struct {
	j      *job
	near   *nearTies
	wager  *wager.Wager
	out    schemas.LawReplay
	spread []float64    // by arm: Σ p(1−p), p being that end, or what lies between, where it is most
	slack  [2][]float64 // by arm: how far p lies below the larger end in all, and above the smaller
	keep   []float64    // memory
}

// byLaw is the evidence of the actions alone.
func byLaw() evidence { return evidence{there: (*job).heldByLaw, pass: (*job).lawful} }

// heldByLaw reports whether actions are held against the policy's law: where it draws and
// reads rewards without noise, or scores, and was not estimated by shares of draws, which have a test
// of their own.
func (j *job) heldByLaw() bool {
	return j.mechanism.PropensitiesKnown() && (j.mechanism.ReadsRewards() || j.mechanism.Scored()) && j.protocol.Log.PropensityDraws == nil
}

// drawing begins to hold the actions of a run; nil where they are not held.
func (j *job) drawing(near *nearTies) *lawHeld {
	if !j.heldByLaw() {
		return nil
	}
	w := newLawHeld(j, j.wagering(j.s.Arms(), j.drawnAnew()))
	w.near = near
	return w
}

// wagering begins a wager, which goes on behind the walk where there are several workers.
func (j *job) wagering(arms int, units bool) *wager.Wager {
	w := wager.New(arms, units)
	if j.declared.Jobs > 1 {
		w.Behind()
	}
	return w
}

func newLawHeld(j *job, w *wager.Wager) *lawHeld {
	k := w.Arms()
	return &lawHeld{j: j, wager: w, spread: make([]float64, k), slack: [2][]float64{make([]float64, k), make([]float64, k)}}
}

// round takes a round whose action was drawn by itself, and returns how it differs from
// all that can be drawn; nil where it does not. want is as before afterwards.
func (w *lawHeld) round(l *logged, want []float64) *schemas.Mismatch {
	if w == nil || !l.draws() {
		return nil
	}
	lo, hi := w.ends(l, want)
	w.hold(l, want, lo, hi)
	arm := l.arm()
	if hi[arm] > 0 {
		if !(want[arm] > 0) {
			w.near.could(l, arm)
		}
		return nil
	}
	return w.cannot(l)
}

// hold wagers on a round whose propensities are want, or lie between lo and hi.
func (w *lawHeld) hold(l *logged, want, lo, hi []float64) {
	w.out.Rounds++
	for a := range w.spread {
		p := min(max(lo[a], 0.5), hi[a])
		w.spread[a] += float64(p * (1 - p))
		w.slack[0][a] += hi[a] - want[a]
		w.slack[1][a] += want[a] - lo[a]
	}
	w.wager.Within(l.round(), l.arm(), l.before, lo, hi)
}

// cannot is a round whose action cannot be drawn.
func (w *lawHeld) cannot(l *logged) *schemas.Mismatch {
	w.out.Impossible++
	arm := l.arm()
	return &schemas.Mismatch{Round: l.round(), Logged: w.j.label(arm), Replayed: "another arm: this one has propensity 0"}
}

// ends returns between what the propensities of the round are: whichever of the arms that
// tie is the largest, and whether or not the policy counts its plays as they come where
// arms without rows wait (see inTurn).
func (w *lawHeld) ends(l *logged, want []float64) (lo, hi []float64) {
	lo, hi = w.near.endsOf(l, want)
	if !l.run.Starting() || !l.run.Behind() {
		return lo, hi
	}
	lo, hi = slices.Clone(lo), slices.Clone(hi)
	w.keep = append(w.keep[:0], want...)
	for a, p := range l.run.Counting() {
		lo[a], hi[a] = min(lo[a], p), max(hi[a], p)
	}
	copy(want, w.keep)
	return lo, hi
}

// endsOf is ends, and want twice where nothing is looked for.
func (n *nearTies) endsOf(l *logged, want []float64) (lo, hi []float64) {
	if n == nil {
		return want, want
	}
	return n.ends(l, want)
}

// result is what was found; nil where actions were not held.
func (w *lawHeld) result() *schemas.LawReplay {
	if w == nil {
		return nil
	}
	w.out.Scores = w.j.mechanism.Scored()
	w.out.Allocation = *w.wager.Result(w.j.label)
	w.out.Detectable = w.detectable()
	return &w.out
}

// detectable is the deviation δ of an arm's probability, on average over the rounds, that
// the wager finds in four of five logs, whichever arm it is of, and in whichever direction.
// With D = Σ(1{A_t = a} − p_t) and V = Σ p_t(1 − p_t) the wager on arm a at the odds e^θ grows
// by about θD − θ²V/2, at most D²/(2V). Where p_t is only known to lie between two ends, the
// wager pays by the end against it: of D is lost how far they lie from p_t in all, S, so that
//
//	δ = max_a (√V_a·(√(2·ln(n/level)/gridGrowth) + power80) + S_a)/T,   n the number of wagers
//
// by the normal law of D (own derivation): about right where δT is many rounds, and said of
// no arm with V below 20. nil where there is none.
func (w *lawHeld) detectable() *float64 {
	if w.out.Rounds == 0 {
		return nil
	}
	delta := 0.0
	for a, v := range w.spread {
		if v >= fewDraws {
			slack := max(w.slack[0][a], w.slack[1][a])
			delta = max(delta, (float64(math.Sqrt(v)*w.wager.Deviations())+slack)/float64(w.out.Rounds))
		}
	}
	if !(delta > 0 && delta < 1) {
		return nil
	}
	return &delta
}

// AtLevel returns what LawReplay.Detectable at the first level is at the second, over so
// many arms; where that is the smaller one, at least, for what near ties take of it stays.
func AtLevel(detectable float64, arms int, from, to float64) float64 {
	return detectable * wager.Deviations(arms, to) / wager.Deviations(arms, from)
}

// fewDraws is the least V of which something is said.
const fewDraws = 20

// lawful is the replay of a log that has nothing but actions and rewards, of a policy that
// draws and reads exact sums.
func (j *job) lawful() (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModeLaw, Rounds: j.chosen()}
	if j.s.Arms() > j.mechanism.Arms() {
		return out, accounting.ErrArm
	}
	l, err := j.open()
	if err != nil {
		return out, err
	}
	l.units = j.unitArms()
	near := j.nearTies(l.run)
	w, ahead := j.drawing(near), j.forecast(l, [32]byte{}, comparingOnly)
	err = ahead.beside(func() error {
		return l.follow(j, func(int) error {
			want := ahead.of(l)
			if l.draws() {
				counted(&out, w.round(l, want))
			}
			return j.write(l, -1, want)
		})
	})
	near.result(&out)
	out.Law = w.result()
	return out, err
}
