package world

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"banditaudit/ingest/logfile"
	"banditaudit/replay"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Bounds of what can be simulated.
const (
	maxRounds = 1 << 40
	maxDelay  = 1e9
)

// Check reports everything that is wrong with a specification, joined: with the
// world, with everything in a round beside rewards, and with a protocol that does not
// declare what the log will hold.
func (s *Spec) Check() error {
	faults := append(s.checkWorld(), s.checkSize()...)
	faults = append(faults, s.checkRound()...)
	faults = append(faults, s.checkRange()...)
	faults = append(faults, s.checkFaults()...)
	return errors.Join(append(faults, s.checkLog()...)...)
}

// rule is what must not be, and what is said where it is.
type rule struct {
	broken bool
	err    error
}

// broken returns what is said of rules that are broken.
func broken(rules ...rule) []error {
	var faults []error
	for _, r := range rules {
		if r.broken {
			faults = append(faults, r.err)
		}
	}
	return faults
}

func (s *Spec) checkSize() []error {
	w, k, c := s.world(), len(s.Protocol.Arms), orZero(s.Protocol.Counter)
	_, what := w.Arms(s)
	return broken(
		rule{k > 0 && s.arms() > 0 && k != s.arms(), fmt.Errorf("world: %d %s for %d declared arms; give one per arm", s.arms(), what, k)},
		rule{w.Contexts && s.arms() == 0, fmt.Errorf("world: %s does not know how many arms there are; declare arms, or give --arms, --labels or --theta", w.Name)},
		rule{s.Rounds < 1 || s.Rounds > maxRounds, faultf("rounds", "%d rounds, must be at least 1 and at most 2^40", s.Rounds)},
		rule{s.Repeat < 0, faultf("repeat", "repeat %d, must be at least 1", s.Repeat)},
		rule{s.Repeat > 1 && s.Protocol.Experiment.Column == "", fmt.Errorf("world: %d experiments in one log need experiment: {column: experiment} in the protocol", s.Repeat)},
		rule{
			s.counterKind().Horizon == param.HorizonNeeded && c.Horizon > 0 && c.Horizon < s.Rounds,
			fmt.Errorf("world: counter.horizon is %d: the counter %s is full after so many rows, and --rounds is %d; declare a horizon of at least that", c.Horizon, c.Name, s.Rounds),
		},
	)
}

// checkRound judges contexts, batches, delays and eligibility.
func (s *Spec) checkRound() []error {
	l1, late := declaredL1(s.Protocol), s.Delay.Mean
	return broken(
		rule{s.ContextDim < 0 || s.ContextDim > MaxDim, faultf("context-dim", "context dimension %d, must be from 0 to %d", s.ContextDim, MaxDim)},
		rule{s.byArm() && s.dim() == 0, faultf("context-dim", "contexts by arm need a number of coordinates; write --context-dim 2")},
		rule{s.dim() == 0 && s.contextual(), faultf("context-dim", "a linear world or policy needs contexts; write --context-dim 2")},
		rule{!(s.ContextL1 >= 0) || math.IsInf(s.ContextL1, 1), faultf("context-l1", "%v, must be a finite number above 0: the largest sum of absolute coordinates", s.ContextL1)},
		rule{s.ContextL1 > 0 && l1 > 0 && s.ContextL1 != l1, faultf("context-l1", "is %g, and the protocol declares policy.context_l1: %g; leave the flag out", s.ContextL1, l1)},
		rule{
			s.Batch < 0 || (s.Batch > 0 && (s.Rounds-1)/s.Batch > math.MaxInt32),
			faultf("batch", "%d rounds in a batch, must be at least 1, and large enough for at most 2^31 batches", s.Batch),
		},
		rule{!(late >= 0) || late > maxDelay || (s.Delay.Fixed && late != math.Floor(late)), faultf("delay", "%v rounds, must be from 0 to %g, and whole where it is fixed", late, maxDelay)},
		rule{!(s.Never >= 0 && s.Never < 1), faultf("never", "%v, must be a probability below 1: that a reward never becomes known", s.Never)},
		rule{!(s.Eligible >= 0 && s.Eligible <= 1), faultf("eligible", "%v, must be a probability above 0: that an arm may be played in a round", s.Eligible)},
	)
}

// checkRange refuses rewards that the mechanism would refuse in the middle of a
// run.
func (s *Spec) checkRange() []error {
	r := s.Protocol.Reward
	if len(r.Range) != 2 {
		return []error{errors.New("world: reward.range is not declared; write range: [0, 1]")}
	}
	w, shown := s.world(), shownRange(r.Range)
	return broken(
		rule{w.Outside && r.OutOfRange != "clip", fmt.Errorf("world: %s pays rewards outside every range; declare reward: {range: %s, out_of_range: clip}", w.Name, shown)},
		rule{!w.Outside && (r.Range[0] > 0 || r.Range[1] < 1), fmt.Errorf("world: %s pays rewards from 0 to 1, and reward.range is %s; declare range: [0, 1]", w.Name, shown)},
	)
}

func shownRange(r []float64) string { return "[" + literal(r[0]) + ", " + literal(r[1]) + "]" }

// checkLog judges what the protocol declares of the log against what the log
// will hold. A role that changes what a policy sees has to be declared, or the
// audit would replay something else.
func (s *Spec) checkLog() []error {
	l := &s.Protocol.Log
	return append(s.checkSetBy(), broken(
		rule{len(l.Order) > 1, errors.New("world: log.order has several columns, and a simulated log is in the order of its rounds; write order: [round]")},
		rule{l.Context.List != "", errors.New("world: log.context is a list, and simulated contexts are columns; write context: [x0, x1]")},
		rule{slices.ContainsFunc(l.Context.Columns, func(c schemas.ContextColumn) bool { return len(c.Levels) > 0 }), errors.New("world: log.context has a column with levels, and simulated contexts are numbers; delete the levels")},
		rule{l.PropensityDraws != nil && l.PropensityDraws.Column != "", errors.New("world: log.propensity_draws names a column, and simulated propensities are computed, not estimated by draws; delete the key")},
		rule{l.Unit != "", errors.New("world: log.unit is declared, and a simulated log has no repeated users; delete the key")},
		rule{s.ByArm && l.ContextByArm == "", errors.New("world: --context by-arm: contexts by arm are not declared; add log.context_by_arm")},
		rule{l.ContextByArm != "" && !l.Context.IsZero(), errors.New("world: log.context stands beside log.context_by_arm, and a simulated log has one of them; delete one")},
		rule{s.dim() != len(l.Context.Columns) && len(l.Context.Columns) > 0, errors.New("world: --context-dim is " + strconv.Itoa(s.dim()) + ", and log.context has " + strconv.Itoa(len(l.Context.Columns)) + " columns; leave the flag out")},
		rule{s.Protocol.Clock() != nil, errors.New("world: policy.update has a clock, and a simulated log has no times; write update: batch with --batch, or {every: NUMBER}")},
		rule{s.Batch > 0 && l.Batch == "", errors.New("world: --batch: batches are not declared; add log.batch")},
		rule{s.Batch == 0 && l.Batch != "", errors.New("world: log.batch is declared; give --batch, the rounds of a batch")},
		rule{s.scene().late() && l.RewardOrder == "", errors.New("world: --delay and --never: that rewards are late is not declared; add log.reward_order")},
		rule{!s.scene().late() && l.RewardOrder != "", errors.New("world: log.reward_order is declared; give --delay, the rounds by which a reward is late on average")},
		rule{s.Eligible > 0 && l.Eligible == "", errors.New("world: --eligible: that arms are missing is not declared; add log.eligible")},
		rule{s.Eligible == 0 && l.Eligible != "", errors.New("world: log.eligible is declared; give --eligible, the probability that an arm may be played")},
	)...)
}

// checkSetBy refuses a protocol by which rewards decided a column that a world
// draws without them.
func (s *Spec) checkSetBy() []error {
	var faults []error
	for _, by := range schemas.SetBys() {
		if word := by.Word(s.Protocol); word != "" && word != schemas.SetBySchedule {
			faults = append(faults, fmt.Errorf("world: %s is %s, and a world draws without rewards %s; write %s: %s", by.Path(), word, by.What, by.Path(), schemas.SetBySchedule))
		}
	}
	return faults
}

// byArm reports whether each arm has a context of its own.
func (s *Spec) byArm() bool { return s.ByArm || s.Protocol.Log.ContextByArm != "" }

// dim is the length of a context: what is asked for, or what is declared.
func (s *Spec) dim() int { return cmp.Or(s.ContextDim, len(s.Protocol.Log.Context.Columns)) }

// contextual reports whether the world or the policy reads contexts.
func (s *Spec) contextual() bool { return s.world().Contexts || s.linear() }

// l1 bounds ‖x‖₁; 0 where contexts are normal.
func (s *Spec) l1() float64 {
	switch l1 := declaredL1(s.Protocol); {
	case l1 > 0:
		return l1
	case s.ContextL1 == 0 && s.contextual():
		return 1
	}
	return s.ContextL1
}

// declaredL1 is the bound of ‖x‖₁ that a policy declares; 0 for none.
func declaredL1(p *schemas.Protocol) float64 {
	bound := orZero(p.Policy).Own.Exact(param.ContextBound)
	if bound.IsZero() || bound.Inf() {
		return 0
	}
	return bound.Float()
}

func (s *Spec) scene() scene {
	return scene{dim: s.dim(), byArm: s.byArm(), l1: s.l1(), batch: s.Batch, delay: s.Delay, never: s.Never, eligible: s.Eligible, scores: s.Protocol.Log.ScoreByArm != "", strata: s.Protocol.Strata() != ""}
}

// layout returns the columns of the log: what the protocol declares, under the
// names that it gives, and the propensity and contexts where it does not.
func (s *Spec) layout(labels []string, m *replay.Mechanism) (logfile.Layout, error) {
	l := &s.Protocol.Log
	out := logfile.Layout{
		Labels: labels, Experiments: s.Protocol.Experiment.Column != "", Reward: logfile.RewardFloat,
		MissingReward: s.hides(), Propensity: m.Random(), PropensityByArm: l.PropensityByArm != "", RewardByArm: l.RewardByArm != "", ScoreByArm: l.ScoreByArm != "",
		RewardOrder: l.RewardOrder != "", Batch: l.Batch != "", Stratum: s.Protocol.Strata() != "",
		RowsPerFile: cmp.Or(max(s.RowsPerFile, 0), 1_000_000), RowsPerGroup: cmp.Or(max(s.RowsPerGroup, 0), 100_000),
		CreatedBy: s.CreatedBy, Names: names(s.Protocol),
	}
	if s.world().Binary {
		out.Reward = logfile.RewardBool
	}
	if s.byArm() {
		out.ContextByArm = s.dim()
	} else {
		out.ContextDim = s.dim()
	}
	if l.Eligible != "" {
		out.Eligible = logfile.EligibleFlags
	}
	if l.ReleasedByArm != "" {
		out.ReleasedByArm = 1
		if s.linear() {
			out.ReleasedByArm = s.dim()
		}
	}
	out.Improper = s.faulty(func(f *Fault) bool { return f.Improper }) != ""
	if err := s.checkPropensityFaults(m); err != nil {
		return out, err
	}
	switch {
	case !m.Random() && (l.Propensity != "" || l.PropensityByArm != ""):
		return out, fmt.Errorf("world: a propensity is declared in log, and the policy %s draws nothing; delete the key", s.Protocol.Policy.Name)
	case !m.ReadsRewards() && l.ReleasedByArm != "":
		return out, fmt.Errorf("world: log.released_by_arm is declared, and the policy %s reads no sums; delete the key", s.Protocol.Policy.Name)
	}
	if err := out.Validate(); err != nil {
		return out, err
	}
	return out, nil
}

// hides reports whether rewards that never become known are missing in the log
// too.
func (s *Spec) hides() bool {
	return slices.Contains([]string{schemas.MissingExclude, schemas.MissingIndependent}, s.Protocol.Log.MissingReward)
}

// names maps the names that ingest gives to columns to the names in the protocol.
func names(p *schemas.Protocol) map[string]string {
	l := &p.Log
	out := map[string]string{}
	for _, c := range schemas.LogColumns() {
		out[c.Key] = c.Name(p)
	}
	out[schemas.KeyBy] = p.Strata()
	if len(l.Order) == 1 {
		out["round"] = l.Order[0]
	}
	for i, c := range l.Context.Columns {
		out["x"+strconv.Itoa(i)] = c.Column
	}
	for name, declared := range out {
		if declared == "" || declared == name {
			delete(out, name)
		}
	}
	return out
}
