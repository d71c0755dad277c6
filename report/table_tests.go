package report

import "banditaudit/schemas"

// testRecord is a row of tables/tests.parquet: one method's answer to one
// test, with the facts of the test repeated. A test that no method answered
// has one row whose method is null.
type testRecord struct {
	Experiment  string   `parquet:"experiment"`
	ID          string   `parquet:"id"`
	Kind        string   `parquet:"kind"`
	Hypothesis  string   `parquet:"hypothesis"`
	Selector    string   `parquet:"selector"`
	Arm         int64    `parquet:"arm"`
	Label       string   `parquet:"label"`
	Against     string   `parquet:"against"`
	Regression  string   `parquet:"regression"`
	Coefs       string   `parquet:"coefficients"`
	Test        string   `parquet:"test"`
	Alternative string   `parquet:"alternative"`
	Value       float64  `parquet:"value"`
	Estimate    *float64 `parquet:"estimate,optional"`
	N           int64    `parquet:"n"`
	Units       *int64   `parquet:"units,optional"`
	Assumptions string   `parquet:"assumptions"`
	Decision    string   `parquet:"decision"`
	Verdict     string   `parquet:"verdict"`
	Method      *string  `parquet:"method,optional"`
	Correction  string   `parquet:"correction"`
	Statistic   *float64 `parquet:"statistic,optional"`
	DF          *float64 `parquet:"df,optional"`
	P           *float64 `parquet:"p,optional"`
	Log2P       *float64 `parquet:"log2_p,optional"`
	PAdjusted   *float64 `parquet:"p_adjusted,optional"`
	CILo        *float64 `parquet:"ci_lo,optional"`
	CIHi        *float64 `parquet:"ci_hi,optional"`
	Sigma       *float64 `parquet:"sigma,optional"`
	Bits        *float64 `parquet:"bits,optional"`
	Beta        *float64 `parquet:"beta,optional"`
	ValidFor    string   `parquet:"valid_for"`
	Conditional bool     `parquet:"conditional"`
	Approximate bool     `parquet:"approximate"`
	Applicable  bool     `parquet:"applicable"`
	Vacuous     bool     `parquet:"vacuous"`
	Reason      string   `parquet:"reason"`
}

func testRows(x *schemas.Experiment) []testRecord {
	var out []testRecord
	for i := range x.Tests {
		t := &x.Tests[i]
		base := testRecord{
			Experiment: x.ID, ID: t.ID, Kind: t.Kind, Hypothesis: t.Hypothesis, Selector: t.Selector, Arm: int64(t.Arm), Label: t.Label,
			Against: t.Against, Regression: t.Regression, Coefs: joined(t.Coefficients), Test: t.Test, Alternative: t.Alternative,
			Value: t.Value, Estimate: t.Estimate, N: t.N, Units: t.Units, Assumptions: joined(t.Assumptions), Decision: t.Decision, Verdict: string(t.Verdict),
		}
		if len(t.Results) == 0 {
			out = append(out, base)
		}
		for j := range t.Results {
			out = append(out, base.with(&t.Results[j]))
		}
	}
	return out
}

// with returns the row of one method.
func (t testRecord) with(m *schemas.TestResult) testRecord {
	t.Method, t.Statistic, t.DF, t.P, t.Log2P, t.PAdjusted = &m.Method, m.Statistic, m.DF, m.P, float(m.Log2P), m.PAdjusted
	t.CILo, t.CIHi, t.Sigma, t.Bits, t.Beta = end(m.CI, 0), end(m.CI, 1), float(m.Sigma), m.Bits, m.Beta
	t.Correction, t.ValidFor, t.Conditional, t.Approximate, t.Applicable = m.Correction, m.ValidFor, m.Conditional, m.Approximate, m.Applicable
	t.Vacuous, t.Reason = m.Vacuous, m.Reason
	return t
}
