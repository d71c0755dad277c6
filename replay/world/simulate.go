package world

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"banditaudit/ingest"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// TruthSchema is the value of Truth.Schema.
const TruthSchema = "truth.v1"

// Spec is a simulation: a declared mechanism in a Bernoulli world.
type Spec struct {
	Protocol     *schemas.Protocol // Required: policy and counter.
	Master       [32]byte          // master seed
	Means        []float64         // one per arm, in [0,1]
	Rounds       int64             // Required: rounds of each experiment, ≥ 1.
	Repeat       int64             // experiments, with ids 0 … Repeat−1 where the protocol has a column for them. Defaults to 1.
	ContextDim   int
	RowsPerFile  int64 // Defaults to 1,000,000.
	RowsPerGroup int64 // Defaults to 100,000.
	CreatedBy    string
}

// Truth is truth.json: what a simulated log was drawn from.
type Truth struct {
	Schema      string            `json:"schema"`
	Tool        schemas.Tool      `json:"tool"`
	World       string            `json:"world"`
	Labels      []string          `json:"labels"`
	Means       []float64         `json:"means"`
	Rounds      int64             `json:"rounds"`
	ContextDim  int               `json:"context_dim"`
	Best        string            `json:"best"` // label of an arm with the largest mean
	Experiments []ExperimentTruth `json:"experiments"`
}

// ExperimentTruth is what one simulated experiment came to.
type ExperimentTruth struct {
	ID     string  `json:"id"`
	Pulls  []int64 `json:"pulls"`
	Regret float64 `json:"regret"` // Σ_t (max mean − mean of the arm played)
}

// Check reports what is wrong with a specification.
func (s *Spec) Check() error {
	if err := CheckMeans(s.Means); err != nil {
		return err
	}
	k := len(s.Protocol.Arms)
	switch {
	case k > 0 && k != len(s.Means):
		return fmt.Errorf("world: %d means for %d declared arms; give one mean per arm", len(s.Means), k)
	case s.Rounds < 1:
		return fmt.Errorf("world: %d rounds, must be at least 1", s.Rounds)
	case s.Repeat < 0 || s.ContextDim < 0 || s.ContextDim > 1000:
		return fmt.Errorf("world: repeat %d and context dimension %d must be at least 0, the dimension at most 1000", s.Repeat, s.ContextDim)
	case s.Repeat > 1 && s.Protocol.Experiment.Column == "":
		return fmt.Errorf("world: %d experiments in one log need experiment: {column: experiment} in the protocol", s.Repeat)
	}
	return nil
}

// Simulate plays the mechanism and writes the log as Parquet files into dir,
// which it makes. After an error dir is the caller's to remove. Memory does not
// grow with the number of rounds.
func Simulate(ctx context.Context, s *Spec, dir string) (*Truth, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	labels := labelsOrDefault(s.Protocol, len(s.Means))
	mechanism, err := replay.New(s.Protocol, labels)
	if err != nil {
		return nil, err
	}
	if err = os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // as readable as the user's umask lets it be
		return nil, fmt.Errorf("world: %w: %w", ingest.ErrNotWritten, err)
	}
	log, err := ingest.NewLogWriter(dir, s.layout(labels))
	if err != nil {
		return nil, err
	}
	truth := s.truth(labels)
	for e := range max(s.Repeat, 1) {
		played, err := s.play(ctx, mechanism, log, e)
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

func (s *Spec) layout(labels []string) ingest.LogSpec {
	return ingest.LogSpec{
		Labels: labels, Experiments: s.Protocol.Experiment.Column != "", Reward: "bool",
		Propensity: s.Protocol.Policy.Name == "uniform", ContextDim: s.ContextDim,
		RowsPerFile: orDefault(s.RowsPerFile, 1_000_000), RowsPerGroup: orDefault(s.RowsPerGroup, 100_000),
		CreatedBy: s.CreatedBy,
	}
}

func orDefault(v, otherwise int64) int64 {
	if v > 0 {
		return v
	}
	return otherwise
}

func (s *Spec) truth(labels []string) *Truth {
	t := &Truth{Schema: TruthSchema, World: "bernoulli", Labels: labels, Means: s.Means, Rounds: s.Rounds, ContextDim: s.ContextDim}
	best := 0
	for a, m := range s.Means {
		if m > s.Means[best] {
			best = a
		}
	}
	t.Best = labels[best]
	return t
}

// play runs experiment e and appends its rounds to the log.
func (s *Spec) play(ctx context.Context, m *replay.Mechanism, log *ingest.LogWriter, e int64) (*ExperimentTruth, error) {
	id := s.Protocol.Experiment.ID
	if s.Protocol.Experiment.Column != "" {
		id = strconv.FormatInt(e, 10)
	}
	pulls := make([]int64, len(s.Means))
	row := ingest.LogRow{Experiment: e}
	visit := func(step *replay.Step) error {
		if step.Round&4095 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		pulls[step.Arm]++
		row.Round, row.Arm, row.Reward, row.Propensity, row.X = step.Round, step.Arm, step.Reward, step.Propensity, step.Public.X
		return log.Append(&row)
	}
	env := NewBernoulli(s.Means, s.ContextDim, s.Master, id)
	if err := m.Bandit(s.Master, id, env, s.Rounds, visit); err != nil {
		return nil, err
	}
	return &ExperimentTruth{ID: id, Pulls: pulls, Regret: regret(s.Means, pulls)}, nil
}

// regret is Σ_a pulls[a]·(max mean − means[a]).
func regret(means []float64, pulls []int64) float64 {
	best := means[0]
	for _, m := range means {
		best = max(best, m)
	}
	total := 0.0
	for a, n := range pulls {
		total += float64(float64(n) * (best - means[a]))
	}
	return total
}
