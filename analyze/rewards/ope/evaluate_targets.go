package ope

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// targetPolicy is another policy, of which it is asked what it would have earned.
type targetPolicy struct {
	id      string
	words   string
	against string    // why nothing can be said of it; "" where something can
	share   []float64 // of each arm; nil where against is given, and where rounds or rewards move them
	alone   bool      // one arm: where that cannot be played there is no policy
	column  *targetColumn
	policy  *schemas.Target // of the catalogue; nil: another form
	clip    float64         // M, the largest weight; 0: none is cut
	near    bool            // probabilities of policy are integrals, and known nearly
}

// targetColumn is where the probabilities of an evaluated policy lie in a row.
type targetColumn struct {
	name       string
	from, step int
	all        bool // probabilities of all arms; else of the played arm
}

// played reports whether the probability of the played arm alone is known.
func (e *targetPolicy) played() bool { return e.column != nil && !e.column.all }

// estimand is what must be said of what the policy is, beside its name; "" for nothing.
func (e *targetPolicy) estimand() string {
	switch {
	case e.column != nil && e.column.all:
		return "column " + schemas.Named(e.column.name) + " was set without reading the reward of its own round or of a later one (not checkable), and its probabilities are divided by their sum"
	case e.column != nil:
		return "column " + schemas.Named(e.column.name) + " was set without reading the reward of its own round or of a later one (not checkable), and is that of the arm that was played, of probabilities that add up to 1"
	case e.policy == nil:
		return ""
	}
	words := map[string]string{
		schemas.ModeFollows: "it is the average value of those states, not the return of the learner had it run alone",
		schemas.ModeFrozen:  "it is the value of one function of what is public in a round, which learns nothing",
	}[e.policy.Mode]
	if e.near {
		words += ", of the policy's probabilities as computed, each within 10⁻⁹ + 10⁻⁷ of itself"
	}
	return words
}

// evaluations builds the target policies of all of analysis.evaluate.
func evaluations(in *publiclog.Log) []targetPolicy {
	var out []targetPolicy
	for i := range in.Protocol.Analysis.Evaluate {
		out = append(out, evaluatedBy(in, &in.Protocol.Analysis.Evaluate[i]))
	}
	return out
}

// evaluatedBy builds a target policy from its declaration.
func evaluatedBy(in *publiclog.Log, spec *schemas.EvaluationSpec) targetPolicy {
	e := targetPolicy{id: spec.ID}
	if spec.ClipWeights != nil {
		e.clip = *spec.ClipWeights
	}
	switch target := &spec.Target; {
	case target.Arm != "":
		e.words, e.alone = "the policy that plays arm "+schemas.Named(target.Arm)+" alone", true
		if arm := slices.Index(in.Manifest.Arms, target.Arm); arm < 0 {
			e.against = "no round played arm " + schemas.Named(target.Arm)
		} else {
			e.share = make([]float64, in.K())
			e.share[arm] = 1
		}
	case target.Fixed != nil:
		e.words, e.share = fmt.Sprintf("the policy with probabilities %v", target.Fixed), target.Fixed
	case target.Column != "":
		e.words = "the policy with the probabilities of column " + schemas.Named(target.Column)
		if e.column = columnOfTarget(in, target.Column); e.column == nil {
			e.against = "the log has no column " + schemas.Named(target.Column)
		}
	case target.Policy != nil:
		e.policy, e.words = target, policyWords(target)
		if !in.Manifest.Declared {
			e.against = undeclaredArms
		}
	case !in.Manifest.Declared:
		e.words, e.against = "the uniform policy", undeclaredArms
	default:
		e.words, e.share = "the uniform policy", slices.Repeat([]float64{1 / float64(in.K())}, in.K())
	}
	return e
}

const undeclaredArms = "the arms are not declared, and among how many the policy draws is not known (arms)"

// policyWords name a policy of the catalogue with what it knows.
func policyWords(t *schemas.Target) string {
	words := "policy " + t.Policy.Name
	switch t.Mode {
	case schemas.ModeFrozen:
		return words + ", frozen as it is before any reward,"
	case schemas.ModeFollows:
		return words + ", in the state after the earlier rounds of this log,"
	}
	return words + " run alone"
}

// columnOfTarget finds a column of an evaluated policy; nil where the tableau has none.
func columnOfTarget(in *publiclog.Log, name string) *targetColumn {
	out := &targetColumn{name: name, step: in.Slice.Schema().Targets}
	for i := range in.Manifest.Targets {
		t := &in.Manifest.Targets[i]
		if t.Column == name {
			out.all = t.AllArms
			return out
		}
		out.from += t.Width(in.K())
	}
	return nil
}

// targets gives the probabilities of an evaluated policy in a round, where these are
// known without walking over the log.
type targets struct {
	*targetPolicy

	eligible bool // not every arm can always be played
	p        []float64
}

func targetsOf(in *publiclog.Log, e *targetPolicy) *targets {
	return &targets{targetPolicy: e, eligible: in.Slice.Schema().Eligible, p: make([]float64, in.K())}
}

// standing are the evaluated policies of which something can be said, and whose
// probabilities are known without walking over the log.
func standing(in *publiclog.Log) []*targets {
	var out []*targets
	for _, e := range evaluations(in) {
		if e.against == "" && e.policy == nil {
			out = append(out, targetsOf(in, &e))
		}
	}
	return out
}

// of returns the row's target probabilities, NaN where one is not known; nil where the policy
// has none. The slice holds until the next row is asked for.
func (t *targets) of(c *tableau.Chunk, row int) []float64 {
	switch {
	case t.played():
		for arm := range t.p {
			t.p[arm] = math.NaN()
		}
		t.p[c.Arm[row]] = c.Targets[row*t.column.step+t.column.from]
		return t.p
	case t.column != nil:
		from := row*t.column.step + t.column.from
		return t.divided(c, row, c.Targets[from:from+len(t.p)])
	case !t.eligible:
		return t.share
	}
	return t.divided(c, row, t.share)
}

// divided are probabilities over the arms that can be played, which have all the same
// where their sum is 0.
func (t *targets) divided(c *tableau.Chunk, row int, share []float64) []float64 {
	sum, could := 0.0, 0
	for arm, p := range share {
		if c.Eligible(row, arm) {
			sum += p
			could++
		}
	}
	if sum == 0 && (t.alone || t.column != nil) {
		return nil
	}
	for arm, p := range share {
		switch {
		case !c.Eligible(row, arm):
			t.p[arm] = 0
		case sum == 0:
			t.p[arm] = 1 / float64(could)
		default:
			t.p[arm] = p / sum
		}
	}
	return t.p
}

// playedEnds says of the columns of played arms alone between which ends their values
// lie, in one pass over them. One of 0 and 1 alone is what it says.
func playedEnds(ctx context.Context, in *publiclog.Log) (map[string]precision.Ends, error) {
	out := map[string]precision.Ends{}
	for _, t := range standing(in) {
		if !t.played() {
			continue
		}
		found, drawn := precision.Column{}, false
		var values []float64
		err := publiclog.EachChunk(ctx, in.Slice, func(_ int, c *tableau.Chunk) error {
			values = values[:0]
			for at := t.column.from; at < len(c.Targets); at += t.column.step {
				values = append(values, c.Targets[at])
				drawn = drawn || c.Targets[at] > 0 && c.Targets[at] < 1
			}
			found.Take(values)
			return nil
		})
		if err != nil {
			return nil, err
		}
		if drawn {
			out[t.id] = precision.Of(&found, nil)
		} else {
			out[t.id] = precision.Ends{}
		}
	}
	return out, nil
}
