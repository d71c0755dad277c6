package schemas

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
		if _, err := standard().OpenResultsWithin(path, 1<<20); !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		} else if name == "a member" && !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
