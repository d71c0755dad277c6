package page

import "testing"

func TestAnchor(t *testing.T) {
	ids := map[string]bool{"/experiments/0/arms": true, "/experiments/0/arms/3": true}
	for pointer, want := range map[string]string{
		"/experiments/0/arms/3/mean": "/experiments/0/arms/3",
		"/experiments/0/arms/4":      "/experiments/0/arms",
		"/claims/1":                  "",
		"":                           "",
		"no pointer":                 "",
	} {
		if got := anchor(pointer, ids); got != want {
			t.Errorf("anchor(%q) = %q, want %q", pointer, got, want)
		}
	}
}

// TestPowers: exponents stand high; everything else is escaped as it is.
func TestPowers(t *testing.T) {
	for in, want := range map[string]string{
		"4.5×10^-324":        "4.5×10<sup>−324</sup>",
		"1×10^7, 2×10^8":     "1×10<sup>7</sup>, 2×10<sup>8</sup>",
		"< 10^-298":          "&lt; 10<sup>−298</sup>",
		"a 10^-298, 2^-20":   "a 10^-298, 2^-20",
		"×10^<b>":            "×10^&lt;b&gt;",
		"<sup>\n×10^2</sup>": "&lt;sup&gt;⟨U+000A⟩×10<sup>2</sup>&lt;/sup&gt;",
	} {
		if got := string(powers()(in)); got != want {
			t.Errorf("powers(%q) = %q, want %q", in, got, want)
		}
	}
}
