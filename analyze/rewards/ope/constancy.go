package ope

import (
	"math"

	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/analyze/stat/ipw"
	"banditaudit/schemas"
)

// Where arms' means are constant, the weighted mean of an arm over all rounds and its plain
// mean over those that played it are of one number ([ipw.Hausman]).

// compares reports whether they are held against each other: something rests on constant
// means, and nothing is against the weights.
func (r *weightedReader) compares() bool {
	w := r.weighted
	return r.subject.Sample.Constancy != nil && !r.compared && !r.subject.Validity.Misplayed && !w.shares && w.partial == "" && w.by == "" && w.own == ""
}

// hausmanReader takes up the rounds of a chunk for that comparison.
type hausmanReader struct {
	before *ipw.Plugin // of the rounds before
	own    bool        // nothing else adds to it
	sums   []ipw.Hausman
}

// beside begins a reader of the rounds after the rounds of a plug-in; shared says that
// something else adds to the plug-in.
func (r *weightedReader) beside(before *ipw.Plugin, shared bool) *hausmanReader {
	out := &hausmanReader{before: before, own: !shared}
	if r.compares() {
		out.sums = make([]ipw.Hausman, r.facts.K())
	}
	return out
}

// add takes up a round that played an arm with probability p.
func (h *hausmanReader) add(arm int, y, p float64) {
	if h.sums == nil {
		return
	}
	if p > 0 {
		m, weight := h.before.Mean(arm), 1/p
		h.sums[arm].Add(y, m+float64(weight*(y-m)), weight)
	}
	if h.own {
		h.before.Add(arm, y)
	}
}

// joinHausman joins the rounds that follow.
func (r *weightedReader) joinHausman(part []ipw.Hausman) {
	if part == nil {
		return
	}
	if r.hausman == nil {
		r.hausman = make([]ipw.Hausman, r.facts.K())
	}
	for arm := range part {
		r.hausman[arm].Merge(&part[arm])
	}
}

// contradicts holds the two means of every arm against each other, and reports whether
// rounds were weighed as they may not be.
func (r *weightedReader) contradicts() bool {
	if r.hausman == nil || r.weighted.arms == nil {
		return false
	}
	r.compared = true
	check := &schemas.MeansCheck{Check: schemas.MeansByWeights}
	most := 0.0
	for arm := range r.hausman {
		h, scores := &r.hausman[arm], r.weighted.arms.AIPW(0, arm)
		if !h.Looked() {
			continue
		}
		check.Looked++
		if _, z := h.Z(&scores.Mean, scores.Move().Value); math.Abs(z) > math.Abs(most) {
			most, check.Label = z, r.facts.Manifest.Arms[arm]
		}
	}
	if check.Looked == 0 {
		return false
	}
	limit := rewards.ConstancyLimit(check.Looked)
	check.Statistic, check.Threshold = schemas.Finite(most), schemas.Finite(limit)
	check.Contradicts = math.Abs(most) > limit
	constancy := r.subject.Sample.Constancy
	constancy.Contradict(check, "the weighted mean of arm "+schemas.Named(check.Label)+" is not its mean as played "+rewards.ZWords(most, limit), "weighted means are not the means as played")
	return check.Contradicts && r.weighted.root
}
