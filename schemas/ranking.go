package schemas

import (
	"cmp"
	"slices"
)

// Ranking is in which order arms are shown, and what ranks them.
type Ranking struct {
	Arms []*Arm // best first; in their own order where nothing ranks them

	// Weighted are their weighted means, by place; nil where means as played rank the arms, or
	// nothing does.
	Weighted []*Estimate
	// Steered says that arms follow a context, so that means as played rank none.
	Steered bool
}

// RankArms orders the arms of an experiment by their means as played, or, where arms follow
// a context ([Steering]), by their weighted means: of one estimator, AIPW before SNIPW
// before IPW, that has one of every arm that was played, over the same rounds. Where checks
// contradict the propensities, or there are none, nothing ranks them.
func RankArms(e *Experiment) Ranking {
	if e.Steering == nil {
		return Ranking{Arms: BestFirst(e.Arms)}
	}
	out := Ranking{Arms: make([]*Arm, len(e.Arms)), Steered: true}
	for i := range e.Arms {
		out.Arms[i] = &e.Arms[i]
	}
	of := weightedMeans(e)
	if of == nil {
		return out
	}
	slices.SortStableFunc(out.Arms, func(a, b *Arm) int {
		switch x, y := of[a.Arm], of[b.Arm]; {
		case x == nil && y == nil:
			return 0
		case x == nil:
			return 1
		case y == nil:
			return -1
		default:
			return cmp.Compare(*y.Estimate, *x.Estimate)
		}
	})
	for _, a := range out.Arms {
		out.Weighted = append(out.Weighted, of[a.Arm])
	}
	return out
}

// weightedMeans returns the weighted means that arms are ranked by, by arm; nil where there are
// none.
func weightedMeans(e *Experiment) map[int]*Estimate {
	if e.Data.PropensitiesContradicted() {
		return nil
	}
	for _, name := range []string{EstimatorAIPW, EstimatorSNIPW, EstimatorIPW} {
		of := map[int]*Estimate{}
		for i := range e.Estimates {
			x := &e.Estimates[i]
			over := x.LeftOut == nil || *x.LeftOut == 0
			if x.Estimator == name && x.Arm != nil && x.Against == "" && x.Estimate != nil && over {
				of[*x.Arm] = x
			}
		}
		whole := len(of) > 0
		for i := range e.Arms {
			whole = whole && (e.Arms[i].Mean == nil || of[e.Arms[i].Arm] != nil)
		}
		if whole {
			return of
		}
	}
	return nil
}
