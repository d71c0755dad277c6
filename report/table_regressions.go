package report

import "banditaudit/schemas"

// coefficientRecord is a row of tables/regressions.parquet: a coefficient,
// with the facts of its fit repeated.
type coefficientRecord struct {
	Experiment      string   `parquet:"experiment"`
	Name            string   `parquet:"name"`
	Arm             int64    `parquet:"arm"`
	Label           string   `parquet:"label"`
	N               int64    `parquet:"n"`
	Rank            int64    `parquet:"rank"`
	Columns         int64    `parquet:"columns"`
	Dropped         string   `parquet:"dropped"`
	ConditionNumber *float64 `parquet:"condition_number,optional"`
	Covariance      string   `parquet:"covariance"`
	DFResidual      int64    `parquet:"df_residual"`
	RSquared        *float64 `parquet:"r_squared,optional"`
	AdjRSquared     *float64 `parquet:"adj_r_squared,optional"`
	FStatistic      *float64 `parquet:"f_statistic,optional"`
	FDF1            *float64 `parquet:"f_df1,optional"`
	FDF2            *float64 `parquet:"f_df2,optional"`
	FP              *float64 `parquet:"f_p,optional"`
	FLog2P          *float64 `parquet:"f_log2_p,optional"`
	Sigma2          *float64 `parquet:"sigma2,optional"`
	MaxLeverage     *float64 `parquet:"max_leverage,optional"`
	Clusters        *int64   `parquet:"clusters,optional"`
	Sigma           *float64 `parquet:"sigma,optional"`
	BiasRMS         *float64 `parquet:"bias_rms,optional"`
	BiasWorst       *float64 `parquet:"bias_worst,optional"`
	BiasWorstForm   string   `parquet:"bias_worst_form"`
	Contexts        *int64   `parquet:"contexts,optional"`
	BiasPaper       *float64 `parquet:"bias_paper,optional"`
	Coefficient     *string  `parquet:"coefficient,optional"`
	Estimate        *float64 `parquet:"estimate,optional"`
	StdError        *float64 `parquet:"std_error,optional"`
	Statistic       *float64 `parquet:"statistic,optional"`
	P               *float64 `parquet:"p,optional"`
	Log2P           *float64 `parquet:"log2_p,optional"`
	CILo            *float64 `parquet:"ci_lo,optional"`
	CIHi            *float64 `parquet:"ci_hi,optional"`
	BiasBound       *float64 `parquet:"bias_bound,optional"`
	PCorrected      *float64 `parquet:"p_corrected,optional"`
	Log2PCorrected  *float64 `parquet:"log2_p_corrected,optional"`
	CorrectedLo     *float64 `parquet:"ci_corrected_lo,optional"`
	CorrectedHi     *float64 `parquet:"ci_corrected_hi,optional"`
}

// coefficientRows gives a fit without coefficients one row, so that its rank
// and its dropped columns are not lost.
func coefficientRows(x *schemas.Experiment) []coefficientRecord {
	var out []coefficientRecord
	for i := range x.Regressions {
		f := &x.Regressions[i]
		if len(f.Coefficients) == 0 {
			out = append(out, fitRecord(x.ID, f))
		}
		for j := range f.Coefficients {
			c := &f.Coefficients[j]
			rec := fitRecord(x.ID, f)
			rec.Coefficient, rec.Estimate, rec.StdError, rec.Statistic = &c.Name, c.Estimate, c.StdError, c.Statistic
			rec.P, rec.Log2P, rec.CILo, rec.CIHi = c.P, float(c.Log2P), end(c.CI, 0), end(c.CI, 1)
			rec.BiasBound, rec.PCorrected, rec.Log2PCorrected = c.BiasBound, c.PCorrected, float(c.Log2PCorrected)
			rec.CorrectedLo, rec.CorrectedHi = end(c.CICorrected, 0), end(c.CICorrected, 1)
			out = append(out, rec)
		}
	}
	return out
}

func fitRecord(experiment string, f *schemas.Regression) coefficientRecord {
	return coefficientRecord{
		Experiment: experiment, Name: f.Name, Arm: int64(f.Arm), Label: f.Label, N: f.N, Rank: int64(f.Rank),
		Columns: int64(len(f.Columns)), Dropped: joined(f.Dropped), ConditionNumber: f.ConditionNumber, Covariance: f.Covariance,
		DFResidual: f.DFResidual, RSquared: f.RSquared, AdjRSquared: f.AdjRSquared, FStatistic: f.FStatistic,
		FDF1: f.FDF1, FDF2: f.FDF2, FP: f.FP, FLog2P: float(f.FLog2P), Sigma2: f.Sigma2, MaxLeverage: f.MaxLeverage, Clusters: f.Clusters,
		Sigma: float(f.Sigma), BiasRMS: f.BiasRMS, BiasWorst: f.BiasWorst, BiasWorstForm: f.BiasWorstForm, Contexts: f.Contexts, BiasPaper: f.BiasPaper,
	}
}
