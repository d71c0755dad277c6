package rerandomize

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/randomization"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/replay/conformance/programreplay"
	"banditaudit/replay/ledger"
	"banditaudit/replay/program"
	"banditaudit/schemas"
)

// actor is a program in this process: UCB1 with c = 2, or ε-greedy of 0.2 by propensities.
// ready is what it says of itself, and wrong what it does from its third process on.
type actor struct {
	ready, wrong string
	greedy       bool
	parrot       []int32 // what it answers; nil: what it chooses
	states, kept map[int]*actorState
	begun        *int // processes
	lines        *[]string
	dir          string // of a program that is one
}

type actorState struct {
	n, s  [3]float64
	asked int
}

func (a *actor) Close([]byte) error { return nil }
func (a *actor) Stderr() string     { return "last words" }

// step is what an actor understands of a line.
type step struct {
	K string
	N int64
	S *int
	L [][]float64
	D []json.RawMessage
}

func (a *actor) Exchange(line []byte) ([]byte, error) {
	var m step
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, err
	}
	*a.lines = append(*a.lines, string(line))
	s := 0
	if m.S != nil {
		s = *m.S
	}
	switch m.K {
	case "start":
		a.states[s] = &actorState{}
		return fmt.Appendf(nil, `{"k":"ready","s":%d,%s}`, s, a.ready), nil
	case "snapshot", "restore":
		from, to := a.states, a.kept
		if m.K == "restore" {
			from, to = to, from
		}
		copied := *from[0]
		to[0] = &copied
		return []byte(`{"k":"ok"}`), nil
	case "end":
		return fmt.Appendf(nil, `{"k":"bye","s":%d}`, s), nil
	}
	many := strings.Contains(a.ready, "many")
	of := func(entry []float64) (*actorState, []float64) {
		if !many {
			return a.states[0], entry
		}
		if a.wrong == "leak" && *a.begun > 2 {
			entry[0] = 0
		}
		return a.states[int(entry[0])], entry[1:]
	}
	for _, l := range m.L {
		x, entry := of(l)
		x.n[int(entry[1])]++
		x.s[int(entry[1])] += entry[2]
	}
	var stamps []int
	out := map[string]any{"k": "step", "n": m.N}
	arms, all := []int{}, [][]float64{}
	for _, raw := range m.D {
		var d []float64
		if json.Unmarshal(raw, &d) != nil { // an object: what it says is not looked at
			d = []float64{0}
		}
		stamps = append(stamps, int(d[0]))
		x, entry := of(d)
		if a.wrong == "crash" && *a.begun > 2 && entry[0] == 50 {
			return nil, &program.Failure{Cause: program.CauseEnded, What: "ended without an answer"}
		}
		arm := x.best(!a.greedy)
		if a.parrot != nil {
			arm = int(a.parrot[x.asked])
		}
		x.asked++
		arms = append(arms, arm)
		p := []float64{.2 / 3, .2 / 3, .2 / 3}
		p[arm] += .8
		all = append(all, p)
	}
	if out["a"] = arms; a.greedy {
		delete(out, "a")
		out["p"] = all
	}
	if many {
		out["s"] = stamps
	}
	return json.Marshal(out)
}

func (x *actorState) best(bonus bool) int {
	best, top, n := 0, math.Inf(-1), x.n[0]+x.n[1]+x.n[2]
	for a := range 3 {
		v := 0.
		if bonus {
			v = math.Inf(1)
		}
		if x.n[a] > 0 {
			v = x.s[a] / x.n[a]
			if bonus {
				v += math.Sqrt(2 * math.Log(n+1) / x.n[a])
			}
		}
		if v > top {
			best, top = a, v
		}
	}
	return best
}

// asProgram declares that the policy of a log is a program, holds the log against it, and
// says what came of it. lines are all that it was sent.
func (s *Subject) asProgram(t *testing.T, source string, a actor) (out *Subject, lines *[]string) {
	t.Helper()
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	d, err := conformance.Declare(replay.Standard(), &doc.Protocol, s.Facts.Manifest.Arms)
	if err != nil {
		t.Fatal(err)
	}
	a.lines, a.begun = new([]string), new(int)
	d.Programs = &programreplay.Programs{Lookup: os.LookupEnv, Start: func(context.Context, program.Command) (program.Running, error) {
		*a.begun++
		own := a
		own.states, own.kept = map[int]*actorState{}, map[int]*actorState{}
		return &own, nil
	}}
	if a.dir != "" {
		d.Programs = &programreplay.Programs{Lookup: os.LookupEnv, Dir: a.dir}
	}
	log := publiclog.New(d, s.Facts.Manifest, 0, s.Facts.Slice)
	out = &Subject{Facts: &publiclog.Facts{Log: &log}, Protocol: log.Protocol, Book: &ledger.Disclosures{}, Verdict: schemas.Verified}
	x, err := d.Run(t.Context(), s.Facts.Slice, out.Book, nil)
	if err != nil || x.Conformance.Program.Failure != nil || x.Conformance.Matched != x.Conformance.Rounds {
		t.Fatalf("%+v, %v", x.Conformance, err)
	}
	out.Replay = &x.Conformance
	return out, a.lines
}

const (
	programSource = "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {order: [round], action: action, reward: reward%s}\narms: [a, b, c]\nreward: {range: [0, 1]}\n%s\nanalysis: {chosen: before}\n"
	ucbSource     = "policy: {name: ucb, width: {c: 2}}\ncounter: {name: exact}"
	saysMany      = `"many":true`
	saysSnapshot  = `"snapshot":true`
)

// UCB1 as a program, by many and by snapshot, gives the runs of the built-in one, whatever
// the number of jobs; and what it was handed is booked.
func TestRerunProgram(t *testing.T) {
	t.Parallel()
	s := simulated(t, fmt.Sprintf(programSource, "", ucbSource), &world.Spec{Means: []float64{.5, .5, .5}, Rounds: 200, CreatedBy: "test"})
	s.Verdict = schemas.Verified
	want, err := s.Rerun(t.Context(), Question{ID: "E"})
	if err != nil || !want.Result.Applicable {
		t.Fatalf("%+v, %v", want, err)
	}
	var booked []ledger.Booking
	for _, ready := range []string{saysMany, saysSnapshot, saysMany + "," + saysSnapshot} {
		for jobs := range 2 {
			x, _ := s.asProgram(t, fmt.Sprintf(programSource, "", "policy: {exec: [prog]}"), actor{ready: ready})
			x.Facts.Jobs = jobs + 1
			got, err := x.Rerun(t.Context(), Question{ID: "E"})
			if err != nil || got.Runs != want.Runs || got.LogP != want.LogP || !strings.Contains(got.Result.Reason, "made again by a process of its own") {
				t.Errorf("%s: %+v, want %+v (%v)", ready, got, want.Runs, err)
			}
			booked = x.Book.List()
		}
	}
	if len(booked) != 2 || booked[1].Purpose != "test:E:rerun:exec prog" || booked[1].Rows != 200 {
		t.Errorf("booked %+v", booked)
	}
}

// UCB1 on the client of testdata/clients gives the runs of the built-in one.
func TestRerunProgramInPython(t *testing.T) {
	t.Parallel()
	client, err := os.ReadFile("../../../testdata/clients/serve.py")
	python, absent := exec.LookPath("python3")
	if err != nil || absent != nil {
		t.Skip("no python3", err)
	}
	s := simulated(t, fmt.Sprintf(programSource, "", ucbSource), &world.Spec{Means: []float64{.5, .5, .5}, Rounds: 100, CreatedBy: "test"})
	s.Verdict = schemas.Verified
	want, err := s.Rerun(t.Context(), Question{ID: "E"})
	if err != nil || !want.Result.Applicable {
		t.Fatalf("%+v, %v", want, err)
	}
	for _, says := range []string{"many", "snapshot"} {
		dir := t.TempDir()
		for name, text := range map[string]string{"serve.py": string(client), "ucb1.py": ucbInPython + "serve(UCB1, " + says + "=True)\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		x, _ := s.asProgram(t, fmt.Sprintf(programSource, "", "policy: {exec: ["+python+", ucb1.py]}"), actor{dir: dir})
		if got, err := x.Rerun(t.Context(), Question{ID: "E"}); err != nil || got.Runs != want.Runs {
			t.Errorf("%s: %+v, want %+v (%v)", says, got, want.Runs, err)
		}
	}
}

const ucbInPython = `import math
from serve import serve


class UCB1:
    def __init__(self, start):
        self.n, self.s = [0] * 3, [0.0] * 3

    def decide(self, round, x, eligible):
        if 0 in self.n:
            return self.n.index(0)
        t = sum(self.n) + 1
        v = [s / n + math.sqrt(2 * math.log(t) / n) for s, n in zip(self.s, self.n)]
        return v.index(max(v))

    def learn(self, round, arm, reward, p):
        self.n[arm] += 1
        self.s[arm] += reward


`

// What a program does wrong in its runs ends the choice between methods, with the round; one
// that cannot be run again leaves it to the next.
func TestRerunProgramWrong(t *testing.T) {
	t.Parallel()
	s := simulated(t, fmt.Sprintf(programSource, "", ucbSource), &world.Spec{Means: []float64{.4, .5, .6}, Rounds: 120, CreatedBy: "test"})
	for _, c := range []struct {
		ready, wrong, keys, want string
		final                    bool
	}{
		{saysMany, "crash", "", "NOT RUN: the program (policy.exec) ended without an answer, in round 50", true},
		{saysSnapshot, "crash", "", "in round 50", true},
		{saysMany, "leak", "", "NOT RUN: the program (policy.exec) answers otherwise in a process of its own", true},
		{`"forced":true`, "", "", "neither many nor snapshot", false},
		{saysMany, "", "rerun: {permute: none}", "gives arms (policy.gives), so that every run", false},
	} {
		source := strings.Replace(fmt.Sprintf(programSource, "", "policy: {exec: [prog]}"), "chosen: before", "chosen: before, "+c.keys, 1)
		x, _ := s.asProgram(t, source, actor{ready: c.ready, wrong: c.wrong})
		got, err := x.Rerun(t.Context(), Question{ID: "E"})
		if err != nil || got.Result.Applicable || got.Final != c.final || !strings.Contains(got.Result.Reason, c.want) {
			t.Errorf("%s, %s: %+v, %v", c.ready, c.wrong, got, err)
		}
	}
	x, _ := s.asProgram(t, fmt.Sprintf(programSource, "", "policy: {exec: [prog]}"), actor{ready: saysMany})
	if x.Facts.Declared.Programs = nil; !strings.Contains(x.againstRerun(Question{}), "--allow-exec") {
		t.Error(x.againstRerun(Question{}))
	}
}

// On the records in their order, a run that plays the logged arms is sent what the replay of
// the log is sent: with delays, updates, batches, contexts, and where not every arm can be
// played.
func TestRerunProgramIsShownTheLog(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		log, keys string
		spec      world.Spec
	}{
		{"", "", world.Spec{}},
		{"", ", reads_rewards: false", world.Spec{}},
		{", reward_order: reward_order", ", update: {every: 9}", world.Spec{Delay: world.Delay{Mean: 7}, Never: .05}},
		{", batch: batch", ", update: batch", world.Spec{Batch: 7}},
		{", context: [x0, x1]", "", world.Spec{ContextDim: 2}},
		{", eligible: eligible, eligible_by: schedule, reward_order: reward_order", "", world.Spec{Eligible: .7, Delay: world.Delay{Mean: 3}}},
	} {
		c.spec.Rounds, c.spec.CreatedBy, c.spec.Means = 200, "test", []float64{.3, .4, .5}
		s := simulated(t, fmt.Sprintf(programSource, c.log, "policy: {name: uniform}"), &c.spec)
		records, err := s.readRerunRecords(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		x, lines := s.asProgram(t, fmt.Sprintf(programSource, c.log, "policy: {exec: [prog]"+c.keys+"}"), actor{ready: saysSnapshot, parrot: records.arm})
		first := steps(*lines)
		if records, err = x.readRerunRecords(t.Context()); err == nil {
			err = x.readRewards(t.Context(), records, "test")
		}
		order := make([]int32, records.rounds())
		for i := range order {
			order[i] = int32(i)
		}
		e := &programreplay.Experiment{Context: t.Context(), Slice: x.Facts.Slice, Protocol: x.Protocol, Arms: x.Facts.Manifest.Arms, Programs: x.Facts.Declared.Programs}
		free, failed := e.Free(newRerunProgram(t.Context(), x.Protocol.Program, records), x.Replay.Program)
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		*lines = nil
		err = free.PlayAll([][]int32{order}, []rand.Source{rand.NewPCG(1, 1)}, func(_, row, arm int) {
			if arm != int(records.arm[row]) {
				t.Errorf("row %d", row)
			}
		})
		if again := steps(*lines); err != nil || again != first || free.Close() != nil {
			t.Errorf("%s%s: %v, sent\n%.600s\nwhere the replay sends\n%.600s", c.log, c.keys, err, again, first)
		}
	}
}

// steps are the lines of a run that come first.
func steps(lines []string) string {
	first := ""
	for _, l := range lines {
		if strings.HasPrefix(l, `{"k":"step","n":1,`) && first != "" {
			break
		}
		if strings.HasPrefix(l, `{"k":"step"`) {
			first += l
		}
	}
	return first
}

// Where arms pay alike, ε-greedy that answers propensities is found unlike in no more than the
// level of the logs; where they do not, it is found.
func TestRerunProgramLevel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a second")
	}
	for _, c := range []struct {
		means       []float64
		least, most int
		permute     string
	}{{[]float64{.5, .5, .5}, 0, 6, "{blocks: 10}"}, {[]float64{.5, .5, .5}, 0, 6, "none"}, {[]float64{.1, .5, .9}, 28, 40, "{blocks: 10}"}} {
		rejected := 0
		for i := range 40 {
			s := simulated(t, fmt.Sprintf(programSource, "", "policy: {name: epsilon-greedy, explore: 0.2, start: none}\ncounter: {name: exact}"), &world.Spec{Means: c.means, Rounds: 40, CreatedBy: "test", Master: replay.Seed(int64(i))})
			source := strings.Replace(fmt.Sprintf(programSource, "", "policy: {exec: [prog], gives: propensities}"), "chosen: before", "chosen: before, rerun: {draws: 99, permute: "+c.permute+"}", 1)
			x, _ := s.asProgram(t, source, actor{ready: saysMany, greedy: true})
			x.Verdict, x.Facts.Seed = schemas.Consistent, int64(i)
			got, err := x.Rerun(t.Context(), Question{ID: "E"})
			if err != nil || !got.Result.Applicable {
				t.Fatalf("%+v, %v", got.Result, err)
			}
			if *got.Result.P <= .05 {
				rejected++
			}
		}
		if rejected < c.least || rejected > c.most {
			t.Errorf("means %v, permute %s: %d of 40 logs rejected at .05", c.means, c.permute, rejected)
		}
	}
}

var _ randomization.Fleet = rerunProgram{}
