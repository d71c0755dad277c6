package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"banditaudit/analyze/log/check"
	"banditaudit/schemas"
)

// recipe is one question of help recipes: its protocol, and its commands as they stand.
type recipe struct {
	title, protocol string
	commands        []string
}

// The page is short, and so are its lines. Each recipe has all parts, and a test of its own below.
func TestRecipesAreShort(t *testing.T) {
	page := fileText(t, manualDir+"/recipes.md")
	const tested = 11 // by a test for each
	if n := len(recipesOf(t)); n != tested {
		t.Errorf("%d recipes on the page, %d are tested", n, tested)
	}
	if n := len(strings.Fields(page)); n > 2500 {
		t.Errorf("recipes.md has %d words, more than 2,500", n)
	}
	for line := range strings.Lines(page) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 88 {
			t.Errorf("recipes.md: %d characters: %s", n, line)
		}
	}
	for _, part := range []string{"NEED", "PROTOCOL", "RUN", "READ", "MORE"} {
		if n := strings.Count(page, "\n**"+part+"**"); n != tested {
			t.Errorf("recipes.md has %d of %s", n, part)
		}
	}
}

// recipesOf reads the page.
func recipesOf(t *testing.T) []recipe {
	t.Helper()
	var out []recipe
	for _, section := range strings.Split(fileText(t, manualDir+"/recipes.md"), "\n## ")[1:] {
		title, _, _ := strings.Cut(section, "\n")
		protocol, commands, _ := strings.Cut(section, "\n**RUN**")
		commands, _, _ = strings.Cut(commands, "\n**READ**")
		r := recipe{title: title, protocol: codeOf(protocol)}
		for line := range strings.Lines(strings.ReplaceAll(codeOf(commands), "\\\n", "")) {
			command, found := strings.CutPrefix(strings.TrimSpace(line), "./banditaudit ")
			if !found {
				t.Fatalf("%s: %q is no command of banditaudit", title, line)
			}
			r.commands = append(r.commands, command)
		}
		if len(r.commands) == 0 || !strings.HasPrefix(r.protocol, "version: 1\n") {
			t.Fatalf("%s lacks a protocol or a command", title)
		}
		out = append(out, r)
	}
	return out
}

// recipeOf reads a recipe by its number. The tests below run recipes as they stand, on logs with
// known truth: a protocol that is no longer valid, a command that changed and an answer that READ
// does not describe fail.
func recipeOf(t *testing.T, number int) *recipe {
	t.Helper()
	recipes := recipesOf(t)
	if number > len(recipes) || !strings.HasPrefix(recipes[number-1].title, strconv.Itoa(number)+" ") {
		t.Fatalf("the page has no recipe %d in its place", number)
	}
	return &recipes[number-1]
}

// codeOf returns the indented lines of a text, without the indent.
func codeOf(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			b.WriteString(code)
		}
	}
	return b.String()
}

// enter goes to a new directory that holds the recipe's protocol, changed by pairs of old and
// new text, and an empty log.
func (r *recipe) enter(t *testing.T, changes ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(r.protocol, changes[i]) {
			t.Fatalf("%s: the protocol has no %q", r.title, changes[i])
		}
	}
	writeHere(t, "protocol.yaml", strings.NewReplacer(changes...).Replace(r.protocol))
	if err := os.Mkdir("log", 0o700); err != nil {
		t.Fatal(err)
	}
}

// writeHere writes a file of the working directory.
func writeHere(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// simulated makes the log of the recipe's policy by the laboratory.
func (r *recipe) simulated(t *testing.T, args ...string) {
	t.Helper()
	args = append([]string{"simulate", "-p", "protocol.yaml", "-o", "made", "--seed", "7"}, args...)
	if code, _, stderr := run(t, args...); code != 0 {
		t.Fatalf("%s: %s: exit %d\n%s", r.title, strings.Join(args, " "), code, stderr)
	}
	moved := []string{"log"}
	if strings.Contains(r.protocol, "seed.hex") {
		moved = append(moved, "seed.hex")
	}
	for _, name := range moved {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join("made", name), name); err != nil {
			t.Fatal(err)
		}
	}
}

// command runs a command of the page, by its place there, and wants an exit code.
func (r *recipe) command(t *testing.T, i, want int) (stdout string) {
	t.Helper()
	if i >= len(r.commands) {
		t.Fatalf("%s: %d commands", r.title, len(r.commands))
	}
	code, stdout, stderr := run(t, strings.Fields(r.commands[i])...)
	if testing.Verbose() {
		t.Logf("%s: exit %d\n%s%s", r.commands[i], code, stdout, stderr)
	}
	if code != want {
		t.Fatalf("%s: %s: exit %d, want %d\n%s%s", r.title, r.commands[i], code, want, stdout, stderr)
	}
	return stdout
}

// says wants texts in an output, whatever its lines are broken at.
func (r *recipe) says(t *testing.T, output string, wants ...string) {
	t.Helper()
	flat := strings.Join(strings.Fields(output), " ")
	for _, want := range wants {
		if !strings.Contains(flat, want) {
			t.Errorf("%s: the answer does not say %q:\n%s", r.title, want, output)
		}
	}
}

// result reads the only experiment of the bundle, and the verdicts of the claims by their id.
func (r *recipe) result(t *testing.T) (*schemas.Experiment, map[string]schemas.Verdict) {
	t.Helper()
	results, verdicts := readResults(t, "out/results.json"), map[string]schemas.Verdict{}
	for i := range results.Claims {
		verdicts[results.Claims[i].ID] = results.Claims[i].Verdict
	}
	return &results.Experiments[0], verdicts
}

// holds wants a number inside an interval.
func (r *recipe) holds(t *testing.T, what string, in *schemas.Interval, truth float64) {
	t.Helper()
	if in == nil || in[0] > truth || truth > in[1] {
		t.Errorf("%s: the interval %v of %s does not hold %v", r.title, in, what, truth)
	}
}

// deciding returns the result that decides a test.
func deciding(t *testing.T, test *schemas.Test) *schemas.TestResult {
	t.Helper()
	i := slices.IndexFunc(test.Results, func(x schemas.TestResult) bool { return x.Method == test.DecidedBy })
	if i < 0 {
		t.Fatalf("test %s: %s, decided by %q: %s", test.ID, test.Decision, test.DecidedBy, test.Choice)
	}
	return &test.Results[i]
}

// visit is a round of the logs that are written here.
type visit struct {
	Experiment string    `parquet:"experiment"`
	TS         time.Time `parquet:"ts,timestamp(microsecond)"`
	User       int64     `parquet:"user_id"`
	Variant    string    `parquet:"variant"`
	Clicked    *int32    `parquet:"clicked,optional"`
	Revenue    float64   `parquet:"revenue"`
	Score      float64   `parquet:"score"`
	Age        float64   `parquet:"age"`
	Returning  int32     `parquet:"returning"`
	P          float64   `parquet:"p"`
	Probs      []float64 `parquet:"probs,list"`
	Mine       []float64 `parquet:"mine,list"`
}

// visitsOf are n rounds, each of control or blue with probability ½; a click has the mean of its arm.
func visitsOf(draw *rand.Rand, n int, control, blue float64) []visit {
	out := make([]visit, n)
	for i := range out {
		v := &out[i]
		*v = visit{
			Experiment: "e", TS: time.Date(2026, 11, 1, 0, 0, i, 0, time.UTC), User: int64(i), Variant: "control", P: 0.5,
			Age: 20 + 60*draw.Float64(), Returning: int32(draw.IntN(2)),
		}
		mean := control
		if draw.IntN(2) == 1 {
			v.Variant, mean = "blue", blue
		}
		v.click(draw, mean)
	}
	return out
}

// click draws whether a visit has a click.
func (v *visit) click(draw *rand.Rand, mean float64) {
	v.Clicked = new(int32)
	if draw.Float64() < mean {
		*v.Clicked = 1
	}
}

// withoutSome leaves out a tenth of the rounds of blue: a sample ratio mismatch.
func withoutSome(draw *rand.Rand, rows []visit) []visit {
	return slices.DeleteFunc(rows, func(v visit) bool { return v.Variant == "blue" && draw.Float64() < 0.1 })
}

// writeLog writes rounds as the log.
func writeLog(t *testing.T, rows []visit) {
	t.Helper()
	if err := parquet.WriteFile(filepath.Join("log", "part.parquet"), rows); err != nil {
		t.Fatal(err)
	}
}

// seeded is the source of a recipe's log.
func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func TestRecipeVariant(t *testing.T) {
	r := recipeOf(t, 1)
	const control, blue = 0.10, 0.13
	r.enter(t)
	writeLog(t, visitsOf(seeded(), 10000, control, blue))
	r.says(t, r.command(t, 0, 0), "blue pays more than control, by a difference between ")
	r.says(t, r.command(t, 1, 0), "decided by: any-time")
	e, _ := r.result(t)
	answer := deciding(t, &e.Tests[0])
	r.holds(t, "the difference", answer.CI, blue-control)
	if e.Tests[0].Decision != schemas.DecisionRejected || answer.CI[0] <= 0 {
		t.Errorf("%s: %s, interval %v", r.title, e.Tests[0].Decision, answer.CI)
	}

	r.enter(t, "stopping: fixed", "stopping: unknown") // the interval holds whatever ended the log
	writeLog(t, visitsOf(seeded(), 10000, control, blue))
	r.command(t, 0, 0)
	e, _ = r.result(t)
	r.holds(t, "the difference, whatever ended the log", deciding(t, &e.Tests[0]).CI, blue-control)

	r.enter(t) // no difference: not significant
	writeLog(t, visitsOf(seeded(), 4000, control, control))
	r.says(t, r.command(t, 0, 0), "Whether blue pays more or less than control is not decided.")

	r.enter(t) // a sample ratio mismatch
	draw := seeded()
	writeLog(t, withoutSome(draw, visitsOf(draw, 10000, control, blue)))
	r.command(t, 0, 1)
	e, verdicts := r.result(t)
	if e.Tests[0].DecidedBy != "" || verdicts[schemas.KindAllocation] != schemas.Violated {
		t.Errorf("%s: with a sample ratio mismatch %v, decided by %q: %s", r.title, verdicts, e.Tests[0].DecidedBy, e.Tests[0].Decision)
	}

	r.enter(t, "decide: any-time", "decide: adaptive\n  approximate: accept") // what MORE says
	writeLog(t, visitsOf(seeded(), 10000, control, blue))
	r.command(t, 0, 0)
	e, _ = r.result(t)
	approximate := deciding(t, &e.Tests[0]).CI
	r.holds(t, "the difference by adaptive", approximate, blue-control)
	if approximate[1]-approximate[0] >= answer.CI[1]-answer.CI[0] {
		t.Errorf("%s: interval %v by adaptive, %v by any-time", r.title, approximate, answer.CI)
	}

	r.enter(t, "  decide: any-time\n", "") // what MORE says of auto
	writeLog(t, visitsOf(seeded(), 10000, control, blue))
	r.command(t, 0, 0)
	e, _ = r.result(t)
	if answer = deciding(t, &e.Tests[0]); answer.Method != schemas.MethodAssignment || answer.CI != nil {
		t.Errorf("%s: auto decides by %s, interval %v", r.title, answer.Method, answer.CI)
	}
}

func TestRecipeSound(t *testing.T) {
	r := recipeOf(t, 2)
	for _, c := range []struct {
		name  string
		fault func(*rand.Rand, []visit) []visit
		exit  int // of the audit
		says  string
	}{
		{"none", func(_ *rand.Rand, rows []visit) []visit { return rows }, 0, "allocation.matches_propensity CONSISTENT"},
		{"sample ratio mismatch", withoutSome, 1, "arm blue was played 4,569 times, 4,752 expected (-3.9 %)"},
		{"missing in one arm", func(draw *rand.Rand, rows []visit) []visit {
			for i := range rows {
				if rows[i].Variant == "blue" && draw.Float64() < 0.05 {
					rows[i].Clicked = nil
				}
			}
			return rows
		}, 0, "note H11"},
		{"drift", func(draw *rand.Rand, rows []visit) []visit {
			for i := len(rows) / 2; i < len(rows); i++ {
				rows[i].click(draw, 0.2)
			}
			return rows
		}, 0, "note H13"},
		{"log twice", func(_ *rand.Rand, rows []visit) []visit { return append(rows, later(rows)...) }, 1, "data.quality VIOLATED"},
		{"part twice under new times", func(_ *rand.Rand, rows []visit) []visit { return append(rows, later(rows[:3000])...) }, 0, "data.quality VERIFIED"},
		{"row twice", func(_ *rand.Rand, rows []visit) []visit { return append(rows, rows[7]) }, 4, ""},
	} {
		r.enter(t)
		draw := seeded()
		writeLog(t, c.fault(draw, visitsOf(draw, 10000, 0.10, 0.13)))
		r.says(t, r.command(t, 0, 0), "valid")
		summary := r.command(t, 1, c.exit)
		if c.exit == 4 {
			continue
		}
		r.says(t, summary, c.says)
		if c.exit == 1 {
			r.says(t, summary, "VIOLATED", "EXCEPTIONS NOTED (1)")
		}
		r.says(t, r.command(t, 2, 0), "Smallest deviation of an arm that would have been found with 80 % power")
		e, _ := r.result(t)
		if h11 := check.Find(e.Data.Checks, "H11"); (h11.Status == schemas.CheckNote) != (c.says == "note H11") {
			t.Errorf("%s: %s: H11 is %s", r.title, c.name, h11.Status)
		}
	}
}

// later are copies of rounds, a day later.
func later(rows []visit) []visit {
	out := slices.Clone(rows)
	for i := range out {
		out[i].TS = out[i].TS.Add(24 * time.Hour)
	}
	return out
}

func TestRecipePolicyKnown(t *testing.T) {
	r := recipeOf(t, 3)
	made := []string{"--means", "0.10,0.20,0.12", "--rounds", "6000", "--batch", "500"}
	r.enter(t)
	r.simulated(t, made...)
	r.says(t, r.command(t, 0, 0), "policy.conformance CONSISTENT", "The arms do not pay alike.", "blue pays more than control, by a difference between ")
	e, _ := r.result(t)
	r.holds(t, "the difference", deciding(t, &e.Tests[1]).CI, 0.1)

	r.enter(t) // another floor ran than the declared one
	r.simulated(t, made...)
	writeHere(t, "protocol.yaml", strings.Replace(r.protocol, "floor: 0.05", "floor: 0.2", 1))
	r.says(t, r.command(t, 0, 1), "policy.conformance VIOLATED")
	e, _ = r.result(t)
	for i := range e.Tests {
		if by := e.Tests[i].DecidedBy; by != "" {
			t.Errorf("%s: %s is decided by %s under a policy that did not run", r.title, e.Tests[i].ID, by)
		}
	}
}

func TestRecipeRevenue(t *testing.T) {
	r := recipeOf(t, 4)
	const share, added, top = 0.3, 10, 60
	revenue := func(rows []visit, draw *rand.Rand) {
		for i := range rows {
			rows[i].Revenue = 0
			if *rows[i].Clicked == 1 {
				rows[i].Revenue = added + (top-added)*draw.Float64()
			}
		}
	}
	r.enter(t)
	draw := seeded()
	rows := visitsOf(draw, 10000, share, share+0.1)
	revenue(rows, draw)
	writeLog(t, rows)
	r.says(t, r.command(t, 0, 0), "blue pays more than control, by a difference between ")
	e, _ := r.result(t)
	narrow := deciding(t, &e.Tests[0]).CI
	r.holds(t, "the difference", narrow, 0.1*(added+top)/2)

	r.enter(t, "range: [0, 100]", "range: [0, 1000]") // a range too wide costs width
	writeLog(t, rows)
	r.command(t, 0, 0)
	e, _ = r.result(t)
	if wide := deciding(t, &e.Tests[0]).CI; wide[1]-wide[0] <= narrow[1]-narrow[0] {
		t.Errorf("%s: interval %v with a range ten times as wide, %v without", r.title, wide, narrow)
	}

	r.enter(t)
	rows[17].Revenue = 250
	writeLog(t, rows)
	r.command(t, 0, 4)
	r.says(t, readFile(t, "out.failed.json"), "part.parquet", "row 17")
}

func TestRecipeOtherPolicy(t *testing.T) {
	r := recipeOf(t, 5)
	arms := []string{"control", "blue", "green"}
	means := [2][3]float64{{0.1, 0.3, 0.1}, {0.2, 0.1, 0.3}}
	logged := [2][]float64{{0.5, 0.25, 0.25}, {0.25, 0.25, 0.5}}
	mine := [2][]float64{{0, 0.75, 0.25}, {0, 0.25, 0.75}}
	value := func(policy [2][]float64) (sum float64) { // contexts are equally likely
		for x := range means {
			for k, m := range means[x] {
				sum += m * policy[x][k] / 2
			}
		}
		return sum
	}
	r.enter(t)
	draw := rand.New(rand.NewPCG(3, 4))
	rows := visitsOf(draw, 6000, 0, 0)
	for i := range rows {
		v := &rows[i]
		v.Probs, v.Mine = logged[v.Returning], mine[v.Returning]
		k := 0
		for u := draw.Float64() - v.Probs[0]; u >= 0; u -= v.Probs[k] {
			k++
		}
		v.Variant = arms[k]
		v.click(draw, means[v.Returning][k])
	}
	writeLog(t, rows)
	r.says(t, r.command(t, 0, 0), "ABOVE THE LOG", "AT ANY TIME", "APPROXIMATELY", "AS PLAYED")
	e, _ := r.result(t)
	third := []float64{1. / 3, 1. / 3, 1. / 3}
	truth := map[string]float64{
		"uniform": value([2][]float64{third, third}), "always-blue": value([2][]float64{{0, 1, 0}, {0, 1, 0}}), "mine": value(mine),
	}
	if got := e.Evaluated(); len(got) != len(truth) {
		t.Fatalf("%s: values of %v", r.title, got)
	}
	for i := range e.Estimates {
		x := &e.Estimates[i]
		of, known := truth[x.EvaluationPolicy]
		if !known || x.CI == nil {
			continue
		}
		if x.Against != "" {
			of -= value(logged)
		}
		r.holds(t, x.EvaluationPolicy+" by "+x.Estimator+" above "+x.Against, x.CI, of)
	}
}

func TestRecipeConformance(t *testing.T) {
	r := recipeOf(t, 6)
	r.enter(t)
	r.simulated(t, "--means", "0.10,0.20,0.12", "--rounds", "5000")
	r.says(t, r.command(t, 0, 0), "policy.conformance VERIFIED 5,000 of 5,000 rounds match", "unseen")
	r.command(t, 1, 0)
	if err := os.RemoveAll("out"); err != nil {
		t.Fatal(err)
	}

	parts, err := filepath.Glob("log/*.parquet") // one action is another
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	err = rewrite(parts[0], "altered.parquet", nil, func(row int, column string, v parquet.Value) parquet.Value {
		if row != 99 || column != "variant" {
			return v
		}
		if v.String() == "control" {
			return valueOf("blue", v)
		}
		return valueOf("control", v)
	})
	if err == nil {
		err = os.Rename("altered.parquet", parts[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	r.says(t, r.command(t, 0, 1), "policy.conformance VIOLATED", "round 100")
	if err = os.RemoveAll("out"); err != nil {
		t.Fatal(err)
	}

	writeHere(t, "protocol.yaml", strings.Replace(r.protocol, "id: homepage", "id: renamed", 1))
	r.says(t, r.command(t, 0, 1), "policy.conformance VIOLATED")
}

func TestRecipePrivacy(t *testing.T) {
	r := recipeOf(t, 7)
	r.enter(t)
	r.simulated(t, "--means", "0.4,0.6", "--rounds", "20000")
	r.says(t, r.command(t, 0, 0), "privacy.total VERIFIED ε = 0.1", "policy.conformance VERIFIED")
	e, verdicts := r.result(t)
	if got := float64(*e.Privacy.EpsilonMechanism); got != 0.1 || verdicts["bias"] != schemas.Verified {
		t.Errorf("%s: the ledger says ε = %v; %v", r.title, got, verdicts)
	}
	for i := range e.Tests {
		var naive *float64
		for _, x := range e.Tests[i].Results {
			if x.Method == schemas.MethodNaive {
				naive = x.P
			}
		}
		answer := deciding(t, &e.Tests[i])
		if answer.Method != schemas.MethodCorrected || *answer.P <= *naive {
			t.Errorf("%s: %s has p %v by %s, naive %v", r.title, e.Tests[i].Label, *answer.P, answer.Method, *naive)
		}
		r.holds(t, e.Tests[i].Label, answer.CI, map[string]float64{"control": 0.4, "blue": 0.6}[e.Tests[i].Label])
	}
	for i := range e.Arms {
		if b := e.Arms[i].BiasBound; b == nil || *b > 0.05 {
			t.Errorf("%s: bias bound of %s: %v", r.title, e.Arms[i].Label, b)
		}
	}
	if err := os.RemoveAll("out"); err != nil {
		t.Fatal(err)
	}

	for old, c := range map[string]struct {
		changed, says string
		exit          int
	}{
		"privacy: {epsilon: 0.1}": {"privacy: {epsilon: 0.05}", "privacy.total VIOLATED", 1},
		"threshold: 0.05":         {"threshold: 0.0001", "bias NOT ESTABLISHED", 3},
	} {
		writeHere(t, "protocol.yaml", strings.Replace(r.protocol, old, c.changed, 1))
		r.says(t, r.command(t, 0, c.exit), c.says)
		if err := os.RemoveAll("out"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRecipeNightly(t *testing.T) {
	r := recipeOf(t, 8)
	for _, bent := range []bool{false, true} {
		r.enter(t)
		draw := seeded()
		var rows []visit
		for i := range 50 {
			n := 200
			if i == 23 {
				n = 8 // too short to contradict anything
			}
			these := visitsOf(draw, n, 0.2, 0.2)
			for j := range these {
				these[j].Experiment = fmt.Sprintf("exp-%02d", i)
				if bent && i == 17 && draw.Float64() < 0.6 {
					these[j].Variant = "blue"
				}
			}
			rows = append(rows, these...)
		}
		writeLog(t, rows)
		named, exit := `"exp-23"`, 3
		if bent {
			named, exit = `"exp-17"`, 1
		}
		summary := r.command(t, 0, exit)
		if r.says(t, summary, named, `"failed_experiments"`); len(summary) > 10000 {
			t.Errorf("%s: a summary of %d bytes", r.title, len(summary))
		}
		if !bent { // --fail-on violated
			r.says(t, r.command(t, 1, 0), "50 experiments", "All experiments as one family")
		}
	}
}

func TestRecipeSticky(t *testing.T) {
	r := recipeOf(t, 9)
	// Users with four rounds in a row, who keep their arm for as many rounds as are asked for.
	sticky := func(kept int) []visit {
		draw := seeded()
		rows := visitsOf(draw, 8000, 0, 0)
		for i := range rows {
			v := &rows[i]
			if v.User = int64(i / 4); i%4%kept != 0 {
				v.Variant = rows[i-1].Variant
			}
			v.click(draw, map[string]float64{"control": 0.2, "blue": 0.3}[v.Variant])
		}
		return rows
	}
	r.enter(t)
	writeLog(t, sticky(4))
	r.says(t, r.command(t, 0, 0), "allocation.matches_propensity CONSISTENT")
	e, _ := r.result(t)
	r.holds(t, "the difference", deciding(t, &e.Tests[0]).CI, 0.1)
	if n := e.Tests[0].N; n != 2000 {
		t.Errorf("%s: %d rounds decide, not the first of each of 2,000 users", r.title, n)
	}

	r.enter(t, ", unit: user_id", "", "policy: {draw: {by: unit}}", "") // the same log, undeclared
	writeLog(t, sticky(4))
	r.says(t, r.command(t, 0, 1), "allocation.matches_propensity VIOLATED")

	r.enter(t, "policy: {draw: {by: unit}}", "")
	writeLog(t, sticky(4))
	r.says(t, r.command(t, 0, 3), "allocation.matches_propensity NOT ESTABLISHED")

	r.enter(t) // users change their arm
	writeLog(t, sticky(2))
	r.says(t, r.command(t, 0, 3), "allocation.matches_propensity NOT ESTABLISHED")
}

func TestRecipeCompliance(t *testing.T) {
	r := recipeOf(t, 10)
	made := []string{"--means", "0.4,0.6", "--rounds", "2000"}
	r.enter(t)
	r.simulated(t, made...)
	for i := range r.commands {
		r.says(t, r.command(t, i, 0), []string{"public key", "commitment.json", "protocol.committed VERIFIED", "out.dsse.json", "byte for byte the same"}[i])
	}
	verify := len(r.commands) - 1
	r.says(t, r.command(t, verify, 0), "signatures: 1 good", "commitment: signed by the given key", "the verification: NO EXCEPTIONS NOTED")
	writeHere(t, "out/results.json", readFile(t, "out/results.json")+" ") // a file was changed
	r.command(t, verify, 1)

	r.enter(t) // the protocol was changed after the commitment
	r.simulated(t, made...)
	r.command(t, 0, 0)
	_, _, stderr := run(t, strings.Fields(r.commands[1])...)
	r.says(t, stderr, "warning: the commitment leaves open ")
	writeHere(t, "protocol.yaml", strings.Replace(r.protocol, "mean: 0.5", "mean: 0.6", 1))
	r.says(t, r.command(t, 2, 1), "protocol.committed VIOLATED", "tests")
}

func TestRecipeRegression(t *testing.T) {
	r := recipeOf(t, 11)
	slopes := map[string]float64{"control": 0, "blue": 0.02}
	r.enter(t)
	draw := seeded()
	rows := visitsOf(draw, 4000, 0, 0)
	for i := range rows {
		v := &rows[i]
		v.Score = max(0, min(10, 5+slopes[v.Variant]*(v.Age-50)+draw.NormFloat64()))
	}
	writeLog(t, rows)
	r.command(t, 0, 0)
	r.command(t, 1, 0)
	e, _ := r.result(t)
	for i := range e.Tests {
		answer := deciding(t, &e.Tests[i])
		r.holds(t, "the slope of "+e.Tests[i].Label, answer.CI, slopes[e.Tests[i].Label])
		if want := e.Tests[i].Label == "blue"; answer.Method != schemas.MethodCorrected || !answer.Approximate || (e.Tests[i].Decision == schemas.DecisionRejected) != want {
			t.Errorf("%s: %s by %s: %s", r.title, e.Tests[i].Label, answer.Method, e.Tests[i].Decision)
		}
	}
	if len(e.Tests) != 2 || len(e.Regressions) != 2 {
		t.Errorf("%s: %d tests, %d regressions", r.title, len(e.Tests), len(e.Regressions))
	}

	r.enter(t, "  approximate: accept\n", "")
	writeLog(t, rows)
	r.command(t, 0, 0)
	e, _ = r.result(t)
	if got := e.Tests[0].Decision; got != schemas.DecisionNone {
		t.Errorf("%s: without approximate: accept %s", r.title, got)
	}

	for policy, says := range map[string]string{ // a bandit that reads rewards without noise
		"epsilon-greedy, explore: 0.1": "1 (1) VACUOUS", "ucb, width: {delta: 0.05}": "not applicable",
	} {
		r.enter(t, ", propensity: p", "", "fixed, probabilities: [0.5, 0.5]}", policy+", seed: {file: seed.hex}}\ncounter: {name: exact}")
		r.simulated(t, "--means", "0.4,0.6", "--rounds", "500")
		if err := os.Rename("made/seed.hex", "seed.hex"); err != nil {
			t.Fatal(err)
		}
		r.says(t, r.command(t, 0, 0), says)
	}
}
