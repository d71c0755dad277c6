package cell

import "testing"

func TestTextNumbers(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  bool
	}{
		{[]string{"9", "10"}, true},
		{[]string{"9.5", "10.25"}, true},
		{[]string{"-1", "1"}, true},
		{[]string{"09", "10"}, false},
		{[]string{"9.5", "9.25"}, false},
		{[]string{"9", "10", "x"}, false},
		{[]string{"9", "10", ""}, false},
		{[]string{"9", "10", "null"}, true},
		{[]string{"2026-01-01", "2026-01-01T10"}, false},
		{[]string{"1.2.3", "10.2.3"}, false},
		{[]string{".", "-"}, false},
		{nil, false},
	} {
		var all TextNumbers
		for _, text := range c.texts { // in blocks of one
			all.Look([][]byte{[]byte(text)}, []bool{text == "null"})
		}
		widths := all.Widths()
		if got := all.Misleads(); got != c.want || (widths == "several lengths") != c.want {
			t.Errorf("%q: %v, want %v; %q", c.texts, got, c.want, widths)
		}
		if digits := map[string]string{"09": "2 digits", "9.5": "1 digits"}; !c.want && len(c.texts) > 0 && widths != digits[c.texts[0]] {
			t.Errorf("%q: %q", c.texts, widths)
		}
	}
}
