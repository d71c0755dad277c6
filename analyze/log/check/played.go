package check

import (
	"fmt"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// played are the plays of an arm beside those that its propensities let expect, for words and
// for results.
func played(check, label, among string, rounds, plays int64, expected float64, known bool) schemas.Played { //nolint:revive // the fields of what it returns
	out := schemas.Played{Check: check, Arm: label, Among: among, Rounds: rounds, Plays: plays}
	if known {
		out.Expected = schemas.Finite(expected)
	}
	return out
}

// Plays counts the plays of the account that won most. Where Σ 1/p over them contradicts, it
// is given too.
func (s *Splits) Plays(labels []string) schemas.Played {
	w := &s.Result.Worst
	_, rounds := s.Place(w)
	out := played("H17", labels[w.Arm], rounds, w.Rounds, w.Plays, w.Expected, w.Known)
	if out.Until = w.Until; !w.Underserved {
		out.InverseDeviation = schemas.Finite(w.Deviation)
	}
	return out
}

// plays counts the plays of an arm over all rounds of check H05.
func (p *Propensities) plays(arm int, labels []string) schemas.Played {
	a := &p.Allocation.Arms[arm]
	out := played("H05", labels[arm], "", p.Allocation.Rounds, a.Rows, a.Expected, a.Known)
	if !p.all() {
		out.InverseDeviation = schemas.Finite(a.Deviation)
	}
	return out
}

// playsInBatch counts the plays of the batch and arm that are farthest off.
func (p *Propensities) playsInBatch(b *allocationtest.BatchResult, labels []string) schemas.Played {
	out := played("H05", labels[b.Arm], fmt.Sprintf("of batch %s of %s", schemas.Grouped(b.Batch+1), schemas.Grouped(b.Batches)), b.Rounds, b.Pulls, b.Expected, b.Known)
	if !p.all() {
		out.InverseDeviation = schemas.Finite(b.Deviation)
	}
	return out
}

// plays counts the rounds that repeat the arm of the unit's round before, or where that wager
// is larger those that played an arm of which the unit had more plays than expected.
func (a *RepeatedArms) plays() schemas.Played {
	r := &a.Result
	if r.ByPlays {
		return played("H17", "", schemas.AmongFavoured, r.Favourable, r.Favoured, r.Favouring, true)
	}
	out := played("H17", "", schemas.AmongAgain, r.Rounds, r.Repeated, r.Expected, r.Expected > 0)
	if !r.Underserved {
		out.InverseDeviation = schemas.Finite(r.Deviation)
	}
	return out
}

// plays counts the rounds that played their likelier arm.
func (o *Odds) plays() schemas.Played {
	r, among := o.Result.Told(), schemas.AmongLikelier
	if o.Result.ByNear {
		among = schemas.AmongLikeliest
	}
	return played("H17", "", among, r.Rounds, r.Likelier, r.Expected, true)
}

// allPlays lists the plays of every wager that rejects.
func (s *Splits) allPlays(labels []string) []schemas.Played {
	var out []schemas.Played
	if s.Result.Rejected {
		out = append(out, s.Plays(labels))
	}
	if s.Again != nil && s.Again.Result.Rejected {
		out = append(out, s.Again.plays())
	}
	if s.Odds.Rejected() {
		out = append(out, s.Odds.plays())
	}
	return out
}
