package check

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// Odds is what check H17 found of how often the likelier arm of a round is played.
type Odds struct {
	Result allocationtest.OddsResult
	Looked bool // it is known which arm that is: false of more than two arms with the propensity of the played one alone
}

// Rejected reports whether the wagers contradict the logged propensities.
func (o *Odds) Rejected() bool { return o != nil && o.Looked && o.Result.Rejected }

// finds reports whether there is a deviation that would have been found.
func (o *Odds) finds() bool {
	return o != nil && o.Looked && !(math.IsNaN(o.Result.LeastOften) && math.IsNaN(o.Result.LeastSeldom))
}

// deviates says by how much; "" where nothing is rejected.
func (o *Odds) deviates() string {
	if !o.Rejected() {
		return ""
	}
	of := o.plays()
	return of.Words()
}

// observed says what the wager came to; "" where there is none.
func (o *Odds) observed() string {
	if o == nil || !o.Looked || o.Result.Overall.Rounds == 0 {
		return ""
	}
	return fmt.Sprintf("; on the likelier arm %s, below %s", wagerWords(o.Result.LogE), wagerWords(-math.Log(o.Result.Level)))
}

// convicting says from what a rejection comes, and what it looks like.
func (o *Odds) convicting() string {
	if !o.Rejected() {
		return ""
	}
	r := &o.Result
	like := "choices that take the likeliest arm, and weights sharper than those that were logged, look like this"
	if r.Seldom {
		like = "weights flatter than those that were logged look like this, and propensities that were estimated by draws, where the arm was drawn by one more (log.drawn: one-more)"
	}
	return fmt.Sprintf("How often the likelier arm is played does not go with its propensity: the average of %s on it is %s, and %s rejects; %s. ",
		schemas.Counted(int64(r.Accounts), "wager"), wagerWords(r.LogE), wagerWords(-math.Log(r.Level)), like)
}

// words say what was looked at, and which deviation would have been found.
func (o *Odds) words() string {
	switch {
	case o == nil:
		return ""
	case !o.Looked:
		return " How often the likelier arm of a round is played was not looked at: it takes log.propensity_by_arm, or two declared arms that can always be played."
	case o.Result.Overall.Rounds == 0:
		return " A fifth of the level is for how often the likelier arm of a round is played, and there was nothing to look at: no round has one."
	}
	r := &o.Result
	out := fmt.Sprintf(" Looked at too, at a fifth of the level: the arm with the largest propensity of each round. It was played in %s of %s, where its propensities give %s.",
		schemas.Grouped(r.Overall.Likelier), schemas.Counted(r.Overall.Rounds, "round"), schemas.Grouped(int64(math.Round(r.Overall.Expected))))
	if !o.finds() {
		return out + " No deviation of that would be found."
	}
	return out + fmt.Sprintf(" Smallest deviation that is found in about three of four logs: %s of its propensity more often, or %s of that of the others in their place.", leastWords(r.LeastOften), leastWords(r.LeastSeldom))
}

// leastWords is a smallest deviation.
func leastWords(percent float64) string {
	if math.IsNaN(percent) {
		return "none"
	}
	return share(percent)
}
