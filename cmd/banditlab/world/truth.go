package world

import (
	"slices"

	"banditaudit/schemas"
)

// TruthSchema is the value of Truth.Schema.
const TruthSchema = "truth.v1"

// Truth is truth.json: what a simulated log was drawn from. Means are taken before
// clipping.
type Truth struct {
	Schema        string            `json:"schema"`
	Tool          schemas.Tool      `json:"tool"`
	World         string            `json:"world"`
	Labels        []string          `json:"labels"`
	Means         []float64         `json:"means,omitempty"`         // of each arm; of drift, in the first round; none in linear
	MeansClipped  []float64         `json:"means_clipped,omitempty"` // gaussian: after clipping to the range of the reward
	MeansEnd      []float64         `json:"means_end,omitempty"`     // drift: half a period after the first round
	MeansLast     []float64         `json:"means_last,omitempty"`    // drift: in the last round
	Period        int64             `json:"period,omitempty"`        // drift: rounds from means to means_end and back, on straight lines
	Concentration float64           `json:"concentration,omitempty"` // beta: variance m(1−m)/(concentration+1)
	Theta         [][]float64       `json:"theta,omitempty"`         // linear: mean ⟨θ of the arm, context⟩
	SD            float64           `json:"sd,omitempty"`            // gaussian and linear: of the normal noise
	Rounds        int64             `json:"rounds"`
	ContextDim    int               `json:"context_dim"`
	ContextByArm  bool              `json:"context_by_arm,omitempty"`
	ContextL1     float64           `json:"context_l1,omitempty"` // coordinates are uniform from 0 to context_l1/context_dim; none: they are N(0,1)
	Batch         int64             `json:"batch,omitempty"`      // rounds of a batch
	Delay         *Delay            `json:"delay,omitempty"`      // rounds chosen without knowing a reward, after its own
	Never         float64           `json:"never,omitempty"`      // probability that a reward never becomes known
	Eligible      float64           `json:"eligible,omitempty"`   // probability that an arm may be played
	Faults        []string          `json:"faults,omitempty"`     // of the deployment: what it did otherwise than its protocol declares
	Best          string            `json:"best,omitempty"`       // label of an arm with the largest mean after clipping, where that is the same in every round
	Experiments   []ExperimentTruth `json:"experiments"`
}

// ExperimentTruth is what one simulated experiment came to.
type ExperimentTruth struct {
	ID    string  `json:"id"`
	Pulls []int64 `json:"pulls"`
	// Fallbacks counts the rounds of the fault propensity-uniform whose action was
	// uniform.
	Fallbacks int64   `json:"fallbacks,omitempty"`
	Regret    float64 `json:"regret"` // Σ_t (max mean − mean of the arm played): means of the round, after clipping, of arms that may be played
}

func (s *Spec) truth(labels []string, law Law) *Truth {
	t := &Truth{
		Schema: TruthSchema, World: s.world().Name, Labels: labels, Means: s.Means, MeansEnd: s.MeansEnd, Rounds: s.Rounds,
		ContextDim: s.dim(), ContextByArm: s.byArm(), Batch: s.Batch, Never: s.Never, Eligible: s.Eligible, Faults: s.Faults,
	}
	if t.ContextDim > 0 {
		t.ContextL1 = s.l1()
	}
	if s.Delay != (Delay{}) {
		t.Delay = &s.Delay
	}
	law.Document(t)
	if means := law.Means(); means != nil {
		t.Best = labels[largest(means)]
	}
	return t
}

// largest returns the first index of a largest value.
func largest(v []float64) int { return slices.Index(v, slices.Max(v)) }

// loss adds up regret. Where means are the same in every round and every arm
// may be played, pulls say it; elsewhere it is added round by round, with the
// rounding error of each addition carried to the next (Kahan 1965,
// doi:10.1145/363707.363723).
type loss struct {
	env          *Environment
	means        []float64 // nil: round by round
	total, carry float64
}

func newLoss(env *Environment) *loss {
	l := &loss{env: env, means: env.law.Means()}
	if env.scene.eligible > 0 {
		l.means = nil
	}
	return l
}

// add takes the round that was just played.
func (l *loss) add(t int64, arm int) {
	if l.means != nil {
		return
	}
	v := l.env.Regret(t, arm) - l.carry
	sum := l.total + v
	l.carry = sum - l.total - v
	l.total = sum
}

func (l *loss) sum(pulls []int64) float64 {
	if l.means == nil {
		return l.total
	}
	return regret(l.means, pulls)
}

// regret is Σ_a pulls[a]·(max mean − means[a]).
func regret(means []float64, pulls []int64) float64 {
	best := slices.Max(means)
	total := 0.0
	for a, n := range pulls {
		total += float64(float64(n) * (best - means[a]))
	}
	return total
}
