package report

import "banditaudit/schemas"

// noiseRecord is a row of tables/noise.parquet: one test of recovered noise.
type noiseRecord struct {
	Experiment string   `parquet:"experiment"`
	Test       string   `parquet:"test"`
	Statistic  *float64 `parquet:"statistic,optional"`
	P          *float64 `parquet:"p,optional"`
	Level      float64  `parquet:"level"`
	Rejected   bool     `parquet:"rejected"`
	Detail     string   `parquet:"detail"`
}

func noiseRows(x *schemas.Experiment) []noiseRecord {
	fit := noiseOf(x)
	if fit == nil {
		return nil
	}
	out := make([]noiseRecord, 0, len(fit.Tests))
	for i := range fit.Tests {
		t := &fit.Tests[i]
		out = append(out, noiseRecord{Experiment: x.ID, Test: t.Name, Statistic: t.Statistic, P: t.P, Level: t.Level, Rejected: t.Rejected, Detail: t.Detail})
	}
	return out
}

// noiseOf is the noise recovered in an experiment, nil where there is none.
func noiseOf(x *schemas.Experiment) *schemas.NoiseFit {
	if x.Replay.Released == nil {
		return nil
	}
	return x.Replay.Released.Noise
}

// noiseScaleRecord is a row of tables/noise_scales.parquet: recovered noise of
// one arm and one declared scale.
type noiseScaleRecord struct {
	Experiment string   `parquet:"experiment"`
	Arm        string   `parquet:"arm"`
	Scale      float64  `parquet:"scale"`
	Draws      int64    `parquet:"draws"`
	Ratio      *float64 `parquet:"ratio,optional"`
	Lo         *float64 `parquet:"ratio_lo,optional"`
	Hi         *float64 `parquet:"ratio_hi,optional"`
}

func noiseScaleRows(x *schemas.Experiment) []noiseScaleRecord {
	fit := noiseOf(x)
	if fit == nil {
		return nil
	}
	out := make([]noiseScaleRecord, 0, len(fit.Groups))
	for i := range fit.Groups {
		g := &fit.Groups[i]
		out = append(out, noiseScaleRecord{Experiment: x.ID, Arm: g.Arm, Scale: g.Scale, Draws: g.Draws, Ratio: g.Ratio, Lo: g.Lo, Hi: g.Hi})
	}
	return out
}

// propensityRecord is a row of tables/propensities.parquet: logged propensities
// against recomputed ones within one batch, or one stretch of rounds.
type propensityRecord struct {
	Experiment string  `parquet:"experiment"`
	First      int64   `parquet:"first_round"`
	Last       int64   `parquet:"last_round"`
	Rounds     int64   `parquet:"rounds"`
	Beyond     int64   `parquet:"rounds_beyond_tolerance"`
	Largest    float64 `parquet:"largest_deviation"`
}

func propensityRows(x *schemas.Experiment) []propensityRecord {
	if x.Replay.Propensities == nil {
		return nil
	}
	out := make([]propensityRecord, 0, len(x.Replay.Propensities.Batches))
	for _, p := range x.Replay.Propensities.Batches {
		out = append(out, propensityRecord{Experiment: x.ID, First: p.First, Last: p.Last, Rounds: p.Rounds, Beyond: p.Beyond, Largest: p.Largest})
	}
	return out
}

// hypothesisRecord is a row of tables/hypotheses.parquet: one explanation that was
// tried, and of what.
type hypothesisRecord struct {
	Experiment string   `parquet:"experiment"`
	Explains   string   `parquet:"explains"` // propensities | noise | allocation
	Name       string   `parquet:"name"`
	Words      string   `parquet:"words"`
	Value      *float64 `parquet:"value,optional"`
	Lo         *float64 `parquet:"value_lo,optional"`
	Hi         *float64 `parquet:"value_hi,optional"`
	Rows       int64    `parquet:"rows"`
	Explained  int64    `parquet:"explained"`
	Largest    *float64 `parquet:"largest_deviation,optional"`
	P          *float64 `parquet:"p,optional"`
	Fits       bool     `parquet:"fits"`
}

func hypothesisRows(x *schemas.Experiment) []hypothesisRecord {
	var out []hypothesisRecord
	add := func(of string, tried []schemas.Hypothesis) {
		for i := range tried {
			h := &tried[i]
			out = append(out, hypothesisRecord{
				Experiment: x.ID, Explains: of, Name: h.Name, Words: h.Words, Value: h.Value, Lo: h.Lo, Hi: h.Hi,
				Rows: h.Rows, Explained: h.Explained, Largest: h.Largest, P: h.P, Fits: h.Fits,
			})
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
