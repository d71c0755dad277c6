package report

import "banditaudit/schemas"

// claimRecord is a row of tables/claims.parquet.
type claimRecord struct {
	ID         string `parquet:"id"`
	Experiment string `parquet:"experiment"`
	Kind       string `parquet:"kind"`
	Severity   string `parquet:"severity"`
	Statement  string `parquet:"statement"`
	Verdict    string `parquet:"verdict"`
	Vacuous    bool   `parquet:"vacuous"`
	Observed   string `parquet:"observed"`
	Comparator string `parquet:"comparator"`
	Threshold  string `parquet:"threshold"`
	Procedure  string `parquet:"procedure"`
	Reason     string `parquet:"reason"`
	Evidence   string `parquet:"evidence"`
}

func claimRows(r *schemas.Results) []claimRecord {
	out := make([]claimRecord, 0, len(r.Claims))
	for i := range r.Claims {
		c := &r.Claims[i]
		out = append(out, claimRecord{
			ID: c.ID, Experiment: c.Experiment, Kind: c.Kind, Severity: c.Severity, Statement: c.Statement,
			Verdict: string(c.Verdict), Vacuous: c.Vacuous, Observed: c.Observed, Comparator: c.Comparator,
			Threshold: c.Threshold, Procedure: c.Procedure, Reason: c.Reason, Evidence: joined(c.Evidence),
		})
	}
	return out
}

// inputRecord is a row of tables/inputs.parquet.
type inputRecord struct {
	URI    string `parquet:"uri"`
	Bytes  int64  `parquet:"bytes"`
	Rows   int64  `parquet:"rows"`
	SHA256 string `parquet:"sha256"`
}

func inputRows(r *schemas.Results) []inputRecord {
	out := make([]inputRecord, 0, len(r.Inputs))
	for _, in := range r.Inputs {
		out = append(out, inputRecord(in))
	}
	return out
}

// checkRecord is a row of tables/checks.parquet.
type checkRecord struct {
	Experiment string   `parquet:"experiment"`
	ID         string   `parquet:"id"`
	Title      string   `parquet:"title"`
	Observed   string   `parquet:"observed"`
	Expected   string   `parquet:"expected"`
	Statistic  *float64 `parquet:"statistic,optional"`
	P          *float64 `parquet:"p,optional"`
	Status     string   `parquet:"status"`
	Detail     string   `parquet:"detail"`
}

func checkRows(x *schemas.Experiment) []checkRecord {
	out := make([]checkRecord, 0, len(x.Data.Checks))
	for i := range x.Data.Checks {
		c := &x.Data.Checks[i]
		out = append(out, checkRecord{
			Experiment: x.ID, ID: c.ID, Title: c.Title, Observed: c.Observed, Expected: c.Expected,
			Statistic: c.Statistic, P: c.P, Status: string(c.Status), Detail: c.Detail,
		})
	}
	return out
}
