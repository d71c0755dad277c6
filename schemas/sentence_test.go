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

// TestPValue: a p that may have underflowed has a bound in place of its digits, and
// no sign of equality.
func TestPValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p         float64
		value, is string
	}{
		{0, "below 1e-300", "p below 1e-300"},
		{9e-301, "below 1e-300", "p below 1e-300"},
		{1e-300, "1e-300", "p = 1e-300"},
		{0.0123456, "0.0123", "p = 0.0123"},
	} {
		if value, is := PValue(c.p), PIs(c.p); value != c.value || is != c.is {
			t.Errorf("%g: %q, %q", c.p, value, is)
		}
	}
}
