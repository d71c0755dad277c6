package world

import (
	"banditaudit/ingest"
	"banditaudit/replay"
)

// deployment is the bandit of one experiment as it was deployed: that of the
// protocol but for its faults.
type deployment struct {
	faults   faulty
	run      *replay.Runner
	stage    replay.Environment
	halves   *halves   // extra-update; else nil
	noise    *showing  // faults of noise; else nil
	fallback *fallback // propensity-uniform; else nil
	stale    *stale    // propensity-stale; else nil
}

// deploy returns the deployment of the experiment id on its stage.
func (r *play) deploy(stage replay.Environment, id string) (*deployment, error) {
	s := r.spec
	d := &deployment{faults: s.Faults, stage: stage}
	if d.faults.has(ExtraUpdate) {
		d.halves = newHalves(stage, s.updatePeriod())
		d.stage = d.halves
	}
	if d.faults.noisy() {
		var err error
		if d.noise, err = s.newShowing(id); err != nil {
			return nil, err
		}
		d.run = r.mechanism.NewSilent(s.Master, id)
		d.run.Distort(d.noise.show)
	} else {
		d.run = r.mechanism.NewRunner(s.Master, id)
	}
	if d.faults.has(PropensityUniform) {
		d.fallback = newFallback(s.Master, id)
		d.run.Overrule(d.fallback.choose)
	}
	if d.faults.has(PropensityStale) {
		d.stale = newStale(r.mechanism, id, s.Rounds)
	}
	return d, nil
}

// misreport puts into a row what the deployment logs of a round instead of what
// happened. It fails where noise could not be drawn.
func (d *deployment) misreport(row *ingest.LogRow, step *replay.Step) error {
	if d.noise != nil && d.noise.err != nil {
		return d.noise.err
	}
	if d.halves != nil {
		row.Batch = int64(d.halves.batch)
	}
	p := row.PropensityByArm
	if d.stale != nil {
		of, err := d.stale.round(step)
		if err != nil {
			return err
		}
		p = of
	}
	if d.fallback != nil && d.fallback.acted {
		p = step.Propensities // a service that fell back asked no policy
	} else if d.faults.has(PropensitySwapped) {
		p = swapped(p)
	}
	if d.faults.has(PropensityLogLik) {
		p = logarithms(p)
	}
	if p != nil {
		row.PropensityByArm, row.Propensity = p, p[row.Arm]
	}
	return nil
}

// fallbacks counts rounds with a uniform action.
func (d *deployment) fallbacks() int64 {
	if d.fallback == nil {
		return 0
	}
	return d.fallback.count
}
