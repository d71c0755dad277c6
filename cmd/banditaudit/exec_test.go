package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// softProgram answers 1/(1 + exp(.05·(S_a − S_b))) as the propensity of b, by the sums of the
// rewards before the last 50 rounds; or, as arm, the likelier one.
const softProgram = `import math
from serve import serve
class Soft:
    def __init__(self, start):
        self.sums, self.shown, self.arms = [0, 0], [0, 0], start["want"] == ["arm"]
    def decide(self, round, x, eligible):
        if (round - 1) % 50 == 0:
            self.shown = list(self.sums)
        b = .1 + .8 / (1 + math.exp(.05 * (self.shown[0] - self.shown[1])))
        return int(b > .5) if self.arms else [1 - b, b]
    def learn(self, round, arm, reward, p):
        self.sums[arm] += reward
serve(Soft, many=True)
`

const softExec = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [t], action: arm, reward: y, batch: b, context: [x]}
arms: [a, b]
reward: {range: [0, 1]}
policy: {exec: [python3, soft.py], gives: %s, update: batch}
analysis: {chosen: before, rerun: {draws: 99}, tests: [{id: D, equal: all}]}
`

type softRow struct {
	T   int64   `parquet:"t"`
	B   int64   `parquet:"b"`
	Arm string  `parquet:"arm"`
	Y   float64 `parquet:"y"`
	X   float64 `parquet:"x"`
}

// softLog is a log of the program. Arms pay alike given x. Where follows is true the arm is
// drawn by x, so that it has the propensities that the program answers over all rounds, and
// others given x.
func softLog(draw *rand.Rand, follows bool) []softRow {
	var sums, shown [2]float64
	out := make([]softRow, 600)
	for i := range out {
		if i%50 == 0 {
			shown = sums
		}
		b, x, arm, y := .1+.8/(1+math.Exp(.05*(shown[0]-shown[1]))), draw.Float64(), 0, 0.0
		u := x
		if !follows {
			u = draw.Float64()
		}
		if u < b {
			arm = 1
		}
		if draw.Float64() < .8-.6*math.Round(x) {
			y = 1
		}
		sums[arm] += y
		out[i] = softRow{int64(i + 1), int64(i / 50), string("ab"[arm]), y, x}
	}
	return out
}

// TestAnsweredPropensities: what a program answers is held against the arms by H05 and H17
// before it is run again, so that arms that follow a context are not taken for arms that pay
// otherwise.
func TestAnsweredPropensities(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not there")
	}
	draw := rand.New(rand.NewPCG(11, 7))
	for _, c := range []struct {
		follows bool
		gives   string
		exit    int
		verdict schemas.Verdict
		decided string
	}{
		{false, "propensities", kit.ExitOK, schemas.Consistent, schemas.MethodRerun},
		{true, "propensities", kit.ExitExceptions, schemas.Violated, ""},
		{false, "arm", kit.ExitExceptions, schemas.Violated, ""},
	} {
		dir := t.TempDir()
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("soft.py", softProgram)
		write("serve.py", fileText(t, "testdata/clients/serve.py"))
		write("p.yaml", fmt.Sprintf(softExec, c.gives))
		log, out := filepath.Join(dir, "log.parquet"), filepath.Join(dir, "out")
		if err := parquet.WriteFile(log, softLog(draw, c.follows)); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := run(t, "audit", "--allow-exec", "-p", filepath.Join(dir, "p.yaml"), "-o", out, log)
		if code != c.exit {
			t.Fatalf("%+v: exit %d\n%s%s", c, code, stdout, stderr)
		}
		got := answers(readResults(t, filepath.Join(out, "results.json")))
		if v := got.verdicts[schemas.KindConformance]; v != string(c.verdict) || got.decidedBy["D"] != c.decided {
			t.Errorf("%+v: %s (%s), decided by %q", c, v, got.reasons[schemas.KindConformance], got.decidedBy["D"])
		}
	}
}
