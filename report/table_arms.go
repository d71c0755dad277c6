package report

import "banditaudit/schemas"

// armRecord is a row of tables/arms.parquet.
type armRecord struct {
	Experiment     string   `parquet:"experiment"`
	Arm            int64    `parquet:"arm"`
	Label          string   `parquet:"label"`
	Pulls          int64    `parquet:"pulls"`
	Mean           *float64 `parquet:"mean,optional"`
	StdError       *float64 `parquet:"std_error,optional"`
	CILo           *float64 `parquet:"ci_lo,optional"`
	CIHi           *float64 `parquet:"ci_hi,optional"`
	BiasBound      *float64 `parquet:"bias_bound,optional"`
	BiasBoundPaper *float64 `parquet:"bias_bound_paper,optional"`
	BiasBoundDelta *float64 `parquet:"bias_bound_approximate,optional"`
	Units          *int64   `parquet:"units,optional"`
	Sigma          *float64 `parquet:"sigma,optional"`
	CorrectedLo    *float64 `parquet:"ci_corrected_lo,optional"`
	CorrectedHi    *float64 `parquet:"ci_corrected_hi,optional"`
	SequenceLo     *float64 `parquet:"confidence_sequence_lo,optional"`
	SequenceHi     *float64 `parquet:"confidence_sequence_hi,optional"`
	IPWMean        *float64 `parquet:"ipw_mean,optional"`
	Vacuous        string   `parquet:"vacuous"`
}

func armRows(x *schemas.Experiment) []armRecord {
	out := make([]armRecord, 0, len(x.Arms))
	for i := range x.Arms {
		a := &x.Arms[i]
		out = append(out, armRecord{
			Experiment: x.ID, Arm: int64(a.Arm), Label: a.Label, Pulls: a.Pulls, Mean: a.Mean, StdError: a.StdError,
			CILo: end(a.CI, 0), CIHi: end(a.CI, 1), BiasBound: a.BiasBound, BiasBoundPaper: a.BiasBoundPaper,
			BiasBoundDelta: a.BiasBoundDelta, Units: a.Units, Sigma: float(a.Sigma),
			CorrectedLo: end(a.CICorrected, 0), CorrectedHi: end(a.CICorrected, 1),
			SequenceLo: end(a.ConfidenceSequence, 0), SequenceHi: end(a.ConfidenceSequence, 1),
			IPWMean: a.IPWMean, Vacuous: joined(a.Vacuous),
		})
	}
	return out
}

// ledgerRecord is a row of tables/ledger.parquet: a cost level of an arm.
type ledgerRecord struct {
	Experiment string  `parquet:"experiment"`
	Arm        string  `parquet:"arm"`
	Cost       float64 `parquet:"cost"`
	Rows       int64   `parquet:"rows"`
}

func ledgerRows(x *schemas.Experiment) []ledgerRecord {
	out := make([]ledgerRecord, 0, len(x.Privacy.Levels))
	for _, l := range x.Privacy.Levels {
		out = append(out, ledgerRecord{Experiment: x.ID, Arm: l.Arm, Cost: float64(l.Cost), Rows: l.Rows})
	}
	return out
}
