package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"banditaudit/analyze"
	"banditaudit/analyze/log/check"
	"banditaudit/cmd/banditaudit/protocolinit"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/guess"
	"banditaudit/schemas"
)

const root = "../.."

// manualDir holds the topics of help.
const manualDir = "cmd/banditaudit/topics"

// fileText reads a file of this repository.
func fileText(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// manualPages are the README and every topic, one after another.
func manualPages(t *testing.T) string {
	t.Helper()
	pages := []string{fileText(t, "README.md")}
	for _, name := range kit.TopicNames(allTopics(known())) {
		pages = append(pages, fileText(t, filepath.Join(manualDir, name+".md")))
	}
	return strings.Join(pages, "\n")
}

// indented returns the lines of a Markdown file, or of all pages of the manual
// where file is that, that begin with the prefix as code, without the indent.
func indented(t *testing.T, file, prefix string) []string {
	t.Helper()
	read := func(t *testing.T) string { t.Helper(); return fileText(t, file) }
	if file == manualDir {
		read = manualPages
	}
	var out []string
	for line := range strings.Lines(read(t)) {
		if code, ok := strings.CutPrefix(line, "    "); ok && strings.HasPrefix(code, prefix) {
			out = append(out, strings.TrimSpace(code))
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no command that begins with %q", file, prefix)
	}
	return out
}

// words splits a documented command at its blanks, but for those between single
// quotes, and puts dir in place of the word that names the output.
func words(command, dir string) []string {
	args := regexp.MustCompile(`(?:[^\s']+|'[^']*')+`).FindAllString(command, -1)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "'", "")
		if i > 0 && args[i-1] == "-o" {
			args[i] = dir
		}
	}
	return args
}

// TestReadmeFirstCommand runs the README's first command and compares what it
// prints with what the README shows.
func TestReadmeFirstCommand(t *testing.T) {
	command := indented(t, "README.md", "go run ./cmd/banditaudit ")[0]
	out := filepath.Join(t.TempDir(), "out")
	args := words(strings.TrimPrefix(command, "go run ./cmd/banditaudit "), out)
	readme := fileText(t, "README.md")
	if n := len(readme); n > 9<<10 {
		t.Errorf("README.md has %d bytes, more than 9 KiB; what is left over is for a topic", n)
	}
	t.Chdir(root)
	code, stdout, stderr := run(t, args...)
	if code != 0 || stderr != "" {
		t.Fatalf("%s: exit %d\n%s", command, code, stderr)
	}
	var shown strings.Builder
	for line := range strings.Lines(stdout) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			line = "    " + line
		}
		shown.WriteString(line + "\n")
	}
	if !strings.Contains(readme, shown.String()) {
		t.Errorf("README.md does not show what its first command prints:\n%s", shown.String())
	}
}

// TestReadmeSimulate runs the manual's simulate commands, and audits what they
// made. An arm may be left unplayed, and missing privacy leaves claims open;
// nothing else may be found.
func TestReadmeSimulate(t *testing.T) {
	commands := indented(t, manualDir, "./banditlab simulate ")
	commands = append(commands, indented(t, "cmd/banditlab/command/topics/simulate.md", "./banditlab simulate ")...)
	for i, line := range commands {
		dir := filepath.Join(t.TempDir(), "sim")
		if code, _, stderr := run(t, words(strings.TrimPrefix(line, "./banditlab "), dir)...); code != 0 {
			t.Fatalf("%s: exit %d\n%s", line, code, stderr)
		}
		code, stdout, stderr := run(t, "audit", "-p", filepath.Join(dir, "protocol.yaml"), "-o", filepath.Join(dir, "out"), filepath.Join(dir, "log"))
		if i == 0 && code != 0 {
			t.Fatalf("audit of the simulated log: exit %d\n%s%s", code, stdout, stderr)
		}
		for _, p := range []string{"0.0225", "0.401"} { // of the first, as guarantees.md says
			if i == 0 && (!strings.Contains(stdout, p) || !strings.Contains(manualPages(t), p)) {
				t.Errorf("the audit of the first log of the manual has no p of %s:\n%s", p, stdout)
			}
		}
		if !regexp.MustCompile(`policy\.conformance +VERIFIED`).MatchString(stdout) {
			t.Errorf("%s: the audit does not verify the policy: exit %d\n%s%s", line, code, stdout, stderr)
		}
	}
}

// TestReadmeDeclarations reads every policy that the manual declares, with its
// counter and claim where it has them, and asks whether its lists name all that
// there are.
func TestReadmeDeclarations(t *testing.T) {
	counters := filepath.Join(manualDir, "counters.md")
	declared := indented(t, manualDir, "policy: ")
	for i, p := range indented(t, counters, "policy: ") {
		declared = append(declared, p+"\n"+indented(t, counters, "counter: {name: ")[i+1]+"\n"+indented(t, counters, "privacy: ")[i])
	}
	const head = "version: 1\nexperiment: {id: e}\nlog: {order: [ts], action: a, reward: r, context: [x0, x1, x2], batch: day}\narms: [control, blue]\nreward: {range: [0, 1]}\n"
	for _, p := range declared {
		source := head + p + "\n"
		switch {
		case strings.Contains(p, "like: "):
			source += "counter: {name: exact}\n"
		case strings.Contains(p, "name: ") && !strings.Contains(p, "counter: "):
			continue // its counter stands beside it
		}
		if !strings.Contains(p, "update: ") {
			source = strings.Replace(source, ", batch: day", "", 1)
		}
		doc, err := analyze.Standard().Format().ParseProtocol("manual", []byte(source))
		if err != nil {
			t.Errorf("%v\n%s", err, source)
			continue
		}
		c := doc.Protocol.Privacy
		if c == nil {
			continue
		}
		m, err := analyze.Standard().New(&doc.Protocol, doc.Protocol.Arms)
		if err != nil {
			t.Errorf("%v\n%s", err, source)
			continue
		}
		if e := c.Epsilon.Rat(); e != nil && m.Law().Epsilon().Rat().Cmp(e) > 0 || c.Definition == "zcdp" && m.Law().Rho() > c.Rho.Float() {
			t.Errorf("ε = %v, ρ = %v, which is more than is claimed\n%s", m.Law().Epsilon(), m.Law().Rho(), source)
		}
	}
	format, text := known().Format(), manualPages(t)
	for _, name := range slices.Concat(format.PolicyNames(), format.CounterNames()) {
		if !strings.Contains(text, "\n- `"+name+"`") && !strings.Contains(text, ", `"+name+"`: ") {
			t.Errorf("no list of the manual has %s", name)
		}
	}
}

// TestReadmeAnalysis reads the analysis that the manual shows, and what init
// proposes.
func TestReadmeAnalysis(t *testing.T) {
	const head = "version: 1\nexperiment: {id: e}\nlog: {order: [ts], action: a, reward: r, unit: u, context: [age, {column: country, levels: [DE, FR, US]}]}\narms: [control, blue]\nreward: {range: [0, 1]}\n"
	_, block, _ := strings.Cut(fileText(t, filepath.Join(manualDir, "tests.md")), "\n    analysis:\n")
	block, _, _ = strings.Cut(block, "\n\n")
	doc, err := analyze.Standard().Format().ParseProtocol("tests.md", []byte(head+"analysis:\n"+strings.ReplaceAll("\n"+block, "\n    ", "\n")+"\n"))
	if err != nil || strings.Count(block, "{id: H") < 4 {
		t.Fatalf("%v\n%s", err, block)
	}
	for _, r := range doc.Protocol.Analysis.Regressions { // else its tests are not applicable where a unit has several rounds
		if r.Covariance.Cluster != "unit" {
			t.Errorf("regression %s of the manual is not clustered by the unit of its log", r.Name)
		}
	}
	var started strings.Builder
	if err := protocolinit.Print(&started, known().Format(), &guess.Draft{}, "x", []string{"x"}); err != nil {
		t.Fatal(err)
	}
	_, proposed, _ := strings.Cut(started.String(), "# analysis:")
	proposed, _, _ = strings.Cut("# analysis:"+proposed, "\n# Columns")
	proposed = strings.NewReplacer("# analysis:", "analysis:", "\n#", "\n", "NUMBER", "0.5", "[LABEL, LABEL]", "[blue, control]", "LABEL, coef", "blue, coef", "COLUMN", "age").Replace(proposed)
	if _, err := analyze.Standard().Format().ParseProtocol("init", []byte(head+proposed)); err != nil || strings.Count(proposed, "{id: H") < 3 {
		t.Errorf("%v\n%s", err, proposed)
	}
}

// TestReadingColumns: the tables and columns that the manual and the notebook name are
// those of a bundle. testdata/notebook/run.sh runs the lines themselves.
func TestReadingColumns(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	if code, _, stderr := run(t, "audit", "-p", filepath.Join(root, "testdata", "homepage", "protocol.yaml"), "-o", out, filepath.Join(root, "testdata", "homepage", "log")); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	columns := func(name string) []string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(out, "tables", name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range f.Schema().Columns() {
			names = append(names, c[0])
		}
		return names
	}
	pages := manualPages(t)
	for _, m := range regexp.MustCompile(`SELECT ([a-z_, ]+) FROM 'DIR/tables/(\w+)\.parquet'`).FindAllStringSubmatch(pages, -1) {
		for name := range strings.SplitSeq(m[1], ", ") {
			if !slices.Contains(columns(m[2]), name) {
				t.Errorf("%s: there is no column %s", m[0], name)
			}
		}
	}
	tables, err := filepath.Glob(filepath.Join(out, "tables", "*.parquet"))
	if err != nil || len(tables) == 0 {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(fileText(t, filepath.Join(manualDir, "reading.md")), "## The tables")
	for _, path := range tables {
		if name := strings.TrimSuffix(filepath.Base(path), ".parquet"); !strings.Contains(section, "`"+name+"`") {
			t.Errorf("reading.md does not name the table %s", name)
		}
	}
	var notebook struct {
		Format int `json:"nbformat"`
		Cells  []struct {
			Source, Outputs []string
			Count           *int `json:"execution_count"`
		}
	}
	if err := json.Unmarshal([]byte(fileText(t, "testdata/notebook/arms.ipynb")), &notebook); err != nil || notebook.Format != 4 || len(notebook.Cells) < 4 {
		t.Fatalf("arms.ipynb: %v, format %d, %d cells", err, notebook.Format, len(notebook.Cells))
	}
	known := slices.Concat(columns("run"), columns("claims"), columns("arms"), columns("measures"))
	for _, c := range notebook.Cells {
		if len(c.Outputs) > 0 || c.Count != nil {
			t.Errorf("arms.ipynb has outputs of a run: %q", c.Outputs)
		}
		for _, m := range regexp.MustCompile(`(?:run|measures|these)\.([a-z]+_[a-z_]+|overall|measure)\b[^(]`).FindAllStringSubmatch(strings.Join(c.Source, ""), -1) {
			if !slices.Contains(known, m[1]) && m[1] != "sort_values" {
				t.Errorf("arms.ipynb: there is no column %s", m[1])
			}
		}
	}
}

// TestHomepageIsRemade makes the homepage log again by the command that
// testdata/README.md gives, and compares every byte.
func TestHomepageIsRemade(t *testing.T) {
	command := indented(t, "testdata/README.md", "banditlab simulate ")[0]
	dir := filepath.Join(t.TempDir(), "made")
	want := filepath.Join(root, "testdata", "homepage")
	args := words(strings.TrimPrefix(command, "banditlab "), dir)
	for i := range args {
		if strings.HasPrefix(args[i], "testdata/") {
			args[i] = filepath.Join(root, args[i])
		}
	}
	if code, _, stderr := run(t, args...); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	made, kept := contents(t, dir), contents(t, want)
	if len(made) != len(kept) || len(made) < 6 {
		t.Fatalf("made %d files, kept %d", len(made), len(kept))
	}
	total := 0
	for name, b := range kept {
		total += len(b)
		if !bytes.Equal(made[name], b) {
			t.Errorf("%s is not what the command makes", name)
		}
	}
	if total > 2<<20 {
		t.Errorf("testdata/homepage has %d bytes, more than 2 MiB", total)
	}
}

// contents reads every file below dir by its relative name.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		out[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestHomepageShows asks of the homepage report what it is there to show.
func TestHomepageShows(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	home := filepath.Join(root, "testdata", "homepage")
	if code, _, stderr := run(t, "audit", "-p", filepath.Join(home, "protocol.yaml"), "-o", out, filepath.Join(home, "log")); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	e := readResults(t, filepath.Join(out, "results.json")).Experiments[0]
	if e.Replay.Matched != 20000 || e.Rounds != 20000 {
		t.Errorf("replay matched %d of %d rounds, want 20000 of 20000", e.Replay.Matched, e.Rounds)
	}
	var below, above, excludes, vacuous int
	for i := range e.Tests {
		for _, r := range e.Tests[i].Results {
			if r.Method != schemas.MethodCorrected {
				continue
			}
			if *r.P < 0.05 {
				below++
			} else {
				above++
			}
			if r.CI[0] > 0.5 || r.CI[1] < 0.5 {
				excludes++
			}
			if r.Vacuous {
				vacuous++
			}
		}
	}
	if below == 0 || above == 0 || excludes == 0 || vacuous == 0 {
		t.Errorf("%d corrected p below 0.05, %d above, %d intervals that exclude 0.5, %d VACUOUS; want at least one of each", below, above, excludes, vacuous)
	}
	if len(e.Regressions) != 5 || e.Regressions[0].Rank != 4 {
		t.Errorf("regressions: %d, want 5 of rank 4", len(e.Regressions))
	}
}

// TestSameBytes runs the same audit with one worker and with eight, twice, and
// from two working directories.
func TestSameBytes(t *testing.T) {
	home, err := filepath.Abs(filepath.Join(root, "testdata", "homepage"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var first map[string][]byte
	for i, jobs := range []string{"1", "8", "1", "3"} {
		t.Chdir(map[bool]string{true: dir, false: home}[i%2 == 0])
		out := filepath.Join(dir, "out"+jobs+string(rune('a'+i)))
		if code, _, stderr := run(t, "audit", "-j", jobs, "-p", filepath.Join(home, "protocol.yaml"), "-o", out, filepath.Join(home, "log")); code != 0 {
			t.Fatalf("exit %d\n%s", code, stderr)
		}
		got := contents(t, out)
		delete(got, "run.json")
		delete(got, "checksums.txt")
		if first == nil {
			first = got
		}
		for name := range first {
			if !bytes.Equal(first[name], got[name]) {
				t.Errorf("-j %s, run %d: %s differs", jobs, i, name)
			}
		}
	}
}

// TestOpenBandit audits a real log that is not private, and asks that nothing
// is claimed that was not checked.
func TestOpenBandit(t *testing.T) {
	log := filepath.Join(root, "..", "shared", "data", "open-bandit", "bts-men.parquet")
	if _, err := os.Stat(log); err != nil {
		t.Skip("../shared/data/open-bandit/bts-men.parquet, a real log that is not part of the project, is not there")
	}
	out := filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := run(t, "audit", "-p", filepath.Join(root, "testdata", "open-bandit", "protocol.yaml"), "-o", out, log)
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	r := readResults(t, filepath.Join(out, "results.json"))
	e := &r.Experiments[0]
	if e.Rounds != 10000 || len(e.Arms) != 34 || e.ContextDim != 22 {
		t.Errorf("%d rounds, %d arms, %d context columns; want 10000, 34, 22", e.Rounds, len(e.Arms), e.ContextDim)
	}
	if e.Data.FirstTime == nil || *e.Data.FirstTime != "2019-11-24T00:01:03.979311Z" || *e.Data.LastTime != "2019-11-30T23:59:21.58653Z" {
		t.Errorf("the log is from %v to %v", e.Data.FirstTime, e.Data.LastTime)
	}
	for file, want := range map[string]string{"report.html": "<p>Rounds from 2019-11-24 to 2019-11-30.</p>", "report.md": "2019-11-24T00:01:03.979311Z to "} {
		if !strings.Contains(readFile(t, filepath.Join(out, file)), want) {
			t.Errorf("%s does not say %q", file, want)
		}
	}
	if d := check.Find(e.Data.Checks, "H14").Detail; !strings.Contains(d, ", all but 1 row (round ") || !strings.Contains(d, ") multiples of 1/200,000, as shares of 200,000 draws are; 1 row exactly uniform") {
		t.Errorf("H14: %s", d)
	}
	want := map[string]schemas.Verdict{
		schemas.KindDataQuality: schemas.Verified, schemas.KindAllocation: schemas.Consistent,
		schemas.KindConformance: schemas.NotApplicable, schemas.KindPrivacyTotal: schemas.NotApplicable,
	}
	for i := range r.Claims {
		if c := &r.Claims[i]; want[c.Kind] != c.Verdict {
			t.Errorf("%s is %s, want %s", c.Kind, c.Verdict, want[c.Kind])
		}
	}
	for i := range e.Arms {
		a := &e.Arms[i]
		if a.ConfidenceSequence == nil || a.IPWMean == nil || a.BiasBound != nil || a.CICorrected != nil {
			t.Errorf("arm %s: wants a confidence sequence and an IPW mean, and nothing that needs a ledger: %+v", a.Label, a)
		}
	}
}

// TestOpenBanditCadence asks what the propensities of that log show without being
// told any of it: a policy that was not fixed, windows of about 300 s, and the one
// row with exactly 1/34.
func TestOpenBanditCadence(t *testing.T) {
	if testing.Short() {
		t.Skip("two audits of a real log")
	}
	log := filepath.Join(root, "..", "shared", "data", "open-bandit", "bts-men.parquet")
	if _, err := os.Stat(log); err != nil {
		t.Skip("../shared/data/open-bandit/bts-men.parquet, a real log that is not part of the project, is not there")
	}
	protocol, err := os.ReadFile(filepath.Join(root, "testdata", "open-bandit", "protocol.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for name, with := range map[string]string{"as it is": "  context:\n", "position declared": "  context:\n    - {column: position, levels: ['1', '2', '3'], baseline: '1'}\n"} {
		dir := t.TempDir()
		declared := filepath.Join(dir, "protocol.yaml")
		if err := os.WriteFile(declared, []byte(strings.Replace(string(protocol), "  context:\n", with, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out")
		if code, stdout, stderr := run(t, "audit", "-p", declared, "-o", out, log); code != 0 {
			t.Fatalf("%s: exit %d\n%s%s", name, code, stdout, stderr)
		}
		said := map[string]string{}
		for _, c := range readResults(t, filepath.Join(out, "results.json")).Experiments[0].Data.Checks {
			said[c.ID] = c.Observed + ". " + c.Detail
		}
		for id, wants := range map[string][]string{
			"H10": {"changes about every 300 s", "A fixed policy would log one propensity for each arm", "contradicted, 7,814 different ones in 10,000 rows", "Boundaries lie every 299.9"},
			"H14": {"1 row exactly uniform (round 4,182)", "effective sample size 655.7"},
		} {
			for _, want := range wants {
				if !strings.Contains(said[id], want) {
					t.Errorf("%s: %s does not say %q: %s", name, id, want, said[id])
				}
			}
		}
		if name == "position declared" && !strings.Contains(said["H10"], "of one arm and position less than a period apart") {
			t.Errorf("cells are not by position: %s", said["H10"])
		}
	}
}

// TestReadmeProtocol reads the least protocol, alone and with the keys that the
// manual shows beside it.
func TestReadmeProtocol(t *testing.T) {
	for _, file := range []string{"README.md", filepath.Join(manualDir, "protocol.md")} {
		_, least, found := strings.Cut(fileText(t, file), "\n    version: 1\n")
		least, _, ended := strings.Cut(least, "\n\n")
		if !found || !ended {
			t.Fatalf("%s shows no protocol that begins with version: 1", file)
		}
		least = "version: 1\n" + strings.ReplaceAll("\n"+least, "\n    ", "\n") + "\n"
		regressions := indented(t, filepath.Join(manualDir, "protocol.md"), "analysis: ")[0] + "\n"
		context := indented(t, filepath.Join(manualDir, "log.md"), "  context: [{")[0]
		with := strings.Replace(least, "propensity: p}", "propensity: p, "+context+"}", 1)
		for name, source := range map[string]string{"least": least, "with regressions": with + regressions} {
			doc, err := analyze.Standard().Format().ParseProtocol("p.yaml", []byte(source))
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, source)
				continue
			}
			if p := &doc.Protocol; name != "least" && (len(p.Analysis.Regressions) != 1 || len(p.Log.Context.Columns) != 1 || len(p.Log.Context.Columns[0].Levels) != 3) {
				t.Errorf("%s: %+v, %+v", name, p.Analysis, p.Log)
			}
		}
	}
}

// TestHelpClaims: the claims that help shows are read.
func TestHelpClaims(t *testing.T) {
	text := strings.Join(strings.Fields(kit.TopicOf(allTopics(known()), "verdicts").Text(88)), " ")
	var claims []string
	for _, kind := range []string{schemas.KindBiasBound, schemas.KindHypothesis} {
		start := strings.Index(text, "kind: "+kind)
		if start < 0 {
			t.Fatalf("help verdicts shows no claim of kind %s", kind)
		}
		open := strings.LastIndex(text[:start], "{")
		claims = append(claims, text[open:open+strings.Index(text[open:], "}")+1])
	}
	source := "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {order: [t], action: a, reward: r}\narms: [x, y]\nreward: {range: [0, 1]}\n" +
		"analysis: {chosen: before, tests: [{id: H1, arm: x, mean: 0.5, test: t}]}\nclaims: [" + strings.Join(claims, ", ") + "]\n"
	if doc, err := analyze.Standard().Format().ParseProtocol("p.yaml", []byte(source)); err != nil || len(doc.Protocol.Claims) != 2 {
		t.Errorf("%v\n%s", err, source)
	}
	for _, kind := range []string{schemas.KindDataQuality, schemas.KindAllocation, schemas.KindConformance, schemas.KindPrivacyTotal, schemas.KindPrivacyNoise, schemas.KindPrivacyLower} {
		if !strings.Contains(text, kind) {
			t.Errorf("help verdicts does not name %s", kind)
		}
	}
}
