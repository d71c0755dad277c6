package analyze_test

import (
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

// onGrid is an honest private log whose noise and sums lie on multiples of grid.
func onGrid(t *testing.T, grid string) *lab {
	t.Helper()
	source := strings.NewReplacer("reward: reward}", "reward: reward, released_by_arm: released_by_arm}", ", seed: {file: seed.hex}", "",
		"{name: ucb, width: {delta: 0.05}, bonus: quantile", "{name: epsilon-greedy, explore: 0.4",
		"{name: hybrid, epsilon: 0.1, horizon: 900}", "{name: laplace, epsilon: 1, grid: "+grid+"}", "privacy: {epsilon: 0.1}", "privacy: {epsilon: 1}").Replace(private)
	return simulated(t, source, 5, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900})
}

// An honest log whose noise lies on another lattice than the declared one is never
// contradicted: the lattice is named with its key, and by that key it is CONSISTENT.
// Values off a declared lattice contradict it.
func TestNoiseOnAnotherLattice(t *testing.T) {
	for _, c := range []struct {
		grid, declared string
		want           schemas.Verdict
		say            string
	}{
		{"2^-10", "2^-20", schemas.NotEstablished, "multiples of 2^-10, and counter.grid is 2^-20: if noise was drawn on that lattice, declare counter.grid: 2^-10"},
		{"2^-3", "2^-20", schemas.NotEstablished, "declare counter.grid: 2^-3"},
		{"1", "2^-20", schemas.NotEstablished, "declare counter.grid: 1; if values were rounded when they were written, log them in full"},
		{"2^-10", "2^-10", schemas.Consistent, ""},
		{"2^-3", "2^-3", schemas.Consistent, ""},
		{"1", "1", schemas.Consistent, ""},
		{"2^-20", "1", schemas.Violated, "released values lie off the declared grid (first: round "},
		{"2^-20", "2^-10", schemas.Violated, "released values lie off the declared grid (first: round "},
		{"2^-30", "2^-20", schemas.Consistent, ""},
	} {
		t.Run(c.grid+" as "+c.declared, func(t *testing.T) {
			l := onGrid(t, c.grid)
			if c.declared != c.grid {
				l = l.but(t, changes{"grid: " + c.grid: "grid: " + c.declared})
			}
			f := claim(t, l.analyse(t, 1), noise)
			if f.Verdict != c.want || !strings.Contains(f.Reason, c.say) {
				t.Errorf("%s: %s\nwant %s: %s", f.Verdict, f.Reason, c.want, c.say)
			}
			if c.want == schemas.Violated && !strings.Contains(f.Observed, c.say) {
				t.Errorf("%q does not say %q", f.Observed, c.say)
			}
		})
	}
}
