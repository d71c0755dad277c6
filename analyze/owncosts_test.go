package analyze_test

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/bias"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

const ownNorms = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, context: [x0]}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: lints, lambda: 1, noise_sd: 0.5, context_l1: 2}
counter: {name: binary, epsilon: 0.9, horizon: 7}
privacy: {epsilon: 0.9}
analysis: {decide: corrected, chosen: before, tests: [{id: U, p: 0.01, rows: [a], selector: declared}]}
`

// ownLog is a log of arm a whose contexts have these lengths; the last round is one
// of arm b, so that all rewards of a could be used.
func ownLog(t *testing.T, source string, norms ...float64) *lab {
	t.Helper()
	rows := []logfile.Row{}
	for _, norm := range norms {
		rows = append(rows, logfile.Row{Arm: 0, Reward: 1, X: []float64{-norm}})
	}
	rows = append(rows, logfile.Row{Arm: 1, Reward: 1, X: []float64{1}})
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, ContextDim: 1}, rows)
}

// The vectors of sheet 28.2. Of four rows in a tree of three levels the first is in
// three nodes, the second and the third in two, the fourth in one; the third, of
// context 0, costs nothing.
func TestOwnNormVectors(t *testing.T) {
	t.Parallel()
	one := strings.NewReplacer("context_l1: 2", "context_l1: 10", "binary, epsilon: 0.9, horizon: 7", "laplace, epsilon: 1", "epsilon: 0.9", "epsilon: 1").Replace(ownNorms)
	for _, c := range []struct {
		name             string
		lab              *lab
		declared, own    []float64
		sigmas, byD, byG [2]float64 // by the bound, by each row's own context
		epsilon          float64
	}{
		{
			"three levels", ownLog(t, ownNorms, .5, 2, 0, 1),
			[]float64{.9, .6, .3},
			[]float64{.225, .6, .15},
			[2]float64{.5588269825, .3283659135},
			[2]float64{.0466372577, .0256672458},
			[2]float64{.0396872889, .0219505070},
			.9,
		},
		{
			"one level", ownLog(t, one, 3, 10, 6),
			[]float64{1, 1, 1},
			[]float64{.3, 1, .6},
			[2]float64{.8601217175, .5988560955},
			[2]float64{.0939745937, .0514552117},
			[2]float64{.0825866242, .0429754113},
			1,
		},
	} {
		e := &c.lab.analyse(t, 1).Experiments[0]
		m := methods(&e.Tests[0])
		d, g := m[schemas.MethodCorrected], m[schemas.MethodMoments]
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 6e-11 {
				t.Errorf("%s: %s is %.11g, want %.10g", c.name, what, got, want)
			}
		}
		near("σ", float64(*d.Sigma), c.sigmas[1])
		near("(d)", *d.P, c.byD[1])
		near("(g)", *g.P, c.byG[1])
		levels := func(costs []float64) (out []maxinfo.Level) {
			for _, c := range costs {
				out = append(out, maxinfo.Level{Cost: c, Rows: 1})
			}
			return out
		}
		near("σ by the bound", maxinfo.Sigma(levels(c.declared)), c.sigmas[0])
		near("(d) by the bound", math.Exp(maxinfo.Renyi(levels(c.declared)).Apply(math.Log(.01))), c.byD[0])
		near("(g) by the bound", math.Exp(maxinfo.Moments(levels(c.declared)).Apply(math.Log(.01))), c.byG[0])
		near("σ of the costs", maxinfo.Sigma(levels(c.own)), c.sigmas[1])
		shift, rows := 0.0, float64(e.Arms[0].Pulls)
		for _, cost := range c.own {
			shift += bias.Row(cost) / rows
		}
		near("bias bound", *e.Arms[0].BiasBound, shift)
		if e.Privacy.InferenceCosts != schemas.CostsOwnContext || float64(*e.Privacy.EpsilonRealized) != c.epsilon || float64(*e.Privacy.EpsilonMechanism) != c.epsilon {
			t.Errorf("%s: costs by %q, ε realised %v", c.name, e.Privacy.InferenceCosts, *e.Privacy.EpsilonRealized)
		}
	}
}

// Contexts that rewards may have decided leave no corrected p, whatever their
// lengths; those that released values decided do.
func TestOwnNormsNeedPublicContexts(t *testing.T) {
	t.Parallel()
	for word, applicable := range map[string]bool{schemas.SetBySchedule: true, schemas.SetByReleased: true, schemas.SetByRewards: false, schemas.SetByUnknown: false} {
		l := ownLog(t, strings.Replace(ownNorms, "context: [x0]", "context: [x0], context_by: "+word, 1), .5, 2, 0, 1)
		e := &l.analyse(t, 1).Experiments[0]
		got := methods(&e.Tests[0])[schemas.MethodCorrected]
		if got.Applicable != applicable || (e.Privacy.InferenceCosts == schemas.CostsOwnContext) != applicable || !applicable && !strings.Contains(got.Reason, "log.context_by") {
			t.Errorf("context_by %s: applicable %v, costs by %q, %s", word, got.Applicable, e.Privacy.InferenceCosts, got.Reason)
		}
		if applicable && (*got.Sigma < .328 || *got.Sigma > .329) {
			t.Errorf("context_by %s: σ = %v", word, *got.Sigma)
		}
	}
}

// So many rows have as many costs. They are rounded up to at most a thousand
// levels, which raises σ by less than half a percent, and the number of workers
// changes nothing.
func TestOwnCostsAreFew(t *testing.T) {
	t.Parallel()
	const rounds = 20_000
	source := strings.NewReplacer("context: [x0]", "context: [x0, x1, x2]", "horizon: 7", "horizon: 20000", "range: [0, 1]", "range: [0, 1], out_of_range: clip", "rows: [a]", "rows: all").Replace(ownNorms)
	l := simulated(t, source, 3, &world.Spec{World: "linear", Rounds: rounds, ContextDim: 3})
	e := &l.analyse(t, 1).Experiments[0]
	got := float64(*methods(&e.Tests[0])[schemas.MethodCorrected].Sigma)
	law, err := l.declared.Law(l.tableau.Slice(0))
	if err != nil {
		t.Fatal(err)
	}
	var levels, bound []maxinfo.Level
	s := l.tableau.Slice(0)
	read := [2]int64{}
	var last int
	for i := range s.Chunks() {
		for _, arm := range s.Chunk(i).Arm {
			read[arm]++
			last = int(arm)
		}
	}
	read[last]--
	of := []func(int64) float64{ledger.Costs(law, read[0]), ledger.Costs(law, read[1])}
	place := [2]int64{}
	for i := range s.Chunks() {
		c := s.Chunk(i)
		for row, arm := range c.Arm {
			place[arm]++
			norm := 0.0
			for _, x := range c.X {
				norm += math.Trunc(math.Abs(x[row])*(1<<20)) / (1 << 20)
			}
			cost := of[arm](place[arm])
			levels = append(levels, maxinfo.Level{Cost: cost * norm / 2, Rows: 1})
			bound = append(bound, maxinfo.Level{Cost: cost, Rows: 1})
		}
	}
	want, whole := maxinfo.Sigma(levels), maxinfo.Sigma(bound)
	t.Logf("σ %v, of exact costs %v, of the bound %v", got, want, whole)
	if got < want || got > want*1.005 || got > .9*whole {
		t.Errorf("σ is %v, want %v or up to half a percent more; the bound gives %v", got, want, whole)
	}
	if again := float64(*methods(&l.analyse(t, 4).Experiments[0].Tests[0])[schemas.MethodCorrected].Sigma); again != got {
		t.Errorf("σ is %v with four workers, %v with one", again, got)
	}
}
