package report

import "banditaudit/schemas"

// experimentRecord is a row of tables/experiments.parquet.
type experimentRecord struct {
	Experiment       string   `parquet:"experiment"`
	Rounds           int64    `parquet:"rounds"`
	ContextDim       int64    `parquet:"context_dim"`
	Arms             int64    `parquet:"arms"`
	RowsRead         int64    `parquet:"rows_read"`
	RowsAnalysed     int64    `parquet:"rows_analysed"`
	RowsExcluded     int64    `parquet:"rows_excluded"`
	Mode             string   `parquet:"replay_mode"`
	Replayable       int64    `parquet:"replayable"`
	Matched          int64    `parquet:"matched"`
	MismatchRound    *int64   `parquet:"first_mismatch_round,optional"`
	MismatchLogged   *string  `parquet:"first_mismatch_logged,optional"`
	MismatchReplayed *string  `parquet:"first_mismatch_replayed,optional"`
	MismatchLast     *int64   `parquet:"last_mismatch_round,optional"`
	Propensities     *int64   `parquet:"propensities_compared,optional"`
	PropensityMatch  *int64   `parquet:"propensities_matched,optional"`
	PropensityRound  *int64   `parquet:"first_propensity_mismatch_round,optional"`
	ReleasedChanged  *int64   `parquet:"released_changed,optional"`
	ReleasedDiffer   *int64   `parquet:"released_differ,optional"`
	ReleasedP        *float64 `parquet:"released_allocation_p,optional"`
	NoiseDraws       *int64   `parquet:"noise_draws,optional"`
	NoiseRejected    *bool    `parquet:"noise_rejected,optional"`
	NoiseRatio       *float64 `parquet:"noise_ratio,optional"`
	NoiseRatioLo     *float64 `parquet:"noise_ratio_lo,optional"`
	NoiseRatioHi     *float64 `parquet:"noise_ratio_hi,optional"`
	NoiseEpsilon     *float64 `parquet:"noise_epsilon,optional"`
	NoiseEpsilonLo   *float64 `parquet:"noise_epsilon_lo,optional"`
	NoiseEpsilonHi   *float64 `parquet:"noise_epsilon_hi,optional"`
	NoiseSpent       *float64 `parquet:"noise_spent,optional"`
	Definition       string   `parquet:"privacy_definition"`
	Unit             string   `parquet:"privacy_unit"`
	EpsilonClaimed   *float64 `parquet:"epsilon_claimed,optional"`
	DeltaClaimed     *float64 `parquet:"delta_claimed,optional"`
	RhoClaimed       *float64 `parquet:"rho_claimed,optional"`
	EpsilonMechanism *float64 `parquet:"epsilon_mechanism,optional"`
	RhoMechanism     *float64 `parquet:"rho_mechanism,optional"`
	EpsilonRealized  *float64 `parquet:"epsilon_realized,optional"`
	SumSquaredCosts  *float64 `parquet:"sum_squared_costs,optional"`
	SumSquaredUnits  *float64 `parquet:"sum_squared_unit_costs,optional"`
	LargestUnit      *int64   `parquet:"largest_unit,optional"`
	Warnings         int64    `parquet:"warnings"`
}

func experimentRows(x *schemas.Experiment) []experimentRecord {
	a := &x.Privacy
	rec := experimentRecord{
		Experiment: x.ID, Rounds: x.Rounds, ContextDim: int64(x.ContextDim), Arms: int64(len(x.Arms)),
		RowsRead: x.Data.RowsRead, RowsAnalysed: x.Data.RowsAnalysed, RowsExcluded: x.Data.RowsRead - x.Data.RowsAnalysed,
		Mode: x.Replay.Mode, Replayable: x.Replay.Replayable, Matched: x.Replay.Matched,
		Definition: a.Definition, Unit: a.Unit,
		EpsilonClaimed: float(a.EpsilonClaimed), DeltaClaimed: a.DeltaClaimed, EpsilonMechanism: float(a.EpsilonMechanism),
		EpsilonRealized: float(a.EpsilonRealized), SumSquaredCosts: float(a.SumSquaredCosts),
		RhoClaimed: float(a.RhoClaimed), RhoMechanism: float(a.RhoMechanism), SumSquaredUnits: float(a.SumSquaredUnitCosts), LargestUnit: a.LargestUnit, Warnings: int64(len(x.Warnings)),
	}
	if m := x.Replay.FirstMismatch; m != nil {
		rec.MismatchRound, rec.MismatchLogged, rec.MismatchReplayed = &m.Round, &m.Logged, &m.Replayed
	}
	rec.MismatchLast = x.Replay.LastMismatch
	rec.released(x.Replay.Released)
	if p := x.Replay.Propensities; p != nil {
		rec.Propensities, rec.PropensityMatch = &p.Rounds, &p.Matched
		if p.FirstMismatch != nil {
			rec.PropensityRound = &p.FirstMismatch.Round
		}
	}
	return []experimentRecord{rec}
}

// released fills in what was found of released values.
func (rec *experimentRecord) released(x *schemas.ReleasedReplay) {
	if x == nil {
		return
	}
	rec.ReleasedChanged, rec.ReleasedDiffer = &x.Changed, &x.Differ
	if x.Allocation != nil {
		rec.ReleasedP = &x.Allocation.P
	}
	n := x.Noise
	if n == nil {
		return
	}
	rec.NoiseDraws, rec.NoiseRejected = &n.Recovered, &n.Rejected
	rec.NoiseRatio, rec.NoiseRatioLo, rec.NoiseRatioHi = n.Ratio, n.RatioLo, n.RatioHi
	rec.NoiseEpsilon, rec.NoiseEpsilonLo, rec.NoiseEpsilonHi = float(n.Epsilon), float(n.EpsilonLo), float(n.EpsilonHi)
	rec.NoiseSpent = float(n.Spent)
}
