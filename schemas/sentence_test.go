package schemas

import (
	"math"
	"testing"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", 200000: "200,000", 1234567: "1,234,567", -999: "-999", -1234: "-1,234",
		math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	for label, want := range map[string]string{
		"green": "green", "a b": "a b", "": `""`, "a ": `"a "`, " a": `" a"`, "  ": `"  "`, "\ta": "\ta", "\u00a0a": "\u00a0a", // these two are Printable's
	} {
		if got := Named(label); got != want {
			t.Errorf("Named(%q) = %q, want %q", label, got, want)
		}
	}
}
