package schemas

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func mustParse(t *testing.T, src string) *Document {
	t.Helper()
	d, err := standard().ParseProtocol("p.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestFormatExample reads the example of the format's description, in which
// every key stands once. It is refused for what this version has not, and for
// what it shows as one instead of the other.
func TestFormatExample(t *testing.T) {
	got := messages(standard().ParseProtocol("protocol.yaml", []byte(formatExample)))
	want := []string{
		"12:19: log.context_by_arm", "13:18: log.reward_by_arm", // beside what they stand instead of
		"29:10: policy.draws", "47:17: analysis.clip_weights",
	}
	if len(got) != len(want) {
		t.Fatalf("%d problems, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], "protocol.yaml:"+want[i]+" ") || !strings.Contains(got[i], "(this version does not ") && !strings.Contains(got[i], "stands beside") {
			t.Errorf("problem %d is %s, want one at %s", i, got[i], want[i])
		}
	}
}

// TestFormatExampleByTheRules finds what the example itself shows as "one
// instead of the other", and reads every value of it.
func TestFormatExampleByTheRules(t *testing.T) {
	want := []string{
		"p.yaml:12:19: log.context_by_arm stands beside log.context (either one context for the round, or one for each arm); delete one of the two",
		"p.yaml:13:18: log.reward_by_arm stands beside log.reward (a full-information log has the reward of every arm in one column, instead); delete one of the two",
	}
	if d := cmp.Diff(want, judged([]byte(formatExample))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	d, r := standard().read("p.yaml", []byte(formatExample))
	if len(r.problems) > 0 {
		t.Fatal(r.problems)
	}
	for _, tc := range []struct {
		name      string
		got, want any
	}{
		{"log.context", d.Protocol.Log.Context, Context{Columns: []ContextColumn{{Column: "age"}, {Column: "country", Levels: []string{"DE", "FR"}, Baseline: new("DE")}}}},
		{"policy.update", *d.Protocol.Policy.Update, Update{Batch: true}},
		{"policy.seed", *d.Protocol.Policy.Seed, Seed{File: "seed.hex"}},
		{"counter", *d.Protocol.Counter, Counter{Name: "hybrid", Epsilon: MustRational("0.25"), Horizon: 20000, Grid: MustRational("2^-20")}},
		{"joint", d.Protocol.Analysis.Tests[3].Joint, map[string]float64{"age": 0, "country": 0}},
		{"evaluate", d.Protocol.Analysis.Evaluate, []EvaluationSpec{
			{ID: "V1", Target: Target{Uniform: true}},
			{ID: "V2", Target: Target{Arm: "green"}},
			{ID: "V3", Target: Target{Fixed: []float64{0.5, 0.3, 0.2}}},
			{ID: "V4", Target: Target{Column: "p_new"}, ClipWeights: new(20.0)},
			{ID: "V5", Target: Target{Policy: &Policy{Name: "ucb", Own: Values{"width": Values{"c": 2.0}}}, Mode: ModeFollows}},
			{ID: "V6", Target: Target{Policy: &Policy{Name: "softmax", Own: Values{"eta": 0.1}}, Mode: ModeReplay, Floor: new(0.05)}},
		}},
		{"claim", d.Protocol.Claims[1], Claim{ID: "B1", Kind: KindBiasBound, Comparator: "<=", Threshold: MustRational("0.02"), Arms: []string{"all"}, Severity: "advisory"}},
	} {
		if d := cmp.Diff(tc.want, tc.got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
	}
}

// TestSmallestProtocol reads what must be there, in the shortest forms, and
// shows every default.
func TestSmallestProtocol(t *testing.T) {
	got := mustParse(t, "version: 1\nexperiment: {id: x}\nlog: {order: t, action: a, reward: r}\nreward: {range: [0, 1]}\n").Protocol
	want := Protocol{
		Version: 1, Experiment: ExperimentSpec{ID: "x", Stopping: "unknown"},
		Log:      Log{Order: []string{"t"}, Ties: "error", Action: "a", Reward: "r", MissingReward: "error"},
		Reward:   RewardSpec{Range: []float64{0, 1}, OutOfRange: "error"},
		Analysis: Analysis{Alpha: 0.05, Decide: "auto", Sequence: "bets", Multiplicity: "holm", Approximate: "refuse", Means: "varying", Carryover: "possible", Correction: Correction{Method: "conditional", Beta: "best"}, Rerun: Rerun{Lag: "equal", Exceedances: 20}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestLabelsAndNamesAreTakenAsWritten(t *testing.T) {
	p := mustParse(t, `version: 1
experiment: {id: 007}
log: {order: 1, action: true, reward: 2.50, context: [3, "null"]}
arms: [1, 2.0, 1e3, true, "~", 'no', 0x10, "a: b"]
reward: {range: [-1, +.5]}
policy: {name: uniform}
`).Protocol
	if d := cmp.Diff([]string{"1", "2.0", "1e3", "true", "~", "no", "0x10", "a: b"}, p.Arms); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"007", "1", "true", "2.50", "3", "null"}, []string{
		p.Experiment.ID, p.Log.Order[0], p.Log.Action, p.Log.Reward, p.Log.Context.Columns[0].Column, p.Log.Context.Columns[1].Column,
	}); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]float64{-1, 0.5}, p.Reward.Range); d != "" {
		t.Error(d)
	}
}

func TestOtherForms(t *testing.T) {
	p := mustParse(t, `version: 1
experiment: {column: exp, stopping: rule-on-released}
log: {order: [t], action: a, reward: r, context: {list: features}, ties: file-order}
arms: [blue, anything]
reward: {range: [0, 2], out_of_range: clip}
policy: {name: ucb, width: {c: 2}, floor: 0, update: {every: 1}, seed: {sha256: `+strings.Repeat("aB", 32)+`}}
counter: {name: exact}
privacy: {epsilon: 1/3}
analysis:
  chosen: from-actions
  regressions: [{name: m, arms: blue, covariance: classical, intercept: false}]
  tests: [{id: H, arm: anything, mean: 1, alternative: less}]
claims: [{id: B, kind: bias.bound, comparator: <=, threshold: 0, arms: blue}]
`).Protocol
	if p.Log.Context.List != "features" || p.Policy.Update.Every != 1 || p.Policy.Own.Group("width").Float("c") != 2 || p.Policy.Own.Word("bonus") != "none" {
		t.Errorf("%+v", p)
	}
	if !p.Counter.Grid.IsZero() || p.Privacy.Definition != "pure" || p.Privacy.Epsilon.String() != "1/3" {
		t.Errorf("%+v %+v", p.Counter, p.Privacy)
	}
	if d := cmp.Diff([]string{"blue"}, p.Claims[0].Arms); d != "" || p.Claims[0].Severity != "required" {
		t.Errorf("%+v", p.Claims[0])
	}
}

// TestInlineSeedIsAWarning keeps the digits out of every text.
func TestInlineSeedIsAWarning(t *testing.T) {
	digits := strings.Repeat("0123456789abcdef", 4)
	d := mustParse(t, strings.Replace(goodProtocol, "ties: first", "seed: "+digits, 1))
	want := []string{"p.yaml:17:9: policy.seed stands in the protocol itself (whoever reads the protocol can remove the noise); move it to a file and write {file: seed.hex}"}
	if d := cmp.Diff(want, lines(d.Warnings)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if !d.Protocol.Policy.Seed.Inline || hex.EncodeToString(d.Protocol.Policy.Seed.Bytes) != digits {
		t.Errorf("seed %+v", d.Protocol.Policy.Seed)
	}
	b, err := d.Effective()
	if err != nil || bytes.Contains(b, []byte(digits)) {
		t.Errorf("the effective protocol shows the seed: %s, %v", b, err)
	}

	if !bytes.Contains(b, []byte(`"seed":{"sha256":"`+digestOfDigits+`"}`)) {
		t.Errorf("no digest in %s", b)
	}
}

// digestOfDigits is from Python 3: hashlib.sha256(bytes.fromhex("0123456789abcdef" * 4)).hexdigest().
const digestOfDigits = "4884fdaafea47c29fea7159d0daddd9c085d6200e1359e85bb81736af6b7c837"

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadProtocolReadsTheSeed(t *testing.T) {
	digits := strings.Repeat("0123456789abcdef", 4)
	with := func(seed string) string { return strings.Replace(goodProtocol, "ties: first", "seed: "+seed, 1) }
	for _, tc := range []struct{ name, protocol, seed, want string }{
		{"right", with("{file: seed.hex}"), digits + "\n", ""},
		{"capitals and spaces", with("{file: seed.hex}"), " " + strings.ToUpper(digits) + "\r\n", ""},
		{"with its digest", with("{file: seed.hex, sha256: " + digestOfDigits + "}"), digits, ""},
		{"with another digest", with("{file: seed.hex, sha256: " + digits + "}"), digits, `:17:34: policy.seed.sha256 is not the digest of the seed in "seed.hex" (the protocol commits to another seed); find the seed that was used, or correct the digest`},
		{"too short", with("{file: seed.hex}"), digits[1:], `:17:16: the file "seed.hex" holds no seed (a master seed is 32 bytes, written as 64 hex digits); write the 64 digits alone in the file`},
		{"no hex", with("{file: seed.hex}"), "x" + digits[1:], `:17:16: the file "seed.hex" holds no seed (a master seed is 32 bytes, written as 64 hex digits); write the 64 digits alone in the file`},
		{"too long", with("{file: seed.hex}"), strings.Repeat(" ", maxSeedFile) + digits, `:17:16: the file "seed.hex" holds no seed (a master seed is 32 bytes, written as 64 hex digits); write the 64 digits alone in the file`},
		{"a seed as a name", with("{file: " + digits + "}"), digits, `:17:16: policy.seed.file is a seed, not the name of a file (a seed is kept apart from the protocol); put the digits in a file and name that`},
	} {
		path := filepath.Join(writeFiles(t, map[string]string{"p.yaml": tc.protocol, "seed.hex": tc.seed}), "p.yaml")
		d, err := standard().LoadProtocol(path)
		got := strings.TrimPrefix(strings.Join(messages(d, err), "\n"), path)
		if got != tc.want {
			t.Errorf("%s: got %s\nwant %s", tc.name, got, tc.want)
		}
		if strings.Contains(got, digits) {
			t.Errorf("%s: the seed stands in the message", tc.name)
		}
		if tc.want == "" && (hex.EncodeToString(d.Protocol.Policy.Seed.Bytes) != digits || d.Protocol.Policy.Seed.SHA256 != digestOfDigits) {
			t.Errorf("%s: seed %+v", tc.name, d.Protocol.Policy.Seed)
		}
	}
}

func TestLoadProtocolWithoutTheSeedFile(t *testing.T) {
	src := strings.Replace(goodProtocol, "ties: first", "seed: {file: gone.hex}", 1)
	path := filepath.Join(writeFiles(t, map[string]string{"p.yaml": src}), "p.yaml")
	got := messages(standard().LoadProtocol(path))
	if len(got) != 1 || !strings.HasPrefix(got[0], path+`:17:16: policy.seed.file "gone.hex" cannot be read (stat `) {
		t.Errorf("problems %q", got)
	}
	d, err := standard().LoadProtocolWith(path, LoadOptions{SkipSeed: true})
	if err != nil || d.Protocol.Policy.Seed.Bytes != nil || d.Protocol.Policy.Seed.File != "gone.hex" {
		t.Errorf("with SkipSeed: %v", err)
	}
	// A missing seed file does not hide the other problems.
	path = filepath.Join(writeFiles(t, map[string]string{"p.yaml": strings.Replace(src, "alpha: 0.05", "alpha: 5", 1)}), "p.yaml")
	if got := messages(standard().LoadProtocol(path)); len(got) != 2 {
		t.Errorf("problems %q", got)
	}
}

func TestLoadProtocolThatIsMissing(t *testing.T) {
	_, err := standard().LoadProtocol(filepath.Join(t.TempDir(), "none.yaml"))
	if _, ok := errors.AsType[Problems](err); ok || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if _, err = standard().LoadProtocol(t.TempDir()); err == nil {
		t.Error("a directory was read as a protocol")
	}
}

func TestPositions(t *testing.T) {
	d := mustParse(t, goodProtocol)
	for _, tc := range []struct {
		path      string
		line, col int
		given     bool
	}{
		{"log.order[1]", 4, 16, true},
		{"analysis.tests[1].mean", 29, 33, true},
		{"analysis.tests[0].alternative", 28, 7, false}, // a default: its mapping
		{"claims[1].threshold", 32, 61, true},
		{"nowhere.at[3].all", 1, 1, false},
	} {
		if line, col := d.At(tc.path); line != tc.line || col != tc.col || d.Given(tc.path) != tc.given {
			t.Errorf("%s stands at %d:%d, given %v; want %d:%d, %v", tc.path, line, col, d.Given(tc.path), tc.line, tc.col, tc.given)
		}
	}
	if got := d.Problem("log.reward", "no column clicked", "the log has none", "name another").String(); got != "p.yaml:7:11: no column clicked (the log has none); name another" {
		t.Error(got)
	}
	if line, col := new(Document).At("log"); line != 0 || col != 0 {
		t.Errorf("a document without text has a position: %d:%d", line, col)
	}
}

// assumed leaves out what was assumed: the effective protocol has the words as if they
// had been declared.
func assumed() cmp.Option { return cmpopts.IgnoreFields(Protocol{}, "Assumed") }

// TestEffectiveReadsBackTheSame goes through JSON and YAML, once and twice.
func TestEffectiveReadsBackTheSame(t *testing.T) {
	d := mustParse(t, strings.Replace(goodProtocol, "ties: first", "seed: "+strings.Repeat("ab", 32), 1))
	jsonText, err := d.Effective()
	if err != nil {
		t.Fatal(err)
	}
	if err = standard().ValidateProtocol(jsonText); err != nil {
		t.Error(err)
	}
	yamlText, err := d.EffectiveYAML()
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string][]byte{"JSON": jsonText, "YAML": yamlText} {
		again := mustParse(t, string(src))
		opts := cmpopts.IgnoreFields(Seed{}, "Bytes", "Inline")
		if d := cmp.Diff(d.Protocol, again.Protocol, opts, assumed()); d != "" {
			t.Errorf("%s (-before +after):\n%s", name, d)
		}
		twice, err := again.Effective()
		if err != nil || !bytes.Equal(jsonText, twice) {
			t.Errorf("%s: the effective protocol of the effective protocol differs:\n%s\n%s\n%v", name, jsonText, twice, err)
		}
	}
}

// TestEffectiveOfEveryForm does the same with the example in which every key
// stands, past what this version supports.
func TestEffectiveOfEveryForm(t *testing.T) {
	d, _ := standard().read("p.yaml", []byte(formatExample))
	standard().applyDefaults(&d.Protocol)
	b, err := d.Effective()
	if err != nil {
		t.Fatal(err)
	}
	if err = standard().ValidateProtocol(b); err != nil {
		t.Error(err)
	}
	text, err := EncodeProtocol(&d.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	again, r := standard().read("p.yaml", text)
	if len(r.problems) > 0 {
		t.Fatal(r.problems)
	}
	if d := cmp.Diff(d.Protocol, again.Protocol, assumed()); d != "" {
		t.Errorf("(-before +after):\n%s", d)
	}
	want := []string{"log.batch_by", "log.delay_by", "log.unit_by", "log.context_by"}
	if !slices.Equal(d.Protocol.Assumed, want) || again.Protocol.Assumed != nil {
		t.Errorf("assumed are %q, and %q where they are declared; want %q", d.Protocol.Assumed, again.Protocol.Assumed, want)
	}
}

// TestFormsThatTheExampleLacks writes and reads the other forms of unions.
func TestFormsThatTheExampleLacks(t *testing.T) {
	want := Protocol{
		Version: 1, Experiment: ExperimentSpec{Column: "e"},
		Log:    Log{Order: []string{"t"}, Action: "a", Reward: "r", Context: Context{List: "x<y"}},
		Reward: RewardSpec{Range: []float64{-1e-300, 1e300}},
		Policy: &Policy{Name: "uniform", Update: &Update{Every: 5}, Seed: &Seed{Column: "s"}},
		Analysis: Analysis{
			Correction: Correction{Also: []string{AlsoApproximate, AlsoZCDP}},
			Regressions: []RegressionSpec{
				{Name: "m", Covariance: Covariance{Cluster: "unit"}},
				{Name: "n", Arms: ArmsPooled, Columns: []string{"x<y[0]"}, Covariance: Covariance{Cluster: "batch", Kind: "CR0"}, Interactions: true},
			},
		},
		Claims: []Claim{{ID: "B", Kind: KindBiasBound, Threshold: MustRational("1/3"), Arms: []string{"a", "b"}}},
	}
	text, err := EncodeProtocol(&want)
	if err != nil {
		t.Fatal(err)
	}
	d, r := standard().read("p.yaml", text)
	if len(r.problems) > 0 {
		t.Fatalf("%v\n%s", r.problems, text)
	}
	if diff := cmp.Diff(want, d.Protocol); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	b, err := d.Effective()
	if err != nil || standard().ValidateProtocol(b) != nil {
		t.Errorf("%v, %v", err, standard().ValidateProtocol(b))
	}
}

func TestDefaultArmsOfABiasBound(t *testing.T) {
	d := mustParse(t, strings.Replace(goodProtocol, "threshold: 0.02, arms: all", "threshold: 0.02", 1))
	if diff := cmp.Diff([]string{"all"}, d.Protocol.Claims[1].Arms); diff != "" || d.Protocol.Claims[0].Arms != nil {
		t.Errorf("arms %v and %v", d.Protocol.Claims[1].Arms, d.Protocol.Claims[0].Arms)
	}
}

func TestDefaultsChangeNothingTwice(t *testing.T) {
	d := mustParse(t, goodProtocol)
	once, err := d.Effective()
	if err != nil {
		t.Fatal(err)
	}
	standard().applyDefaults(&d.Protocol)
	twice, err := d.Effective()
	if err != nil || !bytes.Equal(once, twice) {
		t.Errorf("once %s\ntwice %s\n%v", once, twice, err)
	}
}

// An empty text is a level like any other, and a baseline where it is written;
// where it is not, the first level is. What is written out reads back.
func TestEmptyBaseline(t *testing.T) {
	for written, want := range map[string]string{
		`levels: [google, ""], baseline: ""`: "",
		`levels: ["", google], baseline: ""`: "",
		`levels: ["", google]`:               "",
		`levels: [google, ""]`:               "google",
	} {
		source := "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r, context: [{column: c, " + written + "}]}\nreward: {range: [0, 1]}\n"
		d, err := standard().ParseProtocol("p.yaml", []byte(source))
		if err != nil {
			t.Errorf("%s: %v", written, err)
			continue
		}
		json, err := d.Effective()
		if err != nil {
			t.Fatal(err)
		}
		again, err := standard().ParseProtocol("p.json", json)
		if err != nil {
			t.Fatalf("%s: %v", json, err)
		}
		for _, got := range []*Document{d, again} {
			if c := got.Protocol.Log.Context.Columns[0]; c.Baseline == nil || *c.Baseline != want {
				t.Errorf("%s: %+v", written, c)
			}
		}
	}
}
