package schemas

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// streamed writes results experiment by experiment.
func streamed(t *testing.T, r *Results) ([]byte, error) {
	t.Helper()
	spill, err := os.Create(filepath.Join(t.TempDir(), "spill"))
	if err != nil {
		t.Fatal(err)
	}
	defer spill.Close()
	w := standard().NewResultsWriter(spill)
	for i := range r.Experiments {
		if err = w.Add(&r.Experiments[i]); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	err = w.Finish(&b, r)
	return b.Bytes(), err
}

// TestResultsWriterIsEncode: the stream has the bytes of the whole, and reading
// it back gives the whole, for no, one and several claims and experiments.
func TestResultsWriterIsEncode(t *testing.T) {
	v, _ := exampleJSON(t, "results")
	whole := v.(*Results)
	for _, n := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {3, 2}} {
		r := *whole
		r.Claims, r.Experiments = nil, nil
		for range n[0] {
			r.Claims = append(r.Claims, whole.Claims[0])
		}
		for range n[1] {
			r.Experiments = append(r.Experiments, whole.Experiments[0])
		}
		want, err := Encode(&r)
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
		again, err := standard().DecodeResults(got)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := Encode(again); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%d claims, %d experiments: read back as something else: %v", n[0], n[1], err)
		}
	}
}

func TestResultsWriterRefuses(t *testing.T) {
	for name, change := range map[string]func(*Results){
		"schema":     func(r *Results) { r.Schema = "results.v0" },
		"claim":      func(r *Results) { r.Claims[0].Verdict = "FINE" },
		"experiment": func(r *Results) { r.Experiments[0].Tests[0].Verdict = "FINE" },
		"NaN":        func(r *Results) { r.Experiments[0].Tests[0].Value = math.NaN() },
	} {
		v, _ := exampleJSON(t, "results")
		r := v.(*Results)
		change(r)
		if _, err := streamed(t, r); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestResultsInAnyOrder: a program may have sorted the keys.
func TestResultsInAnyOrder(t *testing.T) {
	_, b := exampleJSON(t, "results")
	text := string(b)
	at := strings.Index(text, "\n  \"claims\": [")
	moved := "{" + strings.TrimSuffix(text[at:], "\n}\n") + "," + strings.TrimSuffix(strings.TrimSuffix(text[1:at], "\n"), ",") + "}"
	r, err := standard().DecodeResults([]byte(moved))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Encode(r); err != nil || !bytes.Equal(again, b) {
		t.Errorf("read as something else: %v", err)
	}
}

func TestDecodeResultsRefuses(t *testing.T) {
	_, b := exampleJSON(t, "results")
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
		r, err := standard().DecodeResults([]byte(tc.src))
		if r != nil || !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}
