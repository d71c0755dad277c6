package shares

import (
	"fmt"

	"banditaudit/schemas"
)

// bent is a declared floor that is not mixed in, over shares of draws. Where an arm is at
// it, what is logged is no share of draws any more, and the floor cannot be taken off: a
// share below it is forgotten, and the others make room for it. Where no arm is, of the
// logged propensities or of the recomputed ones, the shares are logged as they are, so that
// no log is convicted that their law would not convict.
type bent struct {
	floor schemas.Floor // of no value: none is declared, or it is mixed in
	at    int64         // first round in which an arm is at it; 0: none
	arm   int
	alone int64 // first round of which the propensity of the played arm alone says nothing of the others; 0: none
}

// newBent returns the declared floor.
func newBent(f *schemas.Floor) (b bent, mixed float64) {
	switch {
	case f == nil:
		return bent{}, 0
	case f.Mixed():
		return bent{}, f.Value
	}
	return bent{floor: *f}, 0
}

// take looks at a round of m eligible arms. room is what a logged propensity may be off by
// as it is written.
func (b *bent) take(l *Round, want []float64, m int, room float64) {
	if b.floor.Value == 0 || b.hides() {
		return
	}
	logged, least := l.ByArm, b.floor.Value+room+exactShare
	if logged == nil && (m > 2 || len(want) > 2) {
		b.alone = l.number()
		return
	}
	if logged == nil {
		logged = make([]float64, 2)
		logged[l.arm()], logged[1-l.arm()] = l.propensity(), 1-l.propensity()
	}
	for a, p := range want {
		if l.eligible(a) && min(p, logged[a]) <= least {
			b.at, b.arm = l.number(), a
			return
		}
	}
}

// hides reports whether the floor keeps shares from being compared.
func (b *bent) hides() bool { return b.at > 0 || b.alone > 0 }

// words say why.
func (b *bent) words(label func(arm int) string) string {
	floor := fmt.Sprintf("policy.floor: {kind: %s, value: %g}", b.floor.Kind, b.floor.Value)
	if b.alone > 0 {
		return fmt.Sprintf("the logged propensities are not compared as shares of draws: whether an arm is at its floor (%s) does not show in round %s, where the propensity of the played arm alone is logged; log those of all arms (log.propensity_by_arm)",
			floor, schemas.Grouped(b.alone))
	}
	return fmt.Sprintf("the logged propensities are not compared as shares of draws: arm %s is at its floor (%s) in round %s, the first such, and what was drawn of it is not in the log; that can be undone of a floor of kind mix alone",
		schemas.Named(label(b.arm)), floor, schemas.Grouped(b.at))
}

// silent reports whether no share is held against its law: the floor hides what they are, or
// nobody says of how many draws the best two count.
func (e *Estimated) silent() bool { return e.bent.hides() || e.pairs && e.n == 0 && !e.own }

// untested is the outcome then.
func (e *Estimated) untested() {
	s := e.said
	if e.wagered {
		s.Allocation = e.wager.Result(e.log.Label)
	}
	s.Updates, s.Kept = e.shares.Updates()
	if s.Verdict, s.Words = schemas.NotEstablished, e.bent.words(e.log.Label); !e.bent.hides() {
		s.Words = e.unnumbered()
	}
	e.finish()
}
