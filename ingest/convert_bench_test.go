package ingest

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"banditaudit/ingest/pages"
)

// BenchmarkConvert converts blocks without nulls, one role at a time.
func BenchmarkConvert(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	arms := make([]string, 10)
	for i := range arms {
		arms[i] = "variant-" + strconv.Itoa(i)
	}
	names, numbers, floats := make([]string, blockRows), make([]int64, blockRows), make([]float64, blockRows)
	lists := make([][]float64, blockRows)
	for i := range names {
		k := rng.IntN(len(arms))
		names[i], numbers[i], floats[i] = arms[k], int64(k), rng.Float64()/2+0.25
		for range arms {
			lists[i] = append(lists[i], rng.Float64()/2+0.25)
		}
	}
	s := shape{len(arms), 1}
	action := textOf(roleAction, names)
	for _, bench := range []struct {
		name    string
		columns []given
	}{
		{"action", []given{action}},
		{"action-int", []given{intsOf(roleAction, pages.Int, numbers)}},
		{"reward", []given{action, flatOf(roleReward, floats)}},
		{"propensity", []given{action, flatOf(rolePropensity, floats)}},
		{"context", []given{action, flatOf(roleContext, floats)}},
		{"batch", []given{action, intsOf(roleBatch, pages.Date, numbers)}},
		{"propensity_by_arm", []given{action, listsOf(rolePropensityByArm, s, lists...)}},
		{"released_by_arm", []given{action, listsOf(roleReleasedByArm, s, lists...)}},
		{"reward_by_arm", []given{action, listsOf(roleRewardByArm, s, lists...)}},
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
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/blockRows, "ns/row")
		})
	}
}
