package report

import "banditaudit/schemas"

// estimateRecord is a row of tables/estimates.parquet.
type estimateRecord struct {
	Experiment       string   `parquet:"experiment"`
	Target           string   `parquet:"target"`
	Estimator        string   `parquet:"estimator"`
	EvaluationPolicy string   `parquet:"evaluation_policy"`
	Estimate         *float64 `parquet:"estimate,optional"`
	StdError         *float64 `parquet:"std_error,optional"`
	CILo             *float64 `parquet:"ci_lo,optional"`
	CIHi             *float64 `parquet:"ci_hi,optional"`
	ESS              *float64 `parquet:"ess,optional"`
	Anytime          bool     `parquet:"anytime"`
	ValidUnder       string   `parquet:"valid_under"`
}

func estimateRows(x *schemas.Experiment) []estimateRecord {
	out := make([]estimateRecord, 0, len(x.Estimates))
	for i := range x.Estimates {
		e := &x.Estimates[i]
		out = append(out, estimateRecord{
			Experiment: x.ID, Target: e.Target, Estimator: e.Estimator, EvaluationPolicy: e.EvaluationPolicy,
			Estimate: e.Estimate, StdError: e.StdError, CILo: end(e.CI, 0), CIHi: end(e.CI, 1), ESS: e.ESS,
			Anytime: e.Anytime, ValidUnder: e.ValidUnder,
		})
	}
	return out
}

// seriesRecord is a row of tables/series.parquet: one point of a line.
type seriesRecord struct {
	Experiment string   `parquet:"experiment"`
	ID         string   `parquet:"id"`
	Title      string   `parquet:"title"`
	Unit       string   `parquet:"unit"`
	N          int64    `parquet:"n"`
	Point      int64    `parquet:"point"`
	X          *float64 `parquet:"x,optional"`
	Y          *float64 `parquet:"y,optional"`
	Lo         *float64 `parquet:"lo,optional"`
	Hi         *float64 `parquet:"hi,optional"`
}

func seriesRows(x *schemas.Experiment) []seriesRecord {
	var out []seriesRecord
	for i := range x.Series {
		s := &x.Series[i]
		for j := range max(len(s.X), len(s.Y)) {
			out = append(out, seriesRecord{
				Experiment: x.ID, ID: s.ID, Title: s.Title, Unit: s.Unit, N: s.N, Point: int64(j),
				X: element(s.X, j), Y: element(s.Y, j), Lo: element(s.Lo, j), Hi: element(s.Hi, j),
			})
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
