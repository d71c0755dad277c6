package shard

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/schemas"
)

// exact is a number that may be none, or infinite, as the digits that give it again.
type exact float64

// MarshalText writes the shortest digits, NaN, +Inf or -Inf.
func (x exact) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(x), 'g', -1, 64), nil
}

// UnmarshalText reads what MarshalText writes.
func (x *exact) UnmarshalText(b []byte) error {
	v, err := strconv.ParseFloat(string(b), 64)
	*x = exact(v)
	return err
}

// outcome is aggregate.Outcome as it is written.
type outcome struct {
	Claims     []schemas.Finding  `json:"claims"`
	Status     map[string]string  `json:"status"`
	Remarks    map[string]string  `json:"remarks"`
	Evidence   string             `json:"evidence"`
	Horizon    int64              `json:"horizon"`
	Rows       uint64             `json:"rows_print"`
	Drawn      bool               `json:"drawn"`
	Family     *family            `json:"family"`
	Experiment schemas.Experiment `json:"experiment"`
}

// family is aggregate.Family as it is written: every p as its natural logarithm.
type family struct {
	Method   string   `json:"method"`
	Alpha    exact    `json:"alpha"`
	IDs      []string `json:"ids"`
	Raw      []exact  `json:"ln_raw"`
	Deciding []exact  `json:"ln_deciding"`
	Evidence []exact  `json:"ln_e"`
	Floored  []bool   `json:"floored"`
	Sigma    exact    `json:"sigma"`
	Units    bool     `json:"units"`
	Rejected int64    `json:"rejected"`
}

func outcomeOf(o *aggregate.Outcome) *outcome {
	out := &outcome{o.Claims, o.Status, o.Remarks, o.Evidence, o.Horizon, o.Rows, o.Drawn, nil, o.Experiment}
	if f := o.Family; f != nil {
		out.Family = &family{
			f.Method, exact(f.Alpha), f.IDs, converted[exact](f.Raw), converted[exact](f.Deciding), converted[exact](f.Evidence),
			f.Floored, exact(f.Sigma), f.Units, f.Rejected,
		}
	}
	return out
}

// outcome is what was written.
func (o *outcome) outcome() (*aggregate.Outcome, error) {
	out := &aggregate.Outcome{
		Claims: o.Claims, Status: o.Status, Remarks: o.Remarks, Evidence: o.Evidence, Horizon: o.Horizon,
		Rows: o.Rows, Drawn: o.Drawn, Experiment: o.Experiment,
	}
	f := o.Family
	if f == nil {
		return out, nil
	}
	if n := len(f.IDs); len(f.Raw) != n || len(f.Deciding) != n || len(f.Evidence) != n || len(f.Floored) != n || math.IsNaN(float64(f.Sigma)) {
		return nil, fmt.Errorf("%w: its tests do not fit together", ErrDamaged)
	}
	out.Family = &aggregate.Family{
		Method: f.Method, Alpha: float64(f.Alpha), IDs: f.IDs, Raw: converted[float64](f.Raw), Deciding: converted[float64](f.Deciding),
		Evidence: converted[float64](f.Evidence), Floored: f.Floored, Sigma: float64(f.Sigma), Units: f.Units, Rejected: f.Rejected,
	}
	return out, nil
}

func converted[T, S ~float64](in []S) []T {
	out := make([]T, len(in))
	for i, x := range in {
		out[i] = T(x)
	}
	return out
}

// Move puts an outcome that was found at one place of a part, from 0, to its place in the
// log: what points to its experiment, and whether lines of figures are kept of it.
func Move(o *aggregate.Outcome, was, is int) error {
	from, to := fmt.Sprintf("/experiments/%d", was), fmt.Sprintf("/experiments/%d", is)
	for i := range o.Claims {
		for j, at := range o.Claims[i].Evidence {
			rest, ok := strings.CutPrefix(at, from)
			if !ok || rest != "" && rest[0] != '/' {
				return fmt.Errorf("%w: evidence of experiment %q is %q", ErrDamaged, o.Experiment.ID, at)
			}
			o.Claims[i].Evidence[j] = to + rest
		}
	}
	if is < schemas.SeriesExperiments {
		return nil
	}
	o.Experiment.Series = []schemas.Series{}
	if r := o.Experiment.Replay.Released; r != nil && r.Noise != nil {
		r.Noise.Quantiles = nil
	}
	return nil
}
