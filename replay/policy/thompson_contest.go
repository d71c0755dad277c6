package policy

import (
	"math/rand/v2"
	"slices"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas/param"
)

// contest is how Thompson sampling begins, and how the draws of the arms become the one
// that is played. Its zero value takes up every row, and plays the largest draw.
//
// With MinRows the posterior of every arm stays the prior until every arm, eligible or not,
// has MinRows rows in its released sum, and takes up all of them from there on.
//
// With Top the two largest draws of the eligible arms are equally likely to be played: after
// the draws of a round one more word is taken, also where one arm is eligible, and the
// second is played where ⌊word/2¹¹⌋·2⁻⁵³ < ½. Of equal draws the first counts as larger. So
// p_i is half the probability that θ_i is among the largest two, 1 where one arm is eligible.
type contest struct {
	top     bool
	minRows int64
	begun   bool // every arm has minRows rows
}

// takes reports of which arms the posterior is to be taken up when arm has changed: that
// one, none, or all.
func (c *contest) takes(s *State, arm int) (from, to int) {
	switch {
	case c.begun || c.minRows == 0:
		return arm, arm + 1
	case slices.Min(s.Pulls) < c.minRows:
		return 0, 0
	}
	c.begun = true
	return 0, len(s.Pulls)
}

// choose returns the arm that is played by its draw.
func (c *contest) choose(src rand.Source, s *State, theta []float64) int {
	first, _ := largest(s, theta)
	if !c.top {
		return first
	}
	second := -1
	for i, v := range theta {
		if i != first && s.CanPlay(i) && (second < 0 || v > theta[second]) {
			second = i
		}
	}
	if bitexact.Unit(src) < 0.5 && second >= 0 {
		return second
	}
	return first
}

// The keys of a contest, and of what is learned.
const (
	topKey     = "top"
	minRowsKey = "min_rows"
	capKey     = "cap"
	noCap      = "none"
)

// contestKeys are the keys beside a prior.
func contestKeys() []param.Key {
	return []param.Key{
		{Name: topKey, Doc: "how many of the largest draws are equally likely to be played", Form: param.Whole(1, 2)},
		{Name: minRowsKey, Doc: "rows that every arm has before the first is learned from", Form: param.Whole(0, 1e15)},
		{Name: capKey, Doc: "what α + β never exceeds: rows of an arm beyond that are not learned from", Form: param.NumberOr{
			Number: param.Number{Lo: 0, Hi: 1e15, Open: true}, Words: []string{noCap},
		}},
	}
}

// declaredContest returns the contest that a policy's values declare.
func declaredContest(v param.Values) contest {
	return contest{top: v.Float(topKey) == 2, minRows: int64(v.Float(minRowsKey))}
}

// cappedRows is how many rows of an arm α + β ≤ cap leaves; 0 where there is no cap.
func cappedRows(v param.Values) int64 {
	p := v.Group(priorKey)
	if v.Number(capKey) == nil || !p.Has("alpha") {
		return 0
	}
	return max(0, int64(v.Float(capKey)-(p.Float("alpha")+p.Float("beta"))))
}

// wholeContest judges which keys of Thompson sampling stand together.
func wholeContest(j param.Judge, v param.Values) {
	const path = "policy." + capKey
	p := v.Group(priorKey)
	switch rows := cappedRows(v); {
	case v.Number(capKey) == nil || !j.Sound(path) || !j.Sound("policy."+priorKey):
	case !p.Has("alpha"):
		j.Fail(path, "is declared", "it bounds α + β of a Beta prior, and the prior is a normal", "delete the key")
	case rows < 1:
		j.Fail(path, "leaves no row of an arm", "α + β of the prior and one row are more than it", "write a larger number, or cap: none")
	case rows < int64(v.Float(minRowsKey)):
		j.Fail("policy."+minRowsKey, "is more rows than policy."+capKey+" leaves", "no arm ever has so many", "write a smaller number")
	}
}

// withContest declares what stands for keys that are not declared.
func withContest(v param.Values) param.Values {
	for key, value := range map[string]any{topKey: 1.0, minRowsKey: 0.0, capKey: noCap} {
		if !v.Has(key) && (key != capKey || v.Group(priorKey).Has("alpha")) {
			v = v.With(key, value)
		}
	}
	return v
}
