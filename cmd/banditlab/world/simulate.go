package world

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/logfile"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// Spec is a simulation: a declared mechanism in a world. A world takes the
// parameters that it has; others must be zero.
type Spec struct {
	Catalogue     *replay.Catalogue // Defaults to replay.Standard().
	Protocol      *schemas.Protocol // Required: policy and counter.
	Master        [32]byte          // master seed
	Worlds        *Catalogue        // worlds and faults. Defaults to Standard().
	World         string            // Defaults to the first world.
	Means         []float64         // one per arm; in [0,1] but for gaussian
	MeansEnd      []float64         // drift: means half a period later
	Period        int64             // drift: rounds from Means to MeansEnd and back. Defaults to 2·(Rounds−1).
	Concentration float64           // beta. Defaults to 10.
	SD            float64           // gaussian and linear: of the noise. Defaults to 0.1.
	Theta         [][]float64       // linear: K×d. Drawn from the seed where nil.
	Rounds        int64             // Required: rounds of each experiment, ≥ 1.
	Repeat        int64             // experiments, with ids 0 … Repeat−1 where the protocol has a column for them. Defaults to 1.
	ContextDim    int               // coordinates of a context. Defaults to the columns of log.context.
	ByArm         bool              // each arm has a context of its own; log.context_by_arm says so too
	ContextL1     float64           // bound of ‖x‖₁. Defaults to policy.context_l1, else 1 for a linear world or policy, else none.
	Batch         int64             // rounds of a batch; 0: no batches
	Delay         Delay             // of rewards
	Never         float64           // probability that a reward never becomes known
	Eligible      float64           // probability that an arm may be played; 0: all may
	Faults        []string          // of the deployment, by name; the log is then not what the protocol declares
	RowsPerFile   int64             // Defaults to 1,000,000.
	RowsPerGroup  int64             // Defaults to 100,000.
	CreatedBy     string
	Progress      func(done, total int64) // in rounds of all experiments; nil: not told. Called from one goroutine.
}

// Simulate plays the mechanism and writes the log as Parquet files into dir,
// which it makes. After an error dir is the caller's to remove. Memory grows
// with the rewards that are out at one time and with the number of experiments,
// not with the number of rounds; Bytes says what is known of it beforehand.
//
// It stops soon after ctx ends, with the error of ctx.
func Simulate(ctx context.Context, s *Spec, dir string) (*Truth, error) {
	labels, mechanism, layout, err := s.build(s.deployed())
	if err != nil {
		return nil, err
	}
	if err = os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // as readable as the user's umask lets it be
		return nil, fmt.Errorf("world: %w: %w", fault.ErrNotWritten, err)
	}
	log, err := logfile.NewWriter(dir, layout)
	if err != nil {
		return nil, err
	}
	law := s.law()
	p := &play{ctx: ctx, spec: s, mechanism: mechanism, law: law, layout: layout, log: log, cost: s.roundCost(law.Arms())}
	truth := s.truth(labels, p.law)
	for e := range max(s.Repeat, 1) {
		played, err := p.experiment(e)
		if err != nil {
			_ = log.Close() // repeats err; the unfinished file is the caller's to remove
			return nil, err
		}
		truth.Experiments = append(truth.Experiments, *played)
	}
	if err := log.Close(); err != nil {
		return nil, err
	}
	return truth, nil
}

// Plan reports everything that keeps a specification from being simulated,
// joined: what Check says, and what keeps the mechanism from being built and
// the log from being laid out.
func (s *Spec) Plan() error {
	_, _, _, err := s.build(s.Protocol)
	return err
}

// build returns the labels of the arms, the mechanism of a protocol, and the
// columns of its log.
func (s *Spec) build(p *schemas.Protocol) (labels []string, m *replay.Mechanism, layout logfile.Layout, err error) {
	checked := s.Check()
	labels = labelsOrDefault(s.Protocol, s.arms())
	m, err = s.catalogue().New(p, labels)
	if err = errors.Join(checked, err); err == nil {
		layout, err = s.layout(labels, m)
	}
	return labels, m, layout, err
}

// play is one call of Simulate.
type play struct {
	ctx       context.Context //nolint:containedctx // of one call
	spec      *Spec
	mechanism *replay.Mechanism
	law       Law
	layout    logfile.Layout
	log       *logfile.Writer
	cost      int64 // of a round, in operations
	left      int64 // operations until the next look at ctx
	played    int64 // rounds, of all experiments
}

// operations are how many are done between two looks at the context: a few
// thousand rounds of a policy that reads sums, one of a linear policy with
// hundreds of coordinates.
const operations = 1 << 14

// stopped is asked in every round, and looks at the context, and says how far it is,
// once in a while.
func (r *play) stopped() error {
	r.left -= r.cost
	r.played++
	if r.left > 0 {
		return nil
	}
	r.left = operations
	if r.spec.Progress != nil {
		r.spec.Progress(r.played, r.spec.Rounds*max(r.spec.Repeat, 1))
	}
	return r.ctx.Err()
}

// experiment plays experiment e and appends its rounds to the log.
func (r *play) experiment(e int64) (*ExperimentTruth, error) {
	s := r.spec
	id := s.Protocol.Experiment.ID
	if s.Protocol.Experiment.Column != "" {
		id = strconv.FormatInt(e, 10)
	}
	env, stage := open(r.law, s.scene(), s.Master, id)
	deployed, err := r.deploy(stage, id)
	if err != nil {
		return nil, err
	}
	truth, lost := deployed.Truth, newLoss(env)
	row := logfile.Row{Experiment: e}
	if r.layout.RewardByArm {
		row.RewardByArm = make([]float64, r.law.Arms())
	}
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	visit := func(step *replay.Step) error {
		if err := r.stopped(); err != nil {
			return err
		}
		truth.Pulls[step.Arm]++
		lost.add(step.Round, step.Arm)
		r.fill(&row, step, env)
		if err := deployed.misreport(&row, step); err != nil {
			return err
		}
		return r.log.Append(&row)
	}
	if err := deployed.run.Bandit(deployed.Stage, s.Rounds, visit); err != nil {
		return nil, err
	}
	truth.Regret = lost.sum(truth.Pulls)
	return truth, nil
}

// fill makes a row of the log of a round.
func (r *play) fill(row *logfile.Row, step *replay.Step, env *Environment) {
	in := step.Public
	row.Round, row.Arm, row.Reward, row.Propensity, row.X = step.Round, step.Arm, step.Reward, step.Propensity, in.X
	row.ContextByArm, row.PropensityByArm, row.ReleasedByArm = in.XByArm, step.Propensities, step.Released
	row.ScoreByArm, row.Stratum = in.Scores, in.Stratum
	row.Eligible, row.RewardOrder, row.Batch = in.Eligible, step.Known, int64(in.Batch)
	for a := range row.RewardByArm {
		row.RewardByArm[a] = env.Reward(step.Round, a)
	}
	if r.layout.MissingReward && step.Known == replay.NeverKnown {
		row.Reward = math.NaN()
	}
	if in.Eligible != nil && !slices.Contains(in.Eligible, false) {
		row.Eligible = nil // null: all arms
	}
}
