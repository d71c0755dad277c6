package allocation

import (
	"banditaudit/analyze/log/check"
	"banditaudit/schemas"
)

// mostLeftOut bounds the names of splits that were left out.
const mostLeftOut = 512

// Record is what check H17 looked at, nil where it looked at nothing.
func (al *Allocation) Record(arms []string) *schemas.Splits {
	s := al.Splits
	if s == nil || s.Why != "" {
		return nil
	}
	r := &s.Result
	out := &schemas.Splits{
		Looked: []schemas.Split{}, Cells: append([]string{}, s.Each()...), LeftOut: append([]string{}, s.LeftOut[:min(len(s.LeftOut), mostLeftOut)]...), Deficits: s.Deficits,
		Accounts: int64(r.Accounts), Level: r.Level, LogE: r.LogE, Worst: splitAccount(arms, s),
	}
	if r.Rejected {
		out.Round = new(r.Row)
	}
	switch {
	case s.Declared:
		out.By = schemas.ByDeclared
	case s.Replayed:
		out.By = schemas.ByRecomputed
	}
	for _, p := range s.Powers() {
		out.Looked = append(out.Looked, schemas.Split{
			Name: p.Name, Kind: p.Kind, Least: schemas.Finite(p.Least), Most: schemas.Finite(p.Most), Found: int64(p.Found), Pairs: int64(p.All),
		})
	}
	out.All = int64(len(out.Looked) + len(s.LeftOut))
	return out
}

// splitAccount is the wager that won most.
func splitAccount(arms []string, s *check.Splits) *schemas.SplitAccount {
	w := &s.Result.Worst
	if w.Split < 0 && w.Partition < 0 {
		return nil
	}
	split, rounds := s.Place(w)
	out := &schemas.SplitAccount{
		Split: split, Side: rounds, Arm: arms[w.Arm], Deficit: w.Underserved,
		LogE: w.LogE, Deviation: schemas.Finite(w.Deviation), Rounds: w.Rounds, Plays: w.Plays,
	}
	if w.Known {
		out.Expected = schemas.Finite(w.Expected)
	}
	return out
}
