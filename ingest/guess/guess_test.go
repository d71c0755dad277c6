package guess

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// guessed makes a draft of what arguments mean.
func guessed(tb testing.TB, args ...string) *Draft {
	tb.Helper()
	src, err := files.Discover(tb.Context(), args)
	if err != nil {
		tb.Fatal(err)
	}
	d, err := Guess(tb.Context(), role.All(), src, 512<<20)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// roles are the columns of a draft by role; contexts are joined.
func rolesOf(d *Draft) map[string]string {
	roles := map[string]string{}
	for _, c := range d.Columns {
		switch {
		case c.Role == "":
		case roles[c.Role] != "":
			roles[c.Role] += " " + c.Column
		default:
			roles[c.Role] = c.Column
		}
	}
	return roles
}

func column(tb testing.TB, d *Draft, name string) DraftColumn {
	tb.Helper()
	for _, c := range d.Columns {
		if c.Column == name {
			return c
		}
	}
	tb.Fatalf("no column %q", name)
	return DraftColumn{}
}

// shop is a row of a log as a warehouse of a shop has it.
type shop struct {
	ID        string    `parquet:"impression_id"`
	At        time.Time `parquet:"event_time,timestamp(microsecond)"`
	User      string    `parquet:"user_id"`
	Variant   string    `parquet:"variant,dict"`
	P         float64   `parquet:"assignment_weight"`
	Purchased *bool     `parquet:"purchased,optional"`
	Revenue   float64   `parquet:"revenue"`
	Bought    time.Time `parquet:"purchased_at,timestamp(microsecond)"`
	Age       int32     `parquet:"age"`
	Land      string    `parquet:"country,dict"`
	Constant  int32     `parquet:"version"`
	Note      *string   `parquet:"note,optional"`
}

// shopLog writes a log of n rows over ten days; seed 1.
func shopLog(tb testing.TB, n int) string {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	dir := tb.TempDir()
	for d := range 10 {
		rows := make([]shop, n/10)
		for i := range rows {
			at := time.Date(2026, 11, 1+d, 0, 0, i, 0, time.UTC)
			rows[i] = shop{
				ID: fmt.Sprintf("i-%d-%d", d, i), At: at, User: fmt.Sprintf("u%d", r.IntN(50)), Variant: []string{"control", "blue", "green"}[r.IntN(3)],
				P: 1.0 / 3, Purchased: new(r.IntN(4) == 0), Revenue: r.Float64() * 20, Bought: at.Add(time.Hour), Age: int32(18 + r.IntN(60)), Land: []string{"DE", "DE", "FR", "IT"}[r.IntN(4)], Constant: 3,
			}
			if i%7 == 0 {
				rows[i].Purchased = nil
			}
		}
		ingesttest.WriteParquet(tb, filepath.Join(dir, fmt.Sprintf("dt=2026-11-%02d", 1+d), "part.parquet"), rows)
	}
	return dir
}

func TestGuessShop(t *testing.T) {
	d := guessed(t, shopLog(t, 1000))
	want := map[string]string{
		"order": "event_time", "action": "variant", "reward": "purchased", "propensity": "assignment_weight", "unit": "user_id",
		"batch": "dt", "reward_order": "purchased_at", "context": "age country",
	}
	if diff := cmp.Diff(want, rolesOf(d)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"blue", "control", "green"}, d.Arms); diff != "" {
		t.Error(diff)
	}
	if d.Files != 10 || d.Rows != 1000 || d.Sampled != 1000 || !d.Complete || d.Ties != 0 || !d.Reward.Boolean {
		t.Errorf("got %+v", d)
	}
	if c := column(t, d, "country"); c.Baseline != "DE" || cmp.Diff([]string{"DE", "FR", "IT"}, c.Levels) != "" {
		t.Errorf("got %+v", c)
	}
	if !column(t, d, "purchased").Missing || !column(t, d, "dt").Partition {
		t.Error("nulls of the reward or the partition are not seen")
	}
	if c := column(t, d, "assignment_weight"); c.Confidence != Possible || !strings.Contains(c.Why, "near 3") {
		t.Errorf("a propensity by content alone: %+v", c)
	}
	for name, says := range map[string]string{"impression_id": "identifier", "revenue": "outcome", "version": "one value", "note": "null in all"} {
		if c := column(t, d, name); c.Role != "" || !strings.Contains(c.Why, says) {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// Where there is no reward but a text that is named like one, it is offered.
func TestGuessTextReward(t *testing.T) {
	type row struct {
		Round     int64   `parquet:"round"`
		Arm       string  `parquet:"arm"`
		ClickText string  `parquet:"click_text"`
		Clicked   string  `parquet:"clicked"`
		Lag       float64 `parquet:"lag"`
	}
	type better struct {
		Round   int64  `parquet:"round"`
		Arm     string `parquet:"arm"`
		Clicked string `parquet:"clicked"`
		Reward  bool   `parquet:"reward"`
	}
	dir := t.TempDir()
	var a []row
	var b []better
	for i := range 100 {
		a = append(a, row{int64(i), "x", "no", "no", 1})
		b = append(b, better{int64(i), "x", "no", true})
	}
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), a)
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), b)
	if d := guessed(t, filepath.Join(dir, "a.parquet")); d.Reward.Text != "clicked" || rolesOf(d)["reward"] != "" {
		t.Errorf("got %+v", d.Reward)
	}
	if d := guessed(t, filepath.Join(dir, "b.parquet")); d.Reward.Text != "" || rolesOf(d)["reward"] != "reward" {
		t.Errorf("got %+v", d.Reward)
	}
}

// Propensities of which each arm has a column of its own are told from contexts by names,
// range and sum; flags of the arm that was played are none.
func TestGuessSpread(t *testing.T) {
	type row struct {
		Round  int64   `parquet:"round"`
		Arm    string  `parquet:"variant"`
		Reward bool    `parquet:"reward"`
		Short  float64 `parquet:"prob_short"`
		Long   float64 `parquet:"prob_long_form"`
		Half   float64 `parquet:"u_short"`
		Other  float64 `parquet:"u_long_form"`
		Is     float64 `parquet:"is_short"`
		IsNot  float64 `parquet:"is_long_form"`
	}
	var rows []row
	for i := range 100 {
		short := float64(i%2)/2 + 0.25
		r := row{int64(i), "Long form", i%3 == 0, short, 1 - short, short, short + 0.25, 0, 1}
		if i%4 < 2 {
			r.Arm, r.Is, r.IsNot = "short", 1, 0
		}
		rows = append(rows, r)
	}
	path := filepath.Join(t.TempDir(), "log.parquet")
	ingesttest.WriteParquet(t, path, rows)
	d := guessed(t, path)
	if diff := cmp.Diff([]string{"prob_long_form", "prob_short"}, d.Spread); diff != "" || rolesOf(d)["propensity"] != "" || rolesOf(d)["context"] != "u_short u_long_form is_short is_long_form" {
		t.Errorf("%s %v", diff, rolesOf(d))
	}
}

// A reward of 0 and 1 wants a cast where a file has it in a type with fractions.
func TestGuessCast(t *testing.T) {
	for _, c := range []struct {
		kinds  []pages.Kind
		binary bool
		want   bool
	}{
		{[]pages.Kind{pages.Float}, true, true},
		{[]pages.Kind{pages.Int, pages.Float}, true, true},
		{[]pages.Kind{pages.Float}, false, false},
		{[]pages.Kind{pages.Int, pages.Bool}, true, false},
	} {
		p := newProfile("reward", &pages.Column{Kind: c.kinds[0]})
		p.numbers.seen, p.numbers.binary = 1, c.binary
		for _, k := range c.kinds {
			p.typed = append(p.typed, cell.Typed{Column: pages.Column{Kind: k}})
		}
		g := &guesser{by: map[role.Role]*profile{role.Reward: p}}
		if got := g.reward().Cast; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Of units the counts are told, and that a sample is no log.
func TestGuessUnit(t *testing.T) {
	type row struct {
		Round int64   `parquet:"round"`
		Arm   string  `parquet:"arm"`
		Y     bool    `parquet:"y"`
		User  *string `parquet:"user_id,optional"`
	}
	rows := make([]row, sampleRows+2)
	for i := range rows {
		rows[i] = row{int64(i), "a", true, new(strconv.Itoa(max(i, 3)))} // one user comes four times
	}
	rows[4].User = nil
	path := filepath.Join(t.TempDir(), "log.parquet")
	for n, want := range map[int]string{
		100:            "by its name; rows looked at: 99, distinct values: 96, rows whose value another row has: 4",
		sampleRows + 2: "by its name; rows looked at: 32767, distinct values: 32764, rows whose value another row has: 4; the sample cannot tell for the whole log",
	} {
		ingesttest.WriteParquet(t, path, rows[:n])
		if c := column(t, guessed(t, path), "user_id"); c.Role != "unit" || c.Why != want {
			t.Errorf("%d rows: %+v", n, c)
		}
	}
}

// lists is a row of a log with a value for each arm.
type lists struct {
	Round     int64     `parquet:"round"`
	Arm       int32     `parquet:"arm"`
	Click     int32     `parquet:"click"`
	Probs     []float64 `parquet:"probs,list"`
	Noisy     []float64 `parquet:"noisy_sums,list"`
	Available []int32   `parquet:"available,list"`
	Mask      []bool    `parquet:"allowed_mask,list"`
	Features  []vector  `parquet:"arm_features,list"`
	Other     []float64 `parquet:"other,list"`
}

type vector struct {
	V []float64 `parquet:"v,list"`
}

func TestGuessLists(t *testing.T) {
	rows := make([]lists, 300)
	for i := range rows {
		rows[i] = lists{
			Round: int64(i), Arm: int32(i % 3), Click: int32(i % 2), Probs: []float64{0.5, 0.25, 0.25}, Noisy: []float64{float64(i), 2, -3},
			Available: []int32{0, 1, 2}, Mask: []bool{true, true, true}, Features: []vector{{[]float64{1, 2}}, {[]float64{3, 4}}, {[]float64{5, 6}}}, Other: []float64{1, 2},
		}
	}
	path := ingesttest.Log(t, rows)
	d := guessed(t, path)
	got := rolesOf(d)
	for key, want := range map[string]string{"order": "round", "action": "arm", "reward": "click", "propensity_by_arm": "probs", "released_by_arm": "noisy_sums", "context_by_arm": "arm_features"} {
		if got[key] != want {
			t.Errorf("%s: %q", key, got[key])
		}
	}
	if e := got["eligible"]; e != "available" && e != "allowed_mask" {
		t.Errorf("eligible: %q", e)
	}
	if d.Reward.Boolean || !d.Reward.Unit || d.Reward.Suspicion != "looks like 0/1" {
		t.Errorf("got %+v", d.Reward)
	}
}

// A list without a role is told which role it may have: of texts only the arms that
// could be played.
func TestGuessOtherLists(t *testing.T) {
	type log struct {
		Round  int64     `parquet:"round"`
		Arm    string    `parquet:"arm"`
		Click  int32     `parquet:"click"`
		Shown  []string  `parquet:"shown,list"`
		Tags   []string  `parquet:"tags,list"`
		Coded  []int32   `parquet:"coded,list"`
		Number []float64 `parquet:"number,list"`
	}
	rows := make([]log, 300)
	for i := range rows {
		rows[i] = log{int64(i), []string{"a", "b"}[i%2], int32(i % 2), []string{"a", "b"}, []string{"new", "blue"}, []int32{7, 8, 9}, []float64{1, 2, 3}}
	}
	path := ingesttest.Log(t, rows)
	got := map[string]string{}
	for _, c := range guessed(t, path).Columns {
		got[c.Column] = c.Why
	}
	for column, want := range map[string]string{
		"shown":  "a list of labels of arms that has no role; write log.eligible: shown, with eligible_by, if these are the arms that could be played",
		"tags":   "a list of texts that are no labels of arms, which has no role",
		"coded":  "a list that has no role; write log.context: {list: coded} if it is the context",
		"number": "a list that has no role; write log.context: {list: number} if it is the context",
	} {
		if got[column] != want {
			t.Errorf("%s: %q, want %q", column, got[column], want)
		}
	}
}

// Rows that tie in time are set apart by another column, or are counted.
func TestGuessTies(t *testing.T) {
	type row struct {
		Ts       int64 `parquet:"ts"`
		Position int32 `parquet:"position"`
		Arm      int32 `parquet:"arm"`
		Y        bool  `parquet:"y"`
	}
	var rows, tied []row
	for i := range 300 {
		rows = append(rows, row{int64(i / 3), int32(i % 3), int32(i % 5), true})
		tied = append(tied, row{int64(i / 3), 7, int32(i % 5), true})
	}
	path := ingesttest.Log(t, rows)
	d := guessed(t, path)
	if diff := cmp.Diff([]string{"ts", "position"}, d.Order); diff != "" || d.Ties != 0 {
		t.Errorf("%d ties, %s", d.Ties, diff)
	}
	ingesttest.WriteParquet(t, path, tied)
	d = guessed(t, path)
	if diff := cmp.Diff([]string{"ts"}, d.Order); diff != "" || d.Ties != 200 {
		t.Errorf("%d ties, %s", d.Ties, diff)
	}
}

// Ties are of one experiment.
func TestGuessExperiments(t *testing.T) {
	type row struct {
		Exp       int64   `parquet:"experiment_id"`
		Step      int64   `parquet:"step"`
		Treatment bool    `parquet:"treatment"`
		Outcome   float64 `parquet:"outcome"`
	}
	var rows []row
	for i := range 600 {
		rows = append(rows, row{int64(i / 20), int64(i % 20), i%2 == 0, float64(i) * 1.5})
	}
	path := ingesttest.Log(t, rows)
	d := guessed(t, path)
	if diff := cmp.Diff(map[string]string{"experiment": "experiment_id", "order": "step", "action": "treatment", "reward": "outcome"}, rolesOf(d)); diff != "" || d.Ties != 0 {
		t.Errorf("%d ties, %s", d.Ties, diff)
	}
	if d.Reward.Boolean || strings.ContainsAny(d.Reward.Suspicion, "23456789") {
		t.Errorf("the reward's values are told: %+v", d.Reward)
	}
}

// Without a reward there is a join, by what names a row.
func TestGuessKeys(t *testing.T) {
	type keyed struct {
		ID   int64  `parquet:"request_id"`
		Ts   int64  `parquet:"ts"`
		Arm  string `parquet:"arm"`
		User string `parquet:"user_id"`
	}
	type unkeyed struct {
		Ts   int64  `parquet:"ts"`
		Arm  string `parquet:"arm"`
		User string `parquet:"user_id"`
	}
	var a []keyed
	var b []unkeyed
	for i := range 100 {
		a = append(a, keyed{int64(1000 + i), int64(i), []string{"x", "y"}[i%2], strconv.Itoa(i % 9)})
		b = append(b, unkeyed{int64(i), []string{"x", "y"}[i%2], strconv.Itoa(i % 9)})
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), a)
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), b)
	if diff := cmp.Diff([]string{"request_id"}, guessed(t, filepath.Join(dir, "a.parquet")).Keys); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"user_id", "ts"}, guessed(t, filepath.Join(dir, "b.parquet")).Keys); diff != "" {
		t.Error(diff)
	}
}

// An empty log gives a draft by names and types.
func TestGuessEmpty(t *testing.T) {
	path := ingesttest.Log(t, []ingesttest.Event{})
	d := guessed(t, path)
	if d.Rows != 0 || !d.Complete || rolesOf(d)["action"] != "arm" || rolesOf(d)["reward"] != "reward" || len(d.Arms) != 0 {
		t.Errorf("got %+v", d)
	}
}

// A sample is bounded, and says that it is one; two looks give one draft.
func TestGuessSample(t *testing.T) {
	path := ingesttest.Log(t, ingesttest.Events(sampleRows+1))
	d := guessed(t, path)
	if d.Complete || d.Sampled != sampleRows || d.Rows != sampleRows+1 {
		t.Errorf("%d of %d rows", d.Sampled, d.Rows)
	}
	if diff := cmp.Diff(d, guessed(t, path)); diff != "" {
		t.Error(diff)
	}
}

// A sample of very many files looks into few of them.
func TestSamplePlaces(t *testing.T) {
	s := &sample{}
	for i := range 10 * maxSampled {
		s.place(sampled{group: i, rows: 1})
	}
	got := s.chosen()
	if len(s.places) >= maxSampled || len(got) != sampleGroups || got[0].group != 0 || got[sampleGroups-1].group < 8*maxSampled {
		t.Errorf("%d places, %d of them chosen: %+v", len(s.places), len(got), got)
	}
}

func TestGuessRefuses(t *testing.T) {
	path := ingesttest.Log(t, ingesttest.Events(100))
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err = os.WriteFile(path, b[:len(b)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Guess(t.Context(), role.All(), []files.Source{{Path: path, URI: "log.parquet"}}, 512<<20)
	_ = ingesttest.WantFault(t, err, fault.RuleUnreadable)
	_, err = Guess(t.Context(), role.All(), []files.Source{{Path: filepath.Join(t.TempDir(), "gone"), URI: "gone"}}, 512<<20)
	_ = ingesttest.WantFault(t, err, fault.RuleNoInput)
	if err = os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = Guess(t.Context(), role.All(), []files.Source{{Path: path, URI: "log.parquet"}}, 1<<10); !errors.Is(err, fault.ErrResource) {
		t.Errorf("got %v", err)
	}
}

// Real logs, where they are there: see openbandit_test.go of package ingest.
func TestGuessOpenBandit(t *testing.T) {
	for _, name := range []string{"random-men", "bts-men"} {
		path := filepath.Join("..", "..", "..", "shared", "data", "open-bandit", name+".parquet")
		if _, err := os.Stat(path); err != nil {
			t.Skipf("%s, a real log that is not part of the project, is not there", path)
		}
		d := guessed(t, path)
		got := rolesOf(d)
		for key, want := range map[string]string{"action": "item_id", "reward": "click", "propensity": "propensity_score"} {
			if got[key] != want {
				t.Errorf("%s, %s: %q", name, key, got[key])
			}
		}
		if diff := cmp.Diff([]string{"ts", "position"}, d.Order); diff != "" || len(d.Arms) != 34 || d.Ties != 0 {
			t.Errorf("%s: %d arms, %d ties, %s", name, len(d.Arms), d.Ties, diff)
		}
	}
}

// When a reward became known is a number only where its name says that it is a time;
// rewards of all arms are taken where there is no reward.
func TestGuessOutcomes(t *testing.T) {
	type arms struct {
		Round   int64     `parquet:"round"`
		Arm     string    `parquet:"arm"`
		Late    string    `parquet:"conversion_time"`
		Rewards []float64 `parquet:"reward_by_arm,list"`
	}
	type paid struct {
		arms

		Known int64 `parquet:"reward_round"`
		Click bool  `parquet:"click"`
	}
	all, own := make([]arms, 60), make([]paid, 60)
	for i := range all {
		all[i] = arms{int64(i), string(rune('a' + i%2)), "x", []float64{float64(i % 2), 0.5}}
		own[i] = paid{all[i], int64(i + 3), i%3 == 0}
	}
	path := ingesttest.Log(t, own)
	if got := rolesOf(guessed(t, path)); got["reward_order"] != "reward_round" || got["reward"] != "click" || got["reward_by_arm"] != "" {
		t.Errorf("got %v", got)
	}
	ingesttest.WriteParquet(t, path, all)
	if got := rolesOf(guessed(t, path)); got["reward_by_arm"] != "reward_by_arm" || got["reward"] != "" || got["reward_order"] != "" {
		t.Errorf("got %v", got)
	}
}
