package analyze

import (
	"context"
	"strings"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/schemas"
)

// checked is what the checks found.
type checked struct {
	warnings
	checks    []schemas.Check
	explained []schemas.Hypothesis // of an allocation that H05 contradicts
	hashed    bool                 // rows do not play the arm of the declared hash
	far       string               // that the mean of 1/p is far from what it should be near; "" where it is not, or no estimate rests on logged p
}

// runChecks carries out the checks, and warns of what they found that bears on
// numbers of this experiment and is in no claim: regressions can have many more.
func runChecks(ctx context.Context, kinds []check.Check, f *fits, al *allocation.Allocation) (*checked, error) {
	seen := checkFacts(f, al)
	c := &checked{checks: check.All(kinds, seen), explained: []schemas.Hypothesis{}}
	if f.sample.weighed.ByLog() {
		c.far = check.FarMean(seen, wrongPropensities(f.evidence))
	}
	c.hashed = al.Hashed != nil && al.Hashed.Contradicted() > 0
	if c.ended("H05", schemas.CheckFail) && al.Margin == nil && !f.facts.Sampled.ByArm() {
		var err error
		if c.explained, err = allocation.Explain(ctx, f.facts.Log, f.facts.Ends.Allocation(f.facts.Slice.Schema())); err != nil {
			return nil, err
		}
	}
	if by := c.contradicting(); by != "" && f.sample.weighed.ByLog() && f.facts.Slice.HasPropensity() {
		c.warn("the logged propensities are contradicted by " + by + ": ipw_mean and the weighted estimates rest on them and are not to be relied on")
	}
	if p := al.Propensities; rewards.MeansDeclared(f.protocol) && p != nil && p.Schedule != nil && p.Schedule.Changed > 0 {
		c.warn("analysis.means: constant stands beside propensities that differ within a batch, in " + schemas.Counted(p.Schedule.Changed, "batch") + ": something known before the draw steers the policy, and means are constant only where rewards do not follow it")
	}
	for _, n := range check.Notes(kinds, c.checks) {
		c.warn(strings.TrimSpace("note " + n.ID + ", " + n.Title + ": " + n.Observed + ". " + n.Detail))
	}
	return c, nil
}

// wrongPropensities says what the logged propensities can be wrong in, by what a replay
// found of them; "" where it gave all of them and all actions.
func wrongPropensities(e *validity.Evidence) string {
	const others = "propensities are not those of the log"
	if v := e.Conformance.Verdict; v != schemas.Verified && v != schemas.Consistent || e.Replayed == nil {
		return others
	}
	r := e.Replayed
	switch p := r.Propensities; {
	case p == nil || p.Rounds == 0 || p.FirstMismatch != nil && p.Draws == nil:
		return others
	case r.Mode == schemas.ModeSeed && r.Matched == r.Rounds:
		return ""
	}
	return "arms were not drawn with their propensities, which are those of the declared policy"
}

// contradicting names what rejects the logged propensities, checks and the declared
// hash; "" where nothing does.
func (c *checked) contradicting() string {
	var by []string
	for _, id := range []string{"H05", "H17"} {
		if c.ended(id, schemas.CheckFail) {
			by = append(by, id)
		}
	}
	if c.hashed {
		by = append(by, "the hash of the units (policy.draw.hash)")
	}
	return strings.Join(by, " and ")
}

// ended reports whether a check ended with a status.
func (c *checked) ended(id string, status schemas.CheckStatus) bool {
	found := check.Find(c.checks, id)
	return found != nil && found.Status == status
}

// checkFacts are what the checks look at.
func checkFacts(f *fits, al *allocation.Allocation) *check.Inputs {
	out := &check.Inputs{
		Rounds: f.facts.Pub.Rounds, Labels: f.facts.Names(), Declared: f.facts.Manifest.Declared, Pulls: f.facts.Pub.Pulls,
		Order: f.protocol.Log.Order, Unpadded: f.facts.Manifest.Unpadded(), TiesByFile: f.protocol.Log.Ties == "file-order", Gaps: f.facts.Experiment().Gaps, Horizon: horizon(f.protocol),
		Files: f.facts.Whole().Files, Columns: len(f.facts.Manifest.Columns), Propensities: al.Propensities, Regressions: f.records,
		Experiments: f.facts.Whole().Experiments, Counts: f.facts.Experiment().Counts, AllRewards: f.facts.Slice.Schema().RewardByArm,
		Rule: f.protocol.Log.MissingReward, Units: f.sample.units, Batches: f.facts.Slice.Schema().Batch, Varying: publiclog.Varying(f.facts.Slice), Unplayed: al.Unplayed, Splits: al.Splits, Margin: al.Margin,
		Drift: f.sample.rewards.Drift, Repeats: f.sample.rewards.Repeats, Beyond: f.sample.weighed.Beyond(),
	}
	if f.facts.Slice.Schema().MissingReward {
		out.Missing = f.sample.rewards.Missing
		for quarter, gone := range f.sample.rewards.Gone {
			out.Quarters = append(out.Quarters, check.Quarter{Missing: gone, Pulls: f.facts.PulledIn(quarter)})
		}
	}
	return out
}

// horizon is the declared number of rounds, 0 where none is declared.
func horizon(p *schemas.Protocol) int64 {
	if p.Counter == nil {
		return 0
	}
	return p.Counter.Horizon
}
