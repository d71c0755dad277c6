package regress

import (
	"strings"
	"testing"
)

func TestParseKind(t *testing.T) {
	for _, k := range []Kind{Classical, HC0, HC1, HC2, HC3, CR0, CR1} {
		if got, err := ParseKind(string(k)); err != nil || got != k {
			t.Errorf("ParseKind(%q) = %q, %v", k, got, err)
		}
	}
	if _, err := ParseKind("HC4"); err == nil || !strings.Contains(err.Error(), "HC3") {
		t.Errorf("an unknown name must be refused with the names that are known, got %v", err)
	}
}
