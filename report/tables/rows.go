package tables

import (
	"iter"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// experimentFields are the columns of the table of experiments.
const experimentFields = `experiment=x.id x.rounds x.context_dim #x.arms x.data.rows_read x.data.rows_analysed
	x.data.first_time x.data.last_time
	rows_excluded=excluded replay_mode=replay.mode replay.replayable replay.matched
	first_mismatch_round=replay.first_mismatch.round? first_mismatch_logged=replay.first_mismatch.logged?
	first_mismatch_replayed=replay.first_mismatch.replayed? last_mismatch_round=replay.last_mismatch
	propensities_compared=replay.propensities.rounds? propensities_matched=replay.propensities.matched?
	first_propensity_mismatch_round=replay.propensities.first_mismatch.round?
	released_changed=replay.released.changed? released_differ=replay.released.differ?
	released_allocation_p=replay.released.allocation.p?
	noise_draws=noise.recovered? noise_rejected=noise.rejected? noise_ratio=noise.ratio noise_ratio_lo=noise.ratio_lo
	noise_ratio_hi=noise.ratio_hi noise_epsilon=noise.epsilon noise_epsilon_lo=noise.epsilon_lo
	noise_epsilon_hi=noise.epsilon_hi noise_spent=noise.spent
	privacy_definition=privacy.definition privacy_unit=privacy.unit privacy.epsilon_claimed privacy.delta_claimed
	privacy.rho_claimed privacy.epsilon_mechanism privacy.rho_mechanism privacy.epsilon_realized
	privacy.sum_squared_costs privacy.sum_squared_unit_costs privacy.largest_unit #x.warnings`

// experimentRow is a row of the table of experiments.
type experimentRow struct {
	X        *schemas.Experiment
	Excluded int64
	Replay   *schemas.Conformance
	Noise    *schemas.NoiseFit
	Privacy  *schemas.Accounting
}

func experimentRows(x *schemas.Experiment) []experimentRow {
	return []experimentRow{{x, x.Data.RowsRead - x.Data.RowsAnalysed, &x.Replay, noiseOf(x), &x.Privacy}}
}

// familyRows are the tests that are rejected in the family of all experiments,
// with the facts of the family repeated.
func familyRows(r *schemas.Results, _ *schemas.ClaimSums) []within[schemas.Family, schemas.FamilyTest] {
	if r.Family == nil || len(r.Family.Rejections) == 0 {
		return nil
	}
	return parted(all(nil, []schemas.Family{*r.Family}), func(f *schemas.Family) []schemas.FamilyTest { return f.Rejections })
}

// splitRows are the splits, for the table of this name.
func splitRows(x *schemas.Experiment) []of[schemas.Split] {
	if x.Data.Splits == nil {
		return nil
	}
	return all(x, x.Data.Splits.Looked)
}

// propensityRows hold logged propensities against recomputed ones within one
// batch, or one stretch of rounds.
func propensityRows(x *schemas.Experiment) []of[schemas.PropensityBatch] {
	if x.Replay.Propensities == nil {
		return nil
	}
	return all(x, x.Replay.Propensities.Batches)
}

// noiseOf is the noise recovered in an experiment, nil where there is none.
func noiseOf(x *schemas.Experiment) *schemas.NoiseFit {
	if x.Replay.Released == nil {
		return nil
	}
	return x.Replay.Released.Noise
}

func noiseRows(x *schemas.Experiment) []of[schemas.NoiseTest] {
	if fit := noiseOf(x); fit != nil {
		return all(x, fit.Tests)
	}
	return nil
}

func noiseScaleRows(x *schemas.Experiment) []of[schemas.NoiseGroup] {
	if fit := noiseOf(x); fit != nil {
		return about(x, fit.Groups, func(g *schemas.NoiseGroup) (arm, versus string) { return g.Arm, "" })
	}
	return nil
}

func ledgerRows(x *schemas.Experiment) []of[schemas.CostLevel] {
	return about(x, x.Privacy.Levels, func(l *schemas.CostLevel) (arm, versus string) { return l.Arm, "" })
}

func estimateRows(x *schemas.Experiment) []of[schemas.Estimate] {
	out := about(x, x.Estimates, func(e *schemas.Estimate) (arm, versus string) { return e.Label, e.Against })
	for i := range out {
		if out[i].S.Arm = out[i].Of.Arm; out[i].Of.EvaluationPolicy != "" { // is held against the logging policy
			out[i].S.Versus = nil
		}
	}
	return out
}

func regressionRows(x *schemas.Experiment) []within[schemas.Regression, schemas.Coefficient] {
	fits := about(x, x.Regressions, func(f *schemas.Regression) (arm, versus string) { return f.Label, "" })
	for i := range fits {
		fits[i].S.Arm = armOf(fits[i].Of.Arm)
	}
	return parted(fits, func(f *schemas.Regression) []schemas.Coefficient { return f.Coefficients })
}

func testsOf(x *schemas.Experiment) []of[schemas.Test] {
	out := about(x, x.Tests, func(t *schemas.Test) (arm, versus string) { return t.Label, t.Against })
	for i := range out {
		out[i].S.Arm = armOf(out[i].Of.Arm)
	}
	return out
}

// armOf is an arm; null where the place is below 0, which stands for all of them.
func armOf(place int) *int {
	if place < 0 {
		return nil
	}
	return &place
}

func testRows(x *schemas.Experiment) []within[schemas.Test, schemas.TestResult] {
	return parted(testsOf(x), func(t *schemas.Test) []schemas.TestResult { return t.Results })
}

// comparisonRows are the arms that a test compares, with when each was played.
func comparisonRows(x *schemas.Experiment) []within[schemas.Test, schemas.PlayedArm] {
	compared := slices.DeleteFunc(all(x, x.Tests), func(t of[schemas.Test]) bool { return t.Of.Comparison == nil })
	out, at := parted(compared, func(t *schemas.Test) []schemas.PlayedArm { return t.Comparison.Played }), places(x)
	for i := range out {
		if out[i].In != nil {
			out[i].S = subjectOf(at, out[i].In.Label, "")
		}
	}
	return out
}

// checkRow is a check with the measure that it goes by.
type checkRow struct {
	X   *schemas.Experiment
	Of  *schemas.Check
	Key schemas.Measure
}

func checkRows(x *schemas.Experiment) []checkRow {
	out := make([]checkRow, len(x.Data.Checks))
	for i := range x.Data.Checks {
		c := &x.Data.Checks[i]
		out[i] = checkRow{x, c, c.Key()}
	}
	return out
}

func measureRows(x *schemas.Experiment) []within[schemas.Check, schemas.Measure] {
	var out []within[schemas.Check, schemas.Measure]
	for i := range x.Data.Checks {
		c := &x.Data.Checks[i]
		for j := range c.Measures {
			m := &c.Measures[j]
			out = append(out, within[schemas.Check, schemas.Measure]{x, c, m, subject{Arm: m.Arm, Label: m.Label}})
		}
	}
	return out
}

// runRow is the run as a whole.
type runRow struct {
	RunID      string `json:"run_id"`
	Tool       string
	Version    string
	Schema     string
	Overall    string
	Exceptions int
	Incomplete int
	Cautions   int
	Claims     int
}

// runRows is the one row of the run.
func runRows(r *schemas.Results, claims *schemas.ClaimSums) []of[runRow] {
	o := &claims.Overall
	return all(nil, []runRow{{r.RunID, r.Tool.Name, r.Tool.Version, r.Schema, r.Overall, o.Violated, o.Open, r.Cautions, claims.Claims}})
}

// hypothesisRow is one explanation that was tried, and of what: propensities,
// noise or allocation.
type hypothesisRow struct {
	X        *schemas.Experiment
	Of       *schemas.Hypothesis
	Explains string
}

func hypothesisRows(x *schemas.Experiment) []hypothesisRow {
	var out []hypothesisRow
	add := func(explains string, tried []schemas.Hypothesis) {
		for i := range tried {
			out = append(out, hypothesisRow{x, &tried[i], explains})
		}
	}
	if x.Replay.Propensities != nil {
		add("propensities", x.Replay.Propensities.Hypotheses)
	}
	if fit := noiseOf(x); fit != nil {
		add("noise", fit.Hypotheses)
	}
	add("allocation", x.Allocation)
	return out
}

// seriesRow is one point of a line.
type seriesRow struct {
	X         *schemas.Experiment
	Of        *schemas.Series
	Point     int64
	At        *float64
	Y, Lo, Hi *float64
	S         subject
}

func seriesRows(x *schemas.Experiment) iter.Seq[seriesRow] {
	at, lines := places(x), x.Series
	if fit := noiseOf(x); fit != nil && fit.Quantiles != nil {
		lines = append(slices.Clip(lines), *fit.Quantiles)
	}
	return func(yield func(seriesRow) bool) {
		for i := range lines {
			s := &lines[i]
			_, label, _ := strings.Cut(s.ID, "/")
			about := subjectOf(at, label, "")
			for j := range max(len(s.X), len(s.Y)) {
				if !yield(seriesRow{x, s, int64(j), element(s.X, j), element(s.Y, j), element(s.Lo, j), element(s.Hi, j), about}) {
					return
				}
			}
		}
	}
}

func element(list []float64, i int) *float64 {
	if i >= len(list) {
		return nil
	}
	return &list[i]
}
