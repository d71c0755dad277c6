package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"banditaudit/replay/program/programtest"
)

// The test binary plays the program where its first argument says so.
func TestMain(m *testing.M) {
	programtest.Main(m, func(args []string) { act(args[0]) })
}

// act answers arm 0, and does something wrong from step 3 on.
func act(kind string) {
	ended := false
	programtest.Lines(func(line []byte) []byte {
		var m struct {
			K string            `json:"k"`
			N int64             `json:"n"`
			D []json.RawMessage `json:"d"`
		}
		if ended || json.Unmarshal(line, &m) != nil {
			return nil
		}
		answer := fmt.Sprintf(`{"k":"step","n":%d,"a":[0%s]}`, m.N, strings.Repeat(",0", max(0, len(m.D)-1)))
		switch m.K {
		case "start":
			answer = `{"k":"ready","program":"test","version":"1"}`
		case "end":
			answer, ended = `{"k":"bye"}`, true
		}
		if m.N >= 3 {
			answer = wrong(kind, answer)
		}
		return []byte(answer)
	})
}

func wrong(kind, answer string) string {
	switch kind {
	case "slow":
		time.Sleep(time.Minute)
	case "crash":
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(3)
	case "banner":
		return "hello"
	case "number":
		return `{"k":"step","n":1,"a":[0]}`
	case "many":
		return `{"k":"step","n":3,"a":[0,0]}`
	case "arm":
		return `{"k":"step","n":3,"a":[7]}`
	case "error":
		return `{"k":"error","message":"no such arm"}`
	case "blank":
		return "\n\n" + answer
	case "long":
		return strings.Repeat("x", MostLine+10)
	case "memory":
		held := make([]byte, 256<<20)
		for i := range held {
			held[i] = 1
		}
		time.Sleep(time.Minute)
		fmt.Fprint(os.Stderr, held[5])
	case "child":
		c := exec.Command("sleep", "77") // its own output is nobody's, so that it outlives a closed pipe
		if c.Start() == nil {
			fmt.Fprintf(os.Stderr, "%d\n", c.Process.Pid)
		}
	case "twice":
		return answer + "\n" + answer
	case "detached", "cleared":
		if !detached() {
			detach(kind == "cleared")
		}
	}
	return answer
}

// detached reports whether this program has detached a process already.
func detached() bool {
	_, err := os.Stat("detached")
	return err == nil || os.WriteFile("detached", nil, 0o600) != nil
}

// detach leaves a process in a session of its own behind, whose parent is gone, and says which:
// with the environment of the program, or with none, and then only after a moment.
func detach(cleared bool) {
	script := `cd /; setsid sleep 78 >/dev/null 2>&1 </dev/null & echo $! >&2`
	if cleared {
		script = `cd /; env -i setsid sleep 78 >/dev/null 2>&1 </dev/null & echo $! >&2; sleep 0.3`
	}
	c := exec.Command("/bin/sh", "-c", script)
	c.Stderr = os.Stderr
	_ = c.Run() // what is not there is seen by what does not live
}

// begin starts the test binary as a program of a kind.
func begin(ctx context.Context, tb testing.TB, kind string, c Command) (*Process, *Session) {
	tb.Helper()
	c.Argv, c.Env = programtest.Argv(kind), Environment(os.LookupEnv, nil)
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.Memory == 0 {
		c.Memory = 2 << 30
	}
	c.First = time.Minute
	p, err := Start(ctx, c)
	if err != nil {
		tb.Fatal(err)
	}
	s, ready, err := Begin(p, Opening{Arms: []string{"a", "b"}, Want: []string{WantArm}})
	if err != nil || ready.Program != "test" || !ready.Forced {
		tb.Fatal(ready, err)
	}
	return p, s
}

// ask asks for rounds until one fails.
func ask(s *Session, rounds int64) error {
	for t := range rounds {
		known := []Reward{{Round: max(1, t), Arm: 0, Value: 0.5, P: math.NaN()}}
		if _, err := s.Step(known, nil, []Decision{{Round: 10 + t, Batch: -1}}); err != nil {
			return err
		}
	}
	return nil
}

// alive reports whether a process is there and has not ended.
func alive(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !bytes.Contains(b, []byte(") Z "))
}

// Every failure is one typed error with its cause and the round; nothing is left behind.
func TestFailures(t *testing.T) {
	before := runtime.NumGoroutine()
	for kind, want := range map[string]Cause{
		"slow": CauseTime, "crash": CauseEnded, "banner": CauseMalformed, "number": CauseMalformed, "many": CauseMalformed,
		"twice": CauseMalformed, "detached": "", "cleared": "", "arm": CauseMalformed, "error": CauseRefused, "long": CauseMalformed, "memory": CauseMemory, "none": "", "blank": "", "child": "",
	} {
		c := Command{}
		switch kind {
		case "slow":
			c.Timeout = 300 * time.Millisecond
		case "memory":
			if runtime.GOOS != "linux" {
				continue
			}
			c.Memory = 128 << 20
		case "detached", "cleared":
			if runtime.GOOS != "linux" {
				continue
			}
		}
		p, s := begin(context.Background(), t, kind, c)
		err := ask(s, 5)
		f, ok := errors.AsType[*Failure](err)
		round := int64(12)
		if kind == "twice" { // which is seen before the next question
			round = 13
		}
		if want == "" && err != nil || want != "" && (!ok || f.Cause != want || f.Round != round) {
			t.Errorf("%s: %v, want %s in round %d", kind, err, want, round)
		}
		if kind == "twice" && !strings.Contains(err.Error(), "writes a line before a question was sent: \"{\\\"k\\\":\\\"step\\\",\\\"n\\\":3") {
			t.Errorf("%s: %v", kind, err)
		}
		if timed := kind == "twice" || kind == "number" || kind == "memory"; ok {
			if words, at := f.Lasting(); timed != (at == 0) || timed && strings.Contains(words, "step") || !timed && words != f.Words() {
				t.Errorf("%s: lasting are %q, round %d", kind, words, at)
			}
		}
		if err := p.Close(End()); err != nil {
			t.Error(err)
		}
		if alive(p.cmd.Process.Pid) {
			t.Errorf("%s: the program lives on", kind)
		}
		if _, err := os.Stat(p.dir); err == nil {
			t.Errorf("%s: its directory is there", kind)
		}
		switch text := p.Stderr(); kind {
		case "crash":
			if text != "out of luck\n" {
				t.Errorf("stderr is %q", text)
			}
		case "child", "detached", "cleared":
			pid, err := strconv.Atoi(strings.Fields(text + " x")[0])
			for range 100 {
				if kind == "child" && alive(pid) { // the others are waited for
					time.Sleep(10 * time.Millisecond)
				}
			}
			if err != nil || alive(pid) {
				t.Errorf("what the program started lives on: %s", text)
			}
		}
	}
	for range 100 {
		if runtime.NumGoroutine() > before {
			time.Sleep(10 * time.Millisecond)
		}
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, there were %d", n, before)
	}
}

// The first answer has a bound of its own, and a program that greets gives no answer.
func TestFirstAnswer(t *testing.T) {
	for argv, want := range map[string]Cause{"sleep 50": CauseTime, "echo hello; sleep 50": CauseMalformed} {
		p, err := Start(context.Background(), Command{Argv: []string{"/bin/sh", "-c", argv}, Timeout: time.Minute, First: 300 * time.Millisecond, Memory: 1 << 30})
		if err != nil {
			t.Skip(err)
		}
		_, _, err = Begin(p, Opening{Arms: []string{"a", "b"}, Want: []string{WantArm}})
		if f, ok := errors.AsType[*Failure](err); !ok || f.Cause != want {
			t.Errorf("%s: %v", argv, err)
		}
		if err := p.Close(nil); err != nil {
			t.Error(err)
		}
	}
}

// A context that ends kills the program at once.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p, s := begin(ctx, t, "slow", Command{})
	time.AfterFunc(100*time.Millisecond, cancel)
	if err := ask(s, 5); err == nil {
		t.Error("no error")
	}
	if err := p.Close(nil); err != nil || alive(p.cmd.Process.Pid) {
		t.Error("the program lives on", err)
	}
}

func TestNotStarted(t *testing.T) {
	_, err := Start(context.Background(), Command{Argv: []string{"/no/such/program"}, Timeout: time.Second, First: time.Second, Memory: 1 << 30})
	if f, ok := errors.AsType[*Failure](err); !ok || f.Cause != CauseStart {
		t.Error(err)
	}
}

// Files below the directory are absolute paths with digests; others stay as they are.
func TestResolve(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.py"), []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-4, B.1
	argv, files, err := Resolve(dir, []string{"python3", "p.py", "../p.py", "-x"}, map[string]string{"p.py": abc})
	if err != nil || argv[0] != "python3" || argv[1] != filepath.Join(dir, "p.py") || argv[2] != "../p.py" || len(files) != 1 || files[0].SHA256 != abc {
		t.Error(argv, files, err)
	}
	for _, also := range []map[string]string{{"p.py": abc[1:] + "0"}, {"q.py": abc}} {
		if _, _, err := Resolve(dir, []string{"p.py"}, also); err == nil {
			t.Error("no error of", also)
		}
	}
}

func TestEnvironment(t *testing.T) {
	lookup := func(name string) (string, bool) { return "x", name == "PATH" || name == "SECRET" || name == "KEY" }
	if got := strings.Join(Environment(lookup, []string{"KEY"}), " "); got != "PATH=x KEY=x OMP_NUM_THREADS=1 PYTHONHASHSEED=0" {
		t.Error(got)
	}
}

// recorder answers a script, and keeps what it was sent.
type recorder struct {
	answers []string
	sent    []string
}

func (r *recorder) Exchange(line []byte) ([]byte, error) {
	r.sent = append(r.sent, string(line))
	out := r.answers[0]
	r.answers = r.answers[1:]
	return []byte(out), nil
}

// Lines are those of the protocol.
func TestLines(t *testing.T) {
	r := &recorder{answers: []string{`{"k":"ready","forced":false}`, `{"k":"step","n":1,"a":[1,0]}`}}
	s, ready, err := Begin(r, Opening{Experiment: "e", Arms: []string{"a", "b"}, Want: []string{WantArm}})
	if err != nil || ready.Forced {
		t.Fatal(ready, err)
	}
	got, err := s.Step([]Reward{{1, 0, 0.1, math.NaN()}, {2, 1, 1e-7, 0.25}}, []Play{{3, 1}}, []Decision{
		{Round: 4, X: []byte(`{"u":1}`), Batch: -1}, {Round: 5, XByArm: []float64{1, 2}, Eligible: []bool{true, false}, Batch: 2},
	})
	want := `{"k":"step","n":1,"l":[[1,0,0.1],[2,1,1e-07,0.25]],"h":[[3,1]],"d":[[4,{"u":1}],{"round":5,"x_by_arm":[[1],[2]],"e":[0],"b":2}]}` + "\n"
	if err != nil || got.Arms[0] != 1 || r.sent[1] != want {
		t.Errorf("%v %v\n%s\n%s", got, err, r.sent[1], want)
	}
}

// Propensities are vectors over all arms whose sum is 1; an arm that could not be played has none.
func TestPropensities(t *testing.T) {
	for answer, fine := range map[string]bool{
		"[[0.5,0.5]]": true, "[[0.5,0.500002]]": false, "[[1.5,-0.5]]": false, "[[1]]": false, "[]": false, "[[0.5,0.5],[1,0]]": false,
	} {
		r := &recorder{answers: []string{`{"k":"ready"}`, `{"k":"step","n":1,"p":` + answer + `}`}}
		s, _, err := Begin(r, Opening{Arms: []string{"a", "b"}, Want: []string{WantPropensities}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Step(nil, nil, []Decision{{Round: 1, Batch: -1}}); (err == nil) != fine {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// Rounds per second, with so many of them in a line.
func BenchmarkSteps(b *testing.B) {
	for _, each := range []int{1, 10, 100} {
		b.Run(strconv.Itoa(each), func(b *testing.B) {
			p, s := begin(context.Background(), b, "none", Command{})
			known, ask := make([]Reward, each), make([]Decision, each)
			for i := range ask {
				known[i], ask[i] = Reward{Round: int64(i + 1), Arm: 1, Value: 0.25, P: math.NaN()}, Decision{Round: int64(i + 1), Batch: -1}
			}
			rounds := 0
			for b.Loop() {
				if _, err := s.Step(known, nil, ask); err != nil {
					b.Fatal(err)
				}
				rounds += each
			}
			b.ReportMetric(float64(rounds)/b.Elapsed().Seconds(), "rounds/s")
			if err := p.Close(End()); err != nil {
				b.Fatal(err)
			}
		})
	}
}
