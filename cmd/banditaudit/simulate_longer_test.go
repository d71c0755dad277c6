package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/command"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/logfile"
	"banditaudit/replay"
)

// certain is a world of a test, in which arm a pays its mean, and after round 100
// twice as much.
type certain []float64

func (w certain) Arms() int        { return len(w) }
func (w certain) Means() []float64 { return nil }

func (w certain) Mean(t int64, arm int, _ *replay.Round) float64 {
	if t > 100 {
		return 2 * w[arm]
	}
	return w[arm]
}

func (w certain) Reward(t int64, arm int, _ uint64, in *replay.Round) float64 {
	return w.Mean(t, arm, in)
}

func (w certain) Document(t *world.Truth) { t.MeansLast = []float64{2 * w[0], 2 * w[1]} }

// longer lists a world and a fault more than the program has.
func longer() *world.Catalogue {
	c := world.Standard()
	c.Worlds = append(c.Worlds, world.World{
		Name: "certain", Doc: "pays its mean, and later twice as much", Takes: []string{"means", "sd"},
		Open: "a sure thing is none of a bandit",
		Law:  func(s *world.Spec) world.Law { return certain(s.Means) },
	})
	c.Faults = append(c.Faults, world.Fault{
		Name: "halved", Doc: "half of every reward is logged", Excludes: map[string]string{"redraw": "two wrongs make no right"},
		Check: func(s *world.Spec) (bool, string) { return s.Rounds < 5, "there is little to halve; simulate 5 rounds" },
		Deploy: func(d *world.Deployment) {
			d.Report = append(d.Report, func(row *logfile.Row, _ *replay.Step) error {
				row.Reward /= 2
				return nil
			})
		},
	})
	return c
}

// runLonger executes one command line of a program with the longer lists.
func runLonger(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	p := &kit.Process{Stdout: &out, Stderr: &errs, Now: time.Now, Argv: append([]string{"banditlab"}, args...)}
	code = command.Of(analyze.Standard(), longer()).Execute(t.Context(), p, args)
	return code, out.String(), errs.String()
}

// TestAWorldAndAFaultMore: what stands in the lists that the command hands down
// stands in the help and in what is said of mistakes, and is simulated.
func TestAWorldAndAFaultMore(t *testing.T) {
	_, help, _ := runLonger(t, "simulate", "--help")
	for _, want := range []string{
		"certain: --means --sd. pays its mean, and later twice as much", "halved: half of every reward is logged",
		"bernoulli, beta, gaussian, linear, drift, certain", "gaussian and linear and certain: standard DEVIATION",
	} {
		if !strings.Contains(help, want) {
			t.Errorf("help lacks %q:\n%s", want, help)
		}
	}
	dir := filepath.Join(t.TempDir(), "sim")
	args := []string{"simulate", "--policy", "uniform", "--rounds", "200", "-o", dir}
	for _, c := range []struct{ args, want string }{
		{"--world sure --means 0.2,0.4", "write one of bernoulli, beta, gaussian, linear, drift, certain"},
		{"--world certain --means 0.2,0.4 --fault x", "propensity-loglik, halved"},
		{"--world certain --means 0.2,0.4 --period 3", "the world certain does not have it; it has --means, --sd"},
		{"--world certain --means 0.2,1", "mean 2 is 1, must be in (0,1): a sure thing is none of a bandit"},
		{"--world certain", "the world certain needs the mean of each arm"},
		{"--world certain --means 0.2,0.4 --fault redraw,halved", "halved and redraw exclude each other: two wrongs make no right"},
		{"--world certain --means 0.2,0.4 --rounds 4 --fault halved", "--fault: halved: there is little to halve"},
	} {
		code, _, stderr := runLonger(t, append(slices.Clip(args), strings.Fields(c.args+" --labels a,b")...)...)
		if code != kit.ExitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, want %d and %q\n%s", c.args, code, kit.ExitUsage, c.want, stderr)
		}
	}
	code, _, stderr := runLonger(t, append(args, "--world", "certain", "--means", "0.2,0.4", "--fault", "halved")...)
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	b, err := os.ReadFile(filepath.Join(dir, kit.TruthFile))
	if err != nil {
		t.Fatal(err)
	}
	var truth world.Truth
	if err = json.Unmarshal(b, &truth); err != nil {
		t.Fatal(err)
	}
	if truth.World != "certain" || truth.Faults[0] != "halved" || truth.MeansLast[1] != .8 || truth.Best != "" {
		t.Errorf("the truth is %+v", truth)
	}
	for a, arm := range verified(t, dir).Experiments[0].Arms {
		first := truth.Means[a] / 2
		if *arm.Mean <= first || *arm.Mean >= 2*first {
			t.Errorf("arm %d has the mean %v, between %v and %v", a, *arm.Mean, first, 2*first)
		}
	}
}
