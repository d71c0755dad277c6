package allocation

import (
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// likelierKnown reports whether it is known which arm of a round is the likelier one,
// and how likely: check H17 then also looks at how often that is played, for a fifth
// of its level. It goes by protocol and columns alone, so that no log decides on its
// own level.
func likelierKnown(in *publiclog.Log) bool {
	s := in.Slice.Schema()
	return in.Recomputable() || !AtDeclared(in) && (s.PropensityByArm || s.Propensity && !s.Eligible && in.Manifest.Declared && in.K() == 2)
}

// odds wagers on the likelier arm; nothing where it is not known.
type odds struct{ *allocationtest.Odds }

// likelier is the likelier arm of a round, or the played one where the propensity of
// that alone is known.
type likelier struct {
	arm          int32 // −1: the round is passed over
	played       bool  // it is the played one, whichever that is
	p, low, high float64
}

func newOdds(in *publiclog.Log) odds {
	if !likelierKnown(in) {
		return odds{}
	}
	level := allocationtest.OddsLevel / float64(max(1, in.Whole().Experiments))
	return odds{Odds: allocationtest.NewOdds(level, allKnown(in))}
}

// foundOdds is what the wagers came to; nil where the check goes by the probabilities
// of a declared policy that reads no rewards: which arm is the likelier one never
// changes there, but with the arms that can be played, and splits and pulls hold it
// against how often that is.
func (r *splitReader) foundOdds() *check.Odds {
	switch {
	case AtDeclared(r.facts.Log):
		return nil
	case r.odds.Odds == nil:
		return &check.Odds{}
	}
	return &check.Odds{Result: r.odds.Result(), Looked: true}
}

// mostLikely is the likelier arm; none where fewer than two could be played.
func mostLikely(p []float64, could []bool) likelier {
	of, several := likelier{arm: -1}, 0
	for arm, q := range p {
		if !could[arm] {
			continue
		}
		if several++; of.arm < 0 || q > of.p {
			of.arm, of.p = int32(arm), q
		}
	}
	if several < 2 {
		return likelier{arm: -1}
	}
	return of
}

// add takes up the rounds of a chunk, by the arms that were played; −1 passes one over.
func (o *odds) add(arms []int32, rounds []likelier) {
	for t := range rounds {
		switch of := &rounds[t]; {
		case arms[t] < 0 || of.arm < 0:
		case of.played:
			o.AddPlayed(of.p, of.low, of.high)
		default:
			o.Add(arms[t] == of.arm, of.p, of.low, of.high)
		}
	}
}

// OddsRecord is what was found of the likelier arm; nil where nothing was looked at.
func (al *Allocation) OddsRecord(in *publiclog.Log) *schemas.Odds {
	s := al.Splits
	if s == nil || s.Odds == nil || !s.Odds.Looked {
		return nil
	}
	r := &s.Odds.Result
	out := &schemas.Odds{
		Overall: *oddsRounds(&r.Overall), Level: r.Level, LogE: r.LogE, Rejected: r.Rejected, ByNear: r.ByNear, Seldom: r.Seldom,
		LeastOften: schemas.Finite(r.LeastOften), LeastSeldom: schemas.Finite(r.LeastSeldom),
	}
	if allKnown(in) {
		out.Near = oddsRounds(&r.Near)
	}
	return out
}

func oddsRounds(r *allocationtest.OddsRounds) *schemas.OddsRounds {
	out := &schemas.OddsRounds{Rounds: r.Rounds, Likelier: r.Likelier, Expected: r.Expected}
	if r.Rounds > 0 {
		out.Deviation = schemas.Finite(r.Deviation())
	}
	return out
}
