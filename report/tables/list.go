package tables

import (
	"reflect"
	"slices"

	"banditaudit/schemas"
)

// table is one table: its name, that of its Parquet schema, its columns, and the
// rows that an experiment or the whole run has in it, one value for each column.
type table struct {
	name, record string
	fields       []field
	each         func(*schemas.Experiment) [][]any // nil: an experiment has none
	whole        func(*schemas.Results) [][]any    // nil: the run has none
}

// ofExperiments is a table of which every experiment has rows; words are its
// columns.
func ofExperiments[T any](name, record, words string, rows func(*schemas.Experiment) []T) table {
	fields := fieldsOf[T](words)
	return table{name: name, record: record, fields: fields, each: func(x *schemas.Experiment) [][]any { return flatten(fields, rows(x)) }}
}

// ofRun is a table of which the whole run has rows.
func ofRun[T any](name, record, words string, rows func(*schemas.Results) []T) table {
	fields := fieldsOf[T](words)
	return table{name: name, record: record, fields: fields, whole: func(r *schemas.Results) [][]any { return flatten(fields, rows(r)) }}
}

// flatten returns the values of rows, column by column.
func flatten[T any](fields []field, rows []T) [][]any {
	out := make([][]any, len(rows))
	for i := range rows {
		v := reflect.ValueOf(&rows[i]).Elem()
		out[i] = make([]any, len(fields))
		for j := range fields {
			out[i][j] = fields[j].value(v)
		}
	}
	return out
}

// of is a row made of an experiment and one of its parts. A part of the whole
// run has no X.
type of[T any] struct {
	X  *schemas.Experiment
	Of *T
}

// all makes a row of each part.
func all[T any](x *schemas.Experiment, parts []T) []of[T] {
	out := make([]of[T], len(parts))
	for i := range parts {
		out[i] = of[T]{x, &parts[i]}
	}
	return out
}

// within is a row made of a part and a part of that.
type within[T, U any] struct {
	X  *schemas.Experiment
	Of *T
	In *U
}

// nested makes a row of each part of each part. A part without any has one row,
// so that its own facts are not lost.
func nested[T, U any](x *schemas.Experiment, parts []T, inner func(*T) []U) []within[T, U] {
	var out []within[T, U]
	for i := range parts {
		list := inner(&parts[i])
		if len(list) == 0 {
			out = append(out, within[T, U]{x, &parts[i], nil})
		}
		for j := range list {
			out = append(out, within[T, U]{x, &parts[i], &list[j]})
		}
	}
	return out
}

// list has every table, in the order in which they are written. The name that ends
// in Record is that of the Parquet schema.
func list() []table {
	return []table{
		ofExperiments("experiments", "experimentRecord", experimentFields, experimentRows),
		ofRun("claims", "claimRecord", `of.id of.experiment of.kind of.severity of.statement of.verdict of.vacuous of.observed
			of.comparator of.threshold of.procedure of.reason of.evidence`,
			func(r *schemas.Results) []of[schemas.Finding] { return all(nil, r.Claims) }),
		ofRun("inputs", "inputRecord", `of.uri of.bytes of.rows of.sha256`,
			func(r *schemas.Results) []of[schemas.Input] { return all(nil, r.Inputs) }),
		ofRun("family", "familyRecord", `in.experiment in.test in.p_adjusted in.log2_p_adjusted of.method of.alpha of.tests
			of.decided of.rejected`, familyRows),
		ofExperiments("checks", "checkRecord", `experiment=x.id of.id of.title of.observed of.expected of.statistic of.p
			of.status of.detail`,
			func(x *schemas.Experiment) []of[schemas.Check] { return all(x, x.Data.Checks) }),
		ofExperiments("splits", "splitRecord", `experiment=x.id of.name of.kind of.least of.most of.found of.pairs`, splitRows),
		ofExperiments("propensities", "propensityRecord", `experiment=x.id first_round=of.first last_round=of.last of.rounds
			rounds_beyond_tolerance=of.beyond largest_deviation=of.largest`, propensityRows),
		ofExperiments("noise", "noiseRecord", `experiment=x.id test=of.name of.statistic of.p of.level of.rejected of.detail`, noiseRows),
		ofExperiments("noise_scales", "noiseScaleRecord", `experiment=x.id of.arm of.scale of.draws of.ratio ratio_lo=of.lo
			ratio_hi=of.hi`, noiseScaleRows),
		ofExperiments("hypotheses", "hypothesisRecord", `experiment=x.id explains of.name of.words of.value value_lo=of.lo
			value_hi=of.hi of.rows of.explained of.declared largest_deviation=of.largest of.p of.fits of.settles`, hypothesisRows),
		ofExperiments("arms", "armRecord", `experiment=x.id of.arm of.label of.pulls of.mean of.std_error of.ci of.bias_bound
			of.bias_bound_paper of.bias_bound_approximate of.units of.sigma of.ci_corrected of.confidence_sequence of.ipw_mean
			of.vacuous`,
			func(x *schemas.Experiment) []of[schemas.Arm] { return all(x, x.Arms) }),
		ofExperiments("ledger", "ledgerRecord", `experiment=x.id of.arm of.cost of.rows`,
			func(x *schemas.Experiment) []of[schemas.CostLevel] { return all(x, x.Privacy.Levels) }),
		ofExperiments("regressions", "coefficientRecord", `experiment=x.id of.name of.arm of.label of.n of.rank #of.columns
			of.dropped of.condition_number of.covariance of.df_residual of.r_squared of.adj_r_squared of.f_statistic of.f_df1
			of.f_df2 of.f_p of.f_log2_p of.sigma2 of.max_leverage of.clusters of.sigma of.bias_rms of.bias_worst
			of.bias_worst_form of.contexts of.bias_paper coefficient=in.name? in.estimate in.std_error in.statistic in.p
			in.log2_p in.ci in.bias_bound in.p_corrected in.log2_p_corrected in.ci_corrected`,
			func(x *schemas.Experiment) []within[schemas.Regression, schemas.Coefficient] {
				return nested(x, x.Regressions, func(f *schemas.Regression) []schemas.Coefficient { return f.Coefficients })
			}),
		ofExperiments("tests", "testRecord", `experiment=x.id of.id of.kind of.hypothesis of.selector of.arm of.label
			of.against of.regression of.coefficients of.test of.alternative of.value of.estimate of.n of.units means=of.comparison.means? of.assumptions
			of.decision of.verdict in.method? in.correction in.statistic in.df in.p in.log2_p in.p_adjusted in.ci in.sigma
			in.bits in.beta in.valid_for in.conditional in.approximate in.applicable in.vacuous in.reason`,
			func(x *schemas.Experiment) []within[schemas.Test, schemas.TestResult] {
				return nested(x, x.Tests, func(t *schemas.Test) []schemas.TestResult { return t.Results })
			}),
		ofExperiments("estimates", "estimateRecord", `experiment=x.id of.target of.estimator of.evaluation_policy of.arm of.label
			of.against of.rounds of.left_out of.estimate of.outside_range of.raw_estimate of.std_error of.ci of.ess
			of.largest_weight of.largest_weight_share of.anytime of.reason of.valid_under`,
			func(x *schemas.Experiment) []of[schemas.Estimate] { return all(x, x.Estimates) }),
		ofExperiments("series", "seriesRecord", `experiment=x.id of.id of.title of.unit of.n point x=at y lo hi`, seriesRows),
	}
}

// experimentFields are the columns of the table of experiments.
const experimentFields = `experiment=x.id x.rounds x.context_dim #x.arms x.data.rows_read x.data.rows_analysed
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
func familyRows(r *schemas.Results) []within[schemas.Family, schemas.FamilyTest] {
	if r.Family == nil || len(r.Family.Rejections) == 0 {
		return nil
	}
	return nested(nil, []schemas.Family{*r.Family}, func(f *schemas.Family) []schemas.FamilyTest { return f.Rejections })
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
		return all(x, fit.Groups)
	}
	return nil
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
}

func seriesRows(x *schemas.Experiment) []seriesRow {
	var out []seriesRow
	lines := x.Series
	if fit := noiseOf(x); fit != nil && fit.Quantiles != nil {
		lines = append(slices.Clip(lines), *fit.Quantiles)
	}
	for i := range lines {
		s := &lines[i]
		for j := range max(len(s.X), len(s.Y)) {
			out = append(out, seriesRow{x, s, int64(j), element(s.X, j), element(s.Y, j), element(s.Lo, j), element(s.Hi, j)})
		}
	}
	return out
}

func element(list []float64, i int) *float64 {
	if i >= len(list) {
		return nil
	}
	return &list[i]
}
