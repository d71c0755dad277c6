package analyze_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// stepUp is the adjustment of Benjamini & Hochberg by its definition: over all
// ranks not below a test's own, the least of m·p/rank.
func stepUp(p []float64) []float64 {
	out := make([]float64, len(p))
	for i := range p {
		out[i] = 1
		for j := range p {
			if p[j] < p[i] {
				continue
			}
			rank := 0
			for _, q := range p {
				if q <= p[j] {
					rank++
				}
			}
			out[i] = min(out[i], p[j]*float64(len(p))/float64(rank))
		}
	}
	return out
}

// adjustedBy adjusts p-values by the definition of a method.
func adjustedBy(name string, p []float64) []float64 {
	m, harmonic := float64(len(p)), 0.0
	for i := range p {
		harmonic += 1 / float64(i+1)
	}
	out := make([]float64, len(p))
	if name == "e-bh" { // a p counts as the evidence ½·p^(−½)
		p = slices.Clone(p)
		for i := range p {
			p[i] = min(1, 2*math.Sqrt(p[i]))
		}
		return stepUp(p)
	}
	for i, q := range stepUp(p) {
		switch name {
		case "none":
			out[i] = p[i]
		case "bonferroni":
			out[i] = min(1, m*p[i])
		case "bh":
			out[i] = q
		case "by":
			out[i] = min(1, harmonic*q)
		case "holm":
			for j := range p {
				if p[j] > p[i] {
					continue
				}
				left := 0.0 // not smaller than p[j]
				for _, other := range p {
					if other >= p[j] {
						left++
					}
				}
				out[i] = max(out[i], min(1, left*p[j]))
			}
		}
	}
	return out
}

// TestFalseDiscovery: bh adjusts the raw p-values and corrects what comes out
// with σ over the rows of all arms that the family reads.
func TestFalseDiscovery(t *testing.T) {
	l := privateLab(t).but(t, changes{"multiplicity: holm": "multiplicity: bh"})
	e := &l.analyse(t, 1).Experiments[0]
	columns, last := l.columns(t, 0)
	sigma := l.sigmaOf(t, columns, last, 0, 1, 2)
	raw := make([]float64, len(e.Tests))
	for i := range e.Tests {
		raw[i] = *method(t, &e.Tests[i], schemas.MethodNaive).P
	}
	rejected := 0
	for i, p := range stepUp(raw) {
		m := method(t, &e.Tests[i], schemas.MethodCorrected)
		want := correct(p, sigma)
		near(t, e.Tests[i].ID+": adjusted", *m.PAdjusted, want)
		decision := "not rejected"
		if want <= 0.04 {
			decision = "rejected"
			rejected++
		}
		if e.Tests[i].Decision != decision {
			t.Errorf("%s at %v: %s", e.Tests[i].ID, want, e.Tests[i].Decision)
		}
	}
	if rejected == 0 || rejected == len(raw) {
		t.Errorf("%d of %d rejected; the log shows nothing", rejected, len(raw))
	}
}

// several is a log of experiments whose arms are played in turn.
const several = `version: 1
experiment: {column: experiment, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: uniform}
analysis:
  decide: corrected
  sequence: normal
  approximate: accept
  chosen: before
  multiplicity: holm
  tests:
    - {id: H, arm: each, mean: 0.5}
    - {id: T, arm: a, mean: 0.5, test: t}
`

// severalLab are experiments of 60 rounds whose arm a succeeds so many times of
// 30; b always does every other time.
func severalLab(t *testing.T, source string, successes ...int) *lab {
	t.Helper()
	var rows []logfile.Row
	for e, x := range successes {
		for i := range 60 {
			r := logfile.Row{Experiment: int64(e), Round: int64(i + 1), Arm: i % 2}
			switch {
			case i%2 == 0 && i/2 < x, i%2 == 1 && i/2%2 == 0:
				r.Reward = 1
			}
			rows = append(rows, r)
		}
	}
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Experiments: true}, rows)
}

// TestFamilyOfExperiments recomputes the summary over all experiments of a log:
// with a uniform policy corrected p-values are the raw ones.
func TestFamilyOfExperiments(t *testing.T) {
	for name, note := range map[string]string{"holm": "any false rejection in the whole log", "none": "not adjusted", "by": "the expected share of false rejections among all rejections of the log is at most alpha, under every dependence", "e-bh": "the expected share of false rejections among all rejections of the log is at most alpha, under every dependence", "bh": "independent between experiments", "bonferroni": "any false rejection in the whole log"} {
		source := strings.Replace(several, "multiplicity: holm", "multiplicity: "+name, 1)
		r := severalLab(t, source, 15, 27, 22, 30, 15, 15, 15).analyse(t, 2)
		var p, own []float64
		var at []string
		for e := range r.Experiments {
			for i := range r.Experiments[e].Tests {
				m := method(t, &r.Experiments[e].Tests[i], schemas.MethodCorrected)
				if !m.Applicable { // all rewards of a are equal
					p = append(p, 1)
				} else {
					p = append(p, *m.P)
				}
				own = append(own, math.NaN())
				if m.PAdjusted != nil {
					own[len(own)-1] = *m.PAdjusted
				}
				at = append(at, fmt.Sprintf("/experiments/%d/tests/%d", e, i))
			}
		}
		adjusted := adjustedBy(name, p)
		f := r.Family
		if f == nil || f.Method != name || f.Alpha != 0.05 || f.Experiments != 7 || f.Tests != 21 || f.Decided != 20 {
			t.Fatalf("%s: %+v", name, f)
		}
		smallest, rejected, alone := 0, 0, 0
		for i := range adjusted {
			if adjusted[i] < adjusted[smallest] {
				smallest = i
			}
			if adjusted[i] <= 0.05 && !math.IsNaN(own[i]) {
				rejected++
			}
			if own[i] <= 0.05 {
				alone++
			}
		}
		near(t, name+": smallest", *f.Smallest.PAdjusted, adjusted[smallest])
		near(t, name+": log2 of it", float64(*f.Smallest.Log2P), math.Log2(adjusted[smallest]))
		if f.Smallest.Evidence != at[smallest] || f.Rejected != int64(rejected) || len(f.Rejections) != rejected || f.Alone != int64(alone) {
			t.Errorf("%s: %+v, want %d rejected, %d alone, smallest %s", name, f, rejected, alone, at[smallest])
		}
		if !strings.Contains(f.Note, note) {
			t.Errorf("%s: note %q", name, f.Note)
		}
		for i := 1; i < len(f.Rejections); i++ {
			if *f.Rejections[i].PAdjusted < *f.Rejections[i-1].PAdjusted {
				t.Errorf("%s: rejections are not in order", name)
			}
		}
		if name != "none" && name != "e-bh" && rejected >= alone || rejected == 0 {
			t.Errorf("%s: %d rejected over all, %d in their own families; the log shows nothing", name, rejected, alone)
		}
	}
}

// TestNoFamily: one experiment, or several without tests, have no summary.
func TestNoFamily(t *testing.T) {
	if r := severalLab(t, several, 20).analyse(t, 1); r.Family != nil {
		t.Errorf("one experiment: %+v", r.Family)
	}
	source, _, _ := strings.Cut(several, "  tests:\n")
	if r := severalLab(t, source, 20, 20).analyse(t, 1); r.Family != nil {
		t.Errorf("no tests: %+v", r.Family)
	}
}

// TestFamilyOfUnits: where the same units may be in several experiments, bh has
// no family over all of them, and what holds under every dependence does.
func TestFamilyOfUnits(t *testing.T) {
	source := strings.Replace(several, "reward: reward}", "reward: reward, unit: unit}", 1)
	draw := rand.New(rand.NewPCG(4, 4)) // arms that take turns are not drawn
	var rows []logfile.Row
	for e := range int64(3) {
		for i := range int64(60) {
			r := logfile.Row{Experiment: e, Round: i + 1, Arm: draw.IntN(2), Unit: strconv.FormatInt(i, 10)}
			if i < 50 {
				r.Reward = 1
			}
			rows = append(rows, r)
		}
	}
	spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Experiments: true, Unit: true}
	for name, decided := range map[string]bool{"bh": false, "by": true, "holm": true, "bonferroni": true, "none": true} {
		r := written(t, t.TempDir(), strings.Replace(source, "multiplicity: holm", "multiplicity: "+name, 1), spec, rows).analyse(t, 1)
		f := r.Family
		if f == nil || f.Tests != 9 || (f.Decided > 0) != decided || (f.Rejected > 0) != decided || (f.Smallest != nil) != decided || strings.Contains(f.Note, "NOT APPLICABLE over experiments: A4: ") == decided {
			t.Errorf("%s: %+v", name, f)
		}
		if f != nil && f.Alone == 0 {
			t.Errorf("%s: the experiments decide nothing", name)
		}
	}
}
