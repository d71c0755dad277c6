package replay

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"banditaudit/schemas"
)

// unboundedRun plays rewards that move by add, and returns the arms and the propensities of
// the last round.
func unboundedRun(m *Mechanism, add float64) (arms []int, last []float64, err error) {
	run, draw := m.NewRunner(Seed(4), "e"), rand.New(rand.NewPCG(8, 8))
	for range 200 {
		arm := run.Next(&Round{Scores: []float64{0.1, 0.3, 0.2}})
		last = slices.Clone(run.Propensities())
		arms = append(arms, arm)
		run.Add(arm, draw.Float64()*.8+.05*float64(arm)+add)
	}
	return arms, last, run.Err()
}

// A mechanism for rewards outside the range plays those within it as the mechanism does,
// draw by draw, and takes those outside. There is none of a Beta prior, of what reads
// vectors, and beside noise.
func TestUnbounded(t *testing.T) {
	t.Parallel()
	for _, p := range declarable() {
		for _, c := range counters() {
			if p.Set("bonus", ""); c.Name != "exact" && byExactSums(&p) {
				continue
			}
			m, err := Standard().New(declare(p, &c), labels(3))
			if err != nil {
				t.Fatalf("%s × %s: %v", p.Name, c.Name, err)
			}
			wide := m.Unbounded()
			beta := p.Name == "thompson" && p.Own["prior"].(schemas.Values).Has("alpha")
			if want := !m.ReadsRewards() || c.Name == "exact" && !beta && !m.Linear(); (wide != nil) != want {
				t.Errorf("%s × %s: there is one: %v", p.Name, c.Name, wide != nil)
			}
			if wide == nil {
				continue
			}
			arms, last, err := unboundedRun(m, 0)
			if again, also, failed := unboundedRun(wide, 0); err != nil || failed != nil || !slices.Equal(arms, again) || !slices.Equal(last, also) {
				t.Errorf("%s: within the range it plays otherwise: %v %v", p.Name, err, failed)
			}
			if _, _, failed := unboundedRun(m, 3); failed == nil && m.ReadsRewards() {
				t.Errorf("%s takes rewards outside the range", p.Name)
			}
			for _, add := range []float64{3, -3} {
				if _, _, failed := unboundedRun(wide, add); failed != nil {
					t.Errorf("%s, rewards moved by %g: %v", p.Name, add, failed)
				}
			}
			if _, _, failed := unboundedRun(wide, math.NaN()); failed == nil && m.ReadsRewards() {
				t.Errorf("%s takes NaN", p.Name)
			}
		}
	}
}

// A normal posterior takes a sum below 0 as it is, and not as 0: two arms that pay −1 and −2
// are told apart.
func TestUnboundedNormal(t *testing.T) {
	t.Parallel()
	m, err := Standard().New(declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": normalPriorOf(0, 1, 0.25)}}, &schemas.Counter{Name: "exact"}), labels(2))
	if err != nil {
		t.Fatal(err)
	}
	run := m.Unbounded().NewRunner(Seed(4), "e")
	for range 40 {
		arm := run.Next(&Round{Scores: []float64{0.1, 0.3, 0.2}})
		run.Add(arm, -1-float64(arm))
	}
	run.Next(nil)
	if p := run.Propensity(0); p < .9 {
		t.Errorf("the arm that pays more has propensity %g", p)
	}
}
