package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/accounting"
	"banditaudit/replay/conformance/programreplay"
	"banditaudit/replay/ledger"
	"banditaudit/replay/program/programtest"
	"banditaudit/schemas"
)

// actMany is a program that keeps several experiments apart, and does something wrong in
// round 50 of the one that is called e1, as its kind says.
func actMany(kind string) {
	type state struct {
		*learner
		name string
	}
	states := map[int]*state{}
	programtest.Lines(func(line []byte) []byte {
		var m struct {
			K          string      `json:"k"`
			N          int64       `json:"n"`
			S          *int        `json:"s"`
			Experiment string      `json:"experiment"`
			L          [][]float64 `json:"l"`
			D          [][]float64 `json:"d"`
		}
		if json.Unmarshal(line, &m) != nil {
			return nil
		}
		s := 0
		if m.S != nil {
			s = *m.S
		}
		switch m.K {
		case "start":
			states[s] = &state{newLearner("ucb1", 1), m.Experiment}
			if kind == "many-leak" {
				states[s].learner = states[0].learner
			}
			return fmt.Appendf(nil, `{"k":"ready","s":%d,"program":"test","version":"2","many":true}`, s)
		case "end":
			return fmt.Appendf(nil, `{"k":"bye","s":%d}`, s)
		}
		for _, y := range m.L {
			states[int(y[0])].learn(int(y[2]), y[3])
		}
		stamps, arms := []int{}, []int{}
		for _, d := range m.D {
			x := states[int(d[0])]
			arm, _ := x.decide()
			stamps, arms = append(stamps, int(d[0])), append(arms, arm)
			if x.name != "e1" || d[1] != 50 {
				continue
			}
			switch kind {
			case "many-crash":
				os.Exit(4)
			case "many-slow":
				time.Sleep(time.Minute)
			case "many-large":
				states[-1] = &state{name: strings.Repeat("x", 300<<20)}
				time.Sleep(time.Minute)
			case "many-stamp":
				stamps[len(stamps)-1]++
			case "many-short":
				arms = arms[:len(arms)-1]
			case "many-arm":
				arms[len(arms)-1] = 3
			case "many-other":
				arms[len(arms)-1] = (arm + 1) % 3
			}
		}
		b, _ := json.Marshal(map[string]any{"k": "step", "n": m.N, "s": stamps, "a": arms})
		return b
	})
}

// tellMany runs a program over several experiments at a time, whose rounds are ever more by
// one, and which it may share.
func tellMany(tb testing.TB, argv []string, keys string, experiments, rounds int) []schemas.Conformance {
	tb.Helper()
	list, _ := json.Marshal(argv)
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", fmt.Appendf(nil, "version: 1\nexperiment: {column: e}\nlog: {order: [t], action: a, reward: r}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {exec: %s%s}\n", list, keys))
	if err != nil {
		tb.Fatal(err)
	}
	programs := &programreplay.Programs{Dir: filepath.Dir(argv[len(argv)-1]), Lookup: os.LookupEnv}
	programs.Share(tb.Context())
	d := &Declared{From: replay.Standard(), Declared: accounting.Declared{Protocol: &doc.Protocol, Arms: doc.Protocol.Arms}, Programs: programs}
	out, logs := make([]schemas.Conformance, experiments), make([]*tableau.Slice, experiments)
	for i := range logs {
		b := without(learned("ucb1", rounds+i, 1, 0))
		logs[i] = slice(tb, tableau.Schema{Arms: 3, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "e" + strconv.Itoa(i), Rows: int64(len(b.Arm))}}}, b)
	}
	var all sync.WaitGroup
	for i := range logs {
		all.Go(func() {
			x, err := d.Run(context.Background(), logs[i], &ledger.Disclosures{}, nil)
			if out[i] = x.Conformance; err != nil {
				tb.Error(err)
			}
		})
	}
	all.Wait()
	if err := programs.Close(); err != nil {
		tb.Error(err)
	}
	return out
}

// sameRound reports whether a failure names a round; none where when it shows is a matter of
// the moment.
func sameRound(f *schemas.ProgramFailure, round int64) bool {
	if f.Cause == "memory" {
		return f.Round == nil
	}
	return f.Round != nil && *f.Round == round
}

// Several experiments share a process. What one of them does wrong is its own, with its
// round, and takes nothing from the others; a program that does not keep them apart although
// it says so is held to what it says of one alone.
func TestExecOfMany(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		kind, keys, cause string
		round             int64
	}{
		{"many", "", "", 0},
		{"many-leak", "", "", 0},
		{"many-crash", "", "ended", 50},
		{"many-slow", ", timeout: 1s", "time", 50},
		{"many-large", ", memory: 250MiB", "memory", 50},
		{"many-stamp", "", "malformed", 50},
		{"many-short", "", "malformed", 50},
		{"many-arm", "", "malformed", 50},
		{"many-other", "", "", 50},
	} {
		for i, c := range tellMany(t, programtest.Argv(tc.kind, "1"), tc.keys, 5, 120) {
			f, wrong := c.Program.Failure, i == 1 && tc.round > 0
			switch {
			case !wrong && (f != nil || c.Matched != int64(120+i) || c.FirstMismatch != nil || c.Program.Unmoved()):
				t.Errorf("%s, e%d: %+v, %+v, %+v", tc.kind, i, c, f, c.FirstMismatch)
			case wrong && tc.cause == "" && (f != nil || c.FirstMismatch == nil || c.FirstMismatch.Round != tc.round):
				t.Errorf("%s, e%d: %+v, %+v", tc.kind, i, c, f)
			case wrong && tc.cause != "" && (f == nil || f.Cause != tc.cause || !sameRound(f, tc.round) || c.Replayable != 0 || c.FirstMismatch != nil || c.Program.Again != nil):
				t.Errorf("%s, e%d: %+v, %+v", tc.kind, i, c, f)
			}
		}
	}
}

// pythonMany writes the client and UCB1 on it, which keeps experiments apart.
func pythonMany(tb testing.TB) []string {
	tb.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		tb.Skip("python3 is not there")
	}
	client, err := os.ReadFile(filepath.Join("..", "..", "testdata", "clients", "serve.py"))
	if err != nil {
		tb.Fatal(err)
	}
	dir := tb.TempDir()
	for name, text := range map[string]string{"serve.py": string(client), "ucb1.py": strings.Replace(policyInPython, `"3")`, `"3", many=True)`, 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return []string{python, filepath.Join(dir, "ucb1.py")}
}

// The client of testdata/clients serves several experiments from one process.
func TestExecOfManyInPython(t *testing.T) {
	t.Parallel()
	for i, c := range tellMany(t, pythonMany(t), ", parameters: {c: 2.0}", 6, 200) {
		if c.Program.Failure != nil || c.Matched != int64(200+i) || c.Program.Program != "ucb1 in Python" {
			t.Errorf("e%d: %+v, %+v", i, c, c.Program.Failure)
		}
	}
}

// Rounds per second of several experiments that learn after every round, first runs and
// second runs together: so many share a process, and about half of them a line.
func BenchmarkExecOfMany(b *testing.B) {
	for _, experiments := range []int{1, 20, 100} {
		for name, argv := range map[string]func() []string{"go": func() []string { return programtest.Argv("many", "1") }, "python": func() []string { return pythonMany(b) }} {
			b.Run(fmt.Sprintf("%s-%d", name, experiments), func(b *testing.B) {
				const rounds = 2000
				program, asked := argv(), 0
				for b.Loop() {
					for _, c := range tellMany(b, program, ", parameters: {c: 2.0}", experiments, rounds) {
						if c.Matched != c.Rounds {
							b.Fatalf("%+v, %+v", c, c.Program.Failure)
						}
						asked += int(c.Rounds + c.Program.Again.Rounds)
					}
				}
				b.ReportMetric(float64(asked)/b.Elapsed().Seconds(), "rounds/s")
			})
		}
	}
}
