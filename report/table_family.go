package report

import "banditaudit/schemas"

// familyRecord is a row of tables/family.parquet: a test that is rejected in
// the family of all experiments, with the facts of the family repeated.
type familyRecord struct {
	Experiment string   `parquet:"experiment"`
	Test       string   `parquet:"test"`
	PAdjusted  *float64 `parquet:"p_adjusted,optional"`
	Log2P      *float64 `parquet:"log2_p_adjusted,optional"`
	Method     string   `parquet:"method"`
	Alpha      float64  `parquet:"alpha"`
	Tests      int64    `parquet:"tests"`
	Decided    int64    `parquet:"decided"`
	Rejected   int64    `parquet:"rejected"`
}

func familyRows(r *schemas.Results) []familyRecord {
	f := r.Family
	if f == nil {
		return nil
	}
	out := make([]familyRecord, 0, len(f.Rejections))
	for i := range f.Rejections {
		t := &f.Rejections[i]
		out = append(out, familyRecord{
			Experiment: t.Experiment, Test: t.Test, PAdjusted: t.PAdjusted, Log2P: float(t.Log2P),
			Method: f.Method, Alpha: f.Alpha, Tests: f.Tests, Decided: f.Decided, Rejected: f.Rejected,
		})
	}
	return out
}
