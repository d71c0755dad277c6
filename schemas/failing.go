package schemas

import (
	"fmt"
	"strconv"
	"strings"
)

// The kinds of what fails, one by one.
const (
	FailingAction      = "action"              // an action that the declared policy does not choose
	FailingImpossible  = "impossible_action"   // an action that the declared policy plays with probability 0
	FailingPropensity  = "propensity"          // a logged propensity that is not the declared policy's
	FailingReleased    = "released_value"      // a released value that the declared counter does not release
	FailingRedrawn     = "redrawn_value"       // a released value that changed although nothing was released
	FailingOffGrid     = "off_grid_value"      // a released value that is no multiple of the declared grid
	FailingHash        = "arm_of_hash"         // a row with an arm that its hash does not give
	FailingUnit        = "arm_of_unit"         // a later round of a unit with another arm than it keeps
	FailingSum         = "propensity_sum"      // a row whose propensities do not add up to 1
	FailingDisagree    = "propensity_played"   // a row whose propensity is not the entry of the played arm
	FailingIneligible  = "propensity_eligible" // a row with a propensity above 0 of an arm that was not eligible
	FailingArmUnplayed = "arm_unplayed"        // a declared arm that was never played
	FailingRepeated    = "repeated_row"        // a row that is an earlier one again, in a log that repeats itself
)

// Failing counts what contradicts a claim or fails a check, one by one: Count of the Of that
// were compared.
type Failing struct {
	Kind  string        `json:"kind" schema:"words=action|impossible_action|propensity|released_value|redrawn_value|off_grid_value|arm_of_hash|arm_of_unit|propensity_sum|propensity_played|propensity_eligible|arm_unplayed|repeated_row"`
	Count int64         `json:"count" schema:"range=[1,inf)"`
	Of    int64         `json:"of,omitempty"` // absent: how many were compared is not known
	First *FirstFailing `json:"first,omitempty"`
}

// FirstFailing is the first of them by round, with what was logged and what was expected in
// its place: labels of arms, or numbers.
type FirstFailing struct {
	Round         int64    `json:"round" schema:"range=[1,inf)"` // as logged, from 1
	Arm           string   `json:"arm,omitempty"`                // of a propensity or a released value
	Logged        string   `json:"logged,omitempty"`             // label of the logged arm
	Expected      string   `json:"expected,omitempty"`           // label of the arm in its place
	LoggedValue   *float64 `json:"logged_value,omitempty"`
	ExpectedValue *float64 `json:"expected_value,omitempty"`
}

// failingWords are what fails, behind how many of how many: of one, and of several.
func failingWords(kind string) (noun, one, many string) {
	switch kind {
	case FailingAction:
		return "action", "differs from the policy's", "differ from the policy's"
	case FailingImpossible:
		return "action", "has propensity 0 by the policy", "have propensity 0 by the policy"
	case FailingPropensity:
		return "logged propensity", "is not the policy's", "are not the policy's"
	case FailingReleased:
		return "released value", "is not the declared counter's", "are not the declared counter's"
	case FailingRedrawn:
		return "released value", "changed although nothing was released", "changed although nothing was released"
	case FailingOffGrid:
		return "released value", "lies off the declared grid", "lie off the declared grid"
	case FailingHash:
		return "row", "has an arm other than its hash's", "have an arm other than their hash's"
	case FailingUnit:
		return "later round", "has another arm than its unit keeps", "have another arm than their unit keeps"
	case FailingSum:
		return "row", "has propensities that do not add up to 1", "have propensities that do not add up to 1"
	case FailingDisagree:
		return "row", "has a propensity other than the played arm's in its list", "have a propensity other than the played arm's in their list"
	case FailingIneligible:
		return "row", "gives a propensity to an arm that was not eligible", "give a propensity to an arm that was not eligible"
	case FailingArmUnplayed:
		return "arm", "was never played", "were never played"
	case FailingRepeated:
		return "row", "is an earlier one again", "are earlier ones again"
	}
	return "item", "fails", "fail"
}

// Words say how many fail, of how many, and which is the first: 1 of 3,000 rows has an arm
// other than its hash's (first: round 778, logged a0, expected a1).
func (f *Failing) Words() string {
	noun, one, many := failingWords(f.Kind)
	verb, plural := many, noun+"s"
	if stem, y := strings.CutSuffix(noun, "y"); y {
		plural = stem + "ies"
	}
	if f.Count == 1 {
		verb = one
	}
	out := Grouped(f.Count)
	switch {
	case f.Of > 0 && f.Of != 1:
		out += " of " + Grouped(f.Of) + " " + plural
	case f.Of == 1:
		out += " of 1 " + noun
	case f.Count == 1:
		out += " " + noun
	default:
		out += " " + plural
	}
	return out + " " + verb + f.First.words()
}

// words are the first in parentheses; "" where it is not known.
func (p *FirstFailing) words() string {
	if p == nil {
		return ""
	}
	parts := []string{"round " + Grouped(p.Round)}
	if p.Arm != "" {
		parts = append(parts, armNamed(p.Arm))
	}
	if p.Logged != "" {
		parts = append(parts, "logged "+armNamed(p.Logged))
	}
	if p.LoggedValue != nil {
		parts = append(parts, "logged "+apart(*p.LoggedValue, p.ExpectedValue))
	}
	if p.Expected != "" {
		parts = append(parts, "expected "+armNamed(p.Expected))
	}
	if p.ExpectedValue != nil {
		parts = append(parts, "expected "+apart(*p.ExpectedValue, p.LoggedValue))
	}
	return " (first: " + strings.Join(parts, ", ") + ")"
}

// armNamed is the label of an arm within a sentence: a number is no name.
func armNamed(label string) string {
	if label != "" && strings.Trim(label, "0123456789.-") == "" {
		return "arm " + label
	}
	return Named(label)
}

// apart writes a number with three digits, and with more where these are those of the other.
func apart(x float64, other *float64) string {
	const least, most = 3, 17
	for digits := least; digits < most; digits++ {
		out := strconv.FormatFloat(x, 'g', digits, 64)
		if other == nil || out != strconv.FormatFloat(*other, 'g', digits, 64) {
			return out
		}
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// FailingIn are the words of all that fails, the first of each; "" where nothing is counted.
func FailingIn(list []Failing) string {
	words := make([]string, len(list))
	for i := range list {
		words[i] = list[i].Words()
	}
	return strings.Join(words, "; ")
}

// Contradicted are the words of all that contradicts a finding one by one, and of all plays that
// do; "" where nothing is counted.
func Contradicted(f *Finding) string {
	words := make([]string, 0, len(f.Failing)+len(f.Played))
	for i := range f.Failing {
		words = append(words, f.Failing[i].Words())
	}
	for i := range f.Played {
		words = append(words, f.Played[i].Words())
	}
	return strings.Join(words, "; ")
}

// The rounds of plays that are of no one arm: see Played.
const (
	AmongAgain     = "of units: the arm of the round before"
	AmongFavoured  = "of units: arms that the unit had played more often than expected"
	AmongLikelier  = "of all arms: the likelier one"
	AmongLikeliest = "with a propensity of 0.8 or more: the likelier arm"
)

// Played is how often an arm was played in some rounds beside how often its propensities
// let expect it.
type Played struct {
	Check  string `json:"check,omitempty" schema:"pattern=^H[0-9]{2}$"` // that contradicts the propensities by it; absent: the replay, of declared ones
	Arm    string `json:"arm"`                                          // label; "" where it is another one in each round, as Among says
	Among  string `json:"among,omitempty" schema:"named"`               // the rounds, behind "in rounds"; absent: all
	Until  int64  `json:"until,omitempty"`                              // the last round that is counted; absent: that of the log
	Rounds int64  `json:"eligible_rounds"`                              // in which the arm could be played
	Plays  int64  `json:"plays"`
	// Expected is Σ p of the arm over these rounds; absent where the propensity of an arm
	// that was not played is not logged.
	Expected *float64 `json:"expected,omitempty" schema:"range=[0,inf)"`
	// InverseDeviation is 100·(Σ 1/p over the plays of the arm, over Rounds, − 1), in per cent:
	// 0 is expected. It weighs plays of small propensity most, and is no excess of plays.
	InverseDeviation *float64 `json:"inverse_deviation,omitempty"`
}

// Excess is 100·(plays/expected plays − 1), in per cent; nil where expected plays are not
// known, or 0.
func (p *Played) Excess() *float64 {
	if p.Expected == nil || !(*p.Expected > 0) {
		return nil
	}
	return Finite(100*float64(p.Plays) / *p.Expected - 100)
}

// Words say how often the arm was played in which rounds, and how often it was expected:
// blue was played 5,942 times in rounds with device = ios, 5,504 expected (+8.0 %).
func (p *Played) Words() string {
	out := p.subject() + " was played " + Counted(p.Plays, "time")
	if p.Among != "" && p.Arm != "" {
		out += " in rounds " + p.Among
	}
	if p.Until > 0 {
		out += " up to round " + Grouped(p.Until)
	}
	if p.Expected != nil {
		out += ", " + ExpectedCount(*p.Expected) + " expected"
		if x := p.Excess(); x != nil {
			out += " (" + Signed(*x) + ")"
		}
		return out
	}
	if p.InverseDeviation == nil {
		return out
	}
	side := "above"
	if *p.InverseDeviation < 0 {
		side = "below"
	}
	return out + "; Σ 1/p over these plays is " + strings.TrimLeft(Signed(*p.InverseDeviation), "+-") + " " + side + " its expectation"
}

// subject is the arm.
func (p *Played) subject() string {
	switch {
	case p.Arm != "":
		return "arm " + Named(p.Arm)
	case p.Among == AmongAgain:
		return "the arm of the unit's round before"
	case p.Among == AmongFavoured:
		return "an arm that the unit had played more often than expected before"
	case p.Among == AmongLikeliest:
		return "the likelier arm, of propensity 0.8 or more,"
	}
	return "the likelier arm"
}

// ExpectedCount writes an expected number of plays: whole from 10 on, else with two digits.
func ExpectedCount(x float64) string {
	const whole = 9.95
	if x >= whole {
		return Grouped(int64(x + .5))
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}

// Signed writes a deviation in per cent with its sign, to three digits at most: +8.0 %.
func Signed(x float64) string {
	const whole = 99.95
	switch {
	case x > -whole && x < whole:
		return fmt.Sprintf("%+.1f %%", x)
	case x >= 0:
		return "+" + Grouped(int64(x+.5)) + " %"
	}
	return fmt.Sprintf("%+.0f %%", x)
}
