package analyze_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// softmaxRows are honest rounds of a softmax over sums of rewards, which soon
// gives all arms but one up: propensities fall to 1e-50, the least that is let be.
func softmaxRows(seed uint64, arms, n int) []logfile.Row {
	r := rand.New(rand.NewPCG(seed, 4))
	rows, sums, p := make([]logfile.Row, n), make([]float64, arms), make([]float64, arms)
	for i := range rows {
		total := 0.0
		for a := range p {
			p[a] = math.Exp(max(-115, 0.1*(sums[a]-max(sums[0], sums[arms-1]))))
			total += p[a]
		}
		u, arm := r.Float64()*total, 0
		for arm < arms-1 && u >= p[arm] {
			u -= p[arm]
			arm++
		}
		row := logfile.Row{Round: int64(i + 1), Arm: arm, Propensity: p[arm] / total, X: []float64{r.NormFloat64()}, Batch: int64(i / 100)}
		for _, v := range p {
			row.PropensityByArm = append(row.PropensityByArm, v/total)
		}
		if r.Float64() < 0.3*float64(1+arm)/float64(arms)+0.3 {
			row.Reward = 1
		}
		sums[arm] += row.Reward
		rows[i] = row
	}
	return rows
}

// TestGivenUpArms: honest propensities that go to 0 are not contradicted,
// whichever of them are logged; the detail says what decided.
func TestGivenUpArms(t *testing.T) {
	for _, c := range []struct {
		name, labels string
		arms         int
		all          bool
		want         string
	}{
		{"the logged action's", "a, b, c", 3, false, "An arm that was played too seldom shows only in those played in its stead"},
		{"those of all arms", "a, b, c", 3, true, "Freedman's supermartingale for Σ(1{A=a} − p)"},
		{"the logged action's of two", "a, b", 2, false, "with 1 − p for the arm not played"},
	} {
		for _, batches := range []bool{false, true} {
			spec, more := rolesSpec(), ""
			spec.Labels, spec.PropensityByArm, spec.Batch = strings.Split(c.labels, ", "), c.all, batches
			if c.all {
				more += ", propensity_by_arm: propensity_by_arm"
			}
			if batches {
				more += ", batch: batch"
			}
			source := strings.NewReplacer(columns, columns+more, "[a, b, c]", "["+c.labels+"]", "policy: {name: uniform}\n", "").Replace(roles)
			r := written(t, t.TempDir(), source, spec, softmaxRows(1, c.arms, 2000)).analyse(t, 2)
			h05 := check.Find(r.Experiments[0].Data.Checks, "H05")
			if f := claim(t, r, allocation); f.Verdict != schemas.Consistent || h05.Status != schemas.CheckPass || !strings.Contains(h05.Detail, c.want) {
				t.Errorf("%s, batches %v: %s, %+v", c.name, batches, f.Verdict, h05)
			}
		}
	}
}
