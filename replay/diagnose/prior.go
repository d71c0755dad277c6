package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"banditaudit/replay"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// prior says that a key of the policy has another value: of the keys each of whose
// values takes a run of its own (policy.Refit), such as a prior. A few usual values are
// tried, and where nothing at all fits one is fitted.
func prior() Cause {
	return Cause{Name: "prior", Replay: func(r *Replay) Trial {
		refit := r.refit(func(f *policy.Refit) bool { return f.Grid != nil })
		if refit == nil {
			return Trial{}
		}
		own := r.Protocol.Policy.Own
		f := &fitting{Refit: refit, replay: r, declared: own.Group(refit.Key)}
		var grid []*guess
		t := Trial{
			Leans: func() []AlternativeFit {
				var out []AlternativeFit
				for _, g := range grid {
					is := groupWords(g.value)
					out = append(out, g.run.tally.leans("the "+f.Key+" "+is, f.settles(is))...)
				}
				return out
			},
			Say: func() ([]Explanation, error) { return f.say(grid), nil },
		}
		for _, value := range f.Grid(f.declared) {
			if g := f.guess(value, 0); g != nil {
				grid, t.Runs = append(grid, g), append(t.Runs, g.run)
			}
		}
		if len(grid) > 0 {
			t.Fit = f.fit
		}
		return t
	}}
}

// fitting tries values of a key.
type fitting struct {
	*policy.Refit

	replay   *Replay
	declared param.Values
}

// guess is a value of the key, and the run that has it.
type guess struct {
	run *Run

	value param.Values
}

// mechanism is the declared one with another value; nil where no policy has it.
func (f *fitting) mechanism(value param.Values) *replay.Mechanism {
	return f.replay.mechanism(func(p *schemas.Policy) { p.Own = p.Own.With(f.Key, value) })
}

// guess returns a run with a value, of which fitted numbers were fitted; nil where it is
// the declared one, or none of a policy.
func (f *fitting) guess(value param.Values, fitted int) *guess {
	if groupWords(value) == groupWords(f.declared) {
		return nil
	}
	m := f.mechanism(value)
	if m == nil {
		return nil
	}
	return &guess{run: f.replay.run(m, fitted), value: value}
}

// say makes explanations of guesses that were told of the log.
func (f *fitting) say(guesses []*guess) []Explanation {
	out := make([]Explanation, 0, len(guesses))
	for _, g := range guesses {
		is, not := groupsApart(g.value, f.declared)
		out = append(out, f.replay.Tolerance.says(&g.run.tally, "prior", fmt.Sprintf(f.Words, is, not), f.settles(is)))
	}
	return out
}

// settles is what would be declared of a value.
func (f *fitting) settles(is string) string { return "policy." + f.Key + ": " + is }

// fit fits a value by least squares to the propensities of the played arms in a few
// early rows, and tries it on all rows: as it was fitted, and rounded to 2, 3 and 4
// digits, since whoever writes a prior writes a short number.
func (f *fitting) fit() ([]Explanation, error) {
	x, err := f.leastSquares()
	if err != nil || x == nil {
		return nil, err
	}
	var guesses []*guess
	runs := []*Run{f.replay.own()}
	for _, digits := range []int{2, 3, 4, 17} {
		value := f.Of(x)
		for key := range value {
			value[key] = rounded(value.Float(key), digits)
		}
		if g := f.guess(value, len(x)); g != nil {
			guesses, runs = append(guesses, g), append(runs, g.run)
		}
	}
	if _, err := f.replay.Pass(&Pass{Rows: f.replay.Rows, Runs: runs}); err != nil {
		return nil, err
	}
	return f.say(guesses), nil
}

// groupWords writes a group of keys as a protocol does.
func groupWords(p param.Values) string {
	is, _ := groupsApart(p, p)
	return is
}

// groupsApart writes two groups of the same keys, each number with the digits that it
// takes to tell them apart.
func groupsApart(p, q param.Values) (is, not string) {
	var first, second []string
	for _, key := range param.InOrder(slices.Collect(maps.Keys(p))) {
		x, y := apart(p.Float(key), q.Float(key))
		x, y = cmp.Or(p.Word(key), x), cmp.Or(q.Word(key), y)
		first, second = append(first, key+": "+x), append(second, key+": "+y)
	}
	return "{" + strings.Join(first, ", ") + "}", "{" + strings.Join(second, ", ") + "}"
}

// rounded returns x to the given number of significant digits.
func rounded(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x
	}
	return y
}
