package ingest

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// BenchmarkConvert converts blocks without nulls, one role at a time.
func BenchmarkConvert(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	arms := make([]string, 10)
	for i := range arms {
		arms[i] = "variant-" + strconv.Itoa(i)
	}
	names, numbers, floats := make([]string, cell.BlockRows), make([]int64, cell.BlockRows), make([]float64, cell.BlockRows)
	lists := make([][]float64, cell.BlockRows)
	for i := range names {
		k := rng.IntN(len(arms))
		names[i], numbers[i], floats[i] = arms[k], int64(k), rng.Float64()/2+0.25
		for range arms {
			lists[i] = append(lists[i], rng.Float64()/2+0.25)
		}
	}
	s := shape{len(arms), 1}
	action := textOf(role.Action, names)
	for _, bench := range []struct {
		name    string
		columns []given
	}{
		{"action", []given{action}},
		{"action-int", []given{intsOf(role.Action, pages.Int, numbers)}},
		{"reward", []given{action, flatOf(role.Reward, floats)}},
		{"propensity", []given{action, flatOf(role.Propensity, floats)}},
		{"context", []given{action, flatOf(role.Context, floats)}},
		{"batch", []given{action, intsOf(role.Batch, pages.Date, numbers)}},
		{"propensity_by_arm", []given{action, listsOf(role.PropensityByArm, s, lists...)}},
		{"released_by_arm", []given{action, listsOf(role.ReleasedByArm, s, lists...)}},
		{"reward_by_arm", []given{action, listsOf(role.RewardByArm, s, lists...)}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			names := arms
			if bench.name == "action-int" {
				names = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
			}
			try := newAttempt(bare(), names, bench.columns...)
			_ = try.run(b)
			if try.faults.Any() {
				b.Fatal(try.faults.Err())
			}
			rule := try.convert.rules[len(try.convert.rules)-1]
			for b.Loop() {
				if err := rule.apply(&try.rows, &try.convert.out, try.faults); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/cell.BlockRows, "ns/row")
		})
	}
}
