package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/report/sources"
	"banditaudit/schemas"
)

// markdownOf is the report on r.
func markdownOf(t *testing.T, r *schemas.Results) string {
	t.Helper()
	var b strings.Builder
	if err := Markdown(&b, digested(r)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// variant is a fixture in which something is changed, one after the other.
type variant struct {
	name    string
	of      func() *schemas.Results
	changes []func(r *schemas.Results)
}

// declares is a change of the declared protocol: another text in place of old, or of
// all where old is empty.
func declares(old, declared string) func(r *schemas.Results) {
	return func(r *schemas.Results) {
		if old == "" {
			old = string(r.Protocol)
		}
		r.Protocol = json.RawMessage(strings.Replace(string(r.Protocol), old, declared, 1))
	}
}

// conforms is a change of the verdict on conformance.
func conforms(verdict schemas.Verdict) func(r *schemas.Results) {
	return func(r *schemas.Results) {
		for i := range r.Claims {
			if r.Claims[i].Kind == schemas.KindConformance {
				r.Claims[i].Verdict = verdict
			}
		}
	}
}

// inFirst is a change of the first experiment.
func inFirst(change func(x *schemas.Experiment)) func(r *schemas.Results) {
	return func(r *schemas.Results) { change(&r.Experiments[0]) }
}

// replays is a change of the replay.
func replays(change func(c *schemas.Conformance)) func(r *schemas.Results) {
	return inFirst(func(x *schemas.Experiment) { change(&x.Replay) })
}

// looks is a change of what was looked at in the data.
func looks(change func(d *schemas.Data)) func(r *schemas.Results) {
	return inFirst(func(x *schemas.Experiment) { change(&x.Data) })
}

// undecided is a change to a log of which no test is decided.
func undecided(r *schemas.Results) {
	for i := range r.Experiments[0].Tests {
		test := &r.Experiments[0].Tests[i]
		test.Decision, test.Verdict, test.DecidedBy = "not applicable", schemas.NotApplicable, ""
		test.Choice = "no method applies (analysis.decide: auto): nothing is known"
		for j := range test.Results {
			if m := &test.Results[j]; m.Method == schemas.MethodCorrected || m.Method == schemas.MethodPaper {
				*m = schemas.TestResult{Method: m.Method, Reason: "A1: no ledger"}
			}
		}
	}
}

// inVain is a change to forms on request that apply to nothing.
func inVain(r *schemas.Results) {
	for i := range r.Experiments {
		for j := range r.Experiments[i].Tests {
			results := r.Experiments[i].Tests[j].Results
			for k := range results {
				if sources.FactsOf(results[k].Method).Request {
					results[k] = schemas.TestResult{Method: results[k].Method, Reason: "A1: asked for in vain"}
				}
			}
		}
	}
}

// drawsNothing is a change to a log whose policy needs no seed: the seed that is
// declared decides nothing.
func drawsNothing(r *schemas.Results) { r.Experiments[0].Replay.Undrawn = true }

// variantsOfEvidence are those of replays and of what is declared.
func variantsOfEvidence() []variant {
	type list = []func(r *schemas.Results)
	hints := func(change func(h *schemas.Hints)) func(r *schemas.Results) {
		return replays(func(c *schemas.Conformance) {
			c.Hints = &schemas.Hints{Rounds: 3000, Matched: 2990, Left: 30, Tried: 166}
			change(c.Hints)
		})
	}
	levels := func(r *schemas.Results) {
		x := &r.Experiments[0]
		x.Privacy.Levels = nil
		for i := range 400 {
			x.Privacy.Levels = append(x.Privacy.Levels, schemas.CostLevel{Arm: "a", Cost: schemas.Extended(i), Rows: 2})
		}
	}
	return []variant{
		{"the log contradicts the declared mechanism", homepage, list{conforms(schemas.Violated)}},
		{"nor that of two experiments", twoExperiments, list{conforms(schemas.Violated)}},
		{"whether the declared mechanism made the log is not established", homepage, list{conforms(schemas.NotEstablished)}},
		{"and of another experiment it is", homepage, list{conforms(schemas.NotEstablished), func(r *schemas.Results) {
			r.Claims = append(r.Claims, schemas.Finding{Kind: schemas.KindConformance, Experiment: "b", Verdict: schemas.Verified})
		}}},
		{"a replay from a seed fails", homepage, list{replays(func(c *schemas.Conformance) {
			c.FirstMismatch = &schemas.Mismatch{Round: 3, Logged: "blue", Replayed: "green"}
		})}},
		{"half of the rounds are replayed", homepage, list{replays(func(c *schemas.Conformance) { c.Replayable, c.Matched = 10000, 10000 })}},
		{"no evidence", homepage, list{replays(func(c *schemas.Conformance) { c.Mode = schemas.ModeNone })}},
		{"nothing is drawn", homepage, list{drawsNothing}},
		{"propensities are the evidence", homepage, list{replays(func(c *schemas.Conformance) { c.Mode = schemas.ModePropensity })}},
		{"a neighbour matches", homepage, list{hints(func(h *schemas.Hints) {
			h.Named = []schemas.Hint{{Declare: []string{"width: {alpha: 1}", "unfit: identity"}, Without: []string{"theta_bound", "noise_sd"}, Matched: 3000, Rounds: 3000}}
		})}},
		{"no neighbour does, and some were not tried", homepage, list{hints(func(h *schemas.Hints) { h.Untried, h.Replayed = 12, 200_000_000 })}},
		{"a protocol that declares nothing", homepage, list{declares("", `{"version":1}`)}},
		{"no regression was fitted", homepage, list{inFirst(func(x *schemas.Experiment) { x.Regressions = nil })}},
		{"nor asked for", homepage, list{inFirst(func(x *schemas.Experiment) { x.Regressions = nil }), declares("", `{"version":1}`)}},
		{"no test is decided, of no policy", homepage, list{undecided, declares("", `{}`)}},
		{"no test is decided, of exact sums", homepage, list{undecided, declares("", `{"policy":{"name":"ucb"},"counter":{"name":"exact"}}`)}},
		{"many levels of cost", homepage, list{levels}},
		{"of many arms", homepage, list{levels, inFirst(func(x *schemas.Experiment) {
			for arm := range 30 {
				x.Privacy.Levels = append(x.Privacy.Levels, schemas.CostLevel{Arm: strconv.Itoa(arm), Cost: 1, Rows: 2})
			}
		})}},
	}
}

// variantsOfQuestions are those of tests and regressions.
func variantsOfQuestions() []variant {
	type list = []func(r *schemas.Results)
	more := func(rejected int64) func(r *schemas.Results) {
		return func(r *schemas.Results) {
			for i := range 150 {
				r.Family.Rejections = append(r.Family.Rejections, schemas.FamilyTest{Experiment: "e", Test: fmt.Sprintf("T%d", i), PAdjusted: new(0.01)})
			}
			r.Family.Rejected = rejected
		}
	}
	return []variant{
		{"no adjustment", questions, list{declares(`"multiplicity":"holm"`, `"multiplicity":"none"`), func(r *schemas.Results) { r.Family.Method = "none" }}},
		{"corrected by conditional", questions, list{declares(`"method":"best"`, `"method":"conditional"`)}},
		{"corrected by recursion", questions, list{declares(`"method":"best"`, `"method":"recursion"`)}},
		{"corrected by the published route", questions, list{declares(`"method":"best"`, `"method":"theorem20"`)}},
		{"adjusted by bh", questions, list{declares(`"multiplicity":"holm"`, `"multiplicity":"bh"`)}},
		{"adjusted by by", questions, list{declares(`"multiplicity":"holm"`, `"multiplicity":"by"`)}},
		{"clusters are batches", questions, list{declares(`{"cluster":"unit","kind":"CR1"}`, `{"cluster":"batch","kind":"CR1"}`)}},
		{"nothing is corrected", questions, list{func(r *schemas.Results) {
			for i := range r.Experiments {
				x := &r.Experiments[i]
				for j := range x.Arms {
					x.Arms[j].BiasBound, x.Arms[j].BiasBoundPaper, x.Arms[j].CICorrected = nil, nil, nil
				}
				x.Warnings = []string{"other", "arms: bias_bound, sigma and ci_corrected are NOT APPLICABLE: A1: the log contradicts the declared policy"}
			}
		}}},
		{"a test is decided by wagers", questions, list{inFirst(func(x *schemas.Experiment) { x.Tests[0].DecidedBy = schemas.MethodAnyTime })}},
		{"weighted means", questions, list{inFirst(func(x *schemas.Experiment) {
			for i := range x.Arms {
				x.Arms[i].IPWMean = new(0.5)
			}
		})}},
		{"forms on request that apply to nothing", questions, list{inVain}},
		{"many coefficients", questions, list{inFirst(func(x *schemas.Experiment) {
			f := &x.Regressions[0]
			for i := range 300 {
				f.Coefficients = append(f.Coefficients, schemas.Coefficient{Name: fmt.Sprintf("c%d", i)})
			}
		})}},
		{"many rejections", questions, list{more(152)}},
		{"of which not all are kept", questions, list{more(900)}},
	}
}

// variantsOfData are those of what stands beside the checks, and of estimates.
func variantsOfData() []variant {
	type list = []func(r *schemas.Results)
	const one = schemas.HashGrowthBook1
	hashed := func(x schemas.Hashed) list { return list{looks(func(d *schemas.Data) { d.Hashed = &x })} }
	odds := func(x schemas.Odds) list { return list{looks(func(d *schemas.Data) { d.Odds = &x })} }
	repeats := func(x schemas.Repeats) list { return list{looks(func(d *schemas.Data) { d.Repeats = &x })} }
	estimates := func(e ...schemas.Estimate) func(r *schemas.Results) {
		return inFirst(func(x *schemas.Experiment) { x.Estimates = e })
	}
	return []variant{
		{"rows by a hash", openBandit, hashed(schemas.Hashed{Hash: one, Positions: 1000, Coverage: 1, Weights: schemas.WeightsLogged, Rows: 2000, Matched: 2000})},
		{"rows that no hash gives", openBandit, hashed(schemas.Hashed{Hash: one, Positions: 1000, Coverage: .5, Weights: schemas.WeightsPolicy, Rows: 2000, Matched: 1900, Within: 60, Window: .0005, Outside: 7, Unlike: 3})},
		{"a hash without weights", openBandit, hashed(schemas.Hashed{Hash: one, Positions: 1000, Coverage: 1})},
		{"odds", openBandit, odds(schemas.Odds{Overall: schemas.OddsRounds{Rounds: 3000, Likelier: 1600, Expected: 1610.4, Deviation: new(-.65)}, Level: .0001, LeastOften: new(9.5)})},
		{"odds that convict", openBandit, odds(schemas.Odds{Overall: schemas.OddsRounds{Rounds: 2000, Likelier: 2000, Expected: 1600, Deviation: new(25.)}, Near: &schemas.OddsRounds{Rounds: 10, Likelier: 10, Expected: 8, Deviation: new(25.)}, Level: .0001, LogE: 700, Rejected: true})},
		{"units that come again", openBandit, repeats(schemas.Repeats{Later: 3600, Same: 1368, Expected: new(1370.4), Anew: &schemas.Anew{Level: .00025, LogE: 0, Least: new(13.6), Deficits: true}})},
		{"and convict", openBandit, repeats(schemas.Repeats{Later: 3600, Same: 3600, Anew: &schemas.Anew{Level: .00025, LogE: 700, Rejected: true, Deviation: new(102.5)}})},
		{"and show nothing", openBandit, repeats(schemas.Repeats{Later: 1, Anew: &schemas.Anew{Level: .00025}})},
		{"and are to keep their arm", openBandit, repeats(schemas.Repeats{Later: 3600, Same: 1800, Kept: &schemas.Kept{Rounds: 3600, Moved: 1800, First: new(int64(12))}})},
		{"and never do so unchanged", openBandit, repeats(schemas.Repeats{Later: 3600, Kept: &schemas.Kept{}})},
		{"and nothing is declared", openBandit, repeats(schemas.Repeats{Later: 3600, Same: 3600})},
		{"splits", openBandit, list{looks(func(d *schemas.Data) {
			d.Splits = &schemas.Splits{
				Looked: []schemas.Split{
					{Name: "the previous action", Kind: schemas.SplitSide, Least: new(21.04), Most: new(33.0), Found: 136, Pairs: 136},
					{Name: "age against its quartiles", Kind: schemas.SplitTails, Least: new(5.0), Most: new(5.0), Found: 2, Pairs: 136},
					{Name: "the first half", Kind: schemas.SplitSide, Pairs: 136},
				},
				Cells: []string{"age by eighths"}, LeftOut: []string{"height against its median", "land = FR"}, All: 5, Accounts: 136, Level: .0005, LogE: 700, Round: new(int64(1234)),
				Worst: &schemas.SplitAccount{Split: "the first half", Side: "of the first half", Arm: "12", LogE: 900, Deviation: new(-31.25), Deficit: true, Rounds: 5000},
			}
		})}},
		{"propensities are contradicted", openBandit, list{estimates(schemas.Estimate{Target: "an arm", Estimator: "ipw"}), looks(func(d *schemas.Data) {
			d.Checks[slices.IndexFunc(d.Checks, func(c schemas.Check) bool { return c.ID == "H05" })].Status = schemas.CheckFail
		})}},
		{"estimates", openBandit, list{estimates(
			schemas.Estimate{
				Target: "mean reward of arm a", Estimator: schemas.EstimatorAIPW, Arm: new(0), Label: "a", Rounds: new(int64(750)), LeftOut: new(int64(250)), Estimate: new(1.0), RawEstimate: new(1.463),
				OutsideRange: true, StdError: new(0.2), ESS: new(20.5), LargestWeight: new(40.0), LargestShare: new(0.125), Reason: "fewer than 5 successes", ValidUnder: "true propensities",
			},
			schemas.Estimate{Target: "mean reward of arm b", Estimator: schemas.EstimatorAIPW, Arm: new(1), Label: "b", Rounds: new(int64(1000)), LeftOut: new(int64(0)), Estimate: new(0.5), StdError: new(0.1), CI: schemas.NewInterval(0.3, 0.7), ValidUnder: "true propensities"},
			schemas.Estimate{Target: "mean reward of every arm", Estimator: schemas.EstimatorSqrt, Reason: "it needs more"},
		)}},
	}
}

// TestVariants holds what a report says otherwise where something of a log is other:
// by variant, the lines that are not in the report on the fixture, and how many of it
// are gone. Of more than six rows of a table that follow each other the first three and
// the last three are held.
func TestVariants(t *testing.T) {
	var out strings.Builder
	for _, v := range slices.Concat(variantsOfEvidence(), variantsOfQuestions(), variantsOfData()) {
		r := v.of()
		for _, change := range v.changes {
			change(r)
		}
		fmt.Fprintf(&out, "# %s\n\n", v.name)
		before, after := strings.Split(markdownOf(t, v.of()), "\n"), strings.Split(markdownOf(t, r), "\n")
		writeNew(&out, before, after)
		gone := slices.DeleteFunc(slices.Clone(before), func(line string) bool { return slices.Contains(after, line) })
		fmt.Fprintf(&out, "(%d lines are gone)\n\n", len(gone))
	}
	golden(t, "variants.txt", []byte(out.String()))
}

// writeNew writes the lines of after that before has not.
func writeNew(out *strings.Builder, before, after []string) {
	var rows []string
	flush := func() {
		if n := len(rows); n > 6 {
			rows = slices.Concat(rows[:3], []string{fmt.Sprintf("... %d rows", n-6)}, rows[n-3:])
		}
		for _, row := range rows {
			fmt.Fprintf(out, "%s\n", row)
		}
		rows = nil
	}
	for _, line := range after {
		if slices.Contains(before, line) {
			continue
		}
		if !strings.HasPrefix(line, "|") {
			flush()
		}
		if rows = append(rows, line); !strings.HasPrefix(line, "|") {
			flush()
		}
	}
	flush()
}

// TestPlayedOnce: the mean of an arm that was played once is a reward, and the report says so.
func TestPlayedOnce(t *testing.T) {
	r := homepage()
	const says = "is that one reward: "
	if strings.Contains(markdownOf(t, r), says) {
		t.Error("said of arms that were played often")
	}
	arm := &r.Experiments[0].Arms[1]
	arm.Pulls = 1
	if want := says + arm.Label; !strings.Contains(markdownOf(t, r), want) {
		t.Errorf("not said: %s", want)
	}
}
