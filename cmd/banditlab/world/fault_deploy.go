package world

import (
	"banditaudit/ingest/logfile"
	"banditaudit/replay"
)

// Deployment is the bandit of one experiment as it was deployed: the bandit of the protocol
// but for its faults.
type Deployment struct {
	Spec      *Spec
	ID        string // of the experiment
	Mechanism *replay.Mechanism
	Stage     replay.Environment // what the bandit meets
	Noise     Noise              // of faults of noise
	Bypassed  bool               // no policy chose the action of the round
	Truth     *ExperimentTruth
	// Choose replaces the choice of a round. Defaults to the policy's.
	Choose func(*replay.Step)
	// Report change the row that is logged of a round, one after the other. The
	// propensity of the action is taken from the propensities of all arms after
	// them.
	Report []func(*logfile.Row, *replay.Step) error

	run *replay.Runner
}

// deploy returns the deployment of the experiment id on its stage.
func (r *play) deploy(stage replay.Environment, id string) (*Deployment, error) {
	s := r.spec
	d := &Deployment{Spec: s, ID: id, Mechanism: r.mechanism, Stage: stage, Truth: &ExperimentTruth{ID: id, Pulls: make([]int64, r.mechanism.Arms())}}
	for _, f := range s.faults() {
		f.Deploy(d)
	}
	if s.faulty(ofNoise) == "" {
		d.run = r.mechanism.NewRunner(s.Master, id)
	} else {
		spec := replay.NoiseSpec{Catalogue: s.catalogue(), Protocol: s.Protocol, Scale: d.Noise.Scale, Rotate: d.Noise.Rotate, Arms: r.mechanism.Arms()}
		if s.linear() {
			spec.Dim = s.dim()
		}
		var err error
		if d.Noise.noises, err = spec.Open(s.Master, id); err != nil {
			return nil, err
		}
		d.run = r.mechanism.NewSilent(s.Master, id)
		d.run.Distort(d.Noise.show)
	}
	if d.Choose != nil {
		d.run.Overrule(d.Choose)
	}
	return d, nil
}

// misreport puts into a row what the deployment logs of a round instead of what
// happened. It fails where noise could not be drawn.
func (d *Deployment) misreport(row *logfile.Row, step *replay.Step) error {
	if d.Noise.err != nil {
		return d.Noise.err
	}
	for _, report := range d.Report {
		if err := report(row, step); err != nil {
			return err
		}
	}
	if p := row.PropensityByArm; p != nil {
		row.Propensity = p[row.Arm]
	}
	return nil
}
