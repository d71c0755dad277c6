package analyze_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze/stat/ipw"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
	"banditaudit/testdata/reference"
)

// owcg is where the counts and posteriors of Offer-Westort, Coppock & Green
// 2021, study 1 (CC0, doi 10.1111/ajps.12597), may lie beside the module. They
// are not part of the project.
const owcg = "../../shared/data/owcg2021/minimum-wage-posteriors.csv"

// owcgRows expands the counts to rounds, successes of a batch and arm first. The
// propensities of a batch are the posteriors after the batch before it.
func owcgRows(t *testing.T) (arms []string, rows []logfile.Row) {
	t.Helper()
	file, err := os.Open(filepath.FromSlash(owcg))
	if err != nil {
		t.Skipf("%s, a real log that is not part of the project, is not there", owcg)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const batches = 10
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	posterior, successes, trials := [batches + 1][]float64{}, [batches + 1][]int{}, [batches + 1][]int{}
	for _, r := range records[1:] {
		b := int(number(r[2]))
		if b == 0 {
			arms = append(arms, r[1])
			r[4], r[5] = "0", "0"
		}
		posterior[b] = append(posterior[b], number(r[3]))
		successes[b], trials[b] = append(successes[b], int(number(r[4]))), append(trials[b], int(number(r[5])))
	}
	for b := 1; b <= batches; b++ {
		for arm, n := range trials[b] {
			for i := range n {
				y := 0.0
				if i < successes[b][arm] {
					y = 1
				}
				rows = append(rows, logfile.Row{Arm: arm, Reward: y, PropensityByArm: posterior[b-1], Batch: int64(b)})
			}
		}
	}
	return arms, rows
}

// owcgProtocol declares Thompson sampling with uniform priors, which learns
// between batches.
func owcgProtocol(arms []string) string {
	return fmt.Sprintf(`version: 1
experiment: {id: owcg2021}
log: {order: [round], action: action, reward: reward, propensity_by_arm: propensity_by_arm, batch: batch, propensity_resolution: 1e-5}
arms: ["%s"]
reward: {range: [0, 1]}
policy: {name: thompson, prior: {alpha: 1, beta: 1}, update: batch}
counter: {name: exact}
`, strings.Join(arms, `", "`))
}

// The posteriors recomputed from the counts are those of the file; that they were
// the propensities of the log is contradicted, and a floor near 0.01 is what fits.
func TestOfferWestortCoppockGreen(t *testing.T) {
	arms, rows := owcgRows(t)
	if len(rows) != 1000 || len(arms) != 10 {
		t.Fatalf("%d rounds, %d arms", len(rows), len(arms))
	}
	spec := &logfile.Layout{Labels: arms, PropensityByArm: true, Batch: true, Reward: logfile.RewardBool}
	l := written(t, t.TempDir(), owcgProtocol(arms), spec, rows)
	r := l.analyse(t, 1)
	e := &r.Experiments[0]
	p := e.Replay.Propensities
	if p == nil || p.Matched != 1000 || p.Worst == nil || len(p.Batches) != 10 {
		t.Fatalf("the recomputed posteriors: %+v", p)
	}
	for _, b := range p.Batches {
		if b.Largest > 1e-5 || b.Beyond > 0 {
			t.Errorf("rounds %d to %d: posteriors differ by up to %g", b.First, b.Last, b.Largest)
		}
	}
	if c := claim(t, r, schemas.KindConformance); c.Verdict != schemas.Consistent {
		t.Errorf("%s is %s: %s", c.Kind, c.Verdict, c.Reason)
	}
	if c := claim(t, r, schemas.KindAllocation); c.Verdict != schemas.Violated {
		t.Errorf("the raw posterior as the allocation is %s: %s", c.Verdict, c.Reason)
	}
	if len(e.Allocation) < 4 {
		t.Fatalf("explanations: %+v", e.Allocation)
	}
	for i, h := range e.Allocation {
		if h.Fits != (i == 0) {
			t.Errorf("%s fits: %v", h.Words, h.Fits)
		}
	}
	// The estimate is that of scipy.optimize.minimize_scalar on the file's counts:
	// testdata/reference/owcg_floor.py.
	h := &e.Allocation[0]
	if h.Name != "floor" || h.Lo == nil || h.Hi == nil || *h.P < 0.001 {
		t.Fatalf("first of the explanations: %+v", h)
	}
	if got, want := *h.Value, 0.007551; math.Abs(got-want) > 1e-5 {
		t.Errorf("a floor of %.6f, want %.6f", got, want)
	}
	if !(*h.Lo > 0 && *h.Lo < 0.01 && *h.Hi > 0.01 && *h.Hi < 0.03) {
		t.Errorf("the interval [%g, %g] is not about 0.01", *h.Lo, *h.Hi)
	}
	for _, seen := range e.Allocation[1:] {
		if strings.HasPrefix(seen.Name, "stale") && *seen.P > 1e-20 {
			t.Errorf("%s: p = %g", seen.Words, *seen.P)
		}
	}
}

// Weighted means of that log, and contrasts with the first arm, are those of
// testdata/reference/weighted.py, which works with forty digits from the same file. None
// has an interval: the posteriors are not what arms were played with. H13 finds a mean that
// moves, so that rounds are weighed by √p by the package alone.
func TestEstimatesOfOfferWestortCoppockGreen(t *testing.T) {
	arms, rows := owcgRows(t)
	spec := &logfile.Layout{Labels: arms, PropensityByArm: true, Batch: true, Reward: logfile.RewardBool}
	e := one(t, written(t, t.TempDir(), owcgProtocol(arms)+"analysis: {means: constant}\n", spec, rows))
	for kind, name := range map[string]string{"ipw": "ipw", "snipw": "snipw", "aipw": "aipw"} {
		of := reference.Rows(t, "weighted.csv", kind)
		if want := len(arms); len(of) != want && len(of) != want-1 {
			t.Fatalf("%d numbers of %s", len(of), kind)
		}
		for _, want := range of {
			x := estimateOf(t, e, name, arms[int(want[0])], "")
			what := name + " of " + x.Target
			within(t, what, raw(x), want[1], 1e-12)
			if want[2] == 0 && x.StdError != nil || want[2] > 0 && x.StdError == nil {
				t.Errorf("%s: error %v, want %g", what, x.StdError, want[2])
			} else if x.StdError != nil {
				within(t, what+", error", *x.StdError, want[2], 1e-12)
			}
			if *x.Rounds != int64(want[3]) || x.CI != nil || !strings.Contains(x.Reason, "contradicted by H05") {
				t.Errorf("%s: %d rounds, want %g; %v, %q", what, *x.Rounds, want[3], x.CI, x.Reason)
			}
		}
	}
	if !contradicts(e, schemas.MeansByDrift) || estimateOf(t, e, "aipw-sqrt", "", "").Estimate != nil {
		t.Errorf("means are constant: %+v", e.Means)
	}
	rootOfOfferWestortCoppockGreen(t, arms, rows)
}

// rootOfOfferWestortCoppockGreen holds the estimates by √p against the same program.
func rootOfOfferWestortCoppockGreen(t *testing.T, arms []string, rows []logfile.Row) {
	t.Helper()
	var pairs [][2]int
	for arm := 1; arm < len(arms); arm++ {
		pairs = append(pairs, [2]int{arm, 0})
	}
	none := ipw.NewPlugin(len(arms))
	sums := ipw.NewArms(&none, true, pairs, ipw.Root)
	for i := range rows {
		sums.Add(&ipw.Round{Arm: rows[i].Arm, P: rows[i].PropensityByArm, Reward: rows[i].Reward})
	}
	for _, want := range reference.Rows(t, "weighted.csv", "sqrt") {
		of := sums.AIPW(0, int(want[0]))
		within(t, "by √p", of.Value(), want[1], 1e-12)
		within(t, "by √p, error", of.StdErr(), want[2], 1e-12)
	}
	for _, want := range reference.Rows(t, "weighted.csv", "contrast") {
		of := sums.Against(int(want[0]) - 1)
		within(t, "contrast by √p", of.Value(), want[1], 1e-12)
		within(t, "contrast by √p, error", of.StdErr(), want[2], 1e-12)
	}
}
