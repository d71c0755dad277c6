package schemas_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

// streamed writes results experiment by experiment.
func streamed(t *testing.T, r *schemas.Results) ([]byte, error) {
	t.Helper()
	w := resultsfile.NewWriter(schemas.Standard(), new(bytes.Buffer), new(bytes.Buffer))
	for i := range r.Experiments {
		if err := w.Add(&r.Experiments[i]); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	err := w.Finish(&b, r)
	return b.Bytes(), err
}

// decoded reads results as they stand in a file: head, claims and experiments.
func decoded(tb testing.TB, b []byte) (*schemas.Results, error) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "results.json")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		tb.Fatal(err)
	}
	f, err := resultsfile.Open(schemas.Standard(), path, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	r := *f.Head
	err = f.Claims(func(c *schemas.Finding) error {
		r.Claims = append(r.Claims, *c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = f.Experiments(func(x *schemas.Experiment) error {
		r.Experiments = append(r.Experiments, *x)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// TestResultsWriterIsEncode: the stream has the bytes of the whole, and reading
// it back gives the whole, for no, one and several claims and experiments.
func TestResultsWriterIsEncode(t *testing.T) {
	v, _ := schemas.WholeJSON(t, "results")
	whole := v.(*schemas.Results)
	for _, n := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {3, 2}} {
		r := *whole
		r.Claims, r.Experiments = nil, nil
		for range n[0] {
			r.Claims = append(r.Claims, whole.Claims[0])
		}
		for range n[1] {
			r.Experiments = append(r.Experiments, whole.Experiments[0])
		}
		want, err := schemas.Encode(&r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := streamed(t, &r)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%d claims, %d experiments:\n%s", n[0], n[1], diff)
		}
		again, err := decoded(t, got)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := schemas.Encode(again); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%d claims, %d experiments: read back as something else: %v", n[0], n[1], err)
		}
	}
}

func TestResultsWriterRefuses(t *testing.T) {
	for name, change := range map[string]func(*schemas.Results){
		"schema":     func(r *schemas.Results) { r.Schema = "results.v0" },
		"claim":      func(r *schemas.Results) { r.Claims[0].Verdict = "FINE" },
		"experiment": func(r *schemas.Results) { r.Experiments[0].Tests[0].Verdict = "FINE" },
		"NaN":        func(r *schemas.Results) { r.Experiments[0].Tests[0].Value = math.NaN() },
	} {
		v, _ := schemas.WholeJSON(t, "results")
		r := v.(*schemas.Results)
		change(r)
		if _, err := streamed(t, r); !errors.Is(err, schemas.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestResultsInAnyOrder: a program may have sorted the keys.
func TestResultsInAnyOrder(t *testing.T) {
	_, b := schemas.WholeJSON(t, "results")
	text := string(b)
	at := strings.Index(text, "\n  \"claims\": [")
	moved := "{" + strings.TrimSuffix(text[at:], "\n}\n") + "," + strings.TrimSuffix(strings.TrimSuffix(text[1:at], "\n"), ",") + "}"
	r, err := decoded(t, []byte(moved))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := schemas.Encode(r); err != nil || !bytes.Equal(again, b) {
		t.Errorf("read as something else: %v", err)
	}
}

func TestDecodeResultsRefuses(t *testing.T) {
	_, b := schemas.WholeJSON(t, "results")
	good := string(b)
	for _, tc := range []struct{ name, src, want string }{
		{"something after the document", good + "{}", "something follows the document at byte"},
		{"a list twice", strings.Replace(good, `"claims": [`, `"claims": [], "claims": [`, 1), `the key "claims" stands twice at byte`},
		{"a key twice in an experiment", strings.Replace(good, `"rounds":`, `"rounds": 3, "rounds":`, 1), `/experiments/0: schemas: results.json: not a valid document: the key "rounds" stands twice`},
		{"a key in capitals", strings.Replace(good, `"claims"`, `"Claims"`, 1), "missing property 'claims'"},
		{"no list", strings.Replace(good, `"experiments": [`, `"experiments": {}, "x": [`, 1), "/experiments: got {, want ["},
		{"cut off", good[:len(good)/2], "not JSON"},
		{"empty", "", "not JSON"},
		{"a list for a document", `[]`, "got [, want {"},
		{"not UTF-8", strings.Replace(good, "text", "\xff", 1), "the text is not UTF-8"},
		{"a closing bracket missing", strings.TrimSuffix(strings.TrimSpace(good), "}"), "not JSON"},
	} {
		r, err := decoded(t, []byte(tc.src))
		if r != nil || !errors.Is(err, schemas.ErrInvalid) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}

func TestOpenResults(t *testing.T) {
	_, b := schemas.WholeJSON(t, "results")
	dir := schemas.WriteFiles(t, map[string]string{"results.json": string(b), "bad.json": "{}"})
	r, err := resultsfile.Open(schemas.Standard(), filepath.Join(dir, "results.json"), math.MaxInt64)
	if err != nil || r.Head.Schema != schemas.ResultsSchema {
		t.Errorf("%v, %v", r, err)
	}
	bad := filepath.Join(dir, "bad.json")
	if _, err = resultsfile.Open(schemas.Standard(), bad, math.MaxInt64); !errors.Is(err, schemas.ErrInvalid) || !strings.HasPrefix(err.Error(), bad+": ") {
		t.Error(err)
	}
	if _, err = resultsfile.Open(schemas.Standard(), filepath.Join(dir, "none.json"), math.MaxInt64); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A results file with one huge value is not decoded where memory is small.
func TestOpenResultsWithin(t *testing.T) {
	huge := strings.Repeat("x", 1<<20)
	for name, text := range map[string]string{
		"a member":  `{"schema": "` + huge + `"}`,
		"a claim":   `{"claims": ["` + huge + `"]}`,
		"many":      `{"claims": [` + strings.TrimSuffix(strings.Repeat(`"`+huge[:1000]+`",`, 1000), ",") + `]}`,
		"blanks":    `{"claims": [` + strings.Repeat(" ", 1<<20) + `]}`,
		"a key":     `{"` + huge + `": 1}`,
		"structure": `{"effective_protocol": ` + strings.Repeat("[", 1<<20),
	} {
		path := filepath.Join(t.TempDir(), "results.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := resultsfile.Open(schemas.Standard(), path, 1<<20); !errors.Is(err, resultsfile.ErrTooLarge) && !errors.Is(err, schemas.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		} else if name == "a member" && !errors.Is(err, resultsfile.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzDecodeResults: reading never panics, and what it accepts is written and
// read again as the same.
func FuzzDecodeResults(f *testing.F) {
	_, b := schemas.WholeJSON(&testing.T{}, "results")
	f.Add(b)
	f.Add([]byte(`{"schema":"results.v1"}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := decoded(t, src)
		if err != nil {
			if r != nil || !errors.Is(err, schemas.ErrInvalid) {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		once, err := schemas.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decoded(t, once)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		twice, err := schemas.Encode(again)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%v\n%s\n%s", err, once, twice)
		}
	})
}
