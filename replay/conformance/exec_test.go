package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/accounting"
	"banditaudit/replay/conformance/programreplay"
	"banditaudit/replay/ledger"
	"banditaudit/replay/program/programtest"
	"banditaudit/schemas"
)

func TestMain(m *testing.M) { programtest.Main(m, actProgram) }

// learner is a policy over three arms: UCB1 or ε-greedy with a generator of its own.
type learner struct {
	kind string
	n, s [3]float64
	draw *rand.Rand
}

func newLearner(kind string, seed uint64) *learner {
	return &learner{kind: kind, draw: rand.New(rand.NewPCG(seed, 3))}
}

func (l *learner) learn(arm int, y float64) { l.n[arm]++; l.s[arm] += y }

// decide returns the arm and the propensities.
func (l *learner) decide() (int, []float64) {
	best, top, n := 0, math.Inf(-1), l.n[0]+l.n[1]+l.n[2]
	for a := range 3 {
		v := math.Inf(1)
		if l.n[a] > 0 {
			v = l.s[a] / l.n[a]
			if l.kind != "greedy" {
				v += math.Sqrt(2 * math.Log(n) / l.n[a])
			}
		}
		if v > top {
			best, top = a, v
		}
	}
	p := []float64{0, 0, 0}
	p[best] = 1
	if l.kind == "greedy" {
		p = []float64{0.1, 0.1, 0.1}
		p[best] = 0.8
		if u := l.draw.Float64(); u >= 0.7 {
			best = min(2, int((u-0.7)*10))
		}
	}
	return best, p
}

// actProgram is the program: a kind, and the seed or what it reads.
func actProgram(args []string) {
	kind := args[0]
	if strings.HasPrefix(kind, "many") {
		actMany(kind)
		return
	}
	seed, _ := strconv.ParseUint(args[len(args)-1], 10, 64)
	if kind == "unseeded" {
		seed, kind = uint64(os.Getpid()), "greedy"
	}
	l := newLearner(kind, seed)
	var parrot []int
	if kind == "parrot" {
		b, err := os.ReadFile(args[1])
		if err == nil {
			err = json.Unmarshal(b, &parrot)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
	}
	var want []string
	programtest.Lines(func(line []byte) []byte {
		var m struct {
			K    string      `json:"k"`
			N    int64       `json:"n"`
			L    [][]float64 `json:"l"`
			D    [][]float64 `json:"d"`
			Want []string    `json:"want"`
		}
		if json.Unmarshal(line, &m) != nil {
			return nil
		}
		out := map[string]any{"k": "bye"}
		switch m.K {
		case "start":
			want, out = m.Want, map[string]any{"k": "ready", "program": "test", "version": "2", "forced": kind != "free"}
		case "step":
			for _, y := range m.L {
				l.learn(int(y[1]), y[2])
			}
			arms, all := []int{}, [][]float64{}
			for _, d := range m.D {
				arm, p := l.decide()
				switch {
				case parrot != nil:
					arm = parrot[int(d[0])-1]
				case kind == "crash" && d[0] == 50:
					os.Exit(4)
				case kind == "other" && d[0] == 70:
					arm = (arm + 1) % 3
				}
				arms, all = append(arms, arm), append(all, p)
			}
			out = map[string]any{"k": "step", "n": m.N}
			if slices.Contains(want, "arm") {
				out["a"] = arms
			}
			if slices.Contains(want, "propensities") {
				out["p"] = all
			}
		}
		b, _ := json.Marshal(out)
		return b
	})
}

// learned is a log of a learner that learns every so many rounds; a reward is known so many rounds
// later.
func learned(kind string, n, every, delay int) *tableau.Batch {
	l, coin := newLearner(kind, 1), rand.New(rand.NewPCG(9, 9))
	b := &tableau.Batch{}
	shown := 0
	for t := range n {
		if t%every == 0 {
			for ; shown+delay < t; shown++ {
				l.learn(int(b.Arm[shown]), b.Reward[shown])
			}
		}
		arm, p := l.decide()
		y := float64(b2i(coin.Float64() < []float64{0.3, 0.5, 0.6}[arm]))
		b.Experiment, b.Round, b.Arm, b.Reward = append(b.Experiment, 0), append(b.Round, int64(t+1)), append(b.Arm, int32(arm)), append(b.Reward, y)
		b.Propensity = append(b.Propensity, p[arm])
		if delay > 0 {
			known := int64(t + 1 + delay)
			if known > int64(n) {
				known = tableau.NeverKnown
			}
			b.RewardRound = append(b.RewardRound, known)
		}
	}
	return b
}

// told is a run of a program over a log, and the book of it.
type told struct {
	out  schemas.Conformance
	book *ledger.Disclosures
	said string
}

// tell runs the program that exec names (by a policy in YAML without exec) over a log.
func tell(tb testing.TB, b *tableau.Batch, argv []string, keys string, allowed bool) told {
	tb.Helper()
	list, _ := json.Marshal(argv)
	order := ""
	if b.RewardRound != nil {
		order = ", reward_order: w"
	}
	source := fmt.Sprintf("version: 1\nexperiment: {id: x}\nlog: {order: [t], action: a, reward: r%s}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {exec: %s%s}\n", order, list, keys)
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte(source))
	if err != nil {
		tb.Fatal(err)
	}
	d, err := Declare(replay.Standard(), &doc.Protocol, doc.Protocol.Arms)
	if err != nil {
		tb.Fatal(err)
	}
	r := told{book: &ledger.Disclosures{}}
	if allowed {
		d.Programs = &programreplay.Programs{Dir: filepath.Dir(argv[len(argv)-1]), Lookup: os.LookupEnv, Said: func(_, _, last string) { r.said = last }}
	}
	s := slice(tb, tableau.Schema{Propensity: b.Propensity != nil, RewardRound: b.RewardRound != nil, Arms: 3, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "x", Rows: int64(len(b.Arm))}}}, b)
	x, err := d.Run(context.Background(), s, r.book, nil)
	if err != nil {
		tb.Fatal(err)
	}
	r.out = x.Conformance
	return r
}

// without is a log without propensities.
func without(b *tableau.Batch) *tableau.Batch {
	b.Propensity = nil
	return b
}

// Honest programs answer every action, whatever the policy may see when, and answer
// otherwise where rewards are others.
func TestExecOfHonestPrograms(t *testing.T) {
	for _, tc := range []struct {
		name, kind   string
		every, delay int
		keys         string
	}{
		{"UCB1", "ucb1", 1, 0, ""},
		{"epsilon-greedy with its seed", "greedy", 1, 0, ""},
		{"batches of ten", "ucb1", 10, 0, ", update: {every: 10}"},
		{"late rewards", "ucb1", 1, 7, ""},
		{"late rewards in batches", "greedy", 10, 7, ", update: {every: 10}"},
	} {
		r := tell(t, without(learned(tc.kind, 1500, tc.every, tc.delay)), programtest.Argv(tc.kind, "1"), tc.keys, true)
		c := r.out
		if c.Mode != schemas.ModeExec || c.Program.Failure != nil || c.Replayable != 1500 || c.Matched != 1500 || c.FirstMismatch != nil {
			t.Errorf("%s: %+v, %+v, %s", tc.name, c, c.Program.Failure, r.said)
			continue
		}
		if a := c.Program.Again; a.Before != nil || a.From == nil || *a.From < 750 || a.Later == 0 && *a.Mirrored == 0 || c.Program.Unmoved() {
			t.Errorf("%s, again: %+v", tc.name, a)
		}
		if c.Program.Purpose == "" || len(r.book.List()) != 1 {
			t.Errorf("%s: booked %v", tc.name, r.book.List())
		}
	}
}

// What is not the policy of the log is found, and what cannot be held says why.
func TestExecOfOtherPrograms(t *testing.T) {
	ucb := without(learned("ucb1", 600, 1, 0))
	file := filepath.Join(t.TempDir(), "log.json")
	b, _ := json.Marshal(ucb.Arm)
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if c := tell(t, ucb, programtest.Argv("parrot", file), "", true).out; c.Matched != 600 || !c.Program.Unmoved() || len(c.Program.Files) != 1 {
		t.Errorf("a program that reads the log: %+v, %+v", c.Program, c.Program.Again)
	}
	if c := tell(t, ucb, programtest.Argv("other", "1"), "", true).out; c.FirstMismatch == nil || c.FirstMismatch.Round != 70 || c.Matched != 599 {
		t.Errorf("another action: %+v", c)
	}
	if c := tell(t, ucb, programtest.Argv("greedy", "1"), "", true).out; c.FirstMismatch == nil {
		t.Error("another policy is not found")
	}
	if c := tell(t, ucb, programtest.Argv("unseeded", "1"), "", true).out; c.Program.Again == nil || c.Program.Again.Before == nil {
		t.Errorf("a program that draws anew each time: %+v", c.Program.Again)
	}
	r := tell(t, ucb, programtest.Argv("crash", "1"), "", true)
	if f := r.out.Program.Failure; f == nil || f.Cause != "ended" || f.Round == nil || *f.Round != 50 || r.out.Replayable != 0 || r.out.Program.Again != nil {
		t.Errorf("a crash: %+v", r.out)
	}
	r = tell(t, ucb, programtest.Argv("ucb1", "1"), "", false)
	if f := r.out.Program.Failure; f == nil || f.Cause != NotAllowed || len(r.book.List()) != 0 {
		t.Errorf("without permission: %+v", f)
	}
	r = tell(t, ucb, programtest.Argv("ucb1", "1"), ", reads_rewards: false", true)
	if len(r.book.List()) != 0 || r.out.Program.Purpose != "" || r.out.FirstMismatch == nil {
		t.Errorf("a program that is handed no rewards: %+v, booked %v", r.out, r.book.List())
	}
}

// Propensities are compared with the logged ones, and where none are logged the actions are
// wagered on.
func TestExecOfPropensities(t *testing.T) {
	const keys = ", gives: propensities"
	log := learned("greedy", 2000, 1, 0)
	c := tell(t, log, programtest.Argv("greedy", "1"), keys, true).out
	if p := c.Propensities; p == nil || p.Rounds != 2000 || p.Matched != 2000 || c.Matched != 2000 || c.Law != nil {
		t.Errorf("%+v", c)
	}
	log.Propensity[300] = 0.5
	if p := tell(t, log, programtest.Argv("greedy", "1"), keys, true).out.Propensities; p.FirstMismatch == nil || p.FirstMismatch.Round != 301 || p.Matched != 1999 {
		t.Errorf("%+v", p)
	}
	c = tell(t, without(log), programtest.Argv("greedy", "1"), keys, true).out
	if c.Law == nil || c.Law.Rounds != 2000 || c.Law.Allocation.Rejected || c.FirstMismatch != nil || c.Matched != 2000 {
		t.Errorf("%+v, %+v", c, c.Law)
	}
	for i := range log.Arm {
		if i%3 == 0 {
			log.Arm[i] = 0
		}
	}
	if c = tell(t, log, programtest.Argv("greedy", "1"), keys, true).out; !c.Law.Allocation.Rejected {
		t.Errorf("other actions: %+v", c.Law)
	}
	c = tell(t, learned("greedy", 500, 1, 0), programtest.Argv("greedy", "1"), ", gives: both", true).out
	if c.Matched != 500 || c.Propensities.Matched != 500 {
		t.Errorf("both: %+v", c)
	}
}

// A context that ends is the error, and no failure of the program.
func TestExecIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte("version: 1\nexperiment: {id: x}\nlog: {order: [t], action: a, reward: r}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {exec: [sleep, 60]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := without(learned("ucb1", 10, 1, 0))
	s := slice(t, tableau.Schema{Arms: 3, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "x", Rows: 10}}}, b)
	d := &Declared{From: replay.Standard(), Declared: accounting.Declared{Protocol: &doc.Protocol, Arms: doc.Protocol.Arms}, Programs: &programreplay.Programs{Dir: ".", Lookup: os.LookupEnv}}
	if _, err := d.Run(ctx, s, &ledger.Disclosures{}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// policyInPython is UCB1 as learner has it, on the copied client.
const policyInPython = `import math, os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from serve import serve

class UCB1:
    def __init__(self, start):
        print("a library prints this")
        self.n, self.s = [0] * len(start["arms"]), [0.0] * len(start["arms"])
        self.c = start["parameters"]["c"]

    def learn(self, t, arm, reward, p):
        self.n[arm] += 1
        self.s[arm] += reward

    def decide(self, t, x, eligible):
        n = sum(self.n)
        v = [s / k + math.sqrt(self.c * math.log(n) / k) if k else math.inf for s, k in zip(self.s, self.n)]
        return v.index(max(v))

serve(UCB1, "ucb1 in Python", "3")
`

// The client of testdata/clients serves a policy in Python, whatever that prints.
func TestExecOfPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not there")
	}
	dir := t.TempDir()
	client, err := os.ReadFile(filepath.Join("..", "..", "testdata", "clients", "serve.py"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"serve.py": string(client), "ucb1.py": policyInPython} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := tell(t, without(learned("ucb1", 1000, 1, 0)), []string{python, filepath.Join(dir, "ucb1.py")}, ", parameters: {c: 2.0}", true)
	if c := r.out; c.Matched != 1000 || c.Program.Program != "ucb1 in Python" || c.Program.Again.Later == 0 || len(c.Program.Files) != 1 || strings.Contains(r.said, "Error") {
		t.Errorf("%+v, %+v: %s", c.Program, c.Program.Failure, r.said)
	}
}

// Rounds per second of all runs together, with so many rounds in a line.
func BenchmarkExec(b *testing.B) {
	for _, each := range []int{1, 10, 100} {
		b.Run(strconv.Itoa(each), func(b *testing.B) {
			const n = 100_000
			log := without(learned("ucb1", n, each, 0))
			for b.Loop() {
				if c := tell(b, log, programtest.Argv("ucb1", "1"), fmt.Sprintf(", update: {every: %d}", each), true).out; c.Matched != n {
					b.Fatalf("%+v, %+v", c, c.Program.Failure)
				}
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "rounds/s")
		})
	}
}
