package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// strataRow is a row of testdata/reference/strata.csv.
type strataRow struct {
	T       int64     `parquet:"t"`
	TS      time.Time `parquet:"ts,timestamp(millisecond)"`
	Leaf    int64     `parquet:"leaf"`
	Version string    `parquet:"version"`
	Arm     string    `parquet:"arm"`
	Reward  int64     `parquet:"reward"`
	Probs   []float64 `parquet:"probs,list"`
}

// strataLogs reads the logs of the second program, which
// `python3 testdata/reference/strata.py > testdata/reference/strata.csv` writes.
func strataLogs(tb testing.TB) map[string][]strataRow {
	tb.Helper()
	file, err := os.Open(filepath.Join("..", "..", "testdata", "reference", "strata.csv"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	whole := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			tb.Fatal(err)
		}
		return n
	}
	out := map[string][]strataRow{}
	for _, l := range lines[1:] {
		row := strataRow{T: whole(l[1]), TS: time.Unix(whole(l[2]), 0).UTC(), Leaf: whole(l[3]), Version: l[4], Arm: "abc"[whole(l[5]) : whole(l[5])+1], Reward: whole(l[6])}
		for _, text := range l[7:] {
			if p, err := strconv.ParseFloat(text, 64); err == nil {
				row.Probs = append(row.Probs, p)
			}
		}
		out[l[0]] = append(out[l[0]], row)
	}
	return out
}

// strataAudit audits rows, and returns the verdict on policy.conformance, its replay and the
// accounting, and what a re-run says where one is asked for.
func strataAudit(t *testing.T, rows []strataRow, logs, policy string, asked bool) (schemas.Verdict, *schemas.ReplayExperiment, string) {
	t.Helper()
	dir := t.TempDir()
	log, protocol, out := filepath.Join(dir, "log.parquet"), filepath.Join(dir, "p.yaml"), filepath.Join(dir, "out")
	if err := parquet.WriteFile(log, rows); err != nil {
		t.Fatal(err)
	}
	text := "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {order: [ts, t], action: arm, reward: reward" + logs + "}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: " + policy +
		"\ncounter: {name: exact}\n"
	if asked {
		text += "analysis: {chosen: before, rerun: {draws: 99}, tests: [{id: E, equal: all, decide: rerun}]}\n"
	}
	if err := os.WriteFile(protocol, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := run(t, "audit", "-q", "-p", protocol, "-o", out, log)
	b, err := os.ReadFile(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatalf("%d: %s%s", code, stdout, stderr)
	}
	var r schemas.Results
	if err = json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	x := &schemas.ReplayExperiment{Conformance: r.Experiments[0].Replay, Privacy: r.Experiments[0].Privacy}
	why := ""
	for _, test := range r.Experiments[0].Tests {
		for _, answer := range test.Results {
			if answer.Method == schemas.MethodRerun {
				why = answer.Reason
			}
		}
	}
	for _, c := range r.Claims {
		if c.Kind == "policy.conformance" {
			return c.Verdict, x, why
		}
	}
	return "", x, why
}

// Logs of a second program are those of the policies that are declared, by seed, by
// propensities and by law, and no others; ten changed rounds show.
func TestStrataAndUpdatesOfASecondProgram(t *testing.T) {
	const thompson, probs = "{name: thompson, prior: {alpha: 1, beta: 1}", ", propensity_by_arm: probs"
	logs := strataLogs(t)
	for _, tc := range []struct {
		log, columns, policy string
		mode                 string
		want, tampered       schemas.Verdict // of ten changed rounds; "": not looked at
	}{
		{"leaf-ucb1", "", "{name: ucb, width: {c: 2, clock: plays}, by: leaf}", schemas.ModeSeed, schemas.Verified, schemas.Violated},
		{"leaf-ucb1", "", "{name: ucb, width: {c: 2, clock: plays}}", schemas.ModeSeed, schemas.Violated, ""},
		{"leaf-greedy", probs, "{name: epsilon-greedy, explore: 0.2, start: none, by: leaf}", schemas.ModePropensity, schemas.Consistent, schemas.Violated},
		{"leaf-greedy", "", "{name: epsilon-greedy, explore: 0.2, start: none, by: leaf}", schemas.ModeLaw, schemas.Consistent, ""},
		{"leaf-thompson-version", probs, thompson + ", by: leaf, update: {version: version}}", schemas.ModePropensity, schemas.Consistent, schemas.Violated},
		{"leaf-thompson-version", probs, thompson + ", by: leaf, update: {every: 40}}", schemas.ModePropensity, schemas.Violated, ""},
		{"leaf-thompson-version", "", thompson + ", by: leaf, update: {version: version}}", schemas.ModeLaw, schemas.Consistent, ""},
		{"thompson-hour-attribution", probs, thompson + ", update: {every: 1h, clock: ts, attribution: 6h}}", schemas.ModePropensity, schemas.Consistent, schemas.Violated},
		{"thompson-hour-attribution", probs, thompson + ", update: {every: 1h, clock: ts, attribution: 5h}}", schemas.ModePropensity, schemas.Violated, ""},
		{"thompson-hour-attribution", "", thompson + ", update: {every: 1h, clock: ts, attribution: 6h}}", schemas.ModeLaw, schemas.Consistent, ""},
		{"leaf-thompson-hour", probs, thompson + ", by: leaf, update: {every: 60m, clock: ts}}", schemas.ModePropensity, schemas.Consistent, schemas.Violated},
		{"leaf-thompson-hour", probs, thompson + ", by: leaf, update: {every: 2h, clock: ts}}", schemas.ModePropensity, schemas.Violated, ""},
	} {
		if testing.Short() && strings.HasPrefix(tc.policy, thompson) && (tc.tampered == "" || tc.log == "leaf-thompson-hour") {
			continue
		}
		verdict, x, rerun := strataAudit(t, logs[tc.log], tc.columns, tc.policy, tc.want != schemas.Violated)
		c := &x.Conformance
		if verdict != tc.want || c.Mode != tc.mode || (tc.want != schemas.Violated) != (c.Matched == 250 && c.Replayable == 250) {
			t.Errorf("%s, %s: %s, mode %s, %d of %d", tc.log, tc.policy, verdict, c.Mode, c.Matched, c.Replayable)
		}
		if tc.want != schemas.Violated && !strings.Contains(rerun, "the statistic (spread) is as large in") {
			t.Errorf("%s, %s: the policy was not run again: %s", tc.log, tc.policy, rerun)
		}
		if tc.tampered == "" {
			continue
		}
		rows := append([]strataRow{}, logs[tc.log]...)
		for i := 70; i < 230; i += 16 {
			rows[i].Arm = string('a' + (rows[i].Arm[0]-'a'+1)%3)
		}
		if verdict, x, _ := strataAudit(t, rows, tc.columns, tc.policy, false); verdict != tc.tampered {
			t.Errorf("%s, %s, ten rounds changed: %s, %d of %d", tc.log, tc.policy, verdict, x.Conformance.Matched, x.Conformance.Replayable)
		}
	}
}

// Losses in strata are not added; where rewards decided the strata, nothing is accounted for.
func TestStrataAreAccountedInParallel(t *testing.T) {
	rows, most := strataLogs(t)["leaf-greedy"], map[int64]int{}
	for _, r := range rows {
		most[r.Leaf]++
	}
	const policy = "{name: epsilon-greedy, explore: 0.2, start: none, by: leaf}"
	largest := max(most[0], most[1], most[2])
	_, x, _ := strataAudit(t, rows, "", policy, false)
	each := 2.5649493574615367 // ln 13: of a decision among three arms that explores with 0.2
	if got, want := float64(*x.Privacy.EpsilonMechanism), float64(largest-1)*each; got < want || got > want*(1+1e-9) {
		t.Errorf("ε = %v of %d rounds, want %v", got, largest, want)
	}
	_, x, _ = strataAudit(t, rows, ", context_by: rewards", policy, false)
	if x.Privacy.EpsilonMechanism != nil || !strings.Contains(strings.Join(x.Privacy.Notes, " "), "may have decided the stratum of a round (log.context_by: rewards)") {
		t.Errorf("%v, %q", x.Privacy.EpsilonMechanism, x.Privacy.Notes)
	}
}

// Strata whose states take more than half of the memory end the audit before the replay.
func TestTooManyStrata(t *testing.T) {
	rows := make([]strataRow, 40_000)
	for i := range rows {
		rows[i] = strataRow{T: int64(i), TS: time.Unix(int64(i), 0).UTC(), Leaf: int64(i), Arm: "a"}
	}
	dir := t.TempDir()
	log, protocol := filepath.Join(dir, "log.parquet"), filepath.Join(dir, "p.yaml")
	if err := parquet.WriteFile(log, rows); err != nil {
		t.Fatal(err)
	}
	arms := []string{"a"}
	for i := range 49 {
		arms = append(arms, "b"+strconv.Itoa(i))
	}
	text := "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {order: [ts, t], action: arm, reward: reward}\narms: [" + strings.Join(arms, ", ") +
		"]\nreward: {range: [0, 1]}\npolicy: {name: thompson, prior: {alpha: 1, beta: 1}, by: leaf}\ncounter: {name: exact}\n"
	if err := os.WriteFile(protocol, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "experiment e has 40,000 strata (policy.by: leaf) in 40,000 rows, and the states of the policy in these take about"
	tableau := filepath.Join(dir, "t")
	run(t, "ingest", "-q", "-p", protocol, "-o", tableau, log)
	for _, args := range [][]string{
		{"audit", "-q", "-p", protocol, "-o", filepath.Join(dir, "out"), log},
		{"replay", "-q", "-p", protocol, "-t", tableau, "-o", filepath.Join(dir, "r")},
	} {
		if code, _, stderr := run(t, args...); code != kit.ExitResource || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d: %s", args[0], code, stderr)
		}
	}
}
