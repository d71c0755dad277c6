package tables

import (
	"iter"
	"reflect"
	"slices"

	"banditaudit/schemas"
)

// table is one table: its name, the name of its Parquet schema, its columns, and the rows
// that an experiment, claims or the whole run have in it, which are used again.
type table struct {
	name, record string
	fields       []field
	each         func(*schemas.Experiment) iter.Seq[reflect.Value]                  // nil: an experiment has none
	whole        func(*schemas.Results, *schemas.ClaimSums) iter.Seq[reflect.Value] // nil: the run has none
	claims       func([]schemas.Finding) iter.Seq[reflect.Value]                    // nil: claims have none
}

// ofExperiments is a table of which every experiment has rows; words are its
// columns.
func ofExperiments[T any](name, record, words string, rows func(*schemas.Experiment) []T) table {
	return ofMany(name, record, words, func(x *schemas.Experiment) iter.Seq[T] { return slices.Values(rows(x)) })
}

// ofMany is the same of rows that are made one after another.
func ofMany[T any](name, record, words string, rows func(*schemas.Experiment) iter.Seq[T]) table {
	return table{name: name, record: record, fields: fieldsOf[T](words), each: func(x *schemas.Experiment) iter.Seq[reflect.Value] { return reflected(rows(x)) }}
}

// ofRun is a table of which the whole run has rows.
func ofRun[T any](name, record, words string, rows func(*schemas.Results, *schemas.ClaimSums) []T) table {
	return table{name: name, record: record, fields: fieldsOf[T](words), whole: func(r *schemas.Results, claims *schemas.ClaimSums) iter.Seq[reflect.Value] {
		return reflected(slices.Values(rows(r, claims)))
	}}
}

// ofClaims is a table of which every claim has a row.
func ofClaims(name, record, words string) table {
	return table{name: name, record: record, fields: fieldsOf[of[schemas.Finding]](words), claims: func(claims []schemas.Finding) iter.Seq[reflect.Value] {
		return reflected(slices.Values(all(nil, claims)))
	}}
}

// reflected are rows one after another in one place.
func reflected[T any](rows iter.Seq[T]) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		row := new(T)
		for *row = range rows {
			if !yield(reflect.ValueOf(row).Elem()) {
				return
			}
		}
	}
}

// arm and versus are the columns to join on of a table whose rows are about an arm, or
// about what one has above another: places among the experiment's arms, null where a row
// is about none, and labels.
const (
	arm    = ` s.arm s.arm_label `
	versus = arm + `s.versus s.versus_label `
)

// list has every table, in the order in which they are written. The name that ends
// in Record belongs to the Parquet schema.
func list() []table {
	return []table{
		ofRun("run", "runRecord", `of.run_id of.tool tool_version=of.version of.overall of.exceptions of.incomplete of.cautions
			of.claims schema=of.schema`, runRows),
		ofExperiments("experiments", "experimentRecord", experimentFields, experimentRows),
		ofClaims("claims", "claimRecord", `of.id of.experiment of.kind of.severity of.statement of.verdict of.vacuous
			observed=of.observed_value of.comparator threshold=of.threshold_value of.unit observed_text=of.observed
			threshold_text=of.threshold of.procedure of.reason of.evidence`),
		ofRun("inputs", "inputRecord", `of.uri of.bytes of.rows of.sha256`,
			func(r *schemas.Results, _ *schemas.ClaimSums) []of[schemas.Input] { return all(nil, r.Inputs) }),
		ofRun("family", "familyRecord", `in.experiment in.test in.p_adjusted in.log2_p_adjusted of.method of.alpha of.tests
			of.decided of.rejected`, familyRows),
		ofExperiments("checks", "checkRecord", `experiment=x.id of.id of.title of.status measure=key.name key.observed
			key.expected key.unit of.statistic of.p observed_text=of.observed expected_text=of.expected of.detail`, checkRows),
		ofExperiments("measures", "measureRecord", `experiment=x.id check=of.id measure=in.name`+arm+`in.observed in.expected
			in.unit`, measureRows),
		ofExperiments("splits", "splitRecord", `experiment=x.id of.name of.kind of.least of.most of.found of.pairs`, splitRows),
		ofExperiments("propensities", "propensityRecord", `experiment=x.id first_round=of.first last_round=of.last of.rounds
			rounds_beyond_tolerance=of.beyond largest_deviation=of.largest`, propensityRows),
		ofExperiments("noise", "noiseRecord", `experiment=x.id test=of.name of.statistic of.p of.level of.rejected of.detail`, noiseRows),
		ofExperiments("noise_scales", "noiseScaleRecord", `experiment=x.id`+arm+`of.scale of.draws of.ratio ratio_lo=of.lo
			ratio_hi=of.hi`, noiseScaleRows),
		ofExperiments("hypotheses", "hypothesisRecord", `experiment=x.id explains of.name of.words of.value value_lo=of.lo
			value_hi=of.hi of.rows of.explained of.declared largest_deviation=of.largest of.p of.fits of.settles`, hypothesisRows),
		ofExperiments("arms", "armRecord", `experiment=x.id of.arm arm_label=of.label of.pulls of.mean of.std_error of.ci of.bias_bound
			of.bias_bound_paper of.bias_bound_approximate of.units of.sigma of.ci_corrected of.confidence_sequence of.ipw_mean
			of.vacuous`,
			func(x *schemas.Experiment) []of[schemas.Arm] { return all(x, x.Arms) }),
		ofExperiments("ledger", "ledgerRecord", `experiment=x.id`+arm+`of.cost of.rows`, ledgerRows),
		ofExperiments("regressions", "coefficientRecord", `experiment=x.id of.name`+arm+`of.n of.rank #of.columns
			of.dropped of.condition_number of.covariance of.df_residual of.r_squared of.adj_r_squared of.f_statistic of.f_df1
			of.f_df2 of.f_p of.f_log2_p of.sigma2 of.max_leverage of.clusters of.sigma of.bias_rms of.bias_worst
			of.bias_worst_form of.contexts of.bias_paper coefficient=in.name? in.estimate in.std_error in.statistic in.p
			in.log2_p in.ci in.bias_bound in.p_corrected in.log2_p_corrected in.ci_corrected`, regressionRows),
		ofExperiments("tests", "testRecord", `experiment=x.id of.id of.kind of.hypothesis of.selector`+versus+`of.regression
			of.coefficients of.test of.alternative of.value of.estimate of.n of.units means=of.comparison.means? of.assumptions
			of.decision of.verdict of.decided_by in.method? in.correction in.statistic in.df in.p in.log2_p in.p_adjusted in.ci in.sigma
			in.bits in.beta in.valid_for in.conditional in.approximate in.applicable in.vacuous in.reason`, testRows),
		ofExperiments("comparisons", "comparisonRecord", `experiment=x.id test=of.id`+arm+`first_round=in.first?
			last_round=in.last? means=of.comparison.means declared=of.comparison.declared valid_if=of.comparison.valid_if`, comparisonRows),
		ofExperiments("estimates", "estimateRecord", `experiment=x.id of.target of.estimator of.evaluation_policy`+versus+`of.rounds
			of.left_out of.estimate of.outside_range of.raw_estimate of.std_error of.ci of.ess of.largest_weight
			of.largest_weight_share of.anytime of.reason of.valid_under`, estimateRows),
		ofMany("series", "seriesRecord", `experiment=x.id of.id`+arm+`of.title of.unit of.n point x=at y lo hi`, seriesRows),
	}
}
