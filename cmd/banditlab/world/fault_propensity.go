package world

import (
	"math"
	"slices"

	"banditaudit/ingest/logfile"
	"banditaudit/replay"
)

// faultsOfPropensities lists the faults by which propensities are not logged as
// the declared policy has them.
func faultsOfPropensities() []Fault {
	return []Fault{
		{Name: "propensity-uniform", Doc: "in 2 % of rounds a uniform action, logged as such", Propensity: true, Uneven: true, Deploy: deployUniform},
		{
			Name: "propensity-stale", Doc: "logged propensities are those before the last update", Propensity: true, Improper: true,
			Check: (*Spec).neverStale, Deploy: deployStale,
		},
		{
			Name: "propensity-swapped", Doc: "logged propensities of the first two arms are exchanged", Propensity: true, Uneven: true, Improper: true,
			Size: func(s *Spec) (bool, string) { return s.arms() < 2, "there is one arm; simulate at least two" },
			Deploy: func(d *Deployment) {
				d.relog(func(p []float64, _ *replay.Step) ([]float64, error) {
					if !d.Bypassed { // as where arms are numbered by two tables
						p = slices.Clone(p)
						p[0], p[1] = p[1], p[0]
					}
					return p, nil
				})
			},
		},
		{
			Name: "propensity-loglik", Doc: "ln p is logged for p; an audit refuses the log", Propensity: true, Improper: true,
			Deploy: func(d *Deployment) { d.relog(logarithms) },
		},
	}
}

// relog changes the propensities that are logged of a round.
func (d *Deployment) relog(change func(p []float64, step *replay.Step) ([]float64, error)) {
	d.Report = append(d.Report, func(row *logfile.Row, step *replay.Step) (err error) {
		row.PropensityByArm, err = change(row.PropensityByArm, step)
		return err
	})
}

// logarithms returns ln p of propensities, −∞ for 0: what many libraries
// return of a choice.
func logarithms(p []float64, _ *replay.Step) ([]float64, error) {
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = math.Log(v)
	}
	return out, nil
}
