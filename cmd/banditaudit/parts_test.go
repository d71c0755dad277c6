package main

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"banditaudit/analyze/decide/shard"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// unequalExperiments writes a log of experiments of unequal lengths in several files,
// with propensities and missing rewards, and a protocol that asks tests of it.
func unequalExperiments(t *testing.T, r *rand.Rand) (protocol, log string) {
	t.Helper()
	dir := t.TempDir()
	protocol, log = filepath.Join(dir, "protocol.yaml"), filepath.Join(dir, "log")
	write(t, protocol, []byte(`version: 1
experiment: {column: experiment, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: propensity, missing_reward: exclude}
arms: [a, b, c]
reward: {range: [0, 1]}
`+askedOf(r)))
	if err := os.Mkdir(log, 0o700); err != nil {
		t.Fatal(err)
	}
	w, err := logfile.NewWriter(log, logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, MissingReward: true, Experiments: true, Propensity: true, CreatedBy: "test", RowsPerFile: int64(200 + r.IntN(400))})
	if err != nil {
		t.Fatal(err)
	}
	for e := range 1 + r.IntN(14) {
		for round := range 5 + r.IntN(300) {
			row := logfile.Row{Experiment: int64(e), Round: int64(round), Arm: r.IntN(3), Propensity: 1. / 3, Reward: float64(r.IntN(2))}
			if r.IntN(50) == 0 {
				row.Reward = math.NaN()
			}
			if err := w.Append(&row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return protocol, log
}

// askedOf asks tests whose family is adjusted in one of the ways.
func askedOf(r *rand.Rand) string {
	return "analysis: {chosen: before, alpha: 0.05, multiplicity: " + []string{"none", "bonferroni", "holm", "by", "bh"}[r.IntN(5)] +
		", correction: {method: conditional}, tests: [{id: H1, arm: each, mean: 0.5}, {id: H2, arm: most-pulled, mean: 0.4}]}\n"
}

// fragmentsOf audits a log in n parts.
func fragmentsOf(t *testing.T, protocol, log string, n int, jobs func() int) []string {
	t.Helper()
	dir := t.TempDir()
	out := make([]string, n)
	for i := range out {
		out[i] = filepath.Join(dir, strconv.Itoa(i)+".frag")
		code, _, stderr := run(t, "audit", "-j", strconv.Itoa(jobs()), "-p", protocol, "--part", shard.Part{I: i, N: n}.String(), "-o", out[i], log)
		if code != 0 {
			t.Fatalf("part %d of %d: exit %d: %s", i, n, code, stderr)
		}
	}
	return out
}

// TestPartsAreTheWhole: parts of any number, made with any number of jobs and merged in
// any order, give the bundle that one audit gives, and its exit code; and so do parts to
// which whole experiments were shuffled.
func TestPartsAreTheWhole(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		protocol, log := unequalExperiments(t, r)
		if seed%4 == 3 { // noise that is shared by experiments in different parts
			protocol, log = severalExperiments(t, "policy: {name: ucb, width: {c: 2}}\ncounter: {name: tree, epsilon: 1, horizon: 400}", 5, 300, func(e int) string { return strconv.Itoa(e % 3) })
			source, err := os.ReadFile(protocol)
			if err != nil {
				t.Fatal(err)
			}
			write(t, protocol, append(source, askedOf(r)...))
		}
		jobs := func() int { return 1 + r.IntN(2) }
		dir := t.TempDir()
		whole, merged := filepath.Join(dir, "whole"), filepath.Join(dir, "merged")
		want, summary, stderr := run(t, "audit", "-j", strconv.Itoa(jobs()), "-p", protocol, "-o", whole, log)
		if want != kit.ExitOK && want != kit.ExitExceptions && want != kit.ExitIncomplete {
			t.Fatalf("exit %d: %s", want, stderr)
		}
		parts := fragmentsOf(t, protocol, log, 1+r.IntN(6), jobs)
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		got, said, stderr := run(t, append([]string{"merge", "-p", protocol, "-o", merged}, parts...)...)
		if got != want || said != summary {
			t.Fatalf("seed %d, %d parts: exit %d, and %d of the whole log: %s\n%s\n%s", seed, len(parts), got, want, stderr, said, summary)
		}
		samePages(t, whole, merged)
		shuffled, census := fragmentsOfShuffled(t, r, protocol, log, seed%2 == 0)
		merged = filepath.Join(dir, "shuffled")
		got, said, stderr = run(t, append([]string{"merge", "-j", strconv.Itoa(jobs()), "-p", protocol, "--log", census, "-o", merged}, shuffled...)...)
		if seed%4 == 3 {
			if got != kit.ExitInput || !strings.Contains(stderr, "share noise") {
				t.Errorf("shared noise in shuffled parts: exit %d: %s", got, stderr)
			}
			continue
		}
		if got != want || said != strings.ReplaceAll(summary, whole, merged) {
			t.Fatalf("seed %d, shuffled: exit %d, and %d of the whole log: %s\n%s\n%s", seed, got, want, stderr, said, summary)
		}
		samePages(t, whole, merged)
		if seed > 0 {
			continue
		}
		for _, made := range []string{merged, whole} {
			if code, stdout, stderr := run(t, append([]string{"verify", made}, shuffled...)...); code != 0 || !strings.Contains(stdout, "made again from the fragments, byte for byte the same") {
				t.Errorf("verify of %s with shuffled fragments: exit %d\n%s%s", made, code, stdout, stderr)
			}
		}
		without := slices.DeleteFunc(slices.Clone(shuffled), func(name string) bool { // only an empty one is left
			f, err := readFragment(name)
			return err == nil && f.Count > 0
		})
		broken, bare := filepath.Join(dir, "broken.frag"), filepath.Join(dir, "broken")
		for _, name := range []string{broken, bare} {
			write(t, name, []byte("?"))
		}
		for name, c := range map[string]struct {
			given []string
			code  int
			says  string
		}{
			"a damaged fragment":   {[]string{broken}, kit.ExitInput, "broken.frag is not a whole fragment"},
			"one without its name": {append([]string{bare}, shuffled...), kit.ExitInput, "broken is not a whole fragment"},
			"fragments and a log":  {append([]string{log}, shuffled...), kit.ExitUsage, "is a fragment, and"},
			"some missing":         {without, kit.ExitInput, "missing: experiment "},
		} {
			if code, stdout, stderr := run(t, append([]string{"verify", merged}, c.given...)...); code != c.code || !strings.Contains(stderr, c.says) {
				t.Errorf("verify with %s: exit %d: %s%s", name, code, stdout, stderr)
			}
		}
		merged = filepath.Join(dir, "merged")
		if code, stdout, _ := run(t, append([]string{"verify", merged}, parts...)...); code != 0 || !strings.Contains(stdout, "made again from the fragments, byte for byte the same") {
			t.Errorf("verify with fragments: exit %d\n%s", code, stdout)
		}
		if code, stdout, _ := run(t, "verify", "-p", protocol, merged, log); code != 0 {
			t.Errorf("verify with the log: exit %d\n%s", code, stdout)
		}
	}
}

// shuffledRows are the rows of a log by experiment, and how to write them.
func shuffledRows(t *testing.T, log string) (schema *parquet.Schema, rows map[string][]parquet.Row) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(log, "*.parquet"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	rows = map[string][]parquet.Row{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := parquet.NewReader(bytes.NewReader(b))
		schema = r.Schema()
		at, _ := schema.Lookup("experiment")
		buffer := make([]parquet.Row, 256)
		for err == nil {
			var n int
			n, err = r.ReadRows(buffer)
			for _, row := range buffer[:n] {
				id := row[at.ColumnIndex].String()
				rows[id] = append(rows[id], row.Clone())
			}
		}
	}
	return schema, rows
}

// writePart writes rows as a part, in some order.
func writePart(t *testing.T, r *rand.Rand, schema *parquet.Schema, rows []parquet.Row) string {
	t.Helper()
	rows = slices.Clone(rows)
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	var b bytes.Buffer
	w := parquet.NewWriter(&b, schema)
	if _, err := w.WriteRows(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "part.parquet")
	write(t, name, b.Bytes())
	return name
}

// censusOf is the census of a log, counted file by file.
func censusOf(t *testing.T, protocol, log string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(log, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args := []string{"census", "-q", "-p", protocol, "-o", filepath.Join(dir, "log.json")}
	for i, name := range names {
		part := filepath.Join(dir, strconv.Itoa(i)+".json")
		if code, _, stderr := run(t, "census", "-q", "-p", protocol, "--root", log, "-o", part, name); code != 0 {
			t.Fatal(stderr)
		}
		args = slices.Insert(args, 2, part)
	}
	if code, _, stderr := run(t, args...); code != 0 {
		t.Fatal(stderr)
	}
	return filepath.Join(dir, "log.json")
}

// fragmentsOfShuffled sends every experiment of a log to some part, and audits the parts,
// of which some may have none.
func fragmentsOfShuffled(t *testing.T, r *rand.Rand, protocol, log string, ids bool) (fragments []string, census string) {
	t.Helper()
	census = censusOf(t, protocol, log)
	if !ids {
		all, err := readLog(census)
		if err != nil {
			t.Fatal(err)
		}
		all.IDs = nil
		b, err := schemas.Encode(all.Census)
		if err != nil {
			t.Fatal(err)
		}
		write(t, census, b)
	}
	schema, rows := shuffledRows(t, log)
	parts := make([][]parquet.Row, 1+r.IntN(3))
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		i := r.IntN(len(parts))
		parts[i] = append(parts[i], rows[id]...)
	}
	for i := range parts {
		name := filepath.Join(t.TempDir(), strconv.Itoa(i)+".frag")
		code, _, stderr := run(t, "audit", "-q", "-j", strconv.Itoa(1+r.IntN(2)), "-p", protocol, "--log", census, "-o", name, writePart(t, r, schema, parts[i]))
		if code != 0 {
			t.Fatal(stderr)
		}
		fragments = slices.Insert(fragments, r.IntN(i+1), name)
	}
	return fragments, census
}

// samePages asserts that two bundles differ in nothing but what says how they were made.
func samePages(t *testing.T, a, b string) {
	t.Helper()
	left, _, err := bundle.FilesOf(os.DirFS(a))
	if err != nil {
		t.Fatal(err)
	}
	right, _, err := bundle.FilesOf(os.DirFS(b))
	if err != nil || len(left) != len(right) || len(left) < 5 {
		t.Fatalf("%d and %d files: %v", len(left), len(right), err)
	}
	for i := range left {
		if left[i].Name != right[i].Name || left[i].SHA256 != right[i].SHA256 && left[i].Name != "manifest.json" && left[i].Name != kit.RunFile {
			t.Errorf("%s and %s differ", left[i].Name, right[i].Name)
		}
	}
}

// TestPartsRefused: what is missing, doubled, damaged or of something else is never
// merged, and a fragment is not written over another one.
func TestPartsRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	protocol, log := unequalExperiments(t, r)
	_, otherLog := unequalExperiments(t, r)
	one := func() int { return 1 }
	const n = 4
	parts, halves, others := fragmentsOf(t, protocol, log, n, one), fragmentsOf(t, protocol, log, 2, one), fragmentsOf(t, protocol, otherLog, n, one)
	dir := t.TempDir()
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	file := func(name string, text []byte) string {
		name = filepath.Join(dir, name)
		write(t, name, text)
		return name
	}
	source := read(protocol)
	narrow := file("narrow.yaml", bytes.Replace(source, []byte("alpha: 0.05"), []byte("alpha: 0.01"), 1))
	whole := read(parts[0])
	cut := file("cut.frag", whole[:len(whole)/2])
	changed := file("changed.frag", bytes.Replace(whole, []byte(`"verdict":"`), []byte(`"verdict":"N`), 1))
	version := file("version.frag", bytes.Replace(whole, []byte(kit.Version), []byte("9.9.9"), 1))
	for name, c := range map[string]struct {
		protocol string
		parts    []string
		says     string
	}{
		"one missing":       {protocol, parts[1:], "missing: part 0/4"},
		"one twice":         {protocol, append(slices.Clone(parts), parts[2]), "part 2/4 is given twice"},
		"of two divisions":  {protocol, append(slices.Clone(parts), halves[1]), "of 2: give"},
		"another log":       {protocol, append(slices.Clone(parts[1:]), others[0]), "it is of another log"},
		"another protocol":  {narrow, parts, "it was made under another protocol"},
		"cut":               {protocol, append(slices.Clone(parts[1:]), cut), "not a whole fragment"},
		"changed":           {protocol, append(slices.Clone(parts[1:]), changed), "not a whole fragment"},
		"another version":   {protocol, append(slices.Clone(parts[1:]), version), "not a whole fragment"},
		"a protocol as one": {protocol, append(slices.Clone(parts), protocol), "not a whole fragment"},
	} {
		out := filepath.Join(dir, "out")
		code, _, stderr := run(t, append([]string{"merge", "-p", c.protocol, "-o", out}, c.parts...)...)
		if code != kit.ExitInput || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: exit %d: %s", name, code, stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a bundle was left", name)
		}
	}
	forged := file("forged.frag", []byte(resealed(string(whole), `"observed":"`, `"observed":"not `)))
	again := func(protocol, part, out, log string, more ...string) int {
		code, _, _ := run(t, append([]string{"audit", "-q", "-p", protocol, "--part", part, "-o", out, log}, more...)...)
		return code
	}
	for name, c := range map[string][2]int{
		"the same":                 {again(protocol, "0/4", parts[0], log), kit.ExitOK},
		"another protocol":         {again(narrow, "0/4", parts[0], log), kit.ExitUsage},
		"another part":             {again(protocol, "1/4", parts[0], log), kit.ExitUsage},
		"another log":              {again(protocol, "0/4", parts[0], otherLog), kit.ExitUsage},
		"a damaged one":            {again(protocol, "0/4", cut, log), kit.ExitUsage},
		"no fragment":              {again(protocol, "0/4", narrow, log), kit.ExitUsage},
		"no fragment, by force":    {again(protocol, "0/4", narrow, log, "--force"), kit.ExitUsage},
		"other outcomes":           {again(protocol, "0/4", forged, log), kit.ExitInternal},
		"other outcomes, by force": {again(protocol, "0/4", forged, log, "--force"), kit.ExitOK},
		"an empty file":            {again(protocol, "0/4", file("none.frag", nil), log), kit.ExitUsage},
		"an empty file, by force":  {again(protocol, "0/4", file("none.frag", nil), log, "--force"), kit.ExitOK},
		"standard output":          {again(protocol, "0/4", "-", log), kit.ExitUsage},
		"part 4 of 4":              {again(protocol, "4/4", filepath.Join(dir, "x"), log), kit.ExitUsage},
		"no number":                {again(protocol, "x/4", filepath.Join(dir, "x"), log), kit.ExitUsage},
	} {
		if c[0] != c[1] {
			t.Errorf("over %s: exit %d, want %d", name, c[0], c[1])
		}
	}
	if !bytes.Equal(read(parts[0]), whole) || !bytes.Equal(read(forged), whole) {
		t.Error("fragments of the same inputs differ")
	}
}

// TestShuffledRefused: of parts that an engine shuffled, what is missing, doubled or of
// something else is never merged, and what a part cannot know is refused by its name.
func TestShuffledRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	protocol, log := unequalExperiments(t, r)
	_, otherLog := unequalExperiments(t, r)
	schema, rows := shuffledRows(t, log)
	ids := slices.Sorted(maps.Keys(rows))
	if len(ids) < 3 {
		t.Fatal(ids)
	}
	census, otherCensus := censusOf(t, protocol, log), censusOf(t, protocol, otherLog)
	dir := t.TempDir()
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		write(t, name, []byte(text))
		return name
	}
	edited := func(name, old, with string) string {
		if text := read(name); strings.Contains(text, old) {
			return file(strconv.Itoa(r.Int())+filepath.Ext(name), strings.Replace(text, old, with, 1))
		}
		t.Fatalf("%s has no %s", name, old)
		return ""
	}
	audit := func(protocol, log string, rows ...parquet.Row) []string {
		return []string{"audit", "-q", "-p", protocol, "--log", log, "-o", filepath.Join(dir, strconv.Itoa(r.Int())+".frag"), writePart(t, r, schema, rows)}
	}
	fragmentOf := func(protocol, log string, rows ...parquet.Row) string {
		args := audit(protocol, log, rows...)
		if code, _, stderr := run(t, args...); code != kit.ExitOK {
			t.Fatal(stderr)
		}
		return args[len(args)-2]
	}
	some, rest := rows[ids[0]], []parquet.Row{}
	for _, id := range ids[1:] {
		rest = append(rest, rows[id]...)
	}
	a, b := fragmentOf(protocol, census, some...), fragmentOf(protocol, census, rest...)
	n := strconv.Itoa(len(ids))
	listed := read(census)
	from, to := strings.Index(listed, `"ids"`), strings.Index(listed, `"inputs"`)
	more := file("more.json", strings.Replace(listed[:from]+listed[to:], `"experiments": `+n, `"experiments": `+strconv.Itoa(len(ids)+1), 1))
	less := file("less.json", strings.Replace(listed[:from]+listed[to:], `"experiments": `+n, `"experiments": `+strconv.Itoa(len(ids)-1), 1))
	empty := file("empty.json", `{"schema": "census.v1", "experiments": 0, "inputs": [{"uri": "a", "bytes": 1, "rows": 0, "sha256": "`+strings.Repeat("0", 64)+`"}]}`)
	narrow := edited(protocol, "alpha: 0.05", "alpha: 0.01")
	merge := func(parts ...string) []string {
		return append([]string{"merge", "-p", protocol, "--log", census, "-o", filepath.Join(dir, "out")}, parts...)
	}
	again := func(out string, args []string, more ...string) []string {
		args = append(slices.Clone(args), more...)
		args[slices.Index(args, "-o")+1] = out
		return args
	}
	uri := `"uri": "`
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"all":                   {merge(a, b), kit.ExitOK, ""},
		"an experiment twice":   {merge(a, b, a), kit.ExitInput, "is there twice"},
		"one dropped":           {merge(b), kit.ExitInput, "missing: experiment " + ids[0]},
		"split":                 {merge(b, fragmentOf(protocol, census, some[1:]...), fragmentOf(protocol, census, some[:1]...)), kit.ExitInput, "an experiment is never split"},
		"a row dropped":         {merge(b, fragmentOf(protocol, census, some[1:]...)), kit.ExitInput, "rows, the files of the log have"},
		"a row doubled":         {audit(protocol, census, append(some[:1:1], some...)...), kit.ExitInput, "tie"},
		"another protocol":      {merge(b, fragmentOf(narrow, census, some...)), kit.ExitInput, "another protocol"},
		"another version":       {merge(b, file("version.frag", resealed(read(a), kit.Version, "9.9.9"))), kit.ExitInput, "it was made by banditaudit 9.9.9"},
		"another log":           {merge(b, fragmentOf(protocol, more, some...)), kit.ExitInput, "it is of another log"},
		"another log.json":      {again(filepath.Join(dir, "out"), merge(a, b), "--log", otherCensus), kit.ExitInput, "it is of another log"},
		"n wrong":               {again(filepath.Join(dir, "out"), merge(fragmentOf(protocol, more, some...), fragmentOf(protocol, more, rest...)), "--log", more), kit.ExitInput, "of the " + strconv.Itoa(len(ids)+1) + " experiments"},
		"another reading":       {merge(b, file("read.frag", resealed(read(a), `"rewards are bool`, `"rewards are int`))), kit.ExitInput, "the parts were read differently"},
		"results":               {merge(a, census), kit.ExitInput, "not a whole fragment"},
		"merge without --log":   {[]string{"merge", "-p", protocol, "-o", filepath.Join(dir, "out"), a, b}, kit.ExitUsage, "give --log log.json"},
		"fragments of --part":   {merge(fragmentsOf(t, protocol, log, 1, func() int { return 1 })...), kit.ExitInput, "it is a fragment of audit --part"},
		"--part and --log":      {append(audit(protocol, census, some...), "--part", "0/2"), kit.ExitUsage, "exclude each other"},
		"an unknown experiment": {audit(protocol, edited(census, `"`+ids[len(ids)-1]+`"`, `"99"`), rest...), kit.ExitInput, "is not in the log"},
		"ties":                  {audit(edited(protocol, "order: [round]", "order: [round], ties: file-order"), census, some...), kit.ExitUsage, "log.ties is file-order"},
		"arms":                  {audit(edited(protocol, "arms: [a, b, c]", ""), census, some...), kit.ExitUsage, "arms are not declared"},
		"one experiment":        {audit(edited(protocol, "{column: experiment,", "{id: x,"), census, some...), kit.ExitUsage, "one experiment is never split"},
		"a key of paths":        {audit(edited(protocol, "order: [round]", "order: [day, round]"), edited(census, uri, uri+"day=1/"), some...), kit.ExitInput, "have the engine write it"},
		"on stdin":              {again(filepath.Join(dir, "x"), audit(protocol, census, some...), "-"), kit.ExitInput, "write the rows to a file"},
		"in a bucket":           {again(filepath.Join(dir, "x"), audit(protocol, census, some...), "s3://b/log"), kit.ExitInput, "aws s3 cp --recursive"},
		"the same again":        {again(a, audit(protocol, census, some...)), kit.ExitOK, ""},
		"over another part":     {again(a, audit(protocol, census, rest...)), kit.ExitUsage, "it holds other experiments"},
		"over one row more":     {again(a, audit(protocol, census, some[1:]...)), kit.ExitUsage, " now; give another -o"},
		"census to -":           {[]string{"census", "-p", protocol, "-o", "-", census}, kit.ExitUsage, "-o is -"},
		"no such log.json":      {audit(protocol, filepath.Join(dir, "nope.json"), some...), kit.ExitUsage, "does not exist; check the path"},
		"log.json in a bucket":  {again(filepath.Join(dir, "out"), merge(a), "--log", "s3://b/log.json"), kit.ExitUsage, "is an address"},
		"no such column":        {audit(edited(protocol, "{column: experiment,", "{column: nothing,"), census, some...), kit.ExitInput, "experiment.column ("},
		"without an assumption": {merge(b, file("status.frag", resealed(read(a), `"status":{"A1":`, `"status":{"B1":`))), kit.ExitInput, "make the parts again"},
		"a directory":           {merge(dir), kit.ExitInput, "name the files that audit --part"},
		"a damaged line":        {merge(file("line.frag", strings.Replace(read(a), `"outcome":{`, `"outcome":[`, 1))), kit.ExitInput, "damaged at line 2; make the part again"},
		"over other outcomes":   {again(file("forged.frag", resealed(read(a), `"observed":"`, `"observed":"not `)), audit(protocol, census, some...)), kit.ExitInternal, "have other values than they had"},
		"a log without rows":    {audit(protocol, empty), kit.ExitInput, "the log has no rows"},
		"merge of no rows":      {again(filepath.Join(dir, "out"), merge(a), "--log", empty), kit.ExitInput, "the log has no rows"},
		"n too small":           {again(filepath.Join(dir, "out"), merge(fragmentOf(protocol, less, some...), fragmentOf(protocol, less, rest...)), "--log", less), kit.ExitInput, "log.json says"},
		"a pattern":             {merge(b, strings.TrimSuffix(a, "g")+"?"), kit.ExitOK, ""},
		"a pattern of nothing":  {merge(filepath.Join(dir, "none*.frag")), kit.ExitInput, "matches no file"},
		"fragments in a bucket": {merge("s3://b/1.frag"), kit.ExitInput, "aws s3 cp --recursive"},
		"output to a bucket":    {again("s3://b/x.frag", audit(protocol, census, some...)), kit.ExitUsage, "is an address"},
		"census over another":   {[]string{"census", "-p", protocol, "--force", "-o", a, census}, kit.ExitUsage, "no census that banditaudit wrote"},
		"census with ties":      {[]string{"census", "-p", edited(protocol, "order: [round]", "order: [round], ties: file-order"), "-o", filepath.Join(dir, "ties.json"), census}, kit.ExitOK, "warning: audit --log will refuse"},
		"a census cut":          {audit(protocol, file("cut.json", listed[:len(listed)/2]), some...), kit.ExitInput, "damaged at line "},
		"a huge number":         {audit(protocol, edited(census, `"rows": `, `"rows": 99999999999999999999`), some...), kit.ExitInput, "is no census"},
		"rows beyond 2^63":      {audit(protocol, edited(edited(census, `"rows": `, `"rows": 9223372036854775807, "was": `), `, "was": `, `, "bytes": `), some...), kit.ExitInput, "is no census"},
		"a negative number":     {audit(protocol, edited(census, `"rows": `, `"rows": -`), some...), kit.ExitInput, "is no census"},
		"above the log":         {audit(protocol, edited(census, uri, uri+"../"), some...), kit.ExitInput, "is no path below"},
		"an absolute uri":       {audit(protocol, edited(census, uri, uri+"/"), some...), kit.ExitInput, "is no path below"},
		"a uri twice":           {audit(protocol, edited(census, `"inputs": [`, `"inputs": [{"uri": "part-00000.parquet", "bytes": 1, "rows": 1, "sha256": "`+strings.Repeat("0", 64)+`"},`), some...), kit.ExitInput, "each once"},
		"ids out of order":      {audit(protocol, edited(census, `"ids": [`, `"ids": ["7",`), some...), kit.ExitInput, "is no census"},
		"censuses of one file":  {[]string{"census", "-p", protocol, "-o", filepath.Join(dir, "two.json"), census, census}, kit.ExitUsage, "is there twice"},
		"two names":             {[]string{"census", "-p", protocol, "-o", filepath.Join(dir, "two.json"), filepath.Join(log, "part-00000.parquet"), filepath.Join(otherLog, "part-00000.parquet")}, kit.ExitUsage, "give --root"},
		"not below the root":    {[]string{"census", "-p", protocol, "--root", log, "-o", filepath.Join(dir, "two.json"), filepath.Join(otherLog, "part-00000.parquet")}, kit.ExitUsage, "is not below"},
		"a census without ids":  {[]string{"census", "-p", protocol, "-o", filepath.Join(dir, "two.json"), more}, kit.ExitUsage, "without the ids"},
	} {
		code, _, stderr := run(t, c.args...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: exit %d, want %d and %q: %s", name, code, c.code, c.says, stderr)
		}
		_, err := os.Stat(filepath.Join(dir, "out"))
		if (err == nil) != (c.code == kit.ExitOK && c.args[0] == "merge") || os.RemoveAll(filepath.Join(dir, "out")) != nil {
			t.Errorf("%s: a bundle is there: %v", name, err)
		}
	}
}

// resealed is a fragment with something changed and an end that fits.
func resealed(text, old, with string) string {
	head := strings.Index(text, "\n") > strings.Index(text, old)
	text = strings.Replace(text, old, with, 1)
	at := strings.Index(text, "\n") + 1
	_, rest, _ := strings.Cut(text[at:], `"bytes":`)
	size, _, _ := strings.Cut(rest, "}")
	n, _ := strconv.Atoi(size)
	if !head {
		text = text[:at] + strings.Replace(text[at:], `"bytes":`+size+"}", `"bytes":`+strconv.Itoa(n+len(with)-len(old))+"}", 1)
	}
	before := text[:strings.LastIndex(text, `{"end"`)]
	last := text[len(before):]
	_, rest, _ = strings.Cut(last, `"sha256":"`)
	return before + strings.Replace(last, rest[:64], bundle.Sum([]byte(before)), 1)
}

// TestBareTypes: what says no more than the physical type is no other reading.
func TestBareTypes(t *testing.T) {
	for words, want := range map[string]string{
		"INT64 (int64)": "INT64", "INT32 (int32) or INT64 or INT64 (int64)": "INT32 or INT64",
		"INT64 (int32)": "INT64 (int32)", "INT64 (uint64)": "INT64 (uint64)", "INT64 (timestamp, milliseconds, UTC)": "INT64 (timestamp, milliseconds, UTC)",
	} {
		if got := bareTypes(words); got != want {
			t.Errorf("%s: %s, not %s", words, got, want)
		}
	}
}

// TestReadPart: I of auto/N comes from the first of the variables that is set.
func TestReadPart(t *testing.T) {
	for _, c := range []struct {
		text, env, want string // "" where it is refused
	}{
		{"0/1", "", "0/1"},
		{"7/8", "", "7/8"},
		{"8/8", "", ""},
		{"-1/8", "", ""},
		{"1", "", ""},
		{"0/0", "", ""},
		{"auto/4", "", ""},
		{"auto/4", "JOB_COMPLETION_INDEX=3 AWS_BATCH_JOB_ARRAY_INDEX=1", "3/4"},
		{"auto/4", "JOB_COMPLETION_INDEX=4", ""},
		{"auto/4", "JOB_COMPLETION_INDEX=x AWS_BATCH_JOB_ARRAY_INDEX=1", ""},
		{"auto/4", "AWS_BATCH_JOB_ARRAY_INDEX=2 SLURM_ARRAY_TASK_ID=1", "2/4"},
		{"auto/4", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2", "3/4"},
		{"auto/4", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1", "2/4"},
		{"auto/4", "SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2", ""},
		{"auto/4", "SLURM_ARRAY_TASK_ID=1", ""},
	} {
		got, err := readPart(c.text, func(name string) string {
			_, rest, _ := strings.Cut(" "+c.env, " "+name+"=")
			value, _, _ := strings.Cut(rest, " ")
			return value
		})
		if (err == nil) != (c.want != "") || got != nil && got.String() != c.want {
			t.Errorf("%s with %s: %v, %v", c.text, c.env, got, err)
		}
		if err != nil && kit.ExitCode(t.Context(), err) != kit.ExitUsage {
			t.Errorf("%s: exit %d", c.text, kit.ExitCode(t.Context(), err))
		}
	}
}
