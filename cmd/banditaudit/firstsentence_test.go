package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"banditaudit/cmd/kit"
	"banditaudit/ingest/hashassign"
	"banditaudit/schemas"
)

// firstAnswer is what the summary of an audit says was found wrong, in one line.
func firstAnswer(stdout string) string {
	_, rest, _ := strings.Cut(stdout, "Found wrong: ")
	said, _, _ := strings.Cut(rest, "\nArms: ")
	return strings.Join(strings.Fields(said), " ")
}

// countsHold holds what an audit says first against its replay: every number of things that
// fail is told as such, none that match is, and the numbers are those of the comparison.
func countsHold(t *testing.T, said string, r *schemas.Results) {
	t.Helper()
	x := &r.Experiments[0].Replay
	for i := range r.Claims {
		c := &r.Claims[i]
		for j := range c.Failing {
			f := &c.Failing[j]
			want := map[string]int64{schemas.FailingAction: x.Replayable - x.Matched, schemas.FailingImpossible: x.Replayable - x.Matched}
			if p := x.Propensities; p != nil {
				want[schemas.FailingPropensity] = p.Rounds - p.Matched
			}
			if rel := x.Released; rel != nil {
				want[schemas.FailingReleased], want[schemas.FailingRedrawn] = rel.Differ, rel.Changed
				if rel.Noise != nil {
					want[schemas.FailingOffGrid] = rel.Noise.OffGrid
				}
			}
			if n, known := want[f.Kind]; !known || n != f.Count || !strings.Contains(said, strings.ReplaceAll(f.Words(), "  ", " ")) {
				t.Errorf("%s: %d, want %d; %q is not in %q", f.Kind, f.Count, n, f.Words(), said)
			}
		}
	}
	found, _, _ := strings.Cut(said, "What fits: ") // an explanation tells how many it explains
	for _, good := range []int64{x.Matched, matchedPropensities(x)} {
		if good > 0 && good != x.Replayable-x.Matched && strings.Contains(found, schemas.Grouped(good)+" of ") {
			t.Errorf("%d that match are told as what is wrong: %q", good, said)
		}
	}
}

func matchedPropensities(c *schemas.Conformance) int64 {
	if p := c.Propensities; p != nil && 2*p.Matched != p.Rounds {
		return p.Matched
	}
	return 0
}

// playedRow is a row of the logs of this file. What a protocol does not name is not read.
type playedRow struct {
	Round    int64     `parquet:"round"`
	Action   string    `parquet:"action"`
	Reward   float64   `parquet:"reward"`
	P        float64   `parquet:"p"`
	All      []float64 `parquet:"all,list"`
	User     string    `parquet:"user"`
	Device   string    `parquet:"device"`
	Eligible []string  `parquet:"open,list"`
}

const tamperedRows = 400

// honestRows are rows of users who come once, and have the arm of their hash with weights of .5;
// a round goes to each device in turn.
func honestRows() []playedRow {
	hash, _ := hashassign.Named("growthbook-v2")
	ranges := hashassign.Ranges{Coverage: 1}
	rows := make([]playedRow, tamperedRows)
	for i := range rows {
		user := fmt.Sprintf("u%04d", i)
		arm := ranges.Arm(hash.Position("exp-1", user), hash.Steps, []float64{.5, .5})
		rows[i] = playedRow{
			Round: int64(i + 1), Action: string("ab"[arm]), Reward: float64(i * 7 % 10 / 5), P: .5, All: []float64{.5, .5},
			User: user, Device: []string{"ios", "web"}[i%2], Eligible: []string{"a", "b"},
		}
	}
	return rows
}

func otherArm(arm string) string {
	if arm == "a" {
		return "b"
	}
	return "a"
}

// auditRows audits rows under a protocol whose first lines are common to all.
func auditRows(t *testing.T, rows []playedRow, protocol string) (code int, said, stderr string, r *schemas.Results) {
	t.Helper()
	dir := t.TempDir()
	log, p, out := filepath.Join(dir, "log.parquet"), filepath.Join(dir, "p.yaml"), filepath.Join(dir, "out")
	if err := parquet.WriteFile(log, rows); err != nil {
		t.Fatal(err)
	}
	text := "version: 1\nexperiment: {id: e, stopping: fixed}\narms: [a, b]\nreward: {range: [0, 1]}\n" + protocol
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := run(t, "audit", "-p", p, "-o", out, log)
	if code == kit.ExitExceptions || code == 0 {
		r = readResults(t, filepath.Join(out, "results.json"))
	}
	return code, firstAnswer(stdout), stderr, r
}

// TestFirstSentenceCountsRows: of n rows that were changed the first sentence says n, whatever
// check or claim counts them, and which round is the first.
func TestFirstSentenceCountsRows(t *testing.T) {
	const all = "log: {order: [round], action: action, reward: reward, propensity: p, propensity_by_arm: all}\n"
	for _, c := range []struct {
		name, protocol string
		change         func(r *playedRow)
		one, many      string // of one row, and of several
	}{
		{
			"hash", "log: {order: [round], action: action, reward: reward, propensity_by_arm: all}\npolicy: {draw: {hash: growthbook-v2, seed: exp-1, unit: user, coverage: 1}}\n",
			func(r *playedRow) { r.Action = otherArm(r.Action) },
			"has an arm other than its hash's", "have an arm other than their hash's",
		},
		{
			"sum", all, func(r *playedRow) { r.All = []float64{.45, .45}; r.P = .45 },
			"has propensities that do not add up to 1", "have propensities that do not add up to 1",
		},
		{
			"entry", all, func(r *playedRow) { r.P = .75 },
			"has a propensity other than the played arm's in its list", "have a propensity other than the played arm's in their list",
		},
		{
			"eligible", strings.Replace(all, "}", ", eligible: open, eligible_by: schedule}", 1), func(r *playedRow) { r.Eligible = []string{r.Action} },
			"gives a propensity to an arm that was not eligible", "give a propensity to an arm that was not eligible",
		},
		{
			"propensity", all + "policy: {name: fixed, probabilities: [0.5, 0.5]}\n", func(r *playedRow) { r.All, r.P = []float64{.25, .75}, map[string]float64{"a": .25, "b": .75}[r.Action] },
			"is not the policy's", "are not the policy's",
		},
	} {
		for _, n := range []int{1, 2, 7} {
			rows := honestRows()
			for i := range n {
				c.change(&rows[20+50*i])
			}
			code, said, stderr, r := auditRows(t, rows, c.protocol)
			words := c.many
			if n == 1 {
				words = c.one
			}
			noun := "rows "
			if c.name == "propensity" {
				noun = "logged propensities "
			}
			want := fmt.Sprintf("%d of 400 %s%s (first: round 21", n, noun, words)
			if code != kit.ExitExceptions || !strings.Contains(said, want) {
				t.Errorf("%s, %d rows: exit %d, %q does not say %q\n%s", c.name, n, code, said, want, stderr)
				continue
			}
			found := 0
			for i := range r.Claims {
				for _, f := range r.Claims[i].Failing {
					if f.Count == int64(n) && f.Of == tamperedRows && f.First != nil && f.First.Round == 21 {
						found++
					}
				}
			}
			if found != 1 {
				t.Errorf("%s, %d rows: %d findings count them", c.name, n, found)
			}
		}
	}
}

// TestRefusedRowsAreCounted: a log that is refused says in how many rows a rule is broken.
func TestRefusedRowsAreCounted(t *testing.T) {
	const protocol = "log: {order: [round], action: action, reward: reward, propensity: p}\n"
	for name, change := range map[string]func(r *playedRow){
		"propensity": func(r *playedRow) { r.P = 0 },
		"reward":     func(r *playedRow) { r.Reward = 2 },
		"missing":    func(r *playedRow) { r.Reward = math.NaN() },
		"arm":        func(r *playedRow) { r.Action = "c" },
	} {
		const n = 3
		rows := honestRows()
		for i := range n {
			change(&rows[20+50*i])
		}
		if code, _, stderr, _ := auditRows(t, rows, protocol); code != kit.ExitInput || !strings.Contains(stderr, "(3 rows in all") {
			t.Errorf("%s: exit %d\n%s", name, code, stderr)
		}
	}
}

// TestExcessIsOfPlays: an arm that was played too often in some rounds is told with its plays
// there, and with the sum of its propensities where that is known.
func TestExcessIsOfPlays(t *testing.T) {
	rows := honestRows()
	plays, rounds, expected := 0, 0, 0.0
	for i := range rows {
		r := &rows[i]
		high := .3 + .4*float64(i%5)/4 // of b
		if r.Action = "a"; (i*37%100) < int(100*high) || r.Device == "ios" && i%3 > 0 {
			r.Action = "b"
		}
		if r.Device == "ios" {
			rounds++
			expected += high
			if r.Action == "b" {
				plays++
			}
		}
		r.All = []float64{1 - high, high}
		if r.P = high; r.Action == "a" {
			r.P = 1 - high
		}
	}
	const context = ", context: [{column: device, levels: [ios, web]}]}\n"
	want := fmt.Sprintf("arm b was played %d times in rounds with device = ios, %.0f expected (%+.1f %%)", plays, expected, 100*float64(plays)/expected-100)
	for name, protocol := range map[string]string{
		"all arms": "log: {order: [round], action: action, reward: reward, propensity: p, propensity_by_arm: all" + context,
		"two arms": "log: {order: [round], action: action, reward: reward, propensity: p" + context,
	} {
		code, said, stderr, r := auditRows(t, rows, protocol)
		if code != kit.ExitExceptions || !strings.Contains(said, want) {
			t.Fatalf("%s: exit %d, %q does not say %q\n%s", name, code, said, want, stderr)
		}
		w := r.Experiments[0].Data.Splits.Worst
		if w.Plays != int64(plays) || w.Expected == nil || math.Abs(*w.Expected-expected) > 1e-4 || w.Rounds != int64(rounds) {
			t.Errorf("%s: %+v, want %d of %d, %g expected", name, w, plays, rounds, expected)
		}
	}
}
