package documents

import "banditaudit/schemas"

// PlanSchema is the value of Plan.Schema.
const PlanSchema = "plan.v1"

// Plan is plan.json: what a privacy parameter ε gives before an experiment is
// run. It holds no clock, host or path; the same question and seed give the same
// bytes for any number of jobs. Rewards, biases, means and regret are on the
// scale of the declared range; logarithms are natural.
type Plan struct {
	Schema string       `json:"schema" schema:"const=plan.v1"` // always PlanSchema
	Tool   schemas.Tool `json:"tool"`

	// The ε that the plan comes to, with what follows from it alone: the one that
	// was asked about, or the largest that meets every wish; null where there is
	// none.
	Epsilon   *float64 `json:"epsilon"`
	Rounds    int64    `json:"rounds" schema:"range=[1,inf)"`
	BiasBound *float64 `json:"bias_bound"` // (hi−lo)·tanh(ε/4)
	// (hi−lo)·(e^ε−1), as published; "inf" beyond what a number holds, ε above about 709
	BiasBoundPaper  *schemas.Extended `json:"bias_bound_paper"`
	Sigma           *float64          `json:"sigma"`                  // ε·√rounds/2: every row costs ε and the test reads all
	P               float64           `json:"p" schema:"range=(0,1)"` // a raw p-value
	PCorrected      *float64          `json:"p_corrected"`            // p after correction at sigma, given the actions
	PCorrectedPaper *float64          `json:"p_corrected_paper"`      // the same by Theorem 20 of Dwork et al. 2015 at the best β

	Alpha    float64       `json:"alpha" schema:"range=(0,1)"`
	Range    []float64     `json:"range"`
	Wishes   []PlanWish    `json:"wishes"`
	Met      *bool         `json:"met"` // whether Epsilon meets every wish; null without wishes
	Advice   string        `json:"advice"`
	World    *PlanWorld    `json:"world"`    // null: nothing was simulated
	Frontier []PlanPoint   `json:"frontier"` // ε ascending
	Exact    []PlanOutcome `json:"exact"`    // the same policies on exact sums, which bound nothing
	Protocol string        `json:"protocol"` // YAML to copy; "" where no mechanism was chosen
	Notes    []string      `json:"notes"`
}

// PlanWish is what a plan is asked to meet.
type PlanWish struct {
	Name      string  `json:"name" schema:"words=bias|inflation|power|regret"` // bias | inflation | power | regret
	Relation  string  `json:"relation" schema:"words=<=|>="`                   // <= | >=
	Threshold float64 `json:"threshold"`                                       // what is wished
	// bias, inflation: the largest ε that meets it, rounded down; null: no bound, or
	// simulated
	EpsilonAt *float64 `json:"epsilon_at"`
}

// PlanWorld is what was simulated.
type PlanWorld struct {
	Name          string    `json:"name" schema:"words=bernoulli|beta"` // bernoulli | beta
	Means         []float64 `json:"means"`
	Concentration *float64  `json:"concentration"`                  // beta
	Tested        float64   `json:"tested"`                         // the mean that the test denies
	Test          string    `json:"test" schema:"words=exact|bets"` // exact | bets
	Runs          int64     `json:"runs"`                           // of every mechanism
	Seed          int64     `json:"seed" schema:"range=(-inf,inf)"`
	UniformRegret float64   `json:"uniform_regret"` // of playing every arm equally often
}

// PlanPoint is one ε of the frontier.
type PlanPoint struct {
	Epsilon         float64          `json:"epsilon"`
	BiasBound       float64          `json:"bias_bound"`
	BiasBoundPaper  schemas.Extended `json:"bias_bound_paper"`
	Sigma           float64          `json:"sigma"`
	PCorrected      float64          `json:"p_corrected"`
	PCorrectedPaper float64          `json:"p_corrected_paper"`
	Inflation       float64          `json:"inflation"` // p_corrected / p
	Z               float64          `json:"z"`         // that a two-sided test needs for a corrected p of alpha
	ZPaper          *float64         `json:"z_paper"`   // the same by Theorem 20; null: none is enough
	Mechanisms      []PlanOutcome    `json:"mechanisms"`
	// names of wishes that no mechanism meets here together with the others
	Unmet []string `json:"unmet" schema:"words=bias|inflation|power|regret"`
}

// PlanOutcome is what one mechanism came to in simulated runs. Intervals are at
// 95 %: of a share Clopper and Pearson's, of a mean Student's.
type PlanOutcome struct {
	Policy  string       `json:"policy"`
	Counter string       `json:"counter"`
	Regret  PlanEstimate `json:"regret"`
	Found   PlanEstimate `json:"found"` // share of runs that pulled an arm with the largest mean most
	// share that found it and whose corrected p, of the mean of the most-pulled arm, is at
	// most alpha; null: exact sums have no correction
	Power    *PlanEstimate `json:"power"`
	Sequence PlanEstimate  `json:"sequence"` // the same by the confidence sequence, which needs no privacy
	Sigma    *float64      `json:"sigma"`    // of the rows that the test read, mean over runs; null: exact sums
	// exact sums: share of runs with all means equal in which the uncorrected test of the
	// least-pulled arm rejects at alpha
	FalseAlarms *PlanEstimate  `json:"false_alarms"`
	Set         []PlanSettings `json:"set"` // parameters that were declared
}

// PlanSettings is one declared parameter, in YAML.
type PlanSettings struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// PlanEstimate is an estimate from runs with its interval.
type PlanEstimate struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}
